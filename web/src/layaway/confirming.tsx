import { Button } from '@aparta/ui/button.tsx';
import waiting from '@aparta/ui/drawings/waiting.svg?raw';
import { FactList } from '@aparta/ui/fact-list.tsx';
import { HeroDrawing } from '@aparta/ui/hero-drawing.tsx';
import { LineItems } from '@aparta/ui/line-items.tsx';
import { PageHead } from '@aparta/ui/page.tsx';
import { ProductHeader } from '@aparta/ui/product-header.tsx';
import { StickyFooter } from '@aparta/ui/sticky-footer.tsx';
import text from '@aparta/ui/text.module.css';
import { Ticket } from '@aparta/ui/ticket.tsx';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { config } from '../app/config.ts';
import { Help } from '../app/help.tsx';
import { paths } from '../app/paths.ts';
import type { LayawayReference } from '../data/layaway.ts';
import { paymentCopy } from './payment-copy.ts';
import wizard from './wizard.module.css';

const copy = paymentCopy.confirming;

/**
 * A card payment of this reference is open. The bar code is hidden, so that nobody pays twice; the card
 * screen takes over.
 */
export function Confirming({ reference, logo }: { reference: LayawayReference; logo: string | undefined }) {
  useArrival(copy.title, config.productName);
  const state = reference.attempt?.state;
  const said = state === 'pending_3ds' ? copy.threeDs : state === 'held' ? copy.held : copy.wait;
  return (
    <>
      <HeroDrawing drawing={waiting} />
      <PageHead title={copy.title} />
      <div className={`${text.stack} ${wizard.body}`}>
        <Ticket
          label={copy.ticket}
          thing={
            <>
              <ProductHeader
                title={reference.productName}
                sub={reference.merchantName}
                merchant={reference.merchantName}
                logo={logo}
              />
              <LineItems
                rows={[{ label: paymentCopy.payment.card, amount: reference.cardTotal, strong: true }]}
              />
            </>
          }
          act={<FactList facts={[{ icon: 'clock', title: said.title, text: said.text }]} />}
        />
        <Help merchantId={reference.merchantId} />
      </div>
      <StickyFooter>
        <Button variant="primary" wide onClick={() => location.assign(paths.payLayaway(reference.id))}>
          {said.go}
        </Button>
      </StickyFooter>
    </>
  );
}
