import { sentenceFor } from '@aparta/browser/copy.ts';
import { formatMoment } from '@aparta/domain/calendar';
import { Button } from '@aparta/ui/button.tsx';
import { Chip } from '@aparta/ui/chip.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { ActOf } from '../lists/act-of.tsx';
import { NotYet } from '../lists/not-yet.tsx';
import { More } from '../lists/more.tsx';
import {
  deliveriesQuery,
  resend,
  sendTest,
  webhooksQuery,
  type Delivery,
  type Webhook,
} from '../data/webhooks.ts';
import { webhooksCopy } from './copy.ts';
import styles from './webhooks.module.css';

const copy = webhooksCopy.sent;
const CHIPS = { delivered: 'paid', waiting: 'confirming', given_up: 'late' } as const;
/** What was just sent is seen to arrive. */
const REFRESH_EVERY_MS = 4_000;

/** What an address was sent, and what became of it. */
export function Deliveries({ webhook: { id, state } }: { webhook: Webhook }) {
  const queries = useQueryClient();
  const query = useInfiniteQuery({
    ...deliveriesQuery(id),
    refetchInterval: ({ state: { data } }) =>
      state === 'on' && data?.pages.some(({ deliveries }) => deliveries.some(isFresh))
        ? REFRESH_EVERY_MS
        : false,
  });
  const refresh = () => void queries.invalidateQueries({ queryKey: webhooksQuery.queryKey });
  const sending = useMutation({
    /** Once more, or without a delivery a test. */
    mutationFn: (deliveryId: string | undefined) =>
      (deliveryId === undefined ? sendTest(id) : resend(id, deliveryId)).finally(refresh),
  });
  const isSending = (deliveryId?: string) => sending.isPending && sending.variables === deliveryId;
  const isOn = state === 'on' || state === 'failing';
  const { data: deliveries } = query;
  return (
    <section className={text.stack}>
      <h2>{copy.title}</h2>
      {sending.error && <Notice tone="danger" title={sentenceFor(sending.error)} urgent />}
      {isOn && (
        <div className={text.tight}>
          <p className={text.muted}>{copy.testText}</p>
          <div>
            <Button
              small
              busy={isSending() ? copy.testBusy : undefined}
              onClick={() => sending.mutate(undefined)}
            >
              {copy.test}
            </Button>
          </div>
        </div>
      )}
      {deliveries ? (
        <ul className={styles.lines}>
          {deliveries.map((delivery) => (
            <Line
              key={delivery.id}
              delivery={delivery}
              isSending={isSending(delivery.id)}
              onAgain={isOn && !isFresh(delivery) ? () => sending.mutate(delivery.id) : undefined}
            />
          ))}
        </ul>
      ) : (
        <NotYet of={query} failed={webhooksCopy.failed} loading={webhooksCopy.loading} />
      )}
      {deliveries?.length === 0 && <p className={text.muted}>{copy.none}</p>}
      <More of={query} />
    </section>
  );
}

/** It is about to be sent anyway. */
const isFresh = ({ outcome, tries }: Delivery) => outcome === 'waiting' && tries === 0;

function Line({
  delivery: { sequence, type, createdAt, outcome, tries, problem },
  isSending,
  onAgain,
}: {
  delivery: Delivery;
  isSending: boolean;
  onAgain: (() => void) | undefined;
}) {
  const facts = [copy.number(sequence), formatMoment(createdAt), ...(tries > 0 ? [copy.tries(tries)] : [])];
  return (
    <li className={styles.line}>
      <span className={text.between}>
        <b>{copy.types[type]}</b>
        <Chip state={CHIPS[outcome]} text={copy.outcomes[outcome]} />
      </span>
      <span className={`${text.muted} ${text.small}`}>{facts.join(' · ')}</span>
      {problem !== null && <span>{copy.problem(problem)}</span>}
      {onAgain && (
        <div>
          <Button small busy={isSending ? copy.againBusy : undefined} onClick={onAgain}>
            <ActOf act={copy.again} of={copy.number(sequence)} />
          </Button>
        </div>
      )}
    </li>
  );
}
