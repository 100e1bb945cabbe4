import { ButtonLink } from '@aparta/ui/button.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { Flow, PageHead } from '@aparta/ui/page.tsx';
import { SkeletonBlock, Skeleton } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useEffect, type Dispatch } from 'react';
import { config } from '../app/config.ts';
import { Help } from '../app/help.tsx';
import { paths } from '../app/paths.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { Applying } from './applying.tsx';
import { CardForm } from './card-form.tsx';
import { fetchClipSdk } from './clip-sdk.ts';
import type { CardState, Input } from './card-reducer.ts';
import { Closed, Missing } from './closed.tsx';
import { paymentsCopy as copy } from './copy.ts';
import { NotDone, Returned } from './not-paid.tsx';
import { Paid } from './paid.tsx';
import type { Payable } from './payable.ts';
import type { Step } from './payment-view-state.ts';
import { Pending } from './pending.tsx';
import type { PayableSource } from './queries.ts';
import { ThreeDsChallenge } from './three-ds-challenge.tsx';
import { useCardPayment } from './use-card-payment.ts';

/**
 * A card payment from form to outcome. The screen follows the server's state, so a reload, a second tab or a
 * lost network never leads to a second charge.
 */
export function CardPayment({ source, step }: { source: PayableSource; step: Step }) {
  const [state, dispatch] = useCardPayment(source, step);
  // Beside what is paid, not after it: on a slow line each would wait for the one before.
  useEffect(() => {
    if (step === 'pay') fetchClipSdk(config.clipSdkUrl);
  }, [step]);
  if (state.name === 'missing') return <Missing />;
  if (state.name === 'unreadable') {
    return <Unreadable error={state.error} onRetry={() => dispatch({ type: 'retry' })} />;
  }
  if (!state.payable) return <Loading step={step} />;
  return <Screen state={state} payable={state.payable} dispatch={dispatch} />;
}

function Screen({
  state,
  payable,
  dispatch,
}: {
  state: CardState;
  payable: Payable;
  dispatch: Dispatch<Input>;
}) {
  const { name, step, sent } = state;
  const { attempt } = payable;
  const after3ds = step === 'threeDs';
  const onRetry = () => dispatch({ type: 'retry' });
  switch (name) {
    case 'opening':
    case 'form':
    case 'tokenizing':
    case 'sending':
    case 'overtaken':
    case 'leaving':
      return <CardForm state={state} payable={payable} dispatch={dispatch} />;
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
      return attempt && <Paid payable={payable} attempt={attempt} after3ds={after3ds} />;
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
      return <Loading step={step} />;
  }
}

function Unreadable({ error, onRetry }: { error: Error | undefined; onRetry: () => void }) {
  useArrival(copy.form.title, config.productName);
  return (
    <Flow>
      <PageHead title={copy.form.title} />
      <div className={text.stack}>
        <Failed title={copy.loadFailed} text={sentenceFor(error)} onRetry={onRetry} />
        <ButtonLink to={paths.home} reload wide>
          {copy.home}
        </ButtonLink>
        <Help />
      </div>
    </Flow>
  );
}

function Loading({ step }: { step: Step }) {
  return (
    <Flow>
      <PageHead title={step === 'threeDs' ? copy.threeDs.title : copy.form.title} />
      <Skeleton label={copy.loading}>
        <SkeletonBlock shape="control" />
        <SkeletonBlock />
        <SkeletonBlock width="half" />
        <SkeletonBlock shape="control" />
      </Skeleton>
    </Flow>
  );
}
