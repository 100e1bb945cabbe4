import { formatDateLong } from '@aparta/domain/calendar';
import { type Centavos, zero } from '@aparta/domain/money';
import { groupDigits } from '@aparta/domain/payment-reference';
import type { DueReminder, ReminderKind } from '@aparta/domain/reminders';

import { type Block, button, mxn, note, paragraph, type Row, type Words } from './email-body.ts';
import type { Place } from './links.ts';

/** Which due date a buyer is reminded of. */
export interface ReminderOf extends DueReminder {
  readonly purchaseId: number;
}

/** The same with what the email says of it. */
export interface Reminder extends ReminderOf {
  /** Absent for a mailbox that may be somebody else's: it learns no sum and no name. */
  readonly due?: {
    readonly productName: string;
    readonly tradeName: string;
    readonly number: number;
    readonly of: number;
    /** What is owed of it, and of what was due before. */
    readonly owedCentavos: Centavos;
    readonly lateCentavos: Centavos;
    /** What both cost by each payment method, with its fee: what is late is paid first. Absent where it, or that much, is not taken. */
    readonly totals: { readonly card?: Centavos; readonly cash?: Centavos; readonly till?: Centavos };
    readonly planReference: string;
  };
}

const SAYS: Readonly<
  Record<ReminderKind, { subject: (day: string) => string; badge: string; tone: 'pending' | 'danger' }>
> = {
  ahead: { subject: (day) => `Tu pago vence el ${day}`, badge: 'Por vencer', tone: 'pending' },
  eve: { subject: (day) => `Mañana vence tu pago, el ${day}`, badge: 'Mañana', tone: 'pending' },
  late: { subject: (day) => `Tu pago venció ayer, el ${day}`, badge: 'Venció', tone: 'danger' },
};

/** The words of a reminder. */
export function reminderEmail(
  { kind, dueOn, purchaseId, due }: Reminder,
  { links, product, unsubscribeLink }: Place,
): Words {
  const says = SAYS[kind];
  const heading = says.subject(formatDateLong(dueOn));
  const pay = button('Pagar', links.pay(purchaseId));
  const last = note(
    'Si ya pagaste, no tienes que hacer nada: en cuanto nos llega tu pago dejamos de recordártelo.',
  );
  const foot = {
    why: `Te escribimos porque este correo tiene una cuenta en ${product} y los recordatorios encendidos.`,
    ...(unsubscribeLink !== undefined && { off: { label: 'Dejar de recibirlos', link: unsubscribeLink } }),
  };
  const badge = { text: says.badge, tone: says.tone };
  if (due === undefined) return { subject: heading, badge, heading, blocks: [pay, last], ...foot };
  const { productName, tradeName, number, of, owedCentavos, lateCentavos } = due;
  return {
    subject: `${heading}: ${mxn(owedCentavos)}`,
    badge,
    heading,
    blocks: [
      paragraph(`${productName}, de ${tradeName}. Pago ${number} de ${of}.`),
      { kind: 'amount', label: 'Por pagar', amount: mxn(owedCentavos) },
      ...(lateCentavos > zero
        ? [
            paragraph(
              `Además debes ${mxn(lateCentavos)} de pagos que vencieron antes: lo que pagues va primero a esos. Con el botón eliges cuánto.`,
            ),
          ]
        : []),
      pay,
      ...paymentMethods(due),
      last,
    ],
    ...foot,
  };
}

function paymentMethods({
  totals,
  lateCentavos,
  planReference,
  tradeName,
}: NonNullable<Reminder['due']>): Block[] {
  const rows = [
    { label: 'Con tarjeta', total: totals.card },
    { label: 'En tiendas de tu colonia', total: totals.cash },
    { label: `En la caja de ${tradeName}`, total: totals.till },
  ].flatMap(({ label, total }): Row[] => (total === undefined ? [] : [{ label, value: mxn(total) }]));
  if (rows.length === 0) return [];
  return [
    {
      kind: 'rows',
      title: `${lateCentavos > zero ? 'Para ponerte al corriente' : 'Cuánto pagas'}, con su cargo por servicio`,
      rows,
    },
    ...(totals.till === undefined
      ? []
      : [
          paragraph(`Tu número en la caja de ${tradeName}: ${groupDigits(planReference)}`),
          { kind: 'barCode', text: planReference } as const,
        ]),
  ];
}
