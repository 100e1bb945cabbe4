import type { CardPayment } from '@aparta/contract/payments';
import type { Payable } from './payable.ts';

/** What the card screen shows, with the attempt it is about. */
export type PaymentViewState =
  | { kind: 'form' | 'noCards' | 'paidElsewhere' | 'expired' | 'cancelled' | 'notYet' }
  | {
      kind:
        | 'pending'
        | 'authenticate'
        | 'held'
        | 'done'
        | 'returned'
        | 'rejected'
        | 'notCharged'
        | 'abandoned';
      attempt: CardPayment;
    };

/**
 * Chooses the card screen's view from the server's state alone (rules/card-attempts#states). `isDismissed`: the buyer
 * has read how a failed attempt ended and wants to try again.
 */
export function viewStateOf(payable: Payable, isDismissed: (intentoId: string) => boolean): PaymentViewState {
  const { attempt } = payable;
  if (attempt === null) return withoutAttempt(payable);
  switch (attempt.state) {
    case 'submitting':
    case 'unknown':
      return { kind: 'pending', attempt };
    case 'pending_3ds':
      return { kind: 'authenticate', attempt };
    case 'held':
      return { kind: 'held', attempt };
    case 'applied':
      return { kind: 'done', attempt };
    case 'returned':
      // A refund is shown whatever else happened, until the buyer can and wants to pay again.
      return payable.state === 'open' && isDismissed(attempt.intentoId)
        ? withoutAttempt(payable)
        : { kind: 'returned', attempt };
    case 'rejected':
    case 'not_charged':
    case 'abandoned': {
      if (payable.state !== 'open' || isDismissed(attempt.intentoId)) return withoutAttempt(payable);
      const kinds = { rejected: 'rejected', not_charged: 'notCharged', abandoned: 'abandoned' } as const;
      return { kind: kinds[attempt.state], attempt };
    }
  }
}

function withoutAttempt({ state, acceptsCards }: Payable): PaymentViewState {
  switch (state) {
    case 'open':
      return { kind: acceptsCards ? 'form' : 'noCards' };
    case 'paid':
      return { kind: 'paidElsewhere' };
    case 'expired':
      return { kind: 'expired' };
    case 'cancelled':
      return { kind: 'cancelled' };
    case 'notYet':
      return { kind: 'notYet' };
  }
}
