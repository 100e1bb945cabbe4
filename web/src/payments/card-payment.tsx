import { ButtonLink } from '@aparta/ui/button.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { Flow, PageHead } from '@aparta/ui/page.tsx';
import { SkeletonBlock, Skeleton } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { Suspense, useEffect } from 'react';
import { config } from '../app/config.ts';
import { Help } from '../app/help.tsx';
import { paths } from '../app/paths.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { AfterForm } from './after-form-later.ts';
import { CardForm } from './card-form.tsx';
import type { StateName } from './card-states.ts';
import { formCopy as copy } from './form-copy.ts';
import type { Step } from './payment-view-state.ts';
import type { PayableSource } from './queries.ts';
import { useCardPayment } from './use-card-payment.ts';

/**
 * A card payment from form to outcome. The screen follows the server's state, so a reload, a second tab or a
 * lost network never leads to a second charge.
 */
export function CardPayment({ source, step }: { source: PayableSource; step: Step }) {
  const [state, dispatch] = useCardPayment(source, step);
  useEffect(() => AfterForm.preload(), []);
  const { name, payable } = state;
  if (name === 'unreadable') {
    return <Unreadable error={state.error} onRetry={() => dispatch({ type: 'retry' })} />;
  }
  if (!payable && name !== 'missing') return <Loading step={step} />;
  if (payable && FORM.includes(name)) return <CardForm state={state} payable={payable} dispatch={dispatch} />;
  if (LEADS_AWAY.includes(name)) return <Loading step={step} />;
  return (
    <Suspense fallback={<Loading step={step} />}>
      <AfterForm state={state} payable={payable} dispatch={dispatch} />
    </Suspense>
  );
}

const FORM: readonly StateName[] = ['opening', 'form', 'tokenizing', 'sending', 'overtaken', 'leaving'];
const LEADS_AWAY: readonly StateName[] = ['loading', 'noCards', 'redirecting'];

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
      <PageHead title={step === 'threeDs' ? copy.threeDsTitle : copy.form.title} />
      <Skeleton label={copy.loading}>
        <SkeletonBlock shape="control" />
        <SkeletonBlock />
        <SkeletonBlock width="half" />
        <SkeletonBlock shape="control" />
      </Skeleton>
    </Flow>
  );
}
