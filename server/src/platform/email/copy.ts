import { type DateOnly, formatDateLong } from '@aparta/domain/calendar';
import { inGroups } from '@aparta/domain/in-groups';
import { add, type Centavos, subtract, zero } from '@aparta/domain/money';
import type { EmailTopic, EndedBy, ReturnReason } from '../db/tables.ts';
import {
  confirmEmail,
  keptSessionReplayed,
  passwordChanged,
  passwordReset,
  welcome,
} from './account-copy.ts';
import {
  type Block,
  button,
  type EmailBody,
  mxn,
  note,
  paragraph,
  type ReceiptBlocks,
  type Words,
} from './email-body.ts';
import {
  type InvoiceFacts,
  type InvoiceFilesAre,
  invoiceCancelled,
  invoiceIssued,
  invoiceRefused,
} from './invoice-copy.ts';
import type { Place, Links } from './links.ts';
import type { ShopAddress } from './read-model.ts';
import { helpEmail, type HelpNews, type HelpNewsKind } from './help-copy.ts';
import { type Reminder, reminderEmail } from './reminder-copy.ts';
import { staffEmail, type StaffOccasion } from './staff-copy.ts';

/** The footer of every email. */
export const EMAIL_COPY = {
  why: (product: string) =>
    `Te escribimos porque este correo tiene una cuenta en ${product}. Nunca te pedimos tu password ni los datos de tu tarjeta por correo.`,
} as const;

/** The emails that need more than their facts: who may read them, a code, a file. */
type ReceiptTopic = 'layaway_paid' | 'instalment_paid';
type InvoiceTopic = 'invoice_issued' | 'invoice_refused' | 'invoice_cancelled';
type AccountTopic =
  | 'password_reset'
  | 'password_changed'
  | 'kept_session_replayed'
  | 'welcome'
  | 'confirm_email';
/** The emails about money that are made of their facts alone. */
export type MoneyTopic = Exclude<
  EmailTopic,
  ReceiptTopic | InvoiceTopic | AccountTopic | 'payment_due' | HelpNewsKind | StaffOccasion['topic']
>;

/** Those of money that a shop is to hand over. */
type CashTopic = 'refund_in_cash' | 'refund_bounced' | 'cash_owed_back';

/** Why money that a store took for a deposit is owed back. */
const DEPOSIT_OWED_BACK = {
  taken: 'Recibimos en tienda tu pago para apartar, pero tu apartado ya estaba pagado.',
  ended: 'Recibimos en tienda tu pago para apartar, pero esa compra ya estaba cancelada.',
  replaced: 'Recibimos en tienda tu pago para apartar, pero ya lo habías apartado con otra referencia.',
  late: 'Recibimos en tienda tu pago para apartar cuando ya había vencido. No quedó apartado.',
  short: 'Recibimos en tienda menos de lo que cuesta apartar. No quedó apartado.',
  sold_out: 'Recibimos en tienda tu pago para apartar, pero el producto se agotó. No quedó apartado.',
  surplus: 'Pagaste en tienda más de lo que costaba apartar. Tu apartado está hecho.',
} as const;

/** Under what is due of a late plan, which is named without fees: each way to pay has its own. */
const FEE_ON_TOP = 'Al pagar se suma el cargo por servicio, si tu forma de pago lo tiene.';

/** Why all of what a store took for a purchase is owed back. */
const OWED_BACK_OF = {
  cancelled: (id: number) => `Recibimos en tienda un pago de tu compra ${id}, pero esa compra se canceló.`,
  paid_off: (id: number) =>
    `Recibimos en tienda un pago de tu compra ${id}, pero esa compra ya está pagada completa.`,
} as const;

/**
 * What an email about money is made of: ids and amounts, never an address or a name (the mailbox may be somebody else's,
 * rules/threats#unconfirmed-email).
 */
export interface EmailFacts {
  readonly amountCentavos: Centavos;
  readonly folio?: string;
  readonly purchaseId?: number;
  /** Of money that a shop hands over. */
  readonly merchantId?: number;
  /** How many purchases one payment was for. */
  readonly purchases?: number;
  /** What is left of the purchase. */
  readonly balanceCentavos?: Centavos;
  readonly last4?: string;
  /** The money, or the card, is a helper's. */
  readonly isHelp?: number;
  /** Of a cancelled purchase: what was paid, fees included, and what of it was kept. */
  readonly paidCentavos?: Centavos;
  readonly penaltyCentavos?: Centavos;
  readonly feeReturnedCentavos?: Centavos;
  readonly feeKeptCentavos?: Centavos;
  /** What of the sum goes back to who helped to pay it. */
  readonly helpCentavos?: Centavos;
  /** What of the sum the shop gives back on its own terminal. */
  readonly terminalCentavos?: Centavos;
  /** The shop gave it back, on its own terminal. */
  readonly isByTerminal?: number;
  readonly returnReason?: ReturnReason;
  /** Of a returned payment: the sum that was agreed, where another was charged. */
  readonly agreedCentavos?: Centavos;
  /** Of a returned payment: what it was for is still to be paid. */
  readonly isStillOwed?: number;
  /** Of a deposit that became no purchase: its layaway reference. */
  readonly referenceId?: number;
  /** Of a deposit that a store took: why money of it is owed back. */
  readonly why?: keyof typeof DEPOSIT_OWED_BACK;
  /** Of a payment that a store took, and of which nothing was applied: what its purchase was by then. */
  readonly purchaseIs?: keyof typeof OWED_BACK_OF;
  /** Of a warning: the late day that its clock runs from, and when the purchase ends; of time that is given, its last day. */
  readonly dueOn?: DateOnly;
  readonly endsOn?: DateOnly;
  readonly isLast?: number;
  /** Of a changed plan: the instalment, the day that it or its second part got, and what of a split one stays on its day. */
  readonly number?: number;
  readonly toDay?: DateOnly;
  readonly firstCentavos?: Centavos;
  /** Who ended a purchase that its buyer did not cancel. */
  readonly endedBy?: Exclude<EndedBy, 'buyer'>;
  /** Of an ended purchase: an invoice of it stands, or may. */
  readonly isInvoiced?: number;
}

/** What a warning of a plan's end says. */
export type WarningFacts = Required<
  Pick<EmailFacts, 'amountCentavos' | 'purchaseId' | 'endsOn' | 'dueOn' | 'isLast' | 'penaltyCentavos'>
>;

/** What an email's words are made of. */
export type Occasion =
  | StaffOccasion
  | { readonly topic: Exclude<MoneyTopic, CashTopic>; readonly facts: EmailFacts }
  /** `shop` as `receipt`, below. */
  | { readonly topic: CashTopic; readonly facts: EmailFacts; readonly shop: ShopAddress | undefined }
  /** `receipt` only for a buyer who confirmed that the mailbox is theirs. */
  | {
      readonly topic: ReceiptTopic;
      readonly facts: EmailFacts;
      readonly receipt: ReceiptBlocks | undefined;
    }
  | { readonly topic: 'payment_due'; readonly reminder: Reminder }
  | { readonly topic: HelpNewsKind; readonly news: HelpNews }
  | {
      readonly topic: 'invoice_issued';
      readonly facts: InvoiceFacts;
      readonly files: InvoiceFilesAre;
      /** The mailbox is known to be the buyer's. */
      readonly isTheirs: boolean;
    }
  | { readonly topic: 'invoice_refused' | 'invoice_cancelled'; readonly facts: InvoiceFacts }
  | { readonly topic: 'password_changed' | 'kept_session_replayed' }
  | { readonly topic: 'password_reset' | 'confirm_email'; readonly link: string }
  /** Without a link: the email address was confirmed before the email went. */
  | { readonly topic: 'welcome'; readonly link: string | undefined };

function toPurchase({ purchaseId, referenceId }: EmailFacts, links: Links): Block {
  if (purchaseId === undefined && referenceId !== undefined)
    return button('Ver mi apartado', links.layaway(referenceId));
  return purchaseId === undefined
    ? button('Ver mis compras', links.purchases)
    : button('Ver mi compra', links.purchase(purchaseId));
}

function whyReturned({ amountCentavos, agreedCentavos, returnReason, isStillOwed }: EmailFacts): string {
  if (returnReason === 'sold_out')
    return 'Cuando tu banco aprobó este pago, el producto ya se había agotado.';
  if (agreedCentavos !== undefined)
    return `Tu banco cobró ${mxn(amountCentavos)} en lugar de los ${mxn(agreedCentavos)} acordados, por eso no lo aplicamos.`;
  return isStillOwed === 1
    ? 'Tu banco aprobó este pago, pero no se pudo aplicar.'
    : 'Tu banco aprobó este pago cuando ya no se podía aplicar a tu apartado.';
}

/** What comes back of an ended purchase, and how: to its buyer, and to who helped them. */
function whatComesBack({
  amountCentavos,
  helpCentavos = zero,
  terminalCentavos = zero,
}: EmailFacts): Block[] {
  if (amountCentavos === 0) return [paragraph('No hay nada que devolver.')];
  const ownCentavos = subtract(amountCentavos, helpCentavos);
  return [
    ...(ownCentavos > 0
      ? [
          { kind: 'amount', label: 'Te devolvemos', amount: mxn(ownCentavos) } as const,
          paragraph(
            'Lo que pagaste con tarjeta vuelve a tu tarjeta. Lo que pagaste en efectivo te lo entrega el comercio.',
          ),
          ...(terminalCentavos > 0
            ? [
                paragraph(
                  `${mxn(terminalCentavos)} te los devuelve la tienda en su terminal, a la tarjeta con que pagaste ahí: llévala.`,
                ),
              ]
            : []),
        ]
      : [paragraph('De tu dinero no queda nada por devolverte.')]),
    ...(helpCentavos > 0
      ? [
          paragraph(
            `${mxn(helpCentavos)} vuelven a quien te ayudó: a su tarjeta, o en efectivo en la caja del comercio.`,
          ),
        ]
      : []),
  ];
}

/** SAT may ask the receiver before it cancels an invoice; one who says no keeps it alive, of a purchase that is over. */
function satMayAsk({ isInvoiced }: EmailFacts): Block[] {
  return isInvoiced === 1
    ? [
        paragraph(
          'Esta compra tiene factura. Si el SAT te pide aceptar la cancelación, acéptala: tienes tres días hábiles.',
        ),
      ]
    : [];
}

/** How the sum that comes back was made, as the buyer read it before: what was paid is without fees. */
function cancelBill(facts: EmailFacts): Block[] {
  const {
    paidCentavos,
    penaltyCentavos = zero,
    feeReturnedCentavos = zero,
    feeKeptCentavos = zero,
    amountCentavos,
  } = facts;
  if (paidCentavos === undefined) return [];
  return [
    {
      kind: 'rows',
      rows: [
        { label: 'Pagado', value: mxn(subtract(paidCentavos, add(feeReturnedCentavos, feeKeptCentavos))) },
        ...(penaltyCentavos > 0
          ? [{ label: 'Cargo por cancelar', value: `\u2212${mxn(penaltyCentavos)}` }]
          : []),
        ...(feeReturnedCentavos > 0
          ? [{ label: 'Cargo por servicio', value: mxn(feeReturnedCentavos) }]
          : []),
        { label: 'Devolución', value: mxn(amountCentavos), strong: true },
      ],
    },
    ...(feeKeptCentavos > 0
      ? [paragraph(`El cargo por servicio de ${mxn(feeKeptCentavos)} no se devuelve.`)]
      : []),
  ];
}

function purchaseRows({ folio = '', purchaseId }: EmailFacts): Block {
  return {
    kind: 'rows',
    rows: [
      { label: 'Folio', value: inGroups(folio), strong: true },
      { label: 'Compra', value: String(purchaseId ?? '') },
    ],
  };
}

/** How a purchase ended that its buyer did not cancel. */
const ENDED = {
  merchant: {
    title: ({ purchaseId = 0 }: EmailFacts) => `La tienda terminó tu compra ${purchaseId}`,
    text: 'No puede entregarte el producto. Todo lo que pagaste se te devuelve, sin ningún cargo.',
  },
  claim: {
    title: ({ purchaseId = 0 }: EmailFacts) => `Tu reclamo terminó: te devolvemos tu compra ${purchaseId}`,
    text: 'No te entregaron el producto. Todo lo que pagaste se te devuelve, sin ningún cargo.',
  },
  rule: {
    title: ({ purchaseId = 0 }: EmailFacts) => `Tu compra ${purchaseId} se canceló por atraso`,
    text: 'Te avisamos por correo y el abono vencido no quedó pagado completo. Así lo decían las condiciones que viste al apartar. Te devolvemos lo que pagaste, menos los cargos de la cuenta de abajo.',
  },
} as const;

const endedAs = ({ endedBy }: EmailFacts) =>
  ENDED[endedBy === 'claim' || endedBy === 'rule' ? endedBy : 'merchant'];

const dayOf = (day: DateOnly | undefined) => (day === undefined ? '' : formatDateLong(day));

/** The shop that hands it over, and where it is. */
function handedOver(shop: ShopAddress | undefined): Block[] {
  if (shop === undefined) return [paragraph('El comercio te lo entrega: ponte de acuerdo con él.')];
  return [paragraph(`${shop.tradeName} te lo entrega: ponte de acuerdo con la tienda.`), ...whereItIs(shop)];
}

/** The same of cash that a store took: the shop that owes it is another one. */
function handedOverAtTill(shop: ShopAddress | undefined, purchaseId: number | undefined): Block[] {
  const progress = purchaseId === undefined ? '' : ' En tu compra ves cómo va.';
  if (shop === undefined)
    return [
      paragraph(
        purchaseId === undefined
          ? 'El comercio te lo entrega en su caja: lleva tu ticket de la tienda.'
          : `El comercio te lo entrega.${progress}`,
      ),
    ];
  return [
    paragraph(
      `${shop.tradeName} te lo entrega en efectivo, en su caja: lleva tu ticket de la tienda donde pagaste.${progress}`,
    ),
    ...whereItIs(shop),
  ];
}

function whereItIs(shop: ShopAddress): Block[] {
  const rows = [
    { label: 'Dirección', value: shop.address },
    { label: 'Horario', value: shop.hours },
    { label: 'Teléfono', value: shop.phone },
  ];
  return rows.some(({ value }) => value !== '') ? [{ kind: 'rows', title: shop.tradeName, rows }] : [];
}

const MONEY: Readonly<Record<MoneyTopic, (facts: EmailFacts, place: Place, shop?: ShopAddress) => Words>> = {
  payment_returned: (facts, { links }) => ({
    subject: `Te devolvemos ${mxn(facts.amountCentavos)}`,
    badge: { text: 'En devolución', tone: 'pending' },
    heading: 'Te devolvemos tu pago completo',
    blocks: [
      { kind: 'amount', label: 'Te devolvemos', amount: mxn(facts.amountCentavos) },
      paragraph(whyReturned(facts)),
      paragraph(
        `Vuelve completo a la misma tarjeta. ${facts.isStillOwed === 1 ? 'Tu pago sigue pendiente: puedes hacerlo otra vez.' : 'No tienes que hacer nada.'}`,
      ),
      toPurchase(facts, links),
      note(
        'Te escribimos otra vez cuando la devolución esté hecha. Tu banco puede tardar unos días en mostrarla.',
      ),
    ],
  }),
  payment_in_review: (facts, { links }) => ({
    subject: 'Estamos revisando tu pago',
    badge: { text: 'En revisión', tone: 'pending' },
    heading: 'Estamos revisando tu pago',
    blocks: [
      { kind: 'amount', label: 'Pago en revisión', amount: mxn(facts.amountCentavos) },
      paragraph('Una persona lo está viendo. No vuelvas a pagar: te escribimos en cuanto se resuelva.'),
      toPurchase(facts, links),
    ],
  }),
  payment_not_charged: (facts, { links }) => ({
    subject: 'Tu pago no se cobró',
    badge: { text: 'No se cobró', tone: 'danger' },
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
    badge: { text: 'No se completó', tone: 'danger' },
    heading: 'Tu pago no se completó',
    blocks: [
      paragraph(
        `Tu pago de ${mxn(facts.amountCentavos)} no se completó a tiempo. Puedes intentarlo otra vez.`,
      ),
      toPurchase(facts, links),
      note('Si tu banco llegara a aprobarlo después, lo aplicamos o te lo devolvemos completo.'),
    ],
  }),
  purchase_delivered: (facts, { links }) => ({
    subject: `Recibiste tu compra ${facts.purchaseId ?? ''}`,
    badge: { text: 'Entregado', tone: 'paid' },
    heading: '¡Ya es tuyo!',
    blocks: [
      { kind: 'amount', label: 'Pagado completo', amount: mxn(facts.amountCentavos) },
      paragraph('La tienda anotó que te entregó lo que apartaste. En tu compra ves dónde, cuándo y quién.'),
      toPurchase(facts, links),
      note(
        'Si no fuiste tú ni quien tú dijiste, llama a la tienda y escríbenos: nuestros datos están en Ayuda.',
      ),
    ],
  }),
  purchase_cancelled: (facts, { links }) => ({
    subject: `Cancelaste tu compra ${facts.purchaseId ?? ''}`,
    badge: { text: 'Cancelada', tone: 'danger' },
    heading: `Tu compra ${facts.purchaseId ?? ''} quedó cancelada`,
    blocks: [
      ...whatComesBack(facts),
      ...cancelBill(facts),
      ...satMayAsk(facts),
      button('Ver cómo va', links.purchase(facts.purchaseId ?? 0)),
      note('Si tú no la cancelaste, cambia tu password y escríbele al comercio.'),
    ],
  }),
  purchase_ended: (facts, { links }) => ({
    subject: endedAs(facts).title(facts),
    badge: { text: 'Terminada', tone: 'danger' },
    heading: endedAs(facts).title(facts),
    blocks: [
      paragraph(endedAs(facts).text),
      ...whatComesBack(facts),
      ...cancelBill(facts),
      ...satMayAsk(facts),
      button('Ver por qué y cómo va', links.purchase(facts.purchaseId ?? 0)),
    ],
  }),
  end_warned: (facts, { links }) => ({
    subject: `${facts.isLast === 1 ? 'Último aviso: tu' : 'Tu'} compra ${facts.purchaseId ?? ''} se cancela el ${dayOf(facts.endsOn)}`,
    badge: { text: facts.isLast === 1 ? 'Último aviso' : 'Atrasada', tone: 'danger' },
    heading: `Se cancela el ${dayOf(facts.endsOn)} si no pagas antes`,
    blocks: [
      { kind: 'amount', label: 'Para que siga', amount: mxn(facts.amountCentavos) },
      note(FEE_ON_TOP),
      paragraph(
        `Debes el abono que venció el ${dayOf(facts.dueOn)}. Si lo pagas completo antes del ${dayOf(facts.endsOn)}, tu compra sigue y no pierdes nada.`,
      ),
      button('Pagar ahora', links.purchase(facts.purchaseId ?? 0)),
      paragraph(
        (facts.penaltyCentavos ?? 0) === 0
          ? 'Si se cancela, te devolvemos lo que pagaste.'
          : `Si se cancela, te devolvemos lo que pagaste, menos el cargo por cancelar: hasta ${mxn(facts.penaltyCentavos ?? zero)}. El cargo por servicio no se devuelve.`,
      ),
      note('Si pagas en tienda, hazlo al menos un día antes: el aviso de la tienda puede tardar.'),
    ],
  }),
  more_time: (facts, { links }) => ({
    subject: `La tienda te da hasta el ${dayOf(facts.endsOn)} para tu compra ${facts.purchaseId ?? ''}`,
    badge: { text: 'Más tiempo', tone: 'pending' },
    heading: `Tienes más tiempo: hasta el ${dayOf(facts.endsOn)}`,
    blocks: [
      { kind: 'amount', label: 'Para que siga', amount: mxn(facts.amountCentavos) },
      note(FEE_ON_TOP),
      paragraph(
        `Debes el abono que venció el ${dayOf(facts.dueOn)}. La tienda te espera: si lo pagas completo a más tardar el ${dayOf(facts.endsOn)}, tu compra sigue.`,
      ),
      button('Pagar ahora', links.purchase(facts.purchaseId ?? 0)),
    ],
  }),
  plan_changed: (facts, { links }) => ({
    subject: `Cambiaste tu plan de pagos: compra ${facts.purchaseId ?? ''}`,
    badge: { text: 'Plan cambiado', tone: 'pending' },
    heading:
      facts.firstCentavos === undefined
        ? `Tu pago ${facts.number ?? ''} ahora vence el ${dayOf(facts.toDay)}`
        : `Partiste en dos tu pago ${facts.number ?? ''}`,
    blocks: [
      {
        kind: 'rows',
        rows:
          facts.firstCentavos === undefined
            ? [
                { label: 'Antes', value: `${mxn(facts.amountCentavos)}, ${dayOf(facts.dueOn)}` },
                {
                  label: 'Ahora',
                  value: `${mxn(facts.amountCentavos)}, ${dayOf(facts.toDay)}`,
                  strong: true,
                },
              ]
            : [
                { label: 'Antes', value: `${mxn(facts.amountCentavos)}, ${dayOf(facts.dueOn)}` },
                { label: 'Ahora', value: `${mxn(facts.firstCentavos)}, ${dayOf(facts.dueOn)}`, strong: true },
                {
                  label: 'Y después',
                  value: `${mxn(subtract(facts.amountCentavos, facts.firstCentavos))}, ${dayOf(facts.toDay)}`,
                  strong: true,
                },
              ],
      },
      paragraph('El total de tu compra y su último día no cambian. Te recordamos antes de la fecha nueva.'),
      toPurchase(facts, links),
      note('Si no fuiste tú, cambia tu password y escríbele al comercio.'),
    ],
  }),
  several_paid: (facts, { links }) => ({
    subject: `Recibimos tu pago de ${mxn(facts.amountCentavos)} para ${facts.purchases ?? 0} compras`,
    badge: { text: 'Pagado', tone: 'paid' },
    heading: `Recibimos tu pago para ${facts.purchases ?? 0} compras`,
    blocks: [
      { kind: 'amount', label: 'Pagaste', amount: mxn(facts.amountCentavos) },
      paragraph('En tu recibo está cuánto fue para cada una.'),
      button('Ver mi recibo', links.receipt(facts.folio ?? '')),
    ],
  }),
  claim_opened: (facts, { links }) => ({
    subject: `Recibimos tu reclamo ${facts.folio ?? ''}`,
    badge: { text: 'Reclamo abierto', tone: 'pending' },
    heading: 'Recibimos tu reclamo',
    blocks: [
      paragraph(
        'Ya le avisamos a la tienda que no has recibido lo que pagaste. Tiene cinco días hábiles para contestarte; si no, entramos nosotros.',
      ),
      toPurchase(facts, links),
      note('Mientras tanto todavía te lo puede entregar. No pierdes tu dinero ni tu producto.'),
      purchaseRows(facts),
    ],
  }),
  claim_answered: (facts, { links }) => ({
    subject: `La tienda contestó tu reclamo ${facts.folio ?? ''}`,
    badge: { text: 'Contestado', tone: 'pending' },
    heading: 'La tienda contestó tu reclamo',
    blocks: [
      paragraph(
        'Lee lo que te dice en tu compra. Tu reclamo sigue abierto hasta que te entregue o te devuelva.',
      ),
      button('Leer la respuesta', links.purchase(facts.purchaseId ?? 0)),
      purchaseRows(facts),
    ],
  }),
  claim_withdrawn: (facts, { links }) => ({
    subject: `Retiraste tu reclamo ${facts.folio ?? ''}`,
    badge: { text: 'Reclamo retirado', tone: 'pending' },
    heading: 'Retiraste tu reclamo',
    blocks: [
      paragraph(
        'Tu compra sigue igual: pagada y por entregar. Si no te la entregan, puedes reclamar otra vez.',
      ),
      toPurchase(facts, links),
      note('Si no fuiste tú, cambia tu password.'),
      purchaseRows(facts),
    ],
  }),
  cash_owed_back: (facts, { links }, shop) => ({
    subject: `Tienes ${mxn(facts.amountCentavos)} por recoger`,
    badge: { text: 'Por devolver', tone: 'pending' },
    heading: 'Tienes dinero por recoger',
    blocks: [
      { kind: 'amount', label: 'Por recoger', amount: mxn(facts.amountCentavos) },
      paragraph(
        facts.why
          ? DEPOSIT_OWED_BACK[facts.why]
          : facts.purchaseIs
            ? OWED_BACK_OF[facts.purchaseIs](facts.purchaseId ?? 0)
            : 'Recibimos en tienda un pago tuyo que no se pudo aplicar completo.',
      ),
      ...handedOverAtTill(shop, facts.purchaseId),
      toPurchase(facts, links),
    ],
  }),
  till_reversed: (facts, { links }) => ({
    subject: `La caja revirtió tu pago de ${mxn(facts.amountCentavos)}`,
    badge: { text: 'Revertido', tone: 'danger' },
    heading: 'La caja revirtió tu pago',
    blocks: [
      paragraph(`El pago de ${mxn(facts.amountCentavos)} ya no cuenta. La caja te regresa ese dinero.`),
      toPurchase(facts, links),
      note('Si no fue así, habla con el comercio.'),
      purchaseRows(facts),
    ],
  }),
  store_reversed: (facts, { links }) => ({
    subject:
      facts.isHelp === 1
        ? `La tienda revirtió un pago de ${mxn(facts.amountCentavos)} de quien te ayudó`
        : `La tienda revirtió tu pago de ${mxn(facts.amountCentavos)}`,
    badge: { text: 'Revertido', tone: 'danger' },
    heading: facts.isHelp === 1 ? 'La tienda revirtió un pago' : 'La tienda revirtió tu pago',
    blocks: [
      paragraph(
        `El pago de ${mxn(facts.amountCentavos)} de tu compra ${facts.purchaseId ?? ''} ya no cuenta. La tienda ${facts.isHelp === 1 ? 'lo regresa a quien te ayudó' : 'te regresa ese dinero'}.`,
      ),
      toPurchase(facts, links),
      note('Si no fue así, habla con el comercio.'),
    ],
  }),
  card_reversed: (facts, { links }) => ({
    subject:
      facts.isHelp === 1
        ? `Un pago de ${mxn(facts.amountCentavos)} se devolvió a quien te ayudó`
        : `Tu pago de ${mxn(facts.amountCentavos)} se devolvió a tu tarjeta`,
    badge: { text: 'Devuelto', tone: 'danger' },
    heading: facts.isHelp === 1 ? 'Un pago se devolvió a quien te ayudó' : 'Tu pago se devolvió a tu tarjeta',
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
    badge: { text: 'Devuelto', tone: 'paid' },
    heading: 'Tu devolución está hecha',
    blocks: [
      {
        kind: 'amount',
        label:
          facts.isByTerminal === 1
            ? `La tienda devolvió en su terminal, a la tarjeta terminada en ${facts.last4 ?? ''}`
            : `Devolvimos a ${cardOf(facts)}`,
        amount: mxn(facts.amountCentavos),
      },
      paragraph('Dependiendo de tu banco, puede tardar unos días en aparecer en tu estado de cuenta.'),
      toPurchase(facts, links),
      ...(facts.isByTerminal === 1
        ? [note('Si no aparece, avísale al comercio: lo volvemos a anotar como pendiente.')]
        : []),
    ],
  }),
  refund_in_cash: (facts, { links }, shop) => ({
    subject: `Tu devolución de ${mxn(facts.amountCentavos)} será en efectivo`,
    badge: { text: 'Por devolver', tone: 'pending' },
    heading: 'Tu devolución será en efectivo',
    blocks: [
      { kind: 'amount', label: 'Por recoger', amount: mxn(facts.amountCentavos) },
      paragraph(`No se pudo devolver a ${cardOf(facts)}. Lo recibes completo, en efectivo.`),
      ...handedOver(shop),
      toPurchase(facts, links),
    ],
  }),
  refund_paid_in_cash: (facts, { links }) => ({
    subject: `Te entregaron ${mxn(facts.amountCentavos)}`,
    badge: { text: 'Devuelto', tone: 'paid' },
    heading: 'Tu devolución está entregada',
    blocks: [
      { kind: 'amount', label: 'Te entregaron', amount: mxn(facts.amountCentavos) },
      paragraph('Anotamos que ya tienes este dinero, así que ya no te falta nada de él.'),
      toPurchase(facts, links),
      note('Si no lo recibiste, avísale cuanto antes al comercio: lo volvemos a anotar como pendiente.'),
    ],
  }),
  refund_bounced: (facts, { links }, shop) => ({
    subject: `Tu devolución de ${mxn(facts.amountCentavos)} se te debe otra vez`,
    badge: { text: 'Por devolver', tone: 'pending' },
    heading: 'Tu devolución se te debe otra vez',
    blocks: [
      { kind: 'amount', label: 'Por recoger', amount: mxn(facts.amountCentavos) },
      paragraph('Te escribimos que ya tenías este dinero, pero no te llegó. Lo recibes completo.'),
      ...handedOver(shop),
      toPurchase(facts, links),
    ],
  }),
};

function cardOf({ last4, isHelp }: EmailFacts): string {
  if (isHelp === 1) return 'la tarjeta de quien te ayudó';
  return last4 ? `tu tarjeta terminada en ${last4}` : 'tu tarjeta';
}

/** The words of an email. */
export function composeEmail(occasion: Occasion, place: Place): EmailBody {
  const body = write(occasion, place);
  return { ...body, preview: previewOf(body) };
}

/** Its first sentence, else its sum: of a mail of rows, what is said below them is about the mail itself. */
function previewOf({ blocks, heading }: Words): string {
  const end = blocks.findIndex(({ kind }) => kind === 'rows');
  const top = end === -1 ? blocks : blocks.slice(0, end);
  const first = top.find((block) => block.kind === 'paragraph');
  if (first !== undefined) return first.text;
  const sum = top.find((block) => block.kind === 'amount');
  return sum === undefined ? heading : `${sum.label}: ${sum.amount}`;
}

function write(occasion: Occasion, place: Place): Words {
  switch (occasion.topic) {
    case 'password_reset':
      return passwordReset(occasion.link, place);
    case 'password_changed':
      return passwordChanged(place);
    case 'kept_session_replayed':
      return keptSessionReplayed(place);
    case 'welcome':
      return welcome(occasion.link, place);
    case 'confirm_email':
      return confirmEmail(occasion.link, place);
    case 'layaway_paid':
      return receiptEmail(occasion, place, `Recibimos tu apartado de ${mxn(occasion.facts.amountCentavos)}`);
    case 'instalment_paid':
      return receiptEmail(occasion, place, paidSubject(occasion));
    case 'help_received':
    case 'help_returned':
    case 'help_in_review':
    case 'help_not_charged':
    case 'help_refunded':
    case 'help_refund_in_cash':
    case 'help_penalty':
    case 'help_cash_owed_back':
    case 'help_cash_paid_back':
    case 'help_cash_bounced':
    case 'help_reversed':
      return helpEmail(occasion.topic, occasion.news, place);
    case 'payment_due':
      return reminderEmail(occasion.reminder, place);
    case 'invoice_issued':
      return invoiceIssued(occasion.facts, occasion, place);
    case 'invoice_refused':
      return invoiceRefused(occasion.facts, place);
    case 'staff_invitation':
    case 'staff_password_reset':
    case 'staff_password_changed':
    case 'staff_passkey_added':
    case 'staff_digest':
    case 'staff_shop_news':
      return staffEmail(occasion, place);
    case 'invoice_cancelled':
      return invoiceCancelled(occasion.facts, place);
    case 'refund_in_cash':
    case 'refund_bounced':
    case 'cash_owed_back':
      return MONEY[occasion.topic](occasion.facts, place, occasion.shop);
    default:
      return MONEY[occasion.topic](occasion.facts, place);
  }
}

/** A mailbox that may be somebody else's learns that it was help, and not whose. */
function paidSubject({ facts, receipt }: Extract<Occasion, { topic: ReceiptTopic }>): string {
  const sum = mxn(facts.amountCentavos);
  return facts.isHelp === 1 && receipt?.payerName === undefined
    ? `Recibimos un abono de ${sum} de quien te ayudó`
    : `Recibimos tu abono de ${sum}`;
}

function receiptEmail(
  { topic, facts, receipt }: Extract<Occasion, { topic: ReceiptTopic }>,
  { links }: Place,
  subject: string,
): Words {
  const isPaidOff = topic === 'instalment_paid' && facts.balanceCentavos === 0;
  const helper = receipt?.payerName;
  const heading = isPaidOff
    ? '¡Ya es tuyo!'
    : helper === undefined
      ? subject.replace(/ de \$[\d.,]+ MXN/, '')
      : `${helper} te ayudó`;
  return {
    subject: isPaidOff
      ? `${heading} ${subject}`
      : helper !== undefined
        ? `${heading}: ${subject.charAt(0).toLowerCase()}${subject.slice(1)}`
        : subject,
    badge: { text: isPaidOff ? 'Liquidada' : 'Pagado', tone: 'paid' },
    heading,
    blocks: [
      ...(isPaidOff && receipt ? receipt.paidOff : []),
      {
        kind: 'amount',
        label: helper === undefined && facts.isHelp !== 1 ? 'Pagaste' : 'Te dieron',
        amount: mxn(facts.amountCentavos),
      },
      ...(receipt === undefined
        ? [
            paragraph(
              'El recibo completo está en tu cuenta. Confirma tu correo en tu perfil y te llegará también aquí.',
            ),
          ]
        : []),
      button('Ver mi recibo', links.receipt(facts.folio ?? '')),
      ...(receipt === undefined ? [purchaseRows(facts)] : receipt.receipt),
    ],
  };
}
