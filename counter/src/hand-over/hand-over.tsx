import { newId } from '@aparta/browser/new-id.ts';
import { isUnanswered } from '@aparta/browser/unanswered.ts';
import { Button } from '@aparta/ui/button.tsx';
import { LineItems } from '@aparta/ui/line-items.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { ProductTile } from '@aparta/ui/product-tile.tsx';
import { StickyFooter } from '@aparta/ui/sticky-footer.tsx';
import text from '@aparta/ui/text.module.css';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { paths } from '../app/paths.ts';
import { useOnline } from '../app/use-online.ts';
import { handedOverQuery, sendHandOver, type Offer } from '../data/hand-overs.ts';
import { handOverPresses } from '../session/press.ts';
import { session, useBranch, useSession } from '../session/session.ts';
import { handOverCopy as copy } from './copy.ts';
import { SignaturePad, type Strokes } from './signature-pad.tsx';
import { Unanswered } from './unfinished-hand-over.tsx';

/** Shows what is handed over and who may collect it, and does it with one press. */
export function HandOver({
  offer,
  digits,
  onRefused,
}: {
  offer: Offer;
  digits: string;
  onRefused: (error: unknown) => void;
}) {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const branch = useBranch();
  const position = useSession()?.position;
  const online = useOnline();
  const [strokes, setStrokes] = useState<Strokes>([]);
  const [state, setState] = useState<'idle' | 'unsigned' | 'sending' | 'unanswered'>('idle');
  // One press of a person is one hand-over, however often it is sent.
  const press = useRef<string>(undefined);

  async function send(): Promise<void> {
    if (!branch || state === 'sending') return;
    if (offer.wantsSignature && strokes.length === 0) return setState('unsigned');
    setState('sending');
    press.current ??= newId();
    const { purchaseId, productName } = offer;
    handOverPresses.keep(position, { id: press.current, purchaseId, productName });
    const signature = strokes.map((stroke) => [...stroke]);
    try {
      const done = await sendHandOver({
        id: press.current,
        branchId: branch.id,
        purchaseId,
        digits,
        ...(signature.length > 0 && { signature }),
      });
      // Left to who pressed, and shown to them.
      if (!session.isStill(position)) return;
      handOverPresses.forget(done.id);
      queries.removeQueries({ queryKey: ['owed'] });
      queries.setQueryData(handedOverQuery(done.id).queryKey, done);
      navigate(paths.handedOver(done.id), { replace: true });
    } catch (error) {
      if (!session.isStill(position)) return;
      if (isUnanswered(error)) return setState('unanswered');
      handOverPresses.forget(press.current);
      onRefused(error);
    }
  }

  if (state === 'unanswered') return <Unanswered onRetry={() => void send()} />;
  return (
    <>
      <div className={text.loose}>
        <section className={`${text.card} ${text.stack}`} aria-label={copy.what}>
          <div className={text.besideTile}>
            <ProductTile name={offer.productName} pictures={offer.pictures} />
            <h2>{offer.productName}</h2>
          </div>
          <LineItems
            rows={[
              {
                label: copy.who,
                text: offer.collector === null ? offer.buyer : copy.collector(offer.collector, offer.buyer),
              },
              { label: copy.paid, amount: offer.paid },
            ]}
          />
          <p className={`${text.muted} ${text.small}`}>{copy.purchase(offer.purchaseId)}</p>
        </section>
        <Notice tone="info" title={copy.identify} />
        {offer.wantsSignature && <SignaturePad strokes={strokes} onChange={setStrokes} />}
        {state === 'unsigned' && strokes.length === 0 && (
          <Notice tone="danger" title={copy.unsigned} urgent />
        )}
      </div>
      <StickyFooter>
        <Button
          variant="primary"
          wide
          disabled={!online || !branch}
          busy={state === 'sending' ? copy.sending : undefined}
          onClick={() => void send()}
        >
          {copy.send}
        </Button>
      </StickyFooter>
    </>
  );
}
