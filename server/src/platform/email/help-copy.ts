import { inGroups } from '@aparta/domain/in-groups';
import { type Centavos, zero } from '@aparta/domain/money';

import { type Block, button, type EmailBody, mxn, note, paragraph, type Words } from './email-body.ts';
import type { EmailTopic } from '../db/tables.ts';
import type { Place } from './links.ts';

/** What a helper is told of what they gave. */
export type HelpNewsKind = Extract<EmailTopic, `help_${string}`>;

/** Which attempt, or which operation of a store, it is about, and the sum of the news. */
export type HelpNewsOf = {
  readonly amountCentavos: Centavos;
  /** Of a penalty: what it left to give back. */
  readonly leftCentavos?: Centavos;
} & ({ readonly attemptId: string } | { readonly operationId: string });

/** The same with what the email says of it: of the buyer the first name alone. */
export interface HelpNews {
  readonly amountCentavos: Centavos;
  readonly leftCentavos: Centavos;
  readonly isAtStore: boolean;
  /** Another sum was charged than agreed. */
  readonly isOtherSum: boolean;
  readonly payerName: string;
  readonly firstName: string;
  readonly productName: string;
  readonly tradeName: string;
  readonly feeCentavos: Centavos;
  /** What the shop may keep at most if the buyer cancels. */
  readonly penaltyCentavos: Centavos;
  /** Null until it was applied. */
  readonly folio: string | null;
  readonly last4: string | null;
}

const SAYS: Readonly<
  Record<
    HelpNewsKind,
    {
      subject: (sum: string) => string;
      badge: NonNullable<EmailBody['badge']>;
      label: string;
      blocks: (news: HelpNews, card: string) => Block[];
    }
  >
> = {
  help_received: {
    subject: (sum) => `Tu ayuda llegó: ${sum}`,
    badge: { text: 'Pagado', tone: 'paid' },
    label: 'Pagaste',
    blocks: ({ firstName, tradeName, penaltyCentavos, isAtStore }) => {
      const how = isAtStore
        ? `${tradeName} te entrega en efectivo, en su caja, lo que diste: lleva este folio y tu ticket de la tienda.`
        : 'lo que diste vuelve a tu tarjeta.';
      return [
        paragraph(
          penaltyCentavos > zero
            ? `Si ${firstName} cancela, ${how} ${isAtStore ? tradeName : 'La tienda'} puede cobrar hasta ${mxn(penaltyCentavos)} por cancelar: se toma primero del dinero de ${firstName}, y solo si no alcanza, de quienes ayudaron. El cargo por servicio ya no vuelve entonces.`
            : `Si ${firstName} cancela, ${how}`,
        ),
      ];
    },
  },
  help_returned: {
    subject: (sum) => `Te devolvemos ${sum}`,
    badge: { text: 'En devolución', tone: 'pending' },
    label: 'Te devolvemos',
    blocks: ({ isOtherSum }, card) => [
      paragraph(
        `${isOtherSum ? 'Tu banco cobró otro monto que el acordado, por eso no se aplicó a esa compra.' : 'Cuando tu banco aprobó el pago ya no se podía aplicar a esa compra.'} Vuelve completo a ${card}: no tienes que hacer nada.`,
      ),
    ],
  },
  help_in_review: {
    subject: () => 'Estamos revisando tu pago',
    badge: { text: 'En revisión', tone: 'pending' },
    label: 'Pago en revisión',
    blocks: () => [
      paragraph('Una persona lo está viendo. No vuelvas a pagar: te escribimos en cuanto se resuelva.'),
    ],
  },
  help_not_charged: {
    subject: () => 'Tu pago no se cobró',
    badge: { text: 'No se cobró', tone: 'danger' },
    label: 'No se cobró',
    blocks: () => [
      paragraph(
        'Tu pago no se completó. Si tu banco llegara a aprobarlo después, lo aplicamos o te lo devolvemos completo.',
      ),
    ],
  },
  help_refunded: {
    subject: (sum) => `Devolución hecha: ${sum}`,
    badge: { text: 'Devuelto', tone: 'paid' },
    label: 'Te devolvimos',
    blocks: (_news, card) => [paragraph(`Volvió a ${card}. Tu banco puede tardar unos días en mostrarlo.`)],
  },
  help_refund_in_cash: {
    subject: (sum) => `Tu devolución de ${sum} será en efectivo`,
    badge: { text: 'Por devolver', tone: 'pending' },
    label: 'Por recoger',
    blocks: ({ tradeName }, card) => [
      paragraph(
        `No se pudo devolver a ${card}. ${tradeName} te lo entrega completo, en efectivo: ponte de acuerdo con la tienda.`,
      ),
    ],
  },
  help_penalty: {
    subject: (sum) => `El cargo por cancelar tomó ${sum} de tu ayuda`,
    badge: { text: 'Cargo por cancelar', tone: 'danger' },
    label: 'Se tomó de tu ayuda',
    blocks: ({ firstName, tradeName, leftCentavos, feeCentavos }) => [
      paragraph(
        `La compra de ${firstName} se canceló, y ${tradeName} cobra un cargo por cancelar. Se tomó primero del dinero de ${firstName}; como no alcanzó, esto salió de lo que diste.${feeCentavos > zero ? ` El cargo por servicio de ${mxn(feeCentavos)} tampoco vuelve.` : ''}`,
      ),
      paragraph(
        leftCentavos > zero
          ? `Lo demás, ${mxn(leftCentavos)}, sí vuelve: te escribimos aparte.`
          : 'De lo que diste no queda nada por devolverte.',
      ),
    ],
  },
  help_cash_owed_back: {
    subject: (sum) => `Tienes ${sum} por recoger`,
    badge: { text: 'Por devolver', tone: 'pending' },
    label: 'Por recoger',
    blocks: ({ tradeName, firstName }) => [
      paragraph(
        `De lo que pagaste en la tienda para ${firstName}, esto no se usó: su compra ya no lo necesita o se canceló.`,
      ),
      paragraph(
        `${tradeName} te lo entrega en efectivo, en su caja: lleva este folio y tu ticket de la tienda.`,
      ),
    ],
  },
  help_cash_paid_back: {
    subject: (sum) => `Te entregaron ${sum} en efectivo`,
    badge: { text: 'Devuelto', tone: 'paid' },
    label: 'Te entregaron',
    blocks: () => [paragraph('Tu devolución está hecha. Si no la recibiste, habla con la tienda.')],
  },
  help_cash_bounced: {
    subject: (sum) => `Tu devolución de ${sum} se te debe otra vez`,
    badge: { text: 'Por devolver', tone: 'pending' },
    label: 'Por recoger',
    blocks: ({ tradeName }) => [
      paragraph(
        `Te escribimos que ya tenías este dinero, pero no te llegó. ${tradeName} te lo debe completo: ponte de acuerdo con la tienda.`,
      ),
    ],
  },
  help_reversed: {
    subject: (sum) => `La tienda revirtió tu pago de ${sum}`,
    badge: { text: 'Revertido', tone: 'danger' },
    label: 'Pago revertido',
    blocks: () => [
      paragraph(
        'Tu pago ya no cuenta: la tienda donde pagaste te regresa ese dinero. Si no fue así, habla con ella y lleva tu ticket.',
      ),
    ],
  },
};

/** The words of an email to a helper. */
export function helpEmail(kind: HelpNewsKind, news: HelpNews, { product, links }: Place): Words {
  const says = SAYS[kind];
  const { amountCentavos, feeCentavos, firstName, productName, tradeName, folio, last4 } = news;
  const card = last4 === null ? 'tu tarjeta' : `tu tarjeta terminada en ${last4}`;
  const sum = mxn(amountCentavos);
  const isReceipt = kind === 'help_received';
  return {
    subject: says.subject(sum),
    badge: says.badge,
    heading: isReceipt ? `Gracias, ${news.payerName}. Tu ayuda llegó` : says.subject(sum),
    blocks: [
      { kind: 'amount', label: says.label, amount: sum },
      ...says.blocks(news, card),
      {
        kind: 'rows',
        title: isReceipt ? 'Recibo de tu ayuda' : 'De qué pago hablamos',
        rows: [
          { label: 'Folio', value: folio === null ? '' : inGroups(folio), strong: true },
          { label: 'Para', value: firstName },
          { label: 'Producto', value: productName },
          { label: 'Comercio', value: tradeName },
          { label: 'Cargo por servicio', value: isReceipt && feeCentavos > zero ? mxn(feeCentavos) : '' },
          { label: 'Tarjeta', value: last4 === null ? '' : `terminada en ${last4}` },
        ],
      },
      note('Guarda este correo. No es una factura (CFDI): la factura es de quien compra.'),
      button(`Ir a ${product}`, links.home),
    ],
    why: `Te escribimos porque alguien pagó en ${product} y dejó este correo para su recibo. Nunca te pedimos los datos de tu tarjeta por correo.`,
  };
}
