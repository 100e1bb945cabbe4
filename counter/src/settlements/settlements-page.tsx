import { MOST_SETTLEMENTS } from '@aparta/domain/shop-lists';
import { ButtonLink } from '@aparta/ui/button.tsx';
import { Empty } from '@aparta/ui/empty.tsx';
import { Page, PageHead } from '@aparta/ui/page.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useQuery } from '@tanstack/react-query';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import { saveSettlementList } from '../data/lists.ts';
import { settlementsQuery, type ShopSettlement } from '../data/settlements.ts';
import styles from '../invoices/invoices.module.css';
import { SaveList } from '../lists/save-list.tsx';
import { NotYet } from '../lists/not-yet.tsx';
import { Row, Rows } from '../lists/row.tsx';
import { settlementsCopy as copy } from './copy.ts';

/** What the operator noted of the shop's money. */
export default function SettlementsPage() {
  useArrival(copy.title, config.productName);
  const query = useQuery(settlementsQuery);
  return (
    <Page>
      <div className={`${styles.column} ${text.stack}`}>
        <PageHead title={copy.title}>{copy.text}</PageHead>
        {query.data ? (
          <>
            {query.data.length === 0 ? (
              <Empty text={copy.none} />
            ) : (
              <>
                <Rows>
                  {query.data.map((each) => (
                    <Row key={each.id} title={copy.of(each)} amount={each.amount} facts={factsOf(each)} />
                  ))}
                </Rows>
                {query.data.length >= MOST_SETTLEMENTS && <p className={text.muted}>{copy.most}</p>}
                <SaveList save={saveSettlementList} />
              </>
            )}
            <ButtonLink wide to={paths.invoices}>
              {copy.back}
            </ButtonLink>
          </>
        ) : (
          <NotYet of={query} failed={copy.failed} loading={copy.loading} />
        )}
      </div>
    </Page>
  );
}

function factsOf(of: ShopSettlement): string {
  const { id, kind, from, to, party, commission, missing, over, happenedOn, evidence, voided } = of;
  return [
    voided && copy.voided,
    copy.number(id),
    copy.day(happenedOn),
    from !== null && to !== null && copy.pays(from, to),
    party !== null && kind !== 'payout' && copy.has(kind, party),
    commission > 0 && copy.commission(commission),
    missing > 0 && copy.missing(missing),
    over > 0 && copy.over(over),
    evidence,
  ]
    .filter(Boolean)
    .join(' · ');
}
