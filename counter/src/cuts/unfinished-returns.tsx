import { isRefused } from '@aparta/browser/api-error.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { isUnanswered } from '@aparta/browser/unanswered.ts';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { paths } from '../app/paths.ts';
import { giveUpReversal, receiptIfAny, receiptQuery } from '../data/payments.ts';
import { giveUpRefund, payOwed, refundOfPress } from '../data/purchases.ts';
import { sum } from '../data/sum.ts';
import { wordsFor } from '../refunds/pay-refund.tsx';
import {
  refundPresses,
  reversalPresses,
  type Presser,
  type RefundPress,
  type ReversalPress,
} from '../session/press.ts';
import { useSession } from '../session/session.ts';
import { cutsCopy } from './copy.ts';

const copy = cutsCopy.returns;

const unansweredReversal = (who: Presser) => reversalPresses.unfinished(who, ({ isTold }) => !isTold);

/** Presses that gave money back, perhaps, come before a drawer is counted, or a terminal's slips: `children` wait for each. */
export function UnfinishedReturns({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const position = useSession()?.position;
  const [reversal, setReversal] = useState(() => unansweredReversal(position));
  const [refund, setRefund] = useState(() => refundPresses.unfinished(position));
  function forget(press: ReversalPress | RefundPress) {
    for (const presses of [reversalPresses, refundPresses]) presses.forget(press.id);
    // Drawer, refunds that are owed, the page of their purchase: none was asked since.
    void queries.invalidateQueries();
    setReversal(unansweredReversal(position));
    setRefund(refundPresses.unfinished(position));
  }
  if (reversal) return <AskReversal key={reversal.id} press={reversal} onDone={() => forget(reversal)} />;
  if (refund) return <AskRefund key={refund.id} press={refund} onDone={() => forget(refund)} />;
  return children;
}

function AskReversal({ press, onDone }: { press: ReversalPress; onDone: () => void }) {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const query = useQuery({
    queryKey: ['reversal press', press.id],
    queryFn: async () => (await receiptIfAny(press.folio)) ?? null,
    gcTime: 0,
    retry: 3,
  });
  const what = copy.ofPayment(press.folio);
  const isOurs = query.data?.reversal?.id === press.id;
  const booked = useEffectEvent(() => {
    if (!query.data || !isOurs) return;
    // It tells to hand the money over.
    queries.setQueryData(receiptQuery(press.folio).queryKey, query.data);
    navigate(paths.receipt(press.folio), { replace: true });
  });
  useEffect(() => booked(), [query.data]);
  if (query.data === undefined || query.isError || isOurs) return <Asking what={what} of={query} />;
  if (query.data?.reversal)
    return (
      <Card title={copy.notBooked(what)}>
        <p role="status">{copy.before}</p>
        <Button wide onClick={onDone}>
          {copy.goOn}
        </Button>
      </Card>
    );
  return (
    <Card title={copy.notBooked(what)}>
      <p role="status">{copy.reversalText}</p>
      {query.data && (
        <ButtonLink variant="primary" wide to={paths.receipt(press.folio)}>
          {copy.toReceipt}
        </ButtonLink>
      )}
      <NotDone
        of={query}
        drop={() => giveUpReversal(press)}
        isNot={(receipt) => !receipt?.reversal}
        onNot={onDone}
      />
    </Card>
  );
}

function AskRefund({ press, onDone }: { press: RefundPress; onDone: () => void }) {
  const { method = 'cash' } = press;
  const query = useQuery({
    queryKey: ['refund press', press.id],
    queryFn: () => refundOfPress(press.id),
    gcTime: 0,
    retry: 3,
  });
  const paying = useMutation({
    mutationFn: () => payOwed(press),
    onSuccess: () => query.refetch(),
    onError: (error) => (isUnanswered(error) ? query.refetch() : undefined),
  });
  const refused = paying.error && !isUnanswered(paying.error) ? paying.error : undefined;
  const why = refused && <Notice tone="danger" title={wordsFor(refused, null)} urgent />;
  const what = copy.ofAmount(sum(press.amount));
  if (query.data)
    return (
      <Card title={copy.booked(what)}>
        <p role="status">{copy.bookedText[method]}</p>
        <Button variant="primary" wide onClick={onDone}>
          {copy.given[method]}
        </Button>
      </Card>
    );
  // Asked too often, nothing was decided of it.
  if (refused && !isRefused(refused, 'TOO_MANY'))
    return (
      <Card title={copy.notBooked(what)}>
        {why}
        <Button wide onClick={onDone}>
          {copy.goOn}
        </Button>
      </Card>
    );
  if (query.data === undefined || query.isError) return <Asking what={what} of={query} />;
  return (
    <Card title={copy.notBooked(what)}>
      <p role="status">{copy.refundText}</p>
      {why}
      <Button
        variant="primary"
        wide
        busy={paying.isPending ? copy.booking : undefined}
        onClick={() => paying.mutate()}
      >
        {copy.book}
      </Button>
      <NotDone
        of={query}
        drop={() => giveUpRefund(press)}
        isNot={(refund) => refund === null}
        onNot={onDone}
        disabled={paying.isPending}
      />
    </Card>
  );
}

interface Query<Data> {
  readonly data: Data | undefined;
  readonly isError: boolean;
  readonly isFetching: boolean;
  readonly refetch: () => Promise<{ readonly data: Data | undefined; readonly isSuccess: boolean }>;
}

/** Its first call may still be under way: the server takes it no more, or says that it came before. */
function NotDone<Data>({
  of: { isFetching, refetch },
  drop,
  isNot,
  onNot,
  disabled = false,
}: {
  of: Query<Data>;
  drop: () => Promise<unknown>;
  isNot: (data: Data) => boolean;
  onNot: () => void;
  disabled?: boolean;
}) {
  const dropping = useMutation({
    mutationFn: async () => {
      await drop().catch((error: unknown) => {
        // A server of the version before cannot: there it is asked about once more, and that is all.
        if (!isRefused(error, 'NOT_FOUND')) throw error;
      });
      return refetch();
    },
    onSuccess: ({ data, isSuccess }) => {
      if (isSuccess && data !== undefined && isNot(data)) onNot();
    },
  });
  return (
    <>
      {dropping.error && <Notice tone="danger" title={sentenceFor(dropping.error)} urgent />}
      <Button
        wide
        disabled={disabled}
        busy={dropping.isPending || isFetching ? copy.asking : undefined}
        onClick={() => dropping.mutate()}
      >
        {copy.notDone}
      </Button>
    </>
  );
}

/** Nobody knows yet whether money went back. */
function Asking({ what, of }: { what: string; of: Query<unknown> }) {
  return (
    <Card title={copy.title(what)}>
      <p role="status">{of.isError ? copy.stuck : copy.waiting}</p>
      <Button
        variant={of.isError ? 'primary' : 'secondary'}
        icon="retry"
        wide
        busy={of.isFetching ? copy.asking : undefined}
        onClick={() => void of.refetch()}
      >
        {copy.retry}
      </Button>
    </Card>
  );
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={`${text.card} ${text.stack}`} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
