import { Notice } from '@aparta/ui/notice.tsx';
import type { Purchase } from '../data/purchases.ts';
import { purchasesCopy } from './copy.ts';

const copy = purchasesCopy.ending;

/** That a late purchase ends by itself, when, and what stops it. */
export function Ending({ ending }: { ending: NonNullable<Purchase['ending']> }) {
  return (
    <Notice tone="danger" title={copy.title(ending.on)}>
      {copy.text(ending.toPay)}
    </Notice>
  );
}
