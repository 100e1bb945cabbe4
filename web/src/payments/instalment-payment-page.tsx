import { parseDecimal } from '@aparta/domain/money';
import { useParams, useSearchParams } from 'wouter';
import { CardPayment } from './card-payment.tsx';
import type { Step } from './payment-view-state.ts';
import { idIn, useInstalmentPayable } from './queries.ts';

/**
 * /paymentByClib/{id}/{cxcid} and /threeDSByclib/{id}/{cxcid}/{bussinessid}/{saldo}: only the ids are read
 * (spec §2), and the sum that the buyer chose, `?monto=`, or the other purchases whose late payments they pay too, `?con=`.
 */
export default function InstalmentPaymentPage({ step }: { step: Step }) {
  const { id = '', cxcid = '' } = useParams();
  const [search] = useSearchParams();
  const chosen = parseDecimal(search.get('monto') ?? '');
  const others = (search.get('con') ?? '')
    .split(',')
    .map(idIn)
    .filter((other) => other > 0);
  return <CardPayment source={useInstalmentPayable(idIn(id), idIn(cxcid), { chosen, others })} step={step} />;
}
