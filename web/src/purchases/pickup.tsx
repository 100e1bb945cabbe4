import { Button } from '@aparta/ui/button.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { LineItems } from '@aparta/ui/line-items.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { SkeletonBlock, Skeleton } from '@aparta/ui/skeleton.tsx';
import { spelled } from '@aparta/ui/spelled.ts';
import text from '@aparta/ui/text.module.css';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { pickupQuery, replacingCode, type Pickup as Collecting } from '../data/pickup.ts';
import { LIVE_POLL_MS, useChanges } from '../data/use-changes.ts';
import { CodePicture, inTwo } from './code-picture.tsx';
import { Collector } from './collector.tsx';
import { pickupCopy as copy } from './pickup-copy.ts';
import styles from './pickup.module.css';

/** What a buyer shows to get what they paid for, until the shop hands it over, and where, when and by whom it was. */
export function Pickup({ purchaseId }: { purchaseId: number }) {
  const known = useQueryClient().getQueryData(pickupQuery(purchaseId).queryKey);
  const waits = known?.handedOver === undefined;
  const isLive = useChanges(waits);
  const query = useQuery({
    ...pickupQuery(purchaseId),
    refetchInterval: ({ state }) => !state.data?.handedOver && (isLive ? LIVE_POLL_MS : LIVE_POLL_MS / 2),
  });
  const { data: pickup, error } = query;
  if (!pickup)
    return error ? (
      <Failed
        title={copy.failed}
        text={sentenceFor(error)}
        busy={query.isFetching ? copy.retrying : undefined}
        onRetry={() => void query.refetch()}
      />
    ) : (
      <Skeleton label={copy.loading}>
        <div className={`${text.card} ${text.stack}`}>
          <SkeletonBlock shape="title" width="half" />
          <SkeletonBlock width="most" />
          <SkeletonBlock />
          <div className={styles.awaited} />
          <SkeletonBlock width="half" />
          <SkeletonBlock shape="control" />
        </div>
      </Skeleton>
    );
  return pickup.handedOver ? (
    <HandedOver handedOver={pickup.handedOver} collector={pickup.collector} />
  ) : (
    <Ready purchaseId={purchaseId} pickup={pickup} isOld={error !== null} />
  );
}

function Ready({
  purchaseId,
  pickup: { code, collector },
  isOld,
}: {
  purchaseId: number;
  pickup: Collecting;
  /** The server could not be asked. */
  isOld: boolean;
}) {
  const replacing = useMutation(replacingCode(useQueryClient(), purchaseId));
  if (!code) return null;
  return (
    <section className={`${text.card} ${text.stack}`} aria-label={copy.ready}>
      <h2>{copy.ready}</h2>
      {code.locked ? (
        <Notice tone="danger" title={copy.lockedTitle} urgent>
          {copy.locked}
        </Notice>
      ) : (
        <>
          <p>{copy.show}</p>
          <CodePicture code={code} />
          {isOld && (
            <Notice tone="pending" title={copy.old.title}>
              {copy.old.text}
            </Notice>
          )}
          <p className={`${text.muted} ${text.small}`}>{copy.keep}</p>
        </>
      )}
      <p role="status" className={text.srOnly}>
        {replacing.isSuccess && !code.locked && `${copy.digits}: ${spelled(inTwo(code.digits))}`}
      </p>
      {replacing.error && <Notice tone="danger" title={sentenceFor(replacing.error)} urgent />}
      <Button
        variant={code.locked ? 'primary' : 'quiet'}
        busy={replacing.isPending ? copy.replacing : undefined}
        onClick={() => replacing.mutate(code.digits)}
      >
        {code.locked ? copy.replaceLocked : copy.replace}
      </Button>
      <Collector purchaseId={purchaseId} collector={collector} />
    </section>
  );
}

function HandedOver({
  handedOver: { at, branch, by },
  collector,
}: {
  handedOver: NonNullable<Collecting['handedOver']>;
  collector: string | undefined;
}) {
  return (
    <section className={`${text.card} ${text.stack}`} aria-label={copy.handedOver}>
      <h2>{copy.handedOver}</h2>
      <p>{copy.handedOverText}</p>
      <LineItems
        rows={[
          { label: copy.when, text: copy.hour(at) },
          { label: copy.where, text: branch },
          { label: copy.by, text: by },
          { label: copy.who, text: collector ?? copy.you },
        ]}
      />
      <p className={`${text.muted} ${text.small}`}>{copy.notYou}</p>
    </section>
  );
}
