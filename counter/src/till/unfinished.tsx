import { isRefused } from '@aparta/browser/api-error.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { Button } from '@aparta/ui/button.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { giveUp, receiptOfPress } from '../data/payments.ts';
import { sum } from '../data/sum.ts';
import { forgetPress, keepPress, unfinishedPress, type Press } from '../session/press.ts';
import { useSession } from '../session/session.ts';
import { tillCopy } from './copy.ts';
import { refusedPress } from './refused-press.ts';
import { useTake } from './use-take.ts';

const copy = tillCopy.unknown;

/** A press whose end was not seen comes before anything else is taken: `children` wait for each. */
export function Unfinished({ children }: { children: ReactNode }) {
  const position = useSession()?.position;
  const [press, setPress] = useState(() => unfinishedPress(position));
  return press ? (
    <Ask key={press.id} press={press} onDone={() => setPress(unfinishedPress(position))} />
  ) : (
    children
  );
}

function Ask({ press, onDone }: { press: Press; onDone: () => void }) {
  const queries = useQueryClient();
  const position = useSession()?.position;
  const { state, send, show } = useTake();
  const [refused, setRefused] = useState<{ words: string; isOver: boolean }>();
  const amount = amountOf(press);
  const query = useQuery({
    queryKey: ['press', press.id],
    queryFn: async () => (await receiptOfPress(press.id)) ?? null,
    gcTime: 0,
    retry: 3,
  });
  const booked = useEffectEvent(() => query.data && show(query.data));
  useEffect(() => void booked(), [query.data]);

  function forget() {
    forgetPress(press.id);
    queries.removeQueries({ queryKey: ['press'] });
    onDone();
  }
  // Its first call may still be under way: only the server can say that it comes too late.
  const dropping = useMutation({ mutationFn: () => giveUp(press) });
  const drop = () =>
    dropping.mutate(undefined, { onSuccess: (receipt) => (receipt ? show(receipt) : forget()) });
  const book = () =>
    void send(press).catch((error: unknown) => {
      // Asked too often, nothing was decided of it: its money is not forgotten.
      const isOver = !isRefused(error, 'TOO_MANY');
      if (!isOver) keepPress(position, press);
      setRefused({ words: refusedPress(press, error).words, isOver });
    });

  const why = refused && <Notice tone="danger" title={refused.words} urgent />;
  if (refused?.isOver)
    return (
      <div className={text.stack}>
        {why}
        <Button wide onClick={forget}>
          {tillCopy.charge.again}
        </Button>
      </div>
    );
  // Sent without an answer, it may be booked after all: nobody can say that it is not, or drop it.
  if (state.is === 'waiting' || state.is === 'stuck')
    return (
      <Unanswered press={press} stuck={state.is === 'stuck'} busy={state.is === 'waiting'} onRetry={book} />
    );
  if (query.isSuccess && query.data === null)
    return (
      <section className={`${text.card} ${text.stack}`} aria-label={copy.notBooked(amount)}>
        <h2>{copy.notBooked(amount)}</h2>
        <OfWhat press={press} />
        <p>{copy.notBookedText}</p>
        {why}
        {dropping.error && <Notice tone="danger" title={sentenceFor(dropping.error)} urgent />}
        <Button
          variant="primary"
          wide
          disabled={dropping.isPending}
          busy={state.is === 'sending' ? tillCopy.charge.busy : undefined}
          onClick={book}
        >
          {copy.book(amount)}
        </Button>
        <Button
          wide
          disabled={state.is === 'sending'}
          busy={dropping.isPending ? copy.dropping : undefined}
          onClick={drop}
        >
          {copy.drop}
        </Button>
      </section>
    );
  return (
    <Unanswered
      press={press}
      stuck={query.isError}
      busy={query.isFetching}
      onRetry={() => void query.refetch()}
    />
  );
}

/** Nobody knows yet whether money was taken: what to do, and what not. */
export function Unanswered({
  press,
  stuck,
  busy,
  onRetry,
}: {
  press: Press;
  stuck: boolean;
  busy: boolean;
  onRetry: () => void;
}) {
  const title = copy.title(amountOf(press));
  return (
    <section className={`${text.card} ${text.stack}`} aria-label={title}>
      <h2>{title}</h2>
      <OfWhat press={press} />
      <p role="status">{stuck ? copy.stuck : copy.waiting}</p>
      <Button
        variant={stuck ? 'primary' : 'secondary'}
        icon="retry"
        wide
        busy={busy ? copy.asking : undefined}
        onClick={onRetry}
      >
        {copy.retry}
      </Button>
    </section>
  );
}

const amountOf = (press: Press) => sum(press.amount);

/** Whose payment it was: several customers later nobody knows it by its sum. */
function OfWhat({ press: { productName, buyer } }: { press: Press }) {
  return productName !== undefined && buyer !== undefined && <p>{copy.ofWhat(productName, buyer)}</p>;
}
