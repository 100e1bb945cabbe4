import { formatMoment } from '@aparta/domain/calendar';
import { type Centavos, zero } from '@aparta/domain/money';
import type { ShopMailKind } from '@aparta/domain/shop-mails';

import { button, mxn, note, type Row, type Words } from './email-body.ts';
import type { Place } from './links.ts';

/** What happened, and which owner is told. */
export interface ShopNewsOf {
  readonly positionId: string;
  readonly merchantId: number;
  readonly kind: ShopMailKind;
  /** Of a purchase, a refund, a claim or a reservation. */
  readonly subjectId: number;
  /** What came in, or of a cancelled purchase what goes back; absent where it is read when the email is sent. */
  readonly amountCentavos?: Centavos;
  /** Of a cancelled purchase: what the shop keeps. */
  readonly keptCentavos?: Centavos;
}

/** The same with what the email says of it. */
export interface ShopNews extends ShopNewsOf {
  readonly tradeName: string;
  /** As 'Marisol R.': nothing else of the buyer is in the email. */
  readonly buyer: string;
  /** Whose the money is, of a helper, as 'Luis R.'; '' of the buyer's own. */
  readonly payer: string;
  readonly productName: string;
  readonly purchaseId: number | null;
  readonly amountCentavos: Centavos;
  readonly priceCentavos: Centavos | null;
  readonly balanceCentavos: Centavos | null;
  /** Of a refund: of the card that the shop's own terminal took, and gives it back to. */
  readonly last4: string | null;
  /** When a reservation ends, or a claim is to be answered; of a unit, since when it is missing. */
  readonly endsAt: Date | null;
}

const SAYS: Readonly<
  Record<ShopMailKind, { subject: string; label: string; rows: (news: ShopNews) => Row[] }>
> = {
  first_deposit: {
    subject: 'Compra nueva',
    label: 'Apartado pagado',
    rows: ({ priceCentavos, balanceCentavos }) => [
      { label: 'Precio', value: money(priceCentavos) },
      { label: 'Falta por pagar', value: money(balanceCentavos) },
    ],
  },
  paid_off: {
    subject: 'Compra liquidada',
    label: 'Último pago',
    rows: ({ priceCentavos }) => [{ label: 'Precio, pagado completo', value: money(priceCentavos) }],
  },
  cancelled: {
    subject: 'Compra cancelada',
    label: 'Se le devuelve',
    rows: ({ keptCentavos = zero }) =>
      keptCentavos > 0 ? [{ label: 'Cargo por cancelar', value: mxn(keptCentavos) }] : [],
  },
  refund_owed: {
    subject: 'Devolución por entregar en caja',
    label: 'Por entregar',
    rows: ({ payer, last4 }) => [
      { label: 'Para', value: payer && `${payer}, que ayudó a pagar` },
      {
        label: 'Cómo',
        value: last4 === null ? 'En efectivo' : `En tu terminal, a la tarjeta terminada en ${last4}`,
      },
    ],
  },
  unit_missing: {
    subject: 'Una pieza guardada no aparece',
    label: 'Lleva pagado',
    rows: ({ priceCentavos, endsAt }) => [
      { label: 'Precio', value: money(priceCentavos) },
      { label: 'No aparece desde', value: endsAt === null ? '' : formatMoment(endsAt) },
    ],
  },
  claim: {
    subject: 'Un comprador reclama su entrega',
    label: 'Pagó completo',
    rows: ({ endsAt }) => [
      { label: 'Contesta antes del', value: endsAt === null ? '' : formatMoment(endsAt) },
    ],
  },
  expiring: {
    subject: 'Un apartado vence hoy',
    label: 'Apartado sin pagar',
    rows: ({ priceCentavos, endsAt }) => [
      { label: 'Precio', value: money(priceCentavos) },
      { label: 'Vence', value: endsAt === null ? '' : formatMoment(endsAt) },
    ],
  },
};

/** The words of an owner's email about something that just happened. */
export function shopNewsEmail(news: ShopNews, { product, links, unsubscribeLink }: Place): Words {
  const { kind, tradeName, buyer, productName, purchaseId, amountCentavos } = news;
  const { subject, label, rows } = SAYS[kind];
  return {
    subject: `${tradeName}: ${subject.toLowerCase()}, ${mxn(amountCentavos)}`,
    heading: subject,
    blocks: [
      { kind: 'amount', label, amount: mxn(amountCentavos) },
      {
        kind: 'rows',
        rows: [
          { label: 'Cliente', value: buyer },
          { label: 'Producto', value: productName },
          { label: 'Compra', value: purchaseId === null ? '' : String(purchaseId) },
          ...rows(news),
        ],
      },
      purchaseId === null
        ? button('Ver mi tienda hoy', links.staffToday)
        : button('Ver la compra', links.staffPurchase(purchaseId)),
      note('Cada correo se apaga y se enciende por separado en «Mi cuenta», solo para ti.'),
    ],
    why: `Te escribimos porque diriges ${tradeName} en ${product}. Nunca te pedimos tu contraseña por correo.`,
    off: { label: 'Dejar de recibirlo', link: unsubscribeLink ?? links.staffAccount },
  };
}

const money = (amount: Centavos | null) => (amount === null ? '' : mxn(amount));
