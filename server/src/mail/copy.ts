import { formatMoney, type Centavos } from '@aparta/domain/money';
import type { MailTopic } from '../db/tables.ts';

/** The letters about money; the others are made of no facts. */
export type MoneyTopic = Exclude<MailTopic, 'password_reset' | 'password_changed'>;

/** What a letter about money is made of: ids and amounts, never an address or a name (the mailbox may be somebody else's, threat 3). */
export interface MailFacts {
  readonly amountCentavos: Centavos;
  readonly folio?: string;
  readonly purchaseId?: number;
  /** What is left of the purchase. */
  readonly balanceCentavos?: Centavos;
  readonly product?: string;
  readonly last4?: string;
}

interface Words {
  readonly subject: string;
  readonly lines: readonly string[];
}

type Write = (facts: MailFacts, product: string) => Words;

const money = (facts: MailFacts) => `${formatMoney(facts.amountCentavos)} MXN`;

const WORDS: Readonly<Record<MoneyTopic, Write>> = {
  layaway_paid: (facts, product) => ({
    subject: `Recibimos tu apartado de ${money(facts)}`,
    lines: [
      `Recibimos tu pago de ${money(facts)}. Folio ${facts.folio ?? ''}.`,
      `Tu compra es la ${facts.purchaseId ?? ''}. En ${product} ves tu plan de pagos y lo que te falta.`,
    ],
  }),
  payment_returned: (facts) => ({
    subject: `Te devolvemos ${money(facts)}`,
    lines: [
      `Tu banco aprobó un pago de ${money(facts)} que ya no se pudo aplicar a tu apartado.`,
      'Te lo devolvemos completo a la misma tarjeta. No tienes que hacer nada.',
      'Te escribimos otra vez cuando la devolución esté hecha. Tu banco puede tardar unos días en mostrarla.',
    ],
  }),
  payment_in_review: (facts) => ({
    subject: 'Estamos revisando tu pago',
    lines: [
      `Tu pago de ${money(facts)} quedó en revisión. Una persona lo está viendo.`,
      'No vuelvas a pagar: te escribimos en cuanto se resuelva.',
    ],
  }),
  payment_not_charged: (facts) => ({
    subject: 'Tu pago no se cobró',
    lines: [`Confirmamos que tu pago de ${money(facts)} no se cobró. Puedes intentarlo otra vez.`],
  }),
  payment_abandoned: (facts) => ({
    subject: 'Tu pago no se completó',
    lines: [
      `Tu pago de ${money(facts)} no se completó a tiempo. Puedes intentarlo otra vez.`,
      'Si tu banco llegara a aprobarlo después, lo aplicamos o te lo devolvemos completo.',
    ],
  }),
  instalment_paid: (facts, product) => ({
    subject: `Recibimos tu abono de ${money(facts)}`,
    lines: [
      `Recibimos tu pago de ${money(facts)}. Folio ${facts.folio ?? ''}.`,
      facts.balanceCentavos === 0
        ? `¡Tu compra ${facts.purchaseId ?? ''} está liquidada!`
        : `Te faltan ${formatMoney(facts.balanceCentavos ?? facts.amountCentavos)} MXN de tu compra ${facts.purchaseId ?? ''}.`,
      `En ${product} ves tu recibo y tus próximos pagos.`,
    ],
  }),
  purchase_cancelled: (facts) => ({
    subject: `Cancelaste tu compra ${facts.purchaseId ?? ''}`,
    lines: [
      `Tu compra ${facts.purchaseId ?? ''} quedó cancelada.`,
      facts.amountCentavos > 0
        ? `Te devolvemos ${money(facts)}: lo que pagaste con tarjeta vuelve a tu tarjeta, y lo que pagaste en efectivo te lo entrega el comercio.`
        : 'No hay nada que devolver.',
    ],
  }),
  cash_owed_back: (facts) => ({
    subject: `Te debemos ${money(facts)}`,
    lines: [
      `Recibimos en tienda un pago tuyo que no se pudo aplicar completo. Te debemos ${money(facts)}.`,
      'El comercio te lo entrega. En tu compra ves cómo va.',
    ],
  }),
  till_reversed: (facts) => ({
    subject: `La caja revirtió tu pago de ${money(facts)}`,
    lines: [
      `La caja revirtió el pago de ${money(facts)} con folio ${facts.folio ?? ''} de tu compra ${facts.purchaseId ?? ''}.`,
      'La caja te regresa ese dinero. Si no fue así, habla con el comercio.',
    ],
  }),
  store_reversed: (facts) => ({
    subject: `La tienda revirtió tu pago de ${money(facts)}`,
    lines: [
      `La tienda revirtió el pago de ${money(facts)} de tu compra ${facts.purchaseId ?? ''}, así que ya no cuenta.`,
      'La tienda te regresa ese dinero. Si no fue así, habla con el comercio.',
    ],
  }),
  refund_done: (facts) => ({
    subject: `Devolución hecha: ${money(facts)}`,
    lines: [
      `Devolvimos ${money(facts)}${facts.last4 ? ` a tu tarjeta terminada en ${facts.last4}` : ' a tu tarjeta'}.`,
      'Según tu banco, puede tardar unos días en aparecer en tu estado de cuenta.',
    ],
  }),
};

/** A letter of the outbox, as far as its words need it. */
export type Letter =
  | { readonly topic: MoneyTopic; readonly facts: MailFacts }
  | { readonly topic: 'password_changed' }
  | { readonly topic: 'password_reset'; readonly link: string };

function wordsOf(letter: Letter, product: string): Words {
  switch (letter.topic) {
    case 'password_reset':
      return {
        subject: `Cambia tu password de ${product}`,
        lines: [
          `Alguien pidió cambiar el password de tu cuenta de ${product}. Si fuiste tú, abre este enlace:`,
          letter.link,
          'Sirve una sola vez y durante 30 minutos. Si pediste varios, usa el más reciente.',
          'Si no fuiste tú, no hagas nada: tu password sigue siendo el mismo. No compartas este correo con nadie.',
        ],
      };
    case 'password_changed':
      return {
        subject: `Tu password de ${product} cambió`,
        lines: [
          `El password de tu cuenta de ${product} acaba de cambiar y cerramos todas tus sesiones.`,
          'Si no fuiste tú, pide otro cambio desde la pantalla de entrada: solo quien lee este correo puede hacerlo.',
        ],
      };
    default:
      return WORDS[letter.topic](letter.facts, product);
  }
}

/** A letter in plain text, with a way back to the product. */
export function write(
  letter: Letter,
  product: { name: string; origin: string },
): { subject: string; text: string } {
  const { subject, lines } = wordsOf(letter, product.name);
  return { subject, text: [...lines, `${product.name}: ${product.origin}`].join('\n\n') };
}
