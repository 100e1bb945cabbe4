import { formatDate, formatDateLong, formatMoment } from '@aparta/domain/calendar';
import { formatMoney, type Centavos } from '@aparta/domain/money';
import type { EmailTopic } from '../db/tables.ts';
import type { FaultyField } from '../../invoicing/provider/port.ts';
import { RECEIPT_COPY } from '../../purchases/receipts/copy.ts';
import type { ReceiptRow } from '../../purchases/receipts/read-model.ts';
import type { Block, EmailBody } from './email-body.ts';
import type { Links } from './links.ts';

/** What every email says below. */
export const EMAIL_COPY = {
  why: (product: string) =>
    `Te escribimos porque este correo tiene una cuenta en ${product}. Nunca te pedimos tu password ni los datos de tu tarjeta por correo.`,
} as const;

/** The emails that need more than their facts: who may read them, a code, a file. */
type ReceiptTopic = 'layaway_paid' | 'instalment_paid';
type InvoiceTopic = 'invoice_issued' | 'invoice_refused' | 'invoice_cancelled';
type AccountTopic = 'password_reset' | 'password_changed' | 'welcome' | 'confirm_email';
/** The emails about money that are made of their facts alone. */
export type MoneyTopic = Exclude<EmailTopic, ReceiptTopic | InvoiceTopic | AccountTopic>;

/**
 * What an email about money is made of: ids and amounts, never an address or a name (the mailbox may be somebody else's,
 * rules/threats#unconfirmed-email).
 */
export interface EmailFacts {
  readonly amountCentavos: Centavos;
  readonly folio?: string;
  readonly purchaseId?: number;
  /** What is left of the purchase. */
  readonly balanceCentavos?: Centavos;
  readonly last4?: string;
}

export interface InvoiceFacts {
  readonly invoiceId: number;
  readonly purchaseId: number;
  /** Of the instalment. */
  readonly number: number;
  readonly folio: string;
  readonly amountCentavos: Centavos;
  readonly field?: FaultyField | '';
}

/** One instalment of the plan that a full receipt shows. */
export interface PlanLine {
  readonly number: number;
  readonly dueOn: string;
  readonly amountCentavos: Centavos;
  readonly isPaid: boolean;
}

/** A receipt that may be told whole. */
export interface FullReceipt {
  readonly receipt: ReceiptRow;
  readonly plan: readonly PlanLine[];
}

/** An email of the outbox, as far as its words need it. */
export type Occasion =
  | { readonly topic: MoneyTopic; readonly facts: EmailFacts }
  /** `full` only for who confirmed that the mailbox is his. */
  | { readonly topic: ReceiptTopic; readonly facts: EmailFacts; readonly full: FullReceipt | undefined }
  | { readonly topic: 'invoice_issued'; readonly facts: InvoiceFacts; readonly isAttached: boolean }
  | { readonly topic: 'invoice_refused' | 'invoice_cancelled'; readonly facts: InvoiceFacts }
  | { readonly topic: 'password_changed' }
  | { readonly topic: 'password_reset' | 'confirm_email'; readonly link: string }
  /** Without a link: the email address was confirmed before the email went. */
  | { readonly topic: 'welcome'; readonly link: string | undefined };

/** Where the email is written. */
export interface Place {
  readonly product: string;
  readonly links: Links;
}

const mxn = (amount: Centavos) => `${formatMoney(amount)} MXN`;
const paragraph = (text: string): Block => ({ kind: 'paragraph', text });
const note = (text: string): Block => ({ kind: 'note', text });
const button = (label: string, link: string): Block => ({ kind: 'button', label, link });

function toPurchase({ purchaseId }: EmailFacts, links: Links): Block {
  return purchaseId === undefined
    ? button('Ver mis compras', links.purchases)
    : button('Ver mi compra', links.purchase(purchaseId));
}

const PURCHASE_ROWS = ({ folio = '', purchaseId }: EmailFacts): Block => ({
  kind: 'rows',
  rows: [
    { label: 'Folio', value: folio, strong: true },
    { label: 'Compra', value: String(purchaseId ?? '') },
  ],
});

const MONEY: Readonly<Record<MoneyTopic, (facts: EmailFacts, place: Place) => Omit<EmailBody, 'preview'>>> = {
  payment_returned: (facts, { links }) => ({
    subject: `Te devolvemos ${mxn(facts.amountCentavos)}`,
    stamp: { text: 'En devolución', tone: 'pending' },
    heading: 'Te devolvemos tu pago completo',
    blocks: [
      { kind: 'amount', label: 'Te devolvemos', amount: mxn(facts.amountCentavos) },
      paragraph('Tu banco aprobó este pago cuando ya no se podía aplicar a tu apartado.'),
      paragraph('Vuelve completo a la misma tarjeta. No tienes que hacer nada.'),
      toPurchase(facts, links),
      note(
        'Te escribimos otra vez cuando la devolución esté hecha. Tu banco puede tardar unos días en mostrarla.',
      ),
    ],
  }),
  payment_in_review: (facts, { links }) => ({
    subject: 'Estamos revisando tu pago',
    stamp: { text: 'En revisión', tone: 'pending' },
    heading: 'Estamos revisando tu pago',
    blocks: [
      { kind: 'amount', label: 'Pago en revisión', amount: mxn(facts.amountCentavos) },
      paragraph('Una persona lo está viendo. No vuelvas a pagar: te escribimos en cuanto se resuelva.'),
      toPurchase(facts, links),
    ],
  }),
  payment_not_charged: (facts, { links }) => ({
    subject: 'Tu pago no se cobró',
    stamp: { text: 'No se cobró', tone: 'late' },
    heading: 'Tu pago no se cobró',
    blocks: [
      paragraph(
        `Confirmamos que tu pago de ${mxn(facts.amountCentavos)} no se cobró. Puedes intentarlo otra vez.`,
      ),
      toPurchase(facts, links),
    ],
  }),
  payment_abandoned: (facts, { links }) => ({
    subject: 'Tu pago no se completó',
    stamp: { text: 'No se completó', tone: 'late' },
    heading: 'Tu pago no se completó',
    blocks: [
      paragraph(
        `Tu pago de ${mxn(facts.amountCentavos)} no se completó a tiempo. Puedes intentarlo otra vez.`,
      ),
      toPurchase(facts, links),
      note('Si tu banco llegara a aprobarlo después, lo aplicamos o te lo devolvemos completo.'),
    ],
  }),
  purchase_cancelled: (facts, { links }) => ({
    subject: `Cancelaste tu compra ${facts.purchaseId ?? ''}`,
    stamp: { text: 'Cancelada', tone: 'late' },
    heading: `Tu compra ${facts.purchaseId ?? ''} quedó cancelada`,
    blocks: [
      ...(facts.amountCentavos > 0
        ? [
            { kind: 'amount', label: 'Te devolvemos', amount: mxn(facts.amountCentavos) } as const,
            paragraph(
              'Lo que pagaste con tarjeta vuelve a tu tarjeta. Lo que pagaste en efectivo te lo entrega el comercio.',
            ),
          ]
        : [paragraph('No hay nada que devolver.')]),
      button('Ver cómo va', links.purchase(facts.purchaseId ?? 0)),
      note('Si tú no la cancelaste, cambia tu password y escríbele al comercio.'),
    ],
  }),
  cash_owed_back: (facts, { links }) => ({
    subject: `Te debemos ${mxn(facts.amountCentavos)}`,
    stamp: { text: 'Por devolver', tone: 'pending' },
    heading: 'Te debemos dinero',
    blocks: [
      { kind: 'amount', label: 'Te debemos', amount: mxn(facts.amountCentavos) },
      paragraph('Recibimos en tienda un pago tuyo que no se pudo aplicar completo.'),
      paragraph('El comercio te lo entrega. En tu compra ves cómo va.'),
      toPurchase(facts, links),
    ],
  }),
  till_reversed: (facts, { links }) => ({
    subject: `La caja revirtió tu pago de ${mxn(facts.amountCentavos)}`,
    stamp: { text: 'Revertido', tone: 'late' },
    heading: 'La caja revirtió tu pago',
    blocks: [
      paragraph(`El pago de ${mxn(facts.amountCentavos)} ya no cuenta. La caja te regresa ese dinero.`),
      toPurchase(facts, links),
      note('Si no fue así, habla con el comercio.'),
      PURCHASE_ROWS(facts),
    ],
  }),
  store_reversed: (facts, { links }) => ({
    subject: `La tienda revirtió tu pago de ${mxn(facts.amountCentavos)}`,
    stamp: { text: 'Revertido', tone: 'late' },
    heading: 'La tienda revirtió tu pago',
    blocks: [
      paragraph(
        `El pago de ${mxn(facts.amountCentavos)} de tu compra ${facts.purchaseId ?? ''} ya no cuenta. La tienda te regresa ese dinero.`,
      ),
      toPurchase(facts, links),
      note('Si no fue así, habla con el comercio.'),
    ],
  }),
  card_reversed: (facts, { links }) => ({
    subject: `Tu pago de ${mxn(facts.amountCentavos)} se devolvió a tu tarjeta`,
    stamp: { text: 'Devuelto', tone: 'late' },
    heading: 'Tu pago se devolvió a tu tarjeta',
    blocks: [
      paragraph(
        `El pago de ${mxn(facts.amountCentavos)} de tu compra ${facts.purchaseId ?? ''} ya no cuenta: se devolvió a ${cardOf(facts)}.`,
      ),
      toPurchase(facts, links),
      note('Si no fue así, habla con el comercio.'),
    ],
  }),
  refund_done: (facts, { links }) => ({
    subject: `Devolución hecha: ${mxn(facts.amountCentavos)}`,
    stamp: { text: 'Devuelto', tone: 'paid' },
    heading: 'Tu devolución está hecha',
    blocks: [
      { kind: 'amount', label: `Devolvimos a ${cardOf(facts)}`, amount: mxn(facts.amountCentavos) },
      paragraph('Según tu banco, puede tardar unos días en aparecer en tu estado de cuenta.'),
      toPurchase(facts, links),
    ],
  }),
  refund_in_cash: (facts, { links }) => ({
    subject: `Tu devolución de ${mxn(facts.amountCentavos)} será en efectivo`,
    stamp: { text: 'Por devolver', tone: 'pending' },
    heading: 'Tu devolución será en efectivo',
    blocks: [
      { kind: 'amount', label: 'Te debemos', amount: mxn(facts.amountCentavos) },
      paragraph(`No se pudo devolver a ${cardOf(facts)}. Te lo debemos completo, en efectivo.`),
      paragraph('El comercio te lo entrega: ponte de acuerdo con él.'),
      toPurchase(facts, links),
    ],
  }),
  refund_paid_in_cash: (facts, { links }) => ({
    subject: `Te entregaron ${mxn(facts.amountCentavos)}`,
    stamp: { text: 'Devuelto', tone: 'paid' },
    heading: 'Tu devolución está entregada',
    blocks: [
      { kind: 'amount', label: 'Te entregaron', amount: mxn(facts.amountCentavos) },
      paragraph('Anotamos que ya tienes este dinero, así que no te debemos nada más de él.'),
      toPurchase(facts, links),
      note('Si no lo recibiste, responde cuanto antes al comercio: lo volvemos a anotar como pendiente.'),
    ],
  }),
};

function cardOf({ last4 }: EmailFacts): string {
  return last4 ? `tu tarjeta terminada en ${last4}` : 'tu tarjeta';
}

/** The words of an email. */
export function composeEmail(occasion: Occasion, place: Place): EmailBody {
  const body = write(occasion, place);
  const first = body.blocks.find((block) => block.kind === 'paragraph');
  return { ...body, preview: first?.text ?? body.heading };
}

function write(occasion: Occasion, place: Place): Omit<EmailBody, 'preview'> {
  const { product, links } = place;
  switch (occasion.topic) {
    case 'password_reset':
      return {
        subject: `Cambia tu password de ${product}`,
        heading: 'Cambia tu password',
        blocks: [
          paragraph(
            `Alguien pidió cambiar el password de tu cuenta de ${product}. Si fuiste tú, sigue este enlace:`,
          ),
          button('Cambiar mi password', occasion.link),
          paragraph('Sirve una sola vez y durante 30 minutos. Si pediste varios, usa el más reciente.'),
          note(
            'Si no fuiste tú, no hagas nada: tu password sigue siendo el mismo. No compartas este correo con nadie.',
          ),
        ],
      };
    case 'password_changed':
      return {
        subject: `Tu password de ${product} cambió`,
        heading: 'Tu password cambió',
        blocks: [
          paragraph(`El password de tu cuenta de ${product} acaba de cambiar y cerramos todas tus sesiones.`),
          paragraph('Si no fuiste tú, pide otro cambio: solo quien lee este correo puede hacerlo.'),
          button('Pedir otro cambio', links.forgotPassword),
        ],
      };
    case 'welcome':
      return {
        subject: `Te damos la bienvenida a ${product}`,
        heading: `Te damos la bienvenida a ${product}`,
        blocks: [
          paragraph('Tu cuenta está lista. Escanea el código de un producto, apártalo y págalo en abonos.'),
          ...(occasion.link === undefined ? [] : confirming(occasion.link)),
          note('Si tú no abriste esta cuenta, no confirmes nada.'),
        ],
      };
    case 'confirm_email':
      return {
        subject: `Confirma tu correo de ${product}`,
        heading: 'Confirma tu correo',
        blocks: [
          ...confirming(occasion.link),
          note('Si tú no abriste una cuenta con este correo, no confirmes nada.'),
        ],
      };
    case 'layaway_paid':
      return receiptEmail(occasion, place, `Recibimos tu apartado de ${mxn(occasion.facts.amountCentavos)}`);
    case 'instalment_paid':
      return receiptEmail(occasion, place, `Recibimos tu abono de ${mxn(occasion.facts.amountCentavos)}`);
    case 'invoice_issued':
      return invoiceIssued(occasion.facts, occasion.isAttached, place);
    case 'invoice_refused':
      return invoiceRefused(occasion.facts, place);
    case 'invoice_cancelled':
      return invoiceCancelled(occasion.facts, place);
    default:
      return MONEY[occasion.topic](occasion.facts, place);
  }
}

function confirming(link: string): Block[] {
  return [
    paragraph(
      'Confirma que este correo es tuyo para recibir aquí tus comprobantes completos y tus facturas.',
    ),
    button('Confirmar mi correo', link),
    paragraph('El enlace sirve una sola vez y durante 7 días. Si pediste varios, usa el más reciente.'),
  ];
}

// Receipts -----------------------------------------------------------------------------------------------------

function receiptEmail(
  { topic, facts, full }: Extract<Occasion, { topic: ReceiptTopic }>,
  { links }: Place,
  subject: string,
): Omit<EmailBody, 'preview'> {
  const isPaidOff = topic === 'instalment_paid' && facts.balanceCentavos === 0;
  const heading = isPaidOff ? '¡Tu compra está liquidada!' : subject.replace(/ de \$.*$/, '');
  return {
    subject,
    stamp: { text: isPaidOff ? 'Liquidada' : 'Pagado', tone: 'paid' },
    heading,
    blocks: [
      { kind: 'amount', label: 'Pagaste', amount: mxn(facts.amountCentavos) },
      ...(full === undefined
        ? [
            paragraph(
              'El comprobante completo está en tu cuenta. Confirma tu correo en tu perfil y lo recibirás también aquí.',
            ),
          ]
        : []),
      button('Ver mi comprobante', links.receipt(facts.folio ?? '')),
      ...(full === undefined ? [PURCHASE_ROWS(facts)] : receiptBlocks(full)),
    ],
  };
}

function receiptBlocks({ receipt, plan }: FullReceipt): Block[] {
  const copy = RECEIPT_COPY;
  const isActive = receipt.purchaseState === 'active';
  return [
    {
      kind: 'rows',
      title: copy.title,
      rows: [
        { label: copy.folio, value: receipt.folio, strong: true },
        { label: copy.date, value: formatMoment(receipt.receivedAt) },
        { label: copy.method, value: copy.methods[receipt.channel](receipt.last4) },
        ...receipt.parts.map((part) => ({
          label: copy.part(part.number, receipt.instalments),
          value: formatMoney(part.amountCentavos),
        })),
        { label: copy.fee, value: receipt.feeCentavos > 0 ? formatMoney(receipt.feeCentavos) : '' },
        { label: copy.total, value: mxn(receipt.amountCentavos), strong: true },
      ],
    },
    {
      kind: 'rows',
      title: receipt.productName,
      rows: [
        { label: copy.purchase, value: String(receipt.purchaseId) },
        { label: copy.merchant, value: receipt.tradeName },
        {
          label: 'Razón social',
          value: receipt.businessName === receipt.tradeName ? '' : receipt.businessName,
        },
        { label: copy.address, value: receipt.address },
        { label: copy.phone, value: receipt.phone },
      ],
    },
    {
      kind: 'rows',
      title: 'Tu plan de pagos',
      rows: [
        ...plan.map(({ number, dueOn, amountCentavos, isPaid }) => ({
          label: `${copy.part(number, plan.length)} · ${isPaid ? 'pagado' : `antes del ${formatDate(dueOn)}`}`,
          value: formatMoney(amountCentavos),
        })),
        {
          label: copy.balance,
          value: !isActive
            ? copy.cancelled
            : receipt.balanceCentavos === 0
              ? copy.paidOff
              : mxn(receipt.balanceCentavos),
          strong: true,
        },
        {
          label: copy.next,
          value: receipt.nextDueOn === null ? '' : formatDateLong(receipt.nextDueOn),
          strong: true,
        },
      ],
    },
    note(copy.notAnInvoice),
  ];
}

// Invoices -----------------------------------------------------------------------------------------------------

function invoiceRows(facts: InvoiceFacts): Block {
  return {
    kind: 'rows',
    rows: [
      { label: 'Folio', value: facts.folio, strong: true },
      { label: 'Compra', value: String(facts.purchaseId) },
      { label: 'Pago', value: String(facts.number) },
      { label: 'Total', value: mxn(facts.amountCentavos) },
    ],
  };
}

function invoiceIssued(
  facts: InvoiceFacts,
  isAttached: boolean,
  { links }: Place,
): Omit<EmailBody, 'preview'> {
  return {
    subject: `Tu factura de ${mxn(facts.amountCentavos)} está lista`,
    stamp: { text: 'Facturado', tone: 'paid' },
    heading: 'Tu factura está lista',
    blocks: [
      paragraph(
        isAttached
          ? 'Van adjuntos el PDF y el XML. También los tienes en tu compra cuando quieras.'
          : 'Descarga el PDF y el XML desde tu compra.',
      ),
      button('Ver mi compra', links.purchase(facts.purchaseId)),
      invoiceRows(facts),
    ],
  };
}

/** What SAT's refusal is about, and how to mend it. */
const FIELD: Readonly<Record<FaultyField, string>> = {
  rfc: 'El RFC no coincide con el del SAT.',
  name: 'El nombre o razón social no coincide con el del SAT: escríbelo como está en tu Constancia de Situación Fiscal, sin el régimen societario (S.A. de C.V.).',
  postalCode: 'El código postal no es el de tu domicilio fiscal.',
  taxRegime: 'El régimen fiscal no es el que el SAT tiene para tu RFC.',
  cfdiUse: 'El uso del CFDI no corresponde a tu régimen fiscal.',
  email: 'El correo para recibir la factura no es válido.',
};

function invoiceRefused(facts: InvoiceFacts, { links }: Place): Omit<EmailBody, 'preview'> {
  const { field } = facts;
  return {
    subject: 'No se pudo emitir tu factura',
    stamp: { text: 'No se emitió', tone: 'late' },
    heading: 'No se pudo emitir tu factura',
    blocks: field
      ? [
          paragraph(FIELD[field]),
          paragraph('Corrígelo en tus datos fiscales y pide la factura otra vez.'),
          button('Corregir mis datos fiscales', links.fiscalData),
          invoiceRows(facts),
        ]
      : [
          paragraph(
            'No fue por tus datos fiscales. Pídela otra vez desde tu compra; si vuelve a pasar, habla con el comercio.',
          ),
          button('Ver mi compra', links.purchase(facts.purchaseId)),
          invoiceRows(facts),
        ],
  };
}

function invoiceCancelled(facts: InvoiceFacts, { links }: Place): Omit<EmailBody, 'preview'> {
  return {
    subject: `Tu factura de ${mxn(facts.amountCentavos)} se canceló ante el SAT`,
    stamp: { text: 'Cancelada', tone: 'late' },
    heading: 'Tu factura se canceló',
    blocks: [
      paragraph('El PDF y el XML que tienes ya no valen. Tu pago no cambia.'),
      paragraph('Si tu compra sigue activa, puedes pedir otra factura desde ahí.'),
      button('Ver mi compra', links.purchase(facts.purchaseId)),
      invoiceRows(facts),
    ],
  };
}
