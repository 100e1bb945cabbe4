import { Notice } from '@aparta/ui/notice.tsx';
import type { LayawayReference } from '../data/layaway.ts';
import { paymentCopy } from './payment-copy.ts';

/** Says what a store took that reserved nothing, and who gives it back. */
export function OwedBack({ reference: { owedBack, merchantName } }: { reference: LayawayReference }) {
  if (owedBack === 0) return null;
  const { title, text } = paymentCopy.payment.owedBack;
  return (
    <Notice tone="pending" title={title(owedBack)}>
      {text(merchantName)}
    </Notice>
  );
}
