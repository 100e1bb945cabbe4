import { Amount } from '@aparta/ui/amount.tsx';
import { Chip } from '@aparta/ui/chip.tsx';
import { ProductTile } from '@aparta/ui/product-tile.tsx';
import text from '@aparta/ui/text.module.css';
import type { Owed } from '../data/payments.ts';
import { tillCopy } from './copy.ts';

const copy = tillCopy.charge;

/** What is paid for, by whom, and what is owed; nothing is of what ended. */
export function OwedTicket({ owed }: { owed: Owed }) {
  const when = owed.expiresAt
    ? copy.expires(owed.expiresAt)
    : owed.nextDueOn
      ? copy.due(owed.nextDueOn)
      : undefined;
  const hasEnded = owed.state === 'cancelled' || owed.state === 'expired';
  return (
    <section className={`${text.card} ${text.tight}`} aria-label={hasEnded ? owed.productName : copy.ticket}>
      <div className={text.besideTile}>
        <ProductTile name={owed.productName} pictures={owed.pictures} inList />
        <div>
          <div className={text.between}>
            <h2>{owed.productName}</h2>
            {owed.late && <Chip state="late" text={copy.late} />}
          </div>
          <p className={text.muted}>{owed.buyer}</p>
        </div>
      </div>
      {/* Of what ended the books still know a rest, which nobody owes. */}
      {!hasEnded && (
        <div>
          <p className={text.muted}>{owed.kind === 'deposit' ? copy.deposit : copy.left}</p>
          <Amount of={owed.balance} size="big" />
        </div>
      )}
      {when && owed.state === 'open' && <p className={`${text.muted} ${text.small}`}>{when}</p>}
    </section>
  );
}
