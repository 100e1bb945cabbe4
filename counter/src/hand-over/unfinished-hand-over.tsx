import { Button } from '@aparta/ui/button.tsx';
import text from '@aparta/ui/text.module.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { paths } from '../app/paths.ts';
import { handedOverQuery, receiptOfHandOver } from '../data/hand-overs.ts';
import { type HandOverPress, handOverPresses } from '../session/press.ts';
import { useSession } from '../session/session.ts';
import { handOverCopy as copy } from './copy.ts';

/** A hand-over whose end was not seen, before a reload or on a phone that died, comes before another: `children` wait for it. */
export function UnfinishedHandOver({ children }: { children: ReactNode }) {
  const position = useSession()?.position;
  const [press, setPress] = useState(() => handOverPresses.unfinished(position));
  return press ? <Ask press={press} onNotDone={() => setPress(undefined)} /> : children;
}

function Ask({ press, onNotDone }: { press: HandOverPress; onNotDone: () => void }) {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const ofWhat = copy.ofWhat(press.productName, press.purchaseId);
  const query = useQuery({
    queryKey: ['hand-over press', press.id],
    queryFn: async () => receiptOfHandOver(press.id),
    gcTime: 0,
    retry: 3,
  });
  const done = useEffectEvent(() => {
    if (!query.data) return;
    handOverPresses.forget(press.id);
    queries.setQueryData(handedOverQuery(press.id).queryKey, query.data);
    navigate(paths.handedOver(press.id), { replace: true });
  });
  useEffect(() => done(), [query.data]);
  if (query.data !== null)
    return <Unanswered ofWhat={ofWhat} isAsking={query.isFetching} onRetry={() => void query.refetch()} />;
  return (
    <section className={`${text.card} ${text.stack}`} aria-label={copy.notDone}>
      <h2>{copy.notDone}</h2>
      <p>{ofWhat}</p>
      <p role="status">{copy.notDoneText}</p>
      <Button
        variant="primary"
        wide
        onClick={() => {
          handOverPresses.forget(press.id);
          onNotDone();
        }}
      >
        {copy.startAgain}
      </Button>
    </section>
  );
}

/** Nobody knows yet whether goods were handed over. */
export function Unanswered({
  ofWhat,
  isAsking = false,
  onRetry,
}: {
  ofWhat?: string;
  isAsking?: boolean;
  onRetry: () => void;
}) {
  return (
    <section className={`${text.card} ${text.stack}`} aria-label={copy.unanswered}>
      <h2>{copy.unanswered}</h2>
      {ofWhat !== undefined && <p>{ofWhat}</p>}
      <p role="status">{copy.unansweredText}</p>
      <Button variant="primary" icon="retry" wide busy={isAsking ? copy.asking : undefined} onClick={onRetry}>
        {copy.retry}
      </Button>
    </section>
  );
}
