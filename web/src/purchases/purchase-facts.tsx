import { formatDate, type DateOnly } from '@aparta/domain/calendar';
import { Amount } from '@aparta/ui/amount.tsx';
import { Chip } from '@aparta/ui/chip.tsx';
import type { Purchase } from '../data/purchases.ts';
import { purchasesCopy as copy } from './copy.ts';
import styles from './purchases.module.css';

/** What a purchase begins with, in the list and on its own page. */
export function Top({ status, id, madeOn }: { status: Purchase['status']; id: number; madeOn: DateOnly }) {
  return (
    <p className={styles.top}>
      <Chip state={status} />
      <span>
        {copy.purchase(id)} · {formatDate(madeOn)}
      </span>
    </p>
  );
}

/** Price, deposit and total paid. */
export function Facts({ purchase }: { purchase: Pick<Purchase, 'price' | 'deposit' | 'paid'> }) {
  const facts = [
    { label: copy.price, amount: purchase.price },
    { label: copy.deposit, amount: purchase.deposit },
    { label: copy.paid, amount: purchase.paid },
  ];
  return (
    <dl className={styles.facts}>
      {facts.map(({ label, amount }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <Amount of={amount} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
