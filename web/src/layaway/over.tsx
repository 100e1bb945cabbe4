import { Button } from '@aparta/ui/button.tsx';
import cancelled from '@aparta/ui/drawings/cancelled.svg?raw';
import expired from '@aparta/ui/drawings/expired.svg?raw';
import { HeroDrawing } from '@aparta/ui/hero-drawing.tsx';
import { PageHead } from '@aparta/ui/page.tsx';
import { ProductHeader } from '@aparta/ui/product-header.tsx';
import { StickyFooter } from '@aparta/ui/sticky-footer.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useLocation } from 'wouter';
import { config } from '../app/config.ts';
import { Help } from '../app/help.tsx';
import { BackToCard } from '../copy/back-to-card.tsx';
import { OwedBack } from '../copy/owed-back.tsx';
import type { LayawayReference } from '../data/layaway.ts';
import { reference as savedReference } from '../session/reference.ts';
import { paymentCopy } from './payment-copy.ts';
import { wizardAddress } from './wizard-address.ts';
import wizard from './wizard.module.css';

const copy = paymentCopy.over;

/** A reference that can no longer be paid: what happened, and a new one for the same product in one tap. */
export function Over({
  reference,
  logo,
  how,
  onStartOver,
}: {
  reference: LayawayReference;
  logo: string | undefined;
  how: 'expired' | 'cancelled';
  onStartOver: () => void;
}) {
  useArrival(copy[how].title, config.productName);
  const [, navigate] = useLocation();
  return (
    <>
      <HeroDrawing drawing={how === 'expired' ? expired : cancelled} />
      <PageHead title={copy[how].title}>{copy[how].text(reference.expiresAt)}</PageHead>
      <div className={`${text.stack} ${wizard.body}`}>
        <OwedBack reference={reference} />
        <BackToCard reference={reference} />
        <div className={text.card}>
          <ProductHeader
            title={reference.productName}
            sub={reference.merchantName}
            merchant={reference.merchantName}
            logo={logo}
          />
        </div>
        <div className={text.pair}>
          <Button variant="quiet" onClick={onStartOver}>
            {paymentCopy.paid.another}
          </Button>
          <Help merchantId={reference.merchantId} />
        </div>
      </div>
      <StickyFooter>
        <Button
          variant="primary"
          wide
          onClick={() => {
            savedReference.save(reference.qrText, true);
            navigate(wizardAddress.information);
          }}
        >
          {copy.again}
        </Button>
      </StickyFooter>
    </>
  );
}
