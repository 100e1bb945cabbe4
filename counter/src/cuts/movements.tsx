import { expectedIn } from '@aparta/domain/cut';
import { inGroups } from '@aparta/domain/in-groups';
import { may } from '@aparta/domain/staff-rights';
import { LineItems, type LineItem } from '@aparta/ui/line-items.tsx';
import text from '@aparta/ui/text.module.css';
import { AppLink } from '@aparta/ui/app-link.tsx';
import { paths } from '../app/paths.ts';
import { NetAmount } from '../lists/net-amount.tsx';
import type { CutSummary, Movement, Shift } from '../data/cuts.ts';
import { useSession } from '../session/session.ts';
import { cutsCopy as copy } from './copy.ts';
import styles from './cuts.module.css';

/** What came into a drawer and went back out of it, by how it was handed over. */
export function Sums({ of }: { of: Shift | CutSummary }) {
  const { drawer, terminalTaken, terminalReturned } = of;
  // Why the float was another says little without it.
  const isExplained = 'id' in of && of.floatReason !== undefined;
  const rows: LineItem[] = [
    ...(drawer.floatCentavos > 0 || isExplained ? [{ label: copy.float, amount: drawer.floatCentavos }] : []),
    { label: copy.cashTaken, amount: drawer.cashTakenCentavos },
    ...(drawer.cashReturnedCentavos > 0
      ? [{ label: copy.cashReturned, text: <NetAmount of={0 - drawer.cashReturnedCentavos} size="plain" /> }]
      : []),
    {
      label: 'id' in of ? copy.expected : copy.expectedBare,
      text: <NetAmount of={expectedIn(drawer)} size="strong" />,
      strong: true,
    },
    ...(terminalTaken > 0 ? [{ label: copy.terminalTaken, amount: terminalTaken }] : []),
    ...(terminalReturned > 0
      ? [{ label: copy.terminalReturned, text: <NetAmount of={0 - terminalReturned} size="plain" /> }]
      : []),
  ];
  return <LineItems rows={rows} />;
}

/** Each movement with its folio, hour and sum; what was given back since is marked. */
export function Movements({ list, count }: { list: readonly Movement[]; count: number }) {
  const role = useSession()?.position.role;
  if (count === 0) return <p className={text.muted}>{copy.none}</p>;
  return (
    <section className={text.tight} aria-label={copy.movements(count)}>
      <h3>{copy.movements(count)}</h3>
      <ul className={styles.list}>
        {list.map((movement) => (
          <li key={`${movement.kind} ${movement.folio} ${movement.at.getTime()}`} className={styles.movement}>
            <div>
              {movement.refundId === null && role && may(role, 'see_receipt') ? (
                <AppLink to={paths.receipt(movement.folio)}>
                  <span className={text.noBreak}>{inGroups(movement.folio)}</span>
                </AppLink>
              ) : (
                // The payment behind what was given back may have come by a store or a till, of which no receipt is here.
                <span className={text.noBreak}>{inGroups(movement.folio)}</span>
              )}
              <p className={`${text.muted} ${text.small}`}>{copy.hour(movement.at)}</p>
            </div>
            <div>
              <NetAmount
                of={movement.kind === 'returned' ? 0 - movement.amount : movement.amount}
                size="plain"
              />
              <p className={`${text.muted} ${text.small}`}>{wordsOf(movement)}</p>
            </div>
          </li>
        ))}
      </ul>
      {list.length < count && <p className={`${text.muted} ${text.small}`}>{copy.newest(list.length)}</p>}
    </section>
  );
}

function wordsOf({ kind, method, reversed }: Movement): string {
  const how = method === 'cash' ? copy.cash : copy.terminal;
  if (kind === 'returned') return `${copy.returned}, ${how}`;
  return reversed ? `${how}, ${copy.reversed}` : how;
}
