import { config } from '../app/config.ts';
import type { EventName } from './card-states.ts';
import type { Payable } from './payable.ts';

/** Which document this is: the card form, the 3DS window, or a helper's, which is both. */
export type Step = 'pay' | 'threeDs' | 'both';

/** What the server's state alone says. */
export type ServerView = Extract<
  EventName,
  | 'form'
  | 'noCards'
  | 'pending'
  | 'authenticate'
  | 'held'
  | 'paid'
  | 'returned'
  | 'rejected'
  | 'notCharged'
  | 'abandoned'
  | 'paidElsewhere'
  | 'expired'
  | 'cancelled'
  | 'notYet'
>;

/**
 * What a payable says from the server's state alone (rules/card-attempts#states). `isDismissed`: the buyer has read how
 * the newest attempt ended and wants to try again.
 */
export function viewStateOf(payable: Stands & Pick<Payable, 'attempt'>, isDismissed: boolean): ServerView {
  const { attempt } = payable;
  if (attempt === undefined) return withoutAttempt(payable);
  switch (attempt.state) {
    case 'submitting':
    case 'unknown':
      return 'pending';
    case 'pending_3ds':
      return 'authenticate';
    case 'held':
      return 'held';
    case 'applied':
      return 'paid';
    case 'returned':
      // A refund is shown whatever else happened, until the buyer can and wants to pay again.
      return payable.state === 'open' && isDismissed ? withoutAttempt(payable) : 'returned';
    case 'rejected':
    case 'not_charged':
    case 'abandoned': {
      if (payable.state !== 'open' || isDismissed) return withoutAttempt(payable);
      const views = { rejected: 'rejected', not_charged: 'notCharged', abandoned: 'abandoned' } as const;
      return views[attempt.state];
    }
  }
}

type Stands = Pick<Payable, 'state' | 'acceptsCards'>;

function withoutAttempt({ state, acceptsCards }: Stands): ServerView {
  switch (state) {
    case 'open':
      return acceptsCards ? 'form' : 'noCards';
    case 'paid':
      return 'paidElsewhere';
    case 'expired':
      return 'expired';
    case 'cancelled':
      return 'cancelled';
    case 'notYet':
      return 'notYet';
  }
}

/**
 * The event that the server's state is in one of the two documents. `answersBuyer`: it is the reply to a payment, or to
 * going back to the bank, and not a mere read.
 */
export function serverEvent(
  view: ServerView,
  step: Step,
  { threeDsUrl, answersBuyer }: { threeDsUrl: string; answersBuyer: 'payment' | 'resume' | false },
): EventName {
  if (view === 'form') return step === 'threeDs' ? 'toForm' : 'form';
  if (view === 'abandoned') return answersBuyer === 'resume' ? 'bankGaveUp' : 'abandoned';
  if (view !== 'authenticate') return view;
  if (step !== 'pay') return isOurs(threeDsUrl) ? 'challenge' : 'blocked';
  return answersBuyer ? 'goTo3ds' : 'authenticate';
}

/** The server has already checked the URL; a frame of another origin could not message us anyway. */
function isOurs(url: string): boolean {
  try {
    return config.threeDsOrigins.includes(new URL(url).origin);
  } catch {
    return false;
  }
}
