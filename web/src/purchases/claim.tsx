import { sentenceFor } from '@aparta/browser/copy.ts';
import { inGroups } from '@aparta/domain/in-groups';
import { Button } from '@aparta/ui/button.tsx';
import { TextArea } from '@aparta/ui/other-fields.tsx';
import { Form, RefusedNotice, useSubmit } from '@aparta/ui/form.tsx';
import { LineItems } from '@aparta/ui/line-items.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { opening, withdrawing } from '../data/claims.ts';
import type { Claim } from '../data/read-claim.ts';
import type { PurchaseDetail } from '../data/purchases.ts';
import { claimCopy as copy } from './claim-copy.ts';

/** What a buyer can do about goods that they paid whole: wait for the promised day, claim after it, and see where that stands. */
export function ClaimPart({ purchase: { id, deliverBy, mayClaim, claim } }: { purchase: PurchaseDetail }) {
  if (claim) return <Open purchaseId={id} claim={claim} />;
  if (deliverBy === undefined) return null;
  return mayClaim ? (
    <MayClaim purchaseId={id} deliverBy={deliverBy} />
  ) : (
    <p className={text.muted}>{copy.until(deliverBy)}</p>
  );
}

function MayClaim({ purchaseId, deliverBy }: { purchaseId: number; deliverBy: string }) {
  const [isWriting, setWriting] = useState(false);
  const claiming = useMutation(opening(useQueryClient(), purchaseId));
  const form = useSubmit({
    check: () => undefined,
    async send(typed) {
      await claiming.mutateAsync(typed('notes').trim().replaceAll(/\s+/g, ' '));
      return {};
    },
    refuse: (error) => ({ title: sentenceFor(error) }),
  });
  return (
    <section className={`${text.card} ${text.stack}`} aria-label={copy.late}>
      <h2>{copy.late}</h2>
      <p>{copy.lateText(deliverBy)}</p>
      {isWriting ? (
        <Form of={form} className={text.stack}>
          <RefusedNotice of={form} />
          <TextArea {...form.field('notes')} label={copy.notes} hint={copy.notesHint} maxLength={500} />
          <div className={text.pair}>
            <Button {...form.button(copy.sending)} variant="primary">
              {copy.send}
            </Button>
            <Button variant="quiet" onClick={() => setWriting(false)}>
              {copy.notNow}
            </Button>
          </div>
        </Form>
      ) : (
        <Button onClick={() => setWriting(true)}>{copy.claim}</Button>
      )}
    </section>
  );
}

function Open({ purchaseId, claim }: { purchaseId: number; claim: Claim }) {
  const { folio, openedOn, notes, answer, dueOn, isOverdue } = claim;
  return (
    <section className={`${text.card} ${text.stack}`} aria-label={copy.title}>
      <h2>{copy.title}</h2>
      {answer && (
        <Notice tone="info" title={copy.answered(answer.on)}>
          «{answer.text}» {answer.promisedOn && copy.promised(answer.promisedOn)}
        </Notice>
      )}
      {isOverdue ? (
        <Notice tone="pending" title={copy.overdue}>
          {copy.overdueText}
        </Notice>
      ) : (
        !answer && (
          <Notice tone="pending" title={copy.open}>
            {copy.openText(dueOn)}
          </Notice>
        )
      )}
      <LineItems
        rows={[
          { label: copy.folio, text: inGroups(folio) },
          { label: copy.since, text: copy.date(openedOn) },
          ...(notes === '' ? [] : [{ label: copy.wrote, text: notes }]),
        ]}
      />
      <p className={`${text.muted} ${text.small}`}>{copy.ends}</p>
      <Withdraw purchaseId={purchaseId} folio={folio} />
    </section>
  );
}

function Withdraw({ purchaseId, folio }: { purchaseId: number; folio: string }) {
  const [isAsking, setAsking] = useState(false);
  const leaving = useMutation(withdrawing(useQueryClient(), purchaseId));
  if (!isAsking)
    return (
      <Button variant="quiet" onClick={() => setAsking(true)}>
        {copy.withdraw}
      </Button>
    );
  return (
    <div className={text.tight}>
      <p>{copy.withdrawText}</p>
      {leaving.error && <Notice tone="danger" title={sentenceFor(leaving.error)} urgent />}
      <div className={text.pair}>
        <Button busy={leaving.isPending ? copy.withdrawing : undefined} onClick={() => leaving.mutate(folio)}>
          {copy.withdrawYes}
        </Button>
        <Button variant="quiet" onClick={() => setAsking(false)}>
          {copy.withdrawNo}
        </Button>
      </div>
    </div>
  );
}
