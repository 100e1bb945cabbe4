import { centavos } from '@aparta/domain/money';
import { whatOf } from '@aparta/domain/statement-copy';
import { Amount } from '@aparta/ui/amount.tsx';
import { AppLink } from '@aparta/ui/app-link.tsx';
import text from '@aparta/ui/text.module.css';
import { paths } from '../app/paths.ts';
import type { Statement, StatementLine } from '../data/statement.ts';
import { factsOf, statementCopy as copy } from './statement-copy.ts';
import styles from './statement.module.css';

/** What happened, the oldest first, each with the balance after it. */
export function Lines({ lines }: { lines: readonly StatementLine[] }) {
  return (
    <ol className={styles.lines} aria-label={copy.movements}>
      {lines.map((line, index) => (
        // Nothing else tells two payments of a moment apart; the order never changes.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>
          <Line line={line} />
        </li>
      ))}
    </ol>
  );
}

function Line({ line }: { line: StatementLine }) {
  const { thing, rest } = factsOf(line);
  const to = addressOf(line);
  const inside = (
    <>
      <span className={styles.top}>
        <b>{whatOf(line)}</b>
        {line.kind !== 'ended' || line.credit > 0 ? <Change line={line} /> : null}
      </span>
      {thing && <span className={text.small}>{thing}</span>}
      <span className={`${text.muted} ${text.small}`}>{rest}</span>
      <span className={`${styles.balance} ${text.small}`}>
        <span>{copy.balance}</span>
        <Amount of={line.balance} size="strong" />
      </span>
    </>
  );
  return to === undefined ? (
    <div className={styles.line}>{inside}</div>
  ) : (
    <AppLink className={styles.line} to={to}>
      {inside}
    </AppLink>
  );
}

/** The money of a line: with its sign where it changed what is owed. */
function Change({ line: { charge, credit, fee, amount, kind } }: { line: StatementLine }) {
  const isPaid = kind === 'payment';
  const sign = charge > 0 ? '+' : credit > 0 ? '−' : '';
  const of = kind === 'ended' ? credit : isPaid ? centavos(amount - fee) : charge > 0 ? charge : amount;
  return (
    <span className={styles.change} data-paid={isPaid || undefined}>
      <span aria-hidden="true">{sign}</span>
      <Amount of={of} size="strong" />
    </span>
  );
}

function addressOf({ kind, folio, purchaseId }: StatementLine): string | undefined {
  if (kind === 'payment' && folio !== null) return paths.receipt(folio);
  return purchaseId === undefined ? undefined : paths.purchase(purchaseId);
}

/** What was due in these days, as it stands today. */
export function Dues({
  dues,
  due: of,
  isOver,
}: Pick<Statement, 'dues' | 'due'> & { /** The days are. */ isOver: boolean }) {
  return (
    <details className={styles.dues}>
      <summary>{copy.dues(of, dues.length, isOver)}</summary>
      <p className={`${text.muted} ${text.small}`}>{copy.duesToday}</p>
      <ul className={styles.lines}>
        {dues.map((due) => (
          <li key={`${due.purchaseId} ${due.number}`}>
            <AppLink className={styles.line} to={paths.purchase(due.purchaseId)}>
              <span className={styles.top}>
                <b>{copy.part(due.number, due.payments)}</b>
                <Amount of={due.amount} size="strong" />
              </span>
              <span className={text.small}>{`${due.productName} · ${due.tradeName}`}</span>
              <span className={`${text.muted} ${text.small}`}>
                {`${copy.dueOn(due.dueOn)} · ${copy.dueStates[due.state](centavos(due.amount - due.paid))}`}
              </span>
            </AppLink>
          </li>
        ))}
      </ul>
    </details>
  );
}
