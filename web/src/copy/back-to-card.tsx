import { formatMoney, type Centavos } from '@aparta/domain/money';
import { Notice } from '@aparta/ui/notice.tsx';

/** Says what a card was charged that reserved nothing, and that its provider gives it back. */
export function BackToCard({ reference: { owedToCard } }: { reference: { owedToCard: Centavos } }) {
  if (owedToCard === 0) return null;
  return (
    <Notice tone="pending" title={`Te devolvemos ${formatMoney(owedToCard)} a tu tarjeta.`}>
      Tu pago se cobró, pero con él no se pudo apartar. Te avisamos por correo cuando salga; tu banco puede
      tardar unos días en mostrarlo.
    </Notice>
  );
}
