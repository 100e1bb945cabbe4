import type { RefusalTexts } from '@aparta/browser/refusal.ts';
import { edgeRefusalTexts } from '@aparta/browser/edge-refusal-texts.ts';

/** The text for each refusal that a helper may meet, who has no account and owes nothing. */
export const helperTexts = {
  ...edgeRefusalTexts,
  NOT_FOUND: { kind: 'info', title: 'Este enlace ya no sirve' },
  AMOUNT_CHANGED: {
    kind: 'warning',
    title: 'Lo que falta cambió mientras pagabas',
    text: 'No se hizo ningún cobro. Revisa la cantidad y vuelve a pagar.',
  },
  INTENT_CONFLICT: {
    kind: 'warning',
    title: 'Este pago cambió mientras lo hacías',
    text: 'No se hizo otro cobro. Vuelve a intentarlo.',
  },
  PURCHASE_SETTLED: { kind: 'info', title: 'Ya está pagada' },
  CARDS_NOT_ACCEPTED: { kind: 'warning', title: 'Esta tienda no recibe tarjetas por ahora' },
  MERCHANT_MISCONFIGURED: {
    kind: 'warning',
    title: 'Esta tienda no puede recibir tu tarjeta por ahora',
    text: 'No se hizo ningún cobro. Vuelve a intentarlo más tarde.',
  },
  TOO_MANY_REJECTIONS: {
    kind: 'warning',
    title: 'Por seguridad hacemos una pausa',
    text: 'A este enlace le rechazaron varias tarjetas. No se hizo ningún cobro.',
  },
  CASH_REFERENCE_REFUSED: {
    kind: 'warning',
    title: 'Las tiendas no reciben esta cantidad',
    text: 'Elige otra cantidad o paga con tarjeta.',
  },
  TOO_LATE_FOR_STORES: {
    kind: 'warning',
    title: 'Ya no da tiempo de pagar en tienda',
    text: 'Esta compra se cancela hoy si no se paga. Ayuda con tarjeta.',
  },
  PROVIDER_DOWN: {
    kind: 'error',
    title: 'El servicio de tarjetas no responde',
    text: 'No se hizo ningún cobro. Vuelve a intentarlo en unos minutos.',
  },
} as const satisfies RefusalTexts;
