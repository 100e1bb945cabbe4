import { FactList } from '@aparta/ui/fact-list.tsx';
import text from '@aparta/ui/text.module.css';
import type { Moving } from '../data/read-moving.ts';
import { moveCopy as copy } from './move-copy.ts';

/** What its buyer changed of a plan, the newest first. */
export default function PlanChanges({ moving: { changes, left } }: { moving: Moving }) {
  return (
    <section className={text.tight} aria-label={copy.history(changes.length)}>
      <h3>{copy.history(changes.length)}</h3>
      <FactList
        facts={changes.toReversed().map(({ sequence, number, fromDay, toDay, amount, first, on }) => ({
          key: String(sequence),
          icon: 'clock',
          title:
            first === undefined
              ? copy.wasMoved(number, fromDay, toDay)
              : copy.wasSplit(number, amount, first, fromDay, toDay),
          text: copy.madeOn(on),
        }))}
      />
      <p className={`${text.muted} ${text.small}`}>{copy.leftNow(left)}</p>
    </section>
  );
}
