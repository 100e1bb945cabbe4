import { Notice } from '@aparta/ui/notice.tsx';
import type { InstalmentToPay } from '../data/instalments.ts';
import type { Purchase } from '../data/purchases.ts';
import { endingCopy } from './next-copy.ts';

const copy = endingCopy;

/**
 * That a late purchase ends by itself, when, and what stops it; also that its shop gives it until then. While a card payment is
 * confirmed nobody is asked to pay.
 */
export function Ending({
  ending,
  progress,
}: {
  ending: NonNullable<Purchase['ending']>;
  progress: InstalmentToPay['progress'] | undefined;
}) {
  return (
    <Notice
      tone={ending.isMoreTime ? 'pending' : 'danger'}
      title={ending.isMoreTime ? copy.moreTime(ending.on) : copy.title(ending.on)}
    >
      {progress !== 'confirming' && copy.text(ending.toPay)}
    </Notice>
  );
}
