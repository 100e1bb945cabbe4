import type { Centavos } from '@aparta/domain/money';
import { LineItems, type LineItem } from '@aparta/ui/line-items.tsx';
import { Page, PageHead } from '@aparta/ui/page.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useQuery } from '@tanstack/react-query';
import { config } from '../app/config.ts';
import { rulesQuery, type ShopRules } from '../data/rules.ts';
import { NotYet } from '../lists/not-yet.tsx';
import { rulesCopy as copy } from './copy.ts';
import styles from './rules.module.css';

/** What the shop asks of buyers and promises them, to read; the operator alone changes it. */
export default function RulesPage() {
  useArrival(copy.title, config.productName);
  const query = useQuery(rulesQuery);
  return (
    <Page>
      <div className={`${styles.column} ${text.stack}`}>
        <PageHead title={copy.title}>{copy.intro}</PageHead>
        {query.data ? (
          <Rules rules={query.data} />
        ) : (
          <NotYet of={query} failed={copy.failed} loading={copy.loading} />
        )}
      </div>
    </Page>
  );
}

function Rules({ rules }: { rules: ShopRules }) {
  return (
    <>
      <Card
        title={copy.plan}
        rows={[
          { label: copy.deposit, text: copy.percent(rules.depositPercent) },
          { label: copy.payments, text: copy.withDeposit(rules.payments) },
          { label: copy.every, text: copy.days(rules.everyDays) },
          {
            label: copy.moves,
            text: rules.movesAllowed === 0 ? copy.noMoves : copy.upTo(rules.movesAllowed, rules.moveDays),
          },
        ]}
        below={copy.movesText}
      />
      <Card
        title={copy.cancel}
        rows={[
          { label: copy.inTime, text: copy.free },
          { label: copy.later, amount: rules.penalty },
        ]}
        below={copy.cancelText}
      />
      <Card
        title={copy.after}
        rows={[
          { label: copy.delivery, text: copy.deliveredIn(rules.deliveryDays) },
          {
            label: copy.end,
            text: rules.endDaysLate === null ? copy.never : copy.endsAfter(rules.endDaysLate),
          },
        ]}
      />
      <Card
        title={copy.fees}
        rows={[
          rules.acceptsCards ? feeLine(copy.card, rules.cardFee) : { label: copy.card, text: copy.noCards },
          feeLine(copy.till, rules.tillFee),
          feeLine(copy.store, rules.cashFee),
        ]}
      />
      <p className={text.muted}>{copy.change(config.productName, config.help.email)}</p>
    </>
  );
}

const feeLine = (label: string, fee: Centavos): LineItem =>
  fee === 0 ? { label, text: copy.noFee } : { label, amount: fee };

function Card({ title, rows, below }: { title: string; rows: readonly LineItem[]; below?: string }) {
  return (
    <section className={`${text.card} ${text.tight}`} aria-label={title}>
      <h2>{title}</h2>
      <LineItems rows={rows} />
      {below !== undefined && <p className={`${text.muted} ${text.small}`}>{below}</p>}
    </section>
  );
}
