import { useEffect } from 'react';
import { useParams } from 'wouter';
import { reference } from '../session/reference.ts';
import { CardPayment } from './card-payment.tsx';
import type { Step } from './payment-view-state.ts';
import type { Payable } from './payable.ts';
import { idIn, useLayawayPayable } from './queries.ts';

/** /pullapartByClip/{id} and /threeDSByclipPA/{id}/{bussinessid}/{saldo}: only the id is read (spec §2). */
export default function LayawayPaymentPage({ step }: { step: Step }) {
  const { id = '' } = useParams();
  const source = useLayawayPayable(idIn(id));
  const { payable } = source;
  const isBought = payable && (payable.purchaseId !== undefined || payable.attempt?.state === 'applied');
  useEffect(() => {
    if (isBought) void dropReferenceOf(payable).catch(() => {});
  }, [isBought, payable]);
  return <CardPayment source={source} step={step} />;
}

/**
 * rules/layaways#kept-reference: the saved reference is cleared once its purchase exists, unless another product was scanned
 * in the meantime.
 */
async function dropReferenceOf({ merchantId, productId }: Payable): Promise<void> {
  // Not needed before.
  const { parseLayawayReference } = await import('@aparta/domain/layaway-reference');
  const saved = parseLayawayReference(reference.current() ?? '');
  if (saved.ok && saved.value.businessId === merchantId && saved.value.productId === productId)
    reference.clear();
}
