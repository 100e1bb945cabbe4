import { addDays, lastDayOfMonth } from '@aparta/domain/calendar';
import { INVOICE_GROUPS, INVOICE_SHOWS } from '@aparta/domain/shop-lists';
import { Amount } from '@aparta/ui/amount.tsx';
import { ButtonLink } from '@aparta/ui/button.tsx';
import { Empty } from '@aparta/ui/empty.tsx';
import { LineItems } from '@aparta/ui/line-items.tsx';
import { Page, PageHead } from '@aparta/ui/page.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useToday } from '@aparta/ui/use-today.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { config } from '../app/config.ts';
import { INVOICE_WORDS, invoicesAddress, paths } from '../app/paths.ts';
import { invoicesQuery, type InvoicesOf } from '../data/invoices.ts';
import { saveInvoiceList } from '../data/lists.ts';
import { Filters } from '../lists/filters.tsx';
import { More } from '../lists/more.tsx';
import { NotYet } from '../lists/not-yet.tsx';
import { Rows } from '../lists/row.tsx';
import { SaveList } from '../lists/save-list.tsx';
import { invoicesCopy as copy } from './copy.ts';
import { InstalmentRow } from './instalment-row.tsx';
import styles from './invoices.module.css';

const MONTH = /^2[01]\d{2}-(0[1-9]|1[0-2])$/;

/** What was paid in the month that the address says, this one where it says none, and what became of its invoices. */
export default function InvoicesPage() {
  useArrival(copy.title, config.productName);
  const [address] = useSearchParams();
  const now = useToday().slice(0, 7);
  const said = address.get('mes') ?? '';
  const month = MONTH.test(said) ? said : now;
  const show = INVOICE_SHOWS.find((each) => INVOICE_WORDS[each] === address.get('ver')) ?? 'all';
  return (
    <Page>
      <div className={`${styles.column} ${text.stack}`}>
        <PageHead title={copy.title}>{copy.month(month)}</PageHead>
        <Months month={month} show={show} now={now} />
        <Filters
          label={copy.lists}
          of={INVOICE_SHOWS.map((each) => ({
            to: invoicesAddress({ month, show: each }),
            isOn: each === show,
            label: each === 'all' ? copy.all : copy.groups[each],
          }))}
        />
        <Instalments key={`${month} ${show}`} month={month} show={show} />
      </div>
    </Page>
  );
}

/** The month before and the one after, which there is none of after this one. */
function Months({ month, show, now }: InvoicesOf & { readonly now: string }) {
  const first = `${month}-01`;
  const before = addDays(first, -1).slice(0, 7);
  const after = addDays(lastDayOfMonth(first), 1).slice(0, 7);
  return (
    <nav className={text.pair} aria-label={copy.months}>
      <ButtonLink to={invoicesAddress({ month: before, show })} icon="back">
        {copy.shortMonth(before)}
      </ButtonLink>
      {month < now && (
        <ButtonLink to={invoicesAddress({ month: after, show })}>{copy.shortMonth(after)}</ButtonLink>
      )}
    </nav>
  );
}

function Instalments(of: InvoicesOf) {
  const query = useInfiniteQuery(invoicesQuery(of));
  if (!query.data) return <NotYet of={query} failed={copy.failed} loading={copy.loading} />;
  const { instalments, sums } = query.data;
  return (
    <>
      {sums && sums.all.count > 0 && (
        <section className={`${text.card} ${text.tight}`} aria-label={copy.total}>
          <p className={text.muted}>{copy.collected(sums.all.count)}</p>
          <Amount of={sums.all.amount} size="big" />
          <LineItems
            rows={INVOICE_GROUPS.filter((group) => group !== 'ended' || sums.ended.count > 0).map(
              (group) => ({
                label: copy.count(copy.groups[group], sums[group].count),
                amount: sums[group].amount,
              }),
            )}
          />
          <p className={`${text.muted} ${text.small}`}>{copy.without}</p>
        </section>
      )}
      {instalments.length === 0 ? (
        <Empty text={copy.none} />
      ) : (
        <div className={styles.list}>
          <Rows>
            {instalments.map((each) => (
              <InstalmentRow key={each.id} of={each} />
            ))}
          </Rows>
        </div>
      )}
      <More of={query} />
      {instalments.length > 0 && <SaveList save={(format) => saveInvoiceList(of, format)} />}
      <ButtonLink wide to={paths.settlements}>
        {copy.settlements}
      </ButtonLink>
    </>
  );
}
