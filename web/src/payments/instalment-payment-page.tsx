import { parseDecimal } from '@aparta/domain/money';
import { useParams, useSearchParams } from 'wouter';
import { CardPayment } from './card-payment.tsx';
import type { Step } from './payment-view-state.ts';
import { idIn, useInstalmentPayable } from './queries.ts';

/**
 * /paymentByClib/{id}/{cxcid} and /threeDSByclib/{id}/{cxcid}/{bussinessid}/{saldo}: only the ids are read
 * (spec §2), and the sum that the buyer chose, `?monto=`.
 */
export default function InstalmentPaymentPage({ step }: { step: Step }) {
  const { id = '', cxcid = '' } = useParams();
  const [search] = useSearchParams();
  const chosen = parseDecimal(search.get('monto') ?? '');
  return <CardPayment source={useInstalmentPayable(idIn(id), idIn(cxcid), chosen)} step={step} />;
}
