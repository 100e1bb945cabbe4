import { parseLayawayReference } from '@aparta/domain/layaway-reference';
import { Flow } from '@aparta/ui/page.tsx';
import { partsCopy } from '@aparta/ui/parts-copy.ts';
import { Skeleton, SkeletonBlock } from '@aparta/ui/skeleton.tsx';
import { Suspense, useEffect, useState, type ReactNode } from 'react';
import { Redirect, useLocation, useSearchParams } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { lazyPage } from '@aparta/browser/lazy-page.tsx';
import { whenIdle } from '@aparta/browser/when-idle.ts';
import { useWhetherMade } from '../data/layaway.ts';
import { reference, useReference } from '../session/reference.ts';
import { carried, carry, wizardAddress, wizardStep } from './wizard-address.ts';

const ReferenceStep = lazyPage(() =>
  import('./reference-step.tsx').then((step) => ({ default: step.ReferenceStep })),
);
// They come while the buyer is at the step before them.
const InformationStep = lazyPage(() => import('./information-step.tsx'));
const PaymentStep = lazyPage(() => import('./payment-step.tsx'));

/** The wizard with its first step, unless it is opened at a later one. */
export async function loadLayaway() {
  if (wizardStep(new URLSearchParams(globalThis.location?.search)).step === 'reference')
    await ReferenceStep.load();
  return { default: LayawayPage };
}

/**
 * Spec §2, the wizard. The URL says which step; the saved reference or the id in the URL says what it is about. `onCardNear`
 * fetches the card screen's code while the buyer reads the step before it.
 */
export default function LayawayPage({ onCardNear }: { onCardNear?: () => void }) {
  const [search] = useSearchParams();
  const state: unknown = useHistoryState();
  const [, navigate] = useLocation();
  const saved = parseLayawayReference(useReference() ?? '');
  const where = wizardStep(search);
  const next = where.step === 'reference' ? InformationStep : PaymentStep;
  useEffect(
    () =>
      whenIdle(() => {
        next.preload();
        ReferenceStep.preload();
      }),
    [next],
  );
  // Spec §9: step 1 continues on its own only on load, not when the buyer comes back to it.
  const [loading, setLoading] = useState(where.step === 'reference');
  if (loading && where.step !== 'reference') setLoading(false);

  function startOver() {
    reference.clear();
    navigate(wizardAddress.reference);
  }

  switch (where.step) {
    case 'reference':
      return (
        <UnlessMade key="reference">
          <Suspense fallback={<Coming />}>
            <Flow>
              <ReferenceStep
                goesOnByItself={loading}
                loadNext={InformationStep.load}
                onNext={() => {
                  setLoading(false);
                  navigate(wizardAddress.information);
                }}
              />
            </Flow>
          </Suspense>
        </UnlessMade>
      );
    case 'information':
      if (!saved.ok) return <Redirect to={wizardAddress.reference} replace />;
      return (
        <Suspense fallback={<Coming />}>
          <InformationStep
            // Remounts for another product.
            key={`${saved.value.businessId} ${saved.value.productId}`}
            scanned={saved.value}
            onBack={() => navigate(wizardAddress.reference)}
            onOther={startOver}
            onMade={(id, shown) => navigate(wizardAddress.payment(id), { state: carry(shown) })}
          />
        </Suspense>
      );
    case 'payment':
      return (
        <Suspense fallback={<Coming />}>
          <PaymentStep
            key={where.id}
            id={where.id}
            shown={carried(state)}
            onStartOver={startOver}
            onCardNear={onCardNear}
          />
        </Suspense>
      );
  }
}

/** A kept reference whose purchase exists is dropped before anything goes on with it; `children` wait for it. */
function UnlessMade({ children }: { children: ReactNode }) {
  const saved = parseLayawayReference(useReference() ?? '');
  const isWaiting = useWhetherMade(saved.ok ? saved.value : undefined) !== undefined;
  return isWaiting ? <Coming /> : children;
}

/** A step whose code was not here yet, or that is not known to be the right one. */
function Coming() {
  return (
    <Flow>
      <Skeleton label={partsCopy.loadingScreen}>
        <SkeletonBlock shape="title" width="half" />
        <SkeletonBlock shape="tile" />
        <SkeletonBlock shape="control" />
      </Skeleton>
    </Flow>
  );
}
