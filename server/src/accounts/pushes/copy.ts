import { type DateOnly, formatDateLong } from '@aparta/domain/calendar';
import { add, subtract, zero } from '@aparta/domain/money';

import type { EmailFacts } from '../../platform/email/copy.ts';
import { mxn } from '../../platform/email/email-body.ts';
import type { Links } from '../../platform/email/links.ts';
import type { PushedTopic } from '../../platform/email/pushed-topics.ts';
import type { Reminder } from '../../platform/email/reminder-copy.ts';

/** What a phone shows, also while it is locked: sums and days, and never a name, a product or a number that can be paid to. */
export interface PushText {
  readonly title: string;
  readonly body: string;
  /** Where a press on it leads. */
  readonly url: string;
  /** A later one with the same takes its place. */
  readonly tag: string;
}

export type PushOccasion =
  | { readonly topic: 'payment_due'; readonly reminder: Reminder }
  | { readonly topic: Exclude<PushedTopic, 'payment_due'>; readonly facts: EmailFacts };

/** What is said of an occasion. */
export function composePush(occasion: PushOccasion, links: Links): PushText {
  const tag = tagOf(occasion);
  if (occasion.topic === 'payment_due') {
    const { reminder } = occasion;
    return { ...reminded(reminder), url: links.pay(reminder.purchaseId), tag };
  }
  return { ...MONEY[occasion.topic](occasion.facts), url: whereOf(occasion.facts, links), tag };
}

function whereOf({ purchaseId, referenceId }: EmailFacts, links: Links): string {
  if (purchaseId !== undefined) return links.purchase(purchaseId);
  return referenceId === undefined ? links.purchases : links.layaway(referenceId);
}

function tagOf(occasion: PushOccasion): string {
  if (occasion.topic === 'payment_due') return `payment_due.${occasion.reminder.purchaseId}`;
  const { folio = '', purchaseId = '', amountCentavos, isLast } = occasion.facts;
  // The last warning is heard, also where the first still stands.
  return `${occasion.topic}.${purchaseId}.${folio}.${amountCentavos}${isLast === 1 ? '.last' : ''}`;
}

type Said = Pick<PushText, 'title' | 'body'>;

function reminded({ kind, dueOn, due }: Reminder): Said {
  const title = {
    ahead: `Tu pago vence el ${formatDateLong(dueOn)}`,
    eve: 'Mañana vence tu pago',
    late: 'Tu pago venció ayer',
  }[kind];
  return {
    title,
    body: due === undefined ? 'Toca para pagar.' : `${toPay(due)}. Toca para pagar.`,
  };
}

const BY = { card: 'con tarjeta', cash: 'en tiendas', till: 'en caja' } as const;

/** What pays it, as its email says: with what was late before, which is paid first, and each method's fee. */
function toPay({ owedCentavos, lateCentavos, totals }: NonNullable<Reminder['due']>): string {
  const methods = (['card', 'cash', 'till'] as const).flatMap((method) => {
    const total = totals[method];
    return total === undefined ? [] : [{ by: BY[method], total }];
  });
  const sums = [...new Set(methods.map(({ total }) => total))];
  const said =
    sums.length < 2
      ? mxn(sums[0] ?? add(owedCentavos, lateCentavos))
      : sums
          .map((sum) => {
            const by = methods.filter(({ total }) => total === sum).map((method) => method.by);
            return `${by.join(' o ')} ${mxn(sum)}`;
          })
          .join('; ');
  return capitalized(lateCentavos > zero ? `con lo que venció antes, ${said}` : said);
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const dayOf = (day: DateOnly | undefined) => (day === undefined ? '' : formatDateLong(day));

function endedTitle({ endedBy }: EmailFacts): string {
  if (endedBy === 'rule') return 'Tu compra se canceló por atraso';
  return endedBy === 'claim' ? 'Tu reclamo terminó' : 'La tienda terminó tu compra';
}

/** What stops a plan's end is named without fees, as its email and its screen do: each way to pay has its own. */
const FEE_ON_TOP = 'Al pagar se suma el cargo por servicio, si lo hay.';

const MONEY: Readonly<Record<Exclude<PushedTopic, 'payment_due'>, (facts: EmailFacts) => Said>> = {
  end_warned: ({ amountCentavos, endsOn, isLast }) => ({
    title: `${isLast === 1 ? 'Último aviso: tu' : 'Tu'} compra se cancela el ${dayOf(endsOn)}`,
    body: `Si antes pagas ${mxn(amountCentavos)}, sigue. ${FEE_ON_TOP}`,
  }),
  more_time: ({ amountCentavos, endsOn }) => ({
    title: `Tienes más tiempo: hasta el ${dayOf(endsOn)}`,
    body: `Si para entonces pagas ${mxn(amountCentavos)}, tu compra sigue. ${FEE_ON_TOP}`,
  }),
  purchase_ended: (facts) => {
    const ownCentavos = subtract(facts.amountCentavos, facts.helpCentavos ?? zero);
    return {
      title: endedTitle(facts),
      body:
        ownCentavos > 0
          ? `Te devolvemos ${mxn(ownCentavos)}. Toca para ver cómo.`
          : 'No queda nada por devolverte. Toca para ver por qué.',
    };
  },
  layaway_paid: ({ amountCentavos }) => ({
    title: '¡Ya quedó apartado!',
    body: `Recibimos tu pago de ${mxn(amountCentavos)}.`,
  }),
  instalment_paid: ({ amountCentavos, balanceCentavos, isHelp }) =>
    balanceCentavos === 0
      ? {
          title: '¡Listo para recoger!',
          body: `Recibimos ${mxn(amountCentavos)} y ya terminaste de pagar. Toca para ver tu código.`,
        }
      : {
          title:
            isHelp === 1
              ? `Te ayudaron con ${mxn(amountCentavos)}`
              : `Recibimos tu pago de ${mxn(amountCentavos)}`,
          body: balanceCentavos === undefined ? 'Toca para verlo.' : `Te faltan ${mxn(balanceCentavos)}.`,
        },
  several_paid: ({ amountCentavos, purchases }) => ({
    title: `Recibimos tu pago de ${mxn(amountCentavos)}`,
    body: `Es para ${purchases ?? 0} compras. Toca para verlas.`,
  }),
  payment_returned: ({ amountCentavos }) => ({
    title: `Te devolvemos ${mxn(amountCentavos)}`,
    body: 'Tu pago no se pudo aplicar. Vuelve completo a la misma tarjeta.',
  }),
  cash_owed_back: ({ amountCentavos }) => ({
    title: `Tienes ${mxn(amountCentavos)} por recoger`,
    body: 'Es dinero que pagaste en tienda y no se pudo aplicar. Toca para ver cómo.',
  }),
  refund_done: ({ amountCentavos }) => ({
    title: `Devolución hecha: ${mxn(amountCentavos)}`,
    body: 'Tu banco puede tardar unos días en mostrarla.',
  }),
  refund_in_cash: ({ amountCentavos }) => ({
    title: `Tu devolución de ${mxn(amountCentavos)} será en efectivo`,
    body: 'El comercio te la entrega. Toca para ver cómo.',
  }),
  refund_paid_in_cash: ({ amountCentavos }) => ({
    title: `Te entregaron ${mxn(amountCentavos)}`,
    body: 'Anotamos que ya tienes este dinero.',
  }),
  refund_bounced: ({ amountCentavos }) => ({
    title: `Se te deben otra vez ${mxn(amountCentavos)}`,
    body: 'Tu devolución no te llegó. El comercio te la entrega.',
  }),
};
