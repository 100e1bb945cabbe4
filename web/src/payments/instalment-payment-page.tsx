import { useParams } from 'wouter';
import { CardPayment } from './card-payment.tsx';
import type { Step } from './payment-view-state.ts';
import { idIn, useInstalmentPayable } from './queries.ts';

/**
 * /paymentByClib/{id}/{cxcid} and /threeDSByclib/{id}/{cxcid}/{bussinessid}/{saldo}: only the ids are read
 * (spec §2).
 */
export default function InstalmentPaymentPage({ step }: { step: Step }) {
  const { id = '', cxcid = '' } = useParams();
  return <CardPayment source={useInstalmentPayable(idIn(id), idIn(cxcid))} step={step} />;
}
