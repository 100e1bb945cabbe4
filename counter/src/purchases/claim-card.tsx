import { isRefused } from '@aparta/browser/api-error.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { lastDayToPromise } from '@aparta/domain/claims';
import { inGroups } from '@aparta/domain/in-groups';
import { may } from '@aparta/domain/staff-rights';
import { Button } from '@aparta/ui/button.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { TextArea } from '@aparta/ui/other-fields.tsx';
import { Form, RefusedNotice, useSubmit } from '@aparta/ui/form.tsx';
import { LineItems, type LineItem } from '@aparta/ui/line-items.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useToday } from '@aparta/ui/use-today.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useOnline } from '../app/use-online.ts';
import { answerTo, purchaseQuery, type StoryClaim } from '../data/purchases.ts';
import { useSession } from '../session/session.ts';
import { purchasesCopy } from './copy.ts';
import { EndSheet } from './end-sheet.tsx';

const copy = purchasesCopy.claim;

/** What a buyer claims, what the shop said to it, and what ends it. */
export function ClaimCard({ id, claim }: { id: number; claim: StoryClaim }) {
  const role = useSession()?.position.role;
  const online = useOnline();
  const [ending, setEnding] = useState(false);
  const { claimFolio, answer, notes, openedAt, isOpen } = claim;
  const rows: LineItem[] = [
    { label: copy.folio, text: inGroups(claimFolio) },
    { label: copy.since, text: copy.moment(openedAt) },
    ...(notes === '' ? [] : [{ label: copy.wrote, text: notes }]),
    ...(answer ? [{ label: copy.answered, text: answer.text }] : []),
    ...(answer?.promisedOn ? [{ label: copy.promised, text: copy.date(answer.promisedOn) }] : []),
  ];
  return (
    <section className={`${text.card} ${text.stack}`} aria-label={copy.title}>
      <h2>{copy.title}</h2>
      <Due claim={claim} />
      <LineItems rows={rows} />
      {isOpen && online && role && may(role, 'answer_claim') && (
        <Answer key={answer?.at.getTime()} id={id} claim={claim} />
      )}
      {isOpen && role && may(role, 'refund_claim') && (
        <Button variant="quiet" disabled={!online} onClick={() => setEnding(true)}>
          {copy.giveBack}
        </Button>
      )}
      {ending && <EndSheet id={id} claimFolio={claimFolio} onClose={() => setEnding(false)} />}
    </section>
  );
}

function Due({ claim: { state, isOpen, isOverdue, answer, dueAt } }: { claim: StoryClaim }) {
  if (!isOpen) return <p className={text.muted}>{copy.over[state]}</p>;
  if (isOverdue)
    return (
      <Notice tone="danger" title={copy.overdue}>
        {copy.overdueText}
      </Notice>
    );
  return answer ? (
    <Notice tone="info" title={copy.ends(dueAt)}>
      {copy.endsText}
    </Notice>
  ) : (
    <Notice tone="pending" title={copy.due(dueAt)}>
      {copy.dueText}
    </Notice>
  );
}

function Answer({ id, claim: { claimFolio, answer, openedAt } }: { id: number; claim: StoryClaim }) {
  const queries = useQueryClient();
  const today = useToday();
  const form = useSubmit({
    check: (typed) =>
      typed('answer').trim().length < 3 ? { errors: { answer: copy.answerWrong } } : undefined,
    async send(typed) {
      await answerTo(id, {
        claimFolio,
        answer: typed('answer').trim().replaceAll(/\s+/g, ' '),
        promisedOn: typed('promisedOn') || null,
      });
      await queries.invalidateQueries(purchaseQuery(id));
      return {};
    },
    refuse: (error) =>
      isRefused(error, 'INVALID_INPUT')
        ? { errors: { promisedOn: copy.promisedWrong } }
        : { title: sentenceFor(error) },
  });
  return (
    <Form of={form} className={text.stack}>
      <RefusedNotice of={form} />
      <TextArea
        {...form.field('answer')}
        label={copy.answer}
        hint={copy.answerHint}
        maxLength={500}
        rows={3}
      />
      <Field
        {...form.field('promisedOn')}
        type="date"
        label={copy.promisedOn}
        min={today}
        max={lastDayToPromise(openedAt)}
      />
      <Button {...form.button(copy.sending)} wide>
        {answer ? copy.sendAgain : copy.send}
      </Button>
    </Form>
  );
}
