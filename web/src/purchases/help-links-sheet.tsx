import { isRefused } from '@aparta/browser/api-error.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { isUnanswered } from '@aparta/browser/unanswered.ts';
import { typedSum } from '@aparta/browser/typed-sum.ts';
import { LIVE_HELP_LINKS, LONGEST_HELP_MESSAGE } from '@aparta/domain/help';
import { Button } from '@aparta/ui/button.tsx';
import { Sheet } from '@aparta/ui/dialog.tsx';
import { FactList } from '@aparta/ui/fact-list.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { Form, RefusedNotice, useSubmit } from '@aparta/ui/form.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { Skeleton, SkeletonBlock } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { helpLinksQuery, makingHelpLink, type HelpLink } from '../data/help-links.ts';
import { refreshPurchases } from '../data/purchases-key.ts';
import type { PurchaseDetail } from '../data/purchases.ts';
import { HelpLinkCard } from './help-link-card.tsx';
import { helpLinksCopy as copy } from './help-links-copy.ts';

/** Links by which others help to pay a purchase: making, sharing and ending them, and who gave what (rules/helping#links). */
export default function HelpLinksSheet({
  purchase,
  onClose,
}: {
  purchase: Pick<PurchaseDetail, 'id' | 'product' | 'owed' | 'status'>;
  onClose: () => void;
}) {
  const query = useQuery(helpLinksQuery(purchase.id));
  const { data: links } = query;
  return (
    <Sheet title={copy.title} onClose={onClose}>
      <p className={text.muted}>{copy.intro}</p>
      {links ? (
        <Links purchase={purchase} links={links} />
      ) : query.error ? (
        <Failed
          title={copy.failed}
          text={sentenceFor(query.error)}
          busy={query.isFetching ? copy.retrying : undefined}
          onRetry={() => void query.refetch()}
        />
      ) : (
        // As high as the form of a new link: it comes without moving the sheet.
        <Skeleton label={copy.loading}>
          <SkeletonBlock width="half" />
          <SkeletonBlock shape="control" />
          <SkeletonBlock width="most" />
          <SkeletonBlock width="half" />
          <SkeletonBlock shape="control" />
          <SkeletonBlock width="most" />
          <SkeletonBlock />
          <SkeletonBlock />
          <SkeletonBlock width="half" />
          <SkeletonBlock shape="control" />
        </Skeleton>
      )}
      <Button wide onClick={onClose}>
        {copy.close}
      </Button>
    </Sheet>
  );
}

function Links({
  purchase,
  links,
}: {
  purchase: Parameters<typeof HelpLinksSheet>[0]['purchase'];
  links: readonly HelpLink[];
}) {
  const live = links.filter(({ state }) => state === 'live');
  const ended = links.filter(({ state }) => state !== 'live');
  const [made, setMade] = useState<string>();
  const [isMaking, setMaking] = useState(false);
  const isOpen = purchase.status === 'active' && purchase.owed > 0;
  return (
    <>
      <p role="status" className={text.srOnly}>
        {made !== undefined && copy.ready}
      </p>
      {!isOpen &&
        (purchase.status === 'cancelled' ? (
          <Notice tone="info" title={copy.over}>
            {copy.overText}
          </Notice>
        ) : (
          <Notice tone="info" title={copy.paidOff}>
            {copy.paidOffText}
          </Notice>
        ))}
      {isOpen && (live.length === 0 || isMaking) && (
        <NewLink
          purchase={purchase}
          isAsked={isMaking}
          onMade={(id) => {
            setMade(id);
            setMaking(false);
          }}
        />
      )}
      {live.length > 0 && (
        <ul className={text.stack}>
          {live.map((link) => (
            <HelpLinkCard key={link.id} purchase={purchase} link={link} isNew={link.id === made} />
          ))}
        </ul>
      )}
      {isOpen &&
        !isMaking &&
        live.length > 0 &&
        (live.length < LIVE_HELP_LINKS ? (
          <Button variant="quiet" onClick={() => setMaking(true)}>
            {copy.another}
          </Button>
        ) : (
          <Notice tone="info" title={copy.full}>
            {copy.fullHow}
          </Notice>
        ))}
      {ended.length > 0 && (
        <section className={text.tight} aria-label={copy.ended}>
          <h3>{copy.ended}</h3>
          <FactList
            facts={ended.map(({ id, state, helped, message }) => ({
              key: id,
              icon: 'cancelled',
              title: copy.states[state],
              text: copy.endedText(helped, message),
            }))}
          />
        </section>
      )}
    </>
  );
}

function NewLink({
  purchase,
  isAsked,
  onMade,
}: {
  purchase: Parameters<typeof HelpLinksSheet>[0]['purchase'];
  /** By a button below it, which has gone. */
  isAsked: boolean;
  onMade: (linkId: string | undefined) => void;
}) {
  const queries = useQueryClient();
  const query = helpLinksQuery(purchase.id);
  const make = useMutation(makingHelpLink(queries, purchase.id));
  /** The links that there were when a press lost its answer: another like it is that press's. */
  const before = useRef<readonly HelpLink[]>(undefined);
  const form = useSubmit({
    check(typed) {
      const goal = typed('goal').trim();
      const sum = typedSum(goal);
      const isFine = goal === '' || (sum !== undefined && sum >= 100 && sum <= purchase.owed);
      return isFine ? undefined : { errors: { goal: copy.goalWrong(purchase.owed) } };
    },
    async send(typed) {
      const asked = { message: typed('message').trim(), goal: typedSum(typed('goal')) };
      const links = before.current && (await queries.fetchQuery({ ...query, staleTime: 0 }));
      const there = links?.find(
        ({ id, state, message, goal }) =>
          state === 'live' &&
          message === asked.message &&
          goal === asked.goal &&
          !before.current?.some((known) => known.id === id),
      );
      if (there) onMade(there.id);
      else onMade((await make.mutateAsync(asked))[0]?.id);
      return {};
    },
    refuse(error) {
      if (isUnanswered(error)) before.current ??= queries.getQueryData(query.queryKey);
      // Another tab was quicker, or the purchase is over: what is true now is shown.
      if (isRefused(error, 'TOO_MANY_LINKS', 'PURCHASE_SETTLED', 'PURCHASE_CANCELLED'))
        void refreshPurchases(queries);
      return { title: sentenceFor(error) };
    },
  });
  return (
    <Form of={form} className={text.stack}>
      <Field
        {...form.field('message')}
        label={copy.message}
        hint={copy.messageHint}
        maxLength={LONGEST_HELP_MESSAGE}
        autoFocus={isAsked}
        autoComplete="off"
      />
      <Field
        {...form.field('goal')}
        label={copy.goal}
        hint={copy.goalHint}
        inputMode="decimal"
        autoComplete="off"
      />
      <p className={`${text.muted} ${text.small}`}>{copy.seen}</p>
      <RefusedNotice of={form} />
      <Button variant="primary" wide {...form.button(copy.making)}>
        {copy.make}
      </Button>
    </Form>
  );
}
