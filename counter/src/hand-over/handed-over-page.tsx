import { isRefused } from '@aparta/browser/api-error.ts';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { LineItems } from '@aparta/ui/line-items.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { Flow, PageHead } from '@aparta/ui/page.tsx';
import { SkeletonBlock } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { Ticket } from '@aparta/ui/ticket.tsx';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useQuery } from '@tanstack/react-query';
import { NotYet } from '../lists/not-yet.tsx';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import { handedOverQuery, type HandedOver } from '../data/hand-overs.ts';
import { handOverCopy } from './copy.ts';

const copy = handOverCopy.receipt;

/** The receipt of a hand-over, for the shop. */
export default function HandedOverPage({ id }: { id: string }) {
  useArrival(copy.title, config.productName);
  const query = useQuery(handedOverQuery(id));
  const { data: done, error } = query;
  return (
    <Flow>
      <PageHead title={copy.title} />
      {done ? (
        <Full done={done} />
      ) : isRefused(error, 'NOT_FOUND', 'INVALID_INPUT') ? (
        <Notice tone="danger" title={copy.missing} urgent />
      ) : (
        <NotYet of={query} failed={copy.failed} loading={copy.loading}>
          <div className={`${text.card} ${text.stack}`}>
            <SkeletonBlock width="most" />
            <SkeletonBlock />
          </div>
        </NotYet>
      )}
    </Flow>
  );
}

function Full({ done }: { done: HandedOver }) {
  const { collector, buyer, device, signed } = done;
  return (
    <div className={text.stack}>
      <Ticket
        kind="receipt"
        label={copy.title}
        thing={
          <>
            <p className={text.muted}>{copy.done}</p>
            <h2>{done.productName}</h2>
            <p>{handOverCopy.purchase(done.purchaseId)}</p>
          </>
        }
        act={
          <LineItems
            rows={[
              { label: copy.when, text: copy.hour(done.at) },
              {
                label: handOverCopy.who,
                text: collector === null ? buyer : handOverCopy.collector(collector, buyer),
              },
              { label: copy.by, text: done.handedBy },
              { label: copy.where, text: done.branch },
              ...(device === null ? [] : [{ label: copy.device, text: device }]),
              ...(signed ? [{ label: copy.signed, text: copy.yes }] : []),
              { label: handOverCopy.paid, amount: done.paid },
            ]}
          />
        }
      />
      <div className={`${text.stack} ${text.notPrinted}`}>
        <ButtonLink variant="primary" icon="qr" wide to={paths.find}>
          {copy.next}
        </ButtonLink>
        <Button variant="quiet" onClick={() => window.print()}>
          {copy.print}
        </Button>
      </div>
    </div>
  );
}
