import { parseLayawayReference } from '@aparta/domain/layaway-reference';
import { Flow } from '@aparta/ui/page.tsx';
import { useEffect, useState } from 'react';
import { Redirect, useLocation, useSearchParams } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { lazyPage } from '@aparta/browser/lazy-page.tsx';
import { reference, useReference } from '../session/reference.ts';
import { InformationStep } from './information-step.tsx';
import { ReferenceStep } from './reference-step.tsx';
import { carried, carry, wizardAddress, wizardStep } from './wizard-address.ts';

// It comes while the buyer is at the steps before it.
const PaymentStep = lazyPage(() => import('./payment-step.tsx'));

/**
 * Spec §2, the wizard. The URL says which step; the saved reference or the id in the URL says what it is about. `onCardNear`
 * fetches the card screen, a document of its own, while the buyer reads the step before it.
 */
export default function LayawayPage({ onCardNear }: { onCardNear?: (screen: string) => void }) {
  const [search] = useSearchParams();
  const state: unknown = useHistoryState();
  const [, navigate] = useLocation();
  const saved = parseLayawayReference(useReference() ?? '');
  const where = wizardStep(search);
  useEffect(() => PaymentStep.preloadIdly(), []);
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
        <Flow key="reference">
          <ReferenceStep
            goesOnByItself={loading}
            onNext={() => {
              setLoading(false);
              navigate(wizardAddress.information);
            }}
          />
        </Flow>
      );
    case 'information':
      if (!saved.ok) return <Redirect to={wizardAddress.reference} replace />;
      return (
        <Flow key="information">
          <InformationStep
            // Remounts for another product.
            key={`${saved.value.businessId} ${saved.value.productId}`}
            scanned={saved.value}
            onBack={() => navigate(wizardAddress.reference)}
            onOther={startOver}
            onMade={(id, shown) => navigate(wizardAddress.payment(id), { state: carry(shown) })}
          />
        </Flow>
      );
    case 'payment':
      return (
        <PaymentStep
          key={where.id}
          id={where.id}
          shown={carried(state)}
          onStartOver={startOver}
          onCardNear={onCardNear}
        />
      );
  }
}
