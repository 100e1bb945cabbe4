import { formatMoney, type Centavos } from '@aparta/domain/money';
import { Notice } from '@aparta/ui/notice.tsx';

/** Says what was paid that reserved nothing, and who gives it back. */
export function OwedBack({
  reference: { owedBack, merchantName },
}: {
  reference: { owedBack: Centavos; merchantName: string };
}) {
  if (owedBack === 0) return null;
  return (
    <Notice tone="pending" title={`Se te deben ${formatMoney(owedBack)} que ya pagaste.`}>
      {`Con ese pago no se pudo apartar. ${merchantName} te lo entrega en su caja: lleva tu comprobante.`}
    </Notice>
  );
}
