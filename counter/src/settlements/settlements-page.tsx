import { MOST_SETTLEMENTS } from '@aparta/domain/shop-lists';
import { ButtonLink } from '@aparta/ui/button.tsx';
import { Chip } from '@aparta/ui/chip.tsx';
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
import { HowItStands, Row, Rows } from '../lists/row.tsx';
import { settlementsCopy as copy } from './copy.ts';

/** What the operator noted of the shop's money. */
export default function SettlementsPage() {
  useArrival(copy.title, config.productName);
  const query = useQuery(settlementsQuery);
  return (
    <Page>
      <div className={`${styles.column} ${styles.list} ${text.stack}`}>
        <PageHead title={copy.title}>{copy.text}</PageHead>
        {query.data ? (
          <>
            {query.data.length === 0 ? (
              <Empty text={copy.none} />
            ) : (
              <>
                <Rows>
                  {query.data.map((each) => (
                    <Row key={each.id} title={copy.of(each)} amount={each.amount} facts={factsOf(each)}>
                      <Standing of={each} />
                    </Row>
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

/** What calls for somebody: the rest is as it should be, and says nothing. */
function Standing({ of: { missing, over, voided } }: { of: ShopSettlement }) {
  if (!voided && missing === 0 && over === 0) return null;
  return (
    <HowItStands>
      {voided && <Chip state="cancelled" text={copy.voided} />}
      {missing > 0 && <Chip state="late" text={copy.missing(missing)} />}
      {over > 0 && <Chip state="confirming" text={copy.over(over)} />}
    </HowItStands>
  );
}

function factsOf(of: ShopSettlement): string {
  const { id, kind, from, to, party, commission, happenedOn, evidence } = of;
  return [
    copy.number(id),
    copy.day(happenedOn),
    from !== null && to !== null && copy.pays(from, to),
    party !== null && kind !== 'payout' && copy.has(kind, party),
    commission > 0 && copy.commission(commission),
    evidence,
  ]
    .filter(Boolean)
    .join(' · ');
}
