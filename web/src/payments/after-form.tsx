import { useState, type Dispatch } from 'react';
import { Applying } from './applying.tsx';
import type { CardState, Input } from './card-reducer.ts';
import { Closed, Missing } from './closed.tsx';
import { NotDone, Returned } from './not-paid.tsx';
import { Paid } from './paid.tsx';
import type { Payable } from './payable.ts';
import { Pending } from './pending.tsx';
import { ThreeDsChallenge } from './three-ds-challenge.tsx';

/** What a card payment came to, and the bank's window on the way there. Without a payable there is nothing to pay. */
export default function AfterForm({
  state,
  payable,
  dispatch,
}: {
  state: CardState;
  payable: Payable | undefined;
  dispatch: Dispatch<Input>;
}) {
  const { name, step, sent } = state;
  const [opened] = useState(name);
  if (!payable || name === 'missing') return <Missing />;
  const { attempt } = payable;
  const after3ds = step === 'threeDs';
  const onRetry = () => dispatch({ type: 'retry' });
  switch (name) {
    case 'unconfirmed':
    case 'resending':
    case 'rereading':
      return <Pending key={sent?.intentoId} state={state} payable={payable} dispatch={dispatch} />;
    case 'pending':
    case 'authenticate':
    case 'held':
    case 'windowClosed':
    case 'windowBlocked':
      return <Pending key={attempt?.intentId} state={state} payable={payable} dispatch={dispatch} />;
    case 'challenge':
      return (
        attempt && (
          <ThreeDsChallenge key={attempt.intentId} payable={payable} attempt={attempt} dispatch={dispatch} />
        )
      );
    case 'applying':
      return (
        attempt && <Applying key={attempt.intentId} payable={payable} attempt={attempt} dispatch={dispatch} />
      );
    case 'paid':
      return (
        attempt && (
          <Paid
            payable={payable}
            attempt={attempt}
            after3ds={after3ds}
            isNews={sent !== undefined || opened !== 'paid'}
          />
        )
      );
    case 'returned':
      return attempt && <Returned payable={payable} attempt={attempt} onRetry={onRetry} />;
    case 'rejected':
    case 'notCharged':
    case 'abandoned':
    case 'resuming':
    case 'lapsed':
      return (
        attempt && (
          <NotDone
            kind={name}
            payable={payable}
            attempt={attempt}
            after3ds={after3ds}
            onRetry={onRetry}
            onResume={() => dispatch({ type: 'resume' })}
          />
        )
      );
    case 'paidElsewhere':
    case 'expired':
    case 'cancelled':
    case 'notYet':
      return <Closed kind={name} payable={payable} />;
    default:
      return null;
  }
}
