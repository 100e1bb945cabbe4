import { centavosFromPesos } from '@aparta/contract/amount';
import {
  OPEN_ATTEMPT_STATES,
  type AttemptState,
  type CardPayment,
  type RejectionAdvice,
} from '@aparta/contract/payments';
import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';

// Apart from the calls (payments.ts): instalments and layaway references carry their attempt.

/** A card attempt as the server last reported it. */
export interface CardAttempt {
  /** Made by the browser before sending. */
  readonly intentId: string;
  /** The provider's; empty while unknown. */
  readonly paymentId: string;
  readonly state: AttemptState;
  /** Its money may still move: until it ends, nothing else is paid (rules/card-attempts#states). */
  readonly isOpen: boolean;
  /** Fee included. */
  readonly charged: Centavos;
  readonly createdAt: Date;
  /** Where the bank identifies the buyer; empty unless it waits for that. */
  readonly threeDsUrl: string;
  /** Undefined until the provider has named it. */
  readonly card: NonNullable<CardPayment['card']> | undefined;
  /** Of a rejected attempt only. */
  readonly advice: RejectionAdvice | undefined;
  /** It was approved when the last unit had gone. */
  readonly isSoldOut: boolean;
  /** `otherSum`: another was charged than agreed. */
  readonly refund:
    | { readonly amount: Centavos; readonly done: boolean; readonly otherSum?: boolean | undefined }
    | undefined;
  /** The receipt's number and date, and the purchase; undefined until the money is applied. */
  readonly folio: string | undefined;
  readonly paidAt: Date | undefined;
  readonly purchaseId: number | undefined;
  /** How the purchase stands now; undefined until the money is applied, and once the purchase is cancelled. */
  readonly plan: PaidPlan | undefined;
  /** What it pays of each, where it pays several purchases. */
  readonly shares?: readonly { readonly product: string; readonly amount: Centavos }[] | undefined;
}

/** A purchase's plan after a payment. */
export interface PaidPlan {
  readonly count: number;
  readonly paid: number;
  /** Without service fees. */
  readonly left: Centavos;
  /** Undefined when nothing is left. */
  readonly nextDueOn: DateOnly | undefined;
}

/** What is read of the wire. */
type WireAttempt = Omit<CardPayment, 'status' | 'status_detail' | 'currency' | 'applied' | 'referencia'>;

export function readCardAttempt(wire: WireAttempt): CardAttempt {
  const { refund, plan, paidAt } = wire;
  return {
    intentId: wire.intentoId,
    paymentId: wire.id,
    state: wire.state,
    isOpen: OPEN_ATTEMPT_STATES.includes(wire.state),
    charged: centavosFromPesos(wire.amount),
    createdAt: new Date(wire.createdAt),
    threeDsUrl: wire.pending_action.url,
    card: wire.card ?? undefined,
    advice: wire.advice ?? undefined,
    isSoldOut: wire.returnReason === 'sold_out',
    refund: refund ? { ...refund, amount: centavosFromPesos(refund.amount) } : undefined,
    folio: wire.folio ?? undefined,
    paidAt: paidAt === null ? undefined : new Date(paidAt),
    purchaseId: wire.ventaId ?? undefined,
    plan: plan
      ? { ...plan, left: centavosFromPesos(plan.left), nextDueOn: plan.nextDueOn ?? undefined }
      : undefined,
    shares: wire.compras?.map(({ producto, monto }) => ({
      product: producto,
      amount: centavosFromPesos(monto),
    })),
  };
}
