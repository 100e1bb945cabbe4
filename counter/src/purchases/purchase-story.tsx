import { isRefused } from '@aparta/browser/api-error.ts';
import { may } from '@aparta/domain/staff-rights';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { LineItems } from '@aparta/ui/line-items.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { SkeletonBlock } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { Timeline, TimelineItem } from '@aparta/ui/timeline.tsx';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Arrival } from '../app/arrival.tsx';
import { paths } from '../app/paths.ts';
import { useOnline } from '../app/use-online.ts';
import { evidenceOf, purchaseQuery, type PurchaseStory } from '../data/purchases.ts';
import { NotYet } from '../lists/not-yet.tsx';
import { SaveFile } from '../lists/save-file.tsx';
import { rulesCopy } from '../rules/copy.ts';
import { useSession } from '../session/session.ts';
import { purchasesCopy } from './copy.ts';
import { ClaimCard } from './claim-card.tsx';
import { EndSheet } from './end-sheet.tsx';
import { Happened } from './happened.tsx';
import { MessageSheet, phoneFor } from './message-sheet.tsx';
import { MoreTimeSheet } from './more-time-sheet.tsx';
import { Standing } from './purchase-list.tsx';
import styles from './purchases.module.css';

const copy = purchasesCopy.story;

/** One purchase with its story; `id` is undefined for an address that is none. */
export function PurchaseStoryPart({ id, back }: { id: number | undefined; back: string }) {
  const query = useQuery(
    id === undefined ? { queryKey: ['no purchase'], queryFn: skipToken } : purchaseQuery(id),
  );
  const { data: story, error } = query;
  return (
    <div className={styles.story}>
      <div className={styles.back}>
        <ButtonLink variant="quiet" small icon="back" to={back}>
          {copy.back}
        </ButtonLink>
      </div>
      {story ? (
        <Story story={story} />
      ) : id === undefined || isRefused(error, 'NOT_FOUND') ? (
        <>
          <Arrival title={purchasesCopy.title} />
          <Notice tone="danger" title={copy.missing} urgent />
        </>
      ) : (
        <NotYet of={query} failed={copy.failed} loading={copy.loading}>
          <SkeletonBlock shape="title" width="most" />
          <SkeletonBlock width="half" />
          <SkeletonBlock shape="control" />
          <SkeletonBlock />
          <SkeletonBlock />
        </NotYet>
      )}
    </div>
  );
}

function Story({ story }: { story: PurchaseStory }) {
  return (
    <>
      <Arrival title={purchasesCopy.purchase(story.id)} />
      <header className={text.tight}>
        <h1 tabIndex={-1}>{story.productName}</h1>
        <p className={text.muted}>
          {story.contact?.name ?? story.buyer} · {purchasesCopy.purchase(story.id)}
        </p>
        <Standing purchase={story} />
        <p className={`${text.muted} ${text.small}`}>
          {copy.made(story.madeAt)}
          {story.cancelledAt && `. ${copy.endedBy[story.endedBy ?? 'buyer'](story.cancelledAt)}`}
        </p>
        {story.ending && (
          <Notice
            tone="pending"
            title={copy[story.ending.isMoreTime ? 'moreTime' : 'ending'](story.ending.on)}
          >
            {copy[story.ending.isMoreTime ? 'moreTimeText' : 'endingText'](story.ending.toPay)}
          </Notice>
        )}
        {story.cancelNotes && <p className={`${text.muted} ${text.small}`}>{copy.why(story.cancelNotes)}</p>}
      </header>
      <LineItems
        rows={[
          { label: copy.price, amount: story.price },
          { label: copy.paid, amount: story.paid },
        ]}
        {...(story.balance > 0 && { total: { label: copy.balance, amount: story.balance, size: 'mid' } })}
      />
      {story.claim && <ClaimCard id={story.id} claim={story.claim} />}
      <Acts story={story} />
      <section className={text.stack}>
        <h2>{copy.plan}</h2>
        <Plan story={story} />
        <Frozen story={story} />
      </section>
      <Happened story={story} />
    </>
  );
}

/** What froze with it, for who is asked what a cancel costs and when it is handed over. */
function Frozen({ story: { frozen, state } }: { story: PurchaseStory }) {
  if (!frozen || state === 'cancelled' || state === 'delivered') return null;
  return (
    <LineItems
      rows={[
        { label: copy.freeUntil, text: copy.moment(frozen.penaltyFreeUntil) },
        { label: copy.penalty, amount: frozen.penalty },
        { label: copy.delivery, text: rulesCopy.deliveredIn(frozen.deliveryDays) },
      ]}
    />
  );
}

function Acts({ story }: { story: PurchaseStory }) {
  const session = useSession();
  const role = session?.position.role;
  const isShared = session?.isShared === true;
  const online = useOnline();
  const [writing, setWriting] = useState(false);
  const [ending, setEnding] = useState(false);
  const [waiting, setWaiting] = useState(false);
  const mayWrite = story.state === 'late' && story.contact && phoneFor(story.contact.phone) !== undefined;
  return (
    <div className={text.pair}>
      {online && role && may(role, 'take_payment') && story.balance > 0 && (
        <ButtonLink variant="primary" icon="payments" to={paths.charge(story.reference)}>
          {copy.charge}
        </ButtonLink>
      )}
      {online && role && may(role, 'hand_over') && story.state === 'paid_off' && (
        <ButtonLink variant="primary" to={paths.handOver(story.reference)}>
          {copy.handOver}
        </ButtonLink>
      )}
      {role && may(role, 'save_evidence') && !isShared && (
        <SaveFile
          file={() => evidenceOf(story.id)}
          text={purchasesCopy.evidence.save}
          busy={purchasesCopy.evidence.busy}
        />
      )}
      {mayWrite && <Button onClick={() => setWriting(true)}>{copy.write}</Button>}
      {role && may(role, 'give_time') && story.ends && !story.claim?.isOpen && (
        <Button disabled={!online} onClick={() => setWaiting(true)}>
          {copy.giveTime}
        </Button>
      )}
      {role && may(role, 'end_plan') && story.mayEnd && !story.claim?.isOpen && (
        <Button disabled={!online} onClick={() => setEnding(true)}>
          {copy.end}
        </Button>
      )}
      {ending && <EndSheet id={story.id} onClose={() => setEnding(false)} />}
      {waiting && story.ends && (
        <MoreTimeSheet id={story.id} endsOn={story.ends.endsOn} onClose={() => setWaiting(false)} />
      )}
      {writing && <MessageSheet story={story} onClose={() => setWriting(false)} />}
    </div>
  );
}

function Plan({ story: { schedule, state } }: { story: PurchaseStory }) {
  const next = schedule.find(({ balance }) => balance > 0)?.number;
  return (
    <Timeline label={copy.plan}>
      {schedule.map(({ number, dueOn, amount, balance, late }) => (
        <TimelineItem
          key={number}
          state={
            balance === 0
              ? 'paid'
              : late
                ? 'late'
                : number === next && state !== 'cancelled'
                  ? 'due'
                  : 'upcoming'
          }
          number={number}
          title={copy.item(number, schedule.length)}
          amount={amount}
          note={
            balance === 0
              ? undefined
              : state === 'cancelled'
                ? copy.wouldBeDueOn(dueOn)
                : late
                  ? copy.wasDueOn(dueOn)
                  : copy.dueOn(dueOn)
          }
          {...(state === 'cancelled' && balance > 0 && { chipText: copy.dropped })}
        >
          {state !== 'cancelled' && balance > 0 && balance < amount && (
            <div className={text.small}>
              <LineItems rows={[{ label: copy.left, amount: balance, strong: true }]} />
            </div>
          )}
        </TimelineItem>
      ))}
    </Timeline>
  );
}
