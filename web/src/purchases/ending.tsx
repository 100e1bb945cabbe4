import { Notice } from '@aparta/ui/notice.tsx';
import type { Purchase } from '../data/purchases.ts';
import { endingCopy } from './next-copy.ts';

const copy = endingCopy;

/** That a late purchase ends by itself, when, and what stops it; also that its shop gives it until then. */
export function Ending({ ending }: { ending: NonNullable<Purchase['ending']> }) {
  return (
    <Notice
      tone={ending.isMoreTime ? 'pending' : 'danger'}
      title={ending.isMoreTime ? copy.moreTime(ending.on) : copy.title(ending.on)}
    >
      {copy.text(ending.toPay)}
    </Notice>
  );
}
