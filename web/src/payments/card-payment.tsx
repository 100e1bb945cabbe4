import { centavosFromPesos } from '@aparta/contract/amount';
import type { CardPayment as Attempt } from '@aparta/contract/payments';
import { formatMoney } from '@aparta/domain/money';
import { useAlert } from '@aparta/ui/alert.tsx';
import { ButtonLink } from '@aparta/ui/button.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { Flow } from '@aparta/ui/page.tsx';
import { SkeletonBlock, Skeleton } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { useEffect, useRef, useState } from 'react';
import { isRefused } from '../api/api-error.ts';
import { paths } from '../app/paths.ts';
import { alerts } from '../copy/alerts.ts';
import { alertFor, sentenceFor } from '../copy/refusals.ts';
import { attempt as sentAttempts, type SentAttempt } from '../session/attempt.ts';
import { useUser } from '../session/session.ts';
import { CardForm, type FormNotice } from './card-form.tsx';
import type { CardToken } from './clip-sdk.ts';
import { paymentsCopy as copy } from './copy.ts';
import { Closed, Done, Missing, NotDone, type Resuming, Returned } from './outcomes.tsx';
import { viewStateOf } from './payment-view-state.ts';
import type { Payable } from './payable.ts';
import { Pending } from './pending.tsx';
import {
  applyPayment,
  paymentBody,
  sendPayment,
  verifyPayment,
  type Outcome,
  type PayableSource,
  type PaymentBody,
} from './queries.ts';
import { ThreeDsChallenge } from './three-ds-challenge.tsx';

// Card tokens expire after 15 minutes (rules/providers#clip-card-token).
const TOKEN_LIFE_MS = 14 * 60_000;
// How long after sending an attempt this tab waits for the server to know of it.
const FRESH_MS = 2 * 60_000;
// How long the server must not know an attempt before the buyer may pay again.
const MISSING_MS = 8_000;

/** Which document this is: the card form or the 3DS window. */
export type Step = 'pay' | 'threeDs';

/**
 * A card payment from form to outcome. The screen follows the server's state, so a reload, a second tab or a
 * lost network never leads to a second charge.
 */
export function CardPayment({ source, step }: { source: PayableSource; step: Step }) {
  if (source.payable) return <Paying source={source} payable={source.payable} step={step} />;
  if (source.isLoading) return <Loading />;
  if (isRefused(source.error, 'NOT_FOUND', 'INVALID_INPUT')) return <Missing />;
  return (
    <Flow>
      <div className={text.stack}>
        <Failed
          title={copy.loadFailed}
          text={sentenceFor(source.error)}
          onRetry={() => void source.refresh()}
        />
        <ButtonLink to={paths.home} reload wide>
          {copy.home}
        </ButtonLink>
      </div>
    </Flow>
  );
}

/** An attempt sent by this tab that the server has not confirmed. `body` is kept to send it once more. */
type Unconfirmed = SentAttempt & { body?: PaymentBody };

function Paying({ source, payable, step }: { source: PayableSource; payable: Payable; step: Step }) {
  const buyer = useUser();
  const showAlert = useAlert();
  const resending = useRef(false);
  const following = useRef(Promise.resolve());
  const appliedHere = useRef<string>(undefined);
  const [sentHere, setUnconfirmed] = useState<Unconfirmed | undefined>(() => sentUnconfirmed(payable));
  const [notice, setNotice] = useState<FormNotice>();
  const [dismissed, setDismissed] = useState<string>();

  const view = viewStateOf(
    payable,
    (intentoId) => intentoId === dismissed || sentAttempts.isDismissed(intentoId),
  );
  const unconfirmed = sentHere && payable.attempt?.intentoId !== sentHere.intentoId ? sentHere : undefined;
  const isOver = !unconfirmed && !['form', 'pending', 'authenticate', 'held'].includes(view.kind);

  useEffect(() => {
    if (isOver) sentAttempts.forget();
  }, [isOver]);
  const belongsOnForm = step === 'threeDs' && view.kind === 'form' && !unconfirmed;
  useEffect(() => {
    if (belongsOnForm) location.replace(payable.screens.pay);
  }, [belongsOnForm, payable.screens.pay]);

  async function leaveWithoutCards() {
    sentAttempts.clear();
    await showAlert(alerts.noCards);
    location.assign(paths.home);
  }

  /** Starts a payment. The id is stored before anything is sent. */
  async function pay(token: CardToken) {
    if (!buyer) return;
    setNotice(undefined);
    const sent = sentAttempts.begin(payable.reference, Date.now());
    const body = paymentBody(payable, buyer, token, sent);
    await handleOutcome(await sendPayment(body), { ...sent, body });
  }

  async function handleOutcome(outcome: Outcome, sent: Unconfirmed): Promise<void> {
    switch (outcome.kind) {
      case 'answered':
        return resolve(outcome.attempt);
      case 'lost':
        return setUnconfirmed(sent);
      case 'noCards':
        return leaveWithoutCards();
      case 'amountChanged':
      case 'overtaken':
      case 'refused':
        sentAttempts.forget();
        if (outcome.kind !== 'refused') await source.refresh();
        setUnconfirmed(undefined);
        setNotice(noticeOf(outcome, sent.body));
    }
  }

  /** Continues from the server's answer to a payment. */
  async function resolve(answer: Attempt): Promise<void> {
    if (answer.state === 'pending_3ds' && step === 'pay') return location.assign(payable.screens.threeDs);
    await follow(answer);
  }

  /** Applies the server's answers one at a time: the bank's message and a poll may bring the same one. */
  function follow(answer: Attempt, isDue = answer.status === 'approved'): Promise<void> {
    following.current = following.current.then(async () => {
      const newest = isDue && appliedHere.current !== answer.id ? await verifyAndApply(answer) : answer;
      source.put(newest);
      await source.refresh();
      setUnconfirmed(undefined);
    });
    return following.current;
  }

  /** Spec §4's last two calls. The server applies the money with or without them, so failures are ignored. */
  async function verifyAndApply(answer: Attempt): Promise<Attempt> {
    if (answer.id === '') return answer;
    let newest = answer;
    try {
      newest = await verifyPayment(payable, answer.id);
      if (newest.status === 'approved') {
        appliedHere.current = answer.id;
        await applyPayment(payable, newest);
      }
    } catch {
      // The state is fetched next in any case.
    }
    return newest;
  }

  /** The server does not know this attempt: send it once more, then let the buyer pay again. */
  async function resendOrGiveUp(sent: Unconfirmed, missedAfterMs: number): Promise<void> {
    if (resending.current) return;
    const { body, ...bare } = sent;
    if (body && Date.now() - sent.sentAt < TOKEN_LIFE_MS) {
      resending.current = true;
      const outcome = await sendPayment(body).finally(() => (resending.current = false));
      await handleOutcome(outcome, bare);
    } else if (missedAfterMs >= MISSING_MS) {
      sentAttempts.forget();
      await source.refresh();
      setUnconfirmed(undefined);
      setNotice({ title: copy.form.neverArrived, text: copy.form.neverArrivedHow });
    }
  }

  /** Querying the payment by id reopens a 3DS that was abandoned. */
  async function resume({ id }: Attempt): ReturnType<Resuming> {
    try {
      const newest = await verifyPayment(payable, id);
      await resolve(newest);
      return newest.state === 'abandoned' ? 'over' : 'leaving';
    } catch {
      return 'unanswered';
    }
  }

  function retry(intentoId: string) {
    sentAttempts.dismiss(intentoId);
    setDismissed(intentoId);
    setNotice(undefined);
    if (step === 'threeDs') location.assign(payable.screens.pay);
  }

  const onFound = (attempt: Attempt) => void follow(attempt);
  if (unconfirmed) {
    return (
      <Pending
        key={unconfirmed.intentoId}
        payable={payable}
        intentoId={unconfirmed.intentoId}
        onFound={onFound}
        onMissing={(afterMs) => void resendOrGiveUp(unconfirmed, afterMs)}
      />
    );
  }
  const after3ds = step === 'threeDs';
  switch (view.kind) {
    case 'form':
      return belongsOnForm ? (
        <Loading />
      ) : (
        <CardForm payable={payable} notice={notice} onPay={pay} onNoCards={leaveWithoutCards} />
      );
    case 'noCards':
      return <WithoutCards onShown={leaveWithoutCards} />;
    case 'pending':
    case 'held':
      return (
        <Pending
          key={view.attempt.intentoId}
          payable={payable}
          intentoId={view.attempt.intentoId}
          known={view.attempt}
          onFound={onFound}
        />
      );
    case 'authenticate':
      return after3ds ? (
        <ThreeDsChallenge
          key={view.attempt.intentoId}
          payable={payable}
          attempt={view.attempt}
          onAnswered={() => follow(view.attempt, true)}
          onFound={onFound}
        />
      ) : (
        <Pending
          key={view.attempt.intentoId}
          payable={payable}
          intentoId={view.attempt.intentoId}
          known={view.attempt}
          onFound={onFound}
        />
      );
    case 'done':
      return <Done payable={payable} attempt={view.attempt} after3ds={after3ds} />;
    case 'returned':
      return (
        <Returned payable={payable} attempt={view.attempt} onRetry={() => retry(view.attempt.intentoId)} />
      );
    case 'rejected':
    case 'notCharged':
    case 'abandoned':
      return (
        <NotDone
          kind={view.kind}
          payable={payable}
          attempt={view.attempt}
          after3ds={after3ds}
          onRetry={() => retry(view.attempt.intentoId)}
          onResume={
            view.kind === 'abandoned' && view.attempt.id !== '' ? () => resume(view.attempt) : undefined
          }
        />
      );
    case 'paidElsewhere':
    case 'expired':
    case 'cancelled':
    case 'notYet':
      return <Closed kind={view.kind} payable={payable} />;
  }
}

/**
 * An attempt that this tab sent shortly before its document was left, and that the server does not show yet.
 */
function sentUnconfirmed(payable: Payable): Unconfirmed | undefined {
  const sent = sentAttempts.sent(payable.reference);
  return sent && Date.now() - sent.sentAt < FRESH_MS && payable.attempt?.intentoId !== sent.intentoId
    ? sent
    : undefined;
}

function noticeOf(
  outcome: Extract<Outcome, { kind: 'amountChanged' | 'overtaken' | 'refused' }>,
  body: PaymentBody | undefined,
): FormNotice {
  if (outcome.kind === 'amountChanged' && outcome.to !== undefined && body) {
    const from = formatMoney(centavosFromPesos(body.amount));
    return {
      title: copy.form.amountChanged(from, formatMoney(outcome.to)),
      text: copy.form.amountChangedHow,
    };
  }
  const { title, text: how } = alertFor(outcome.error);
  return { title, ...(how !== undefined && { text: how }) };
}

/** Spec §5: the alert, then home. */
function WithoutCards({ onShown }: { onShown: () => Promise<void> }) {
  const shown = useRef(false);
  useEffect(() => {
    if (shown.current) return;
    shown.current = true;
    void onShown();
  });
  return <Loading />;
}

function Loading() {
  return (
    <Flow>
      <Skeleton label={copy.loading}>
        <SkeletonBlock shape="title" width="most" />
        <SkeletonBlock shape="control" />
        <SkeletonBlock />
        <SkeletonBlock width="half" />
        <SkeletonBlock shape="control" />
      </Skeleton>
    </Flow>
  );
}
