import { useEffect } from 'react';
import { useParams } from 'wouter';
import { CardPayment } from './card-payment.tsx';
import type { Step } from './payment-view-state.ts';
import { idIn, useLayawayPayable } from './queries.ts';

/** /pullapartByClip/{id} and /threeDSByclipPA/{id}/{bussinessid}/{saldo}: only the id is read (spec §2). */
export default function LayawayPaymentPage({ step }: { step: Step }) {
  const { id = '' } = useParams();
  const source = useLayawayPayable(idIn(id));
  const { payable } = source;
  const isBought = payable && (payable.purchaseId !== undefined || payable.attempt?.state === 'applied');
  useEffect(() => {
    // Not needed before.
    if (isBought)
      void import('./drop-reference.ts').then(
        ({ dropReferenceOf }) => dropReferenceOf(payable),
        () => {},
      );
  }, [isBought, payable]);
  return <CardPayment source={source} step={step} />;
}
