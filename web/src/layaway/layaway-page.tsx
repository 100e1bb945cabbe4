import { parseLayawayReference } from '@aparta/domain/layaway-reference';
import { Flow } from '@aparta/ui/page.tsx';
import { useState } from 'react';
import { Navigate, useLocation, useNavigate, useSearchParams } from 'react-router';
import { reference, useReference } from '../session/reference.ts';
import { InformationStep } from './information-step.tsx';
import { PaymentStep } from './payment-step.tsx';
import { ReferenceStep } from './reference-step.tsx';
import { carried, carry, wizardAddress, wizardStep } from './wizard-address.ts';

/**
 * Spec §2, the wizard. The URL says which step; the saved reference or the id in the URL says what it is about.
 */
export default function LayawayPage() {
  const [search] = useSearchParams();
  const here = useLocation();
  const navigate = useNavigate();
  const saved = parseLayawayReference(useReference() ?? '');
  const where = wizardStep(search);
  // Spec §9: step 1 continues on its own only on load, not when the buyer comes back to it.
  const [loading, setLoading] = useState(where.step === 'reference');
  if (loading && where.step !== 'reference') setLoading(false);

  function startOver() {
    reference.clear();
    void navigate(wizardAddress.reference);
  }

  switch (where.step) {
    case 'reference':
      return (
        <Flow key="reference">
          <ReferenceStep
            goesOnByItself={loading}
            onNext={() => {
              setLoading(false);
              void navigate(wizardAddress.information);
            }}
          />
        </Flow>
      );
    case 'information':
      if (!saved.ok) return <Navigate to={wizardAddress.reference} replace />;
      return (
        <Flow key="information">
          <InformationStep
            // Remounts for another product.
            key={`${saved.value.businessId} ${saved.value.productId}`}
            scanned={saved.value}
            onBack={() => void navigate(wizardAddress.reference)}
            onMade={(id, shown) => void navigate(wizardAddress.payment(id), { state: carry(shown) })}
          />
        </Flow>
      );
    case 'payment':
      return <PaymentStep key={where.id} id={where.id} shown={carried(here.state)} onStartOver={startOver} />;
  }
}
