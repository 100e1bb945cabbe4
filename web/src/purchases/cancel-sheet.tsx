import { useAlert } from '@aparta/ui/alert.tsx';
import { Button } from '@aparta/ui/button.tsx';
import { Sheet, SheetFooter } from '@aparta/ui/dialog.tsx';
import { FactList } from '@aparta/ui/fact-list.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { Form, RefusedNotice, useSubmit } from '@aparta/ui/form.tsx';
import { LineItems, type LineItem } from '@aparta/ui/line-items.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { SkeletonBlock, Skeleton } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { isRefused } from '@aparta/browser/api-error.ts';
import { isUnanswered } from '@aparta/browser/unanswered.ts';
import { alerts } from '../copy/alerts.ts';
import { alertFor, sentenceFor } from '@aparta/browser/copy.ts';
import { cancelling, quoteQuery, type Quote } from '../data/cancellations.ts';
import { refreshPurchases } from '../data/purchases-key.ts';
import type { Purchase } from '../data/purchases.ts';
import { cancelCopy } from './cancel-copy.ts';
import { purchasesCopy } from './copy.ts';
import { endedCopy } from './ended-copy.ts';
import { payCopy } from './pay-copy.ts';
import { Deduction } from './deduction.tsx';

const copy = cancelCopy;

export type ToCancel = Pick<Purchase, 'id' | 'product' | 'merchant'>;

/** The contract's limit. */
const REASON_LENGTH = 500;

/**
 * Spec §2, the cancel popup: what it costs and gives back (rules/layaways#cancelling), then the reason and the button. Success
 * shows only if the server confirmed it.
 */
export default function CancelSheet({ purchase, onClose }: { purchase: ToCancel; onClose: () => void }) {
  const queries = useQueryClient();
  const showAlert = useAlert();
  const quote = useQuery(quoteQuery(purchase.id));
  const cancel = useMutation(cancelling(queries));
  /** The figures that the buyer agreed to, if they no longer hold. */
  const [outdated, setOutdated] = useState<Quote>();
  /** How new the figures were when a press lost its reply: a purchase that is cancelled now was cancelled by it. */
  const [unansweredAt, setUnansweredAt] = useState<number>();
  const isDoneBy = (error: unknown) => unansweredAt !== undefined && isRefused(error, 'PURCHASE_CANCELLED');

  const form = useSubmit({
    async send(typed) {
      const shown = quote.data;
      if (!shown) return {};
      const reason = typed('reason').trim();
      try {
        await cancel.mutateAsync({ id: purchase.id, reason, refundShown: shown.refundShown });
      } catch (error) {
        // Cancelled or paid off in the meantime: nothing is left to confirm.
        if (isOver(error)) return await end(isDoneBy(error) ? alerts.cancelled : alertFor(error));
        if (isUnanswered(error))
          setUnansweredAt(queries.getQueryState(quoteQuery(purchase.id).queryKey)?.dataUpdatedAt);
        if (isRefused(error, 'QUOTE_CHANGED')) setOutdated(shown);
        // After any other failure, refetch the figures: they also show whether it went through.
        void quote.refetch();
        throw error;
      }
      return await end(alerts.cancelled);
    },
    refuse: (error) => (isRefused(error, 'QUOTE_CHANGED') ? {} : { title: sentenceFor(error) }),
  });

  // Cannot be closed while cancelling: that would hide the result.
  const close = () => !form.busy && onClose();

  async function end(alert: Parameters<typeof showAlert>[0]) {
    onClose();
    await showAlert(alert);
    return {};
  }

  // While cancelling, its own answer says what became of it.
  const problem = form.busy ? null : quote.error;
  const isDone = isDoneBy(problem);
  const endDone = useEffectEvent(() => {
    void refreshPurchases(queries);
    void end(alerts.cancelled);
  });
  useEffect(() => {
    if (isDone) endDone();
  }, [isDone]);
  if (isDone) return null;

  // Said once if both failed alike, e.g. without a network.
  const noQuote = problem ? sentenceFor(problem) : undefined;
  // Newer figures are of a purchase that goes on.
  const isKnown = unansweredAt !== undefined && quote.dataUpdatedAt > unansweredAt;
  const whatOfIt = isKnown ? copy.standing : copy.unknown;
  return (
    <Sheet title={copy.title} onClose={close}>
      <p className={`${text.muted} ${text.small}`}>{copy.of(purchase.product, purchase.id)}</p>
      {isOver(problem) ? (
        <>
          <Notice tone="info" title={sentenceFor(problem)} urgent />
          <Button
            wide
            onClick={() => {
              void refreshPurchases(queries);
              onClose();
            }}
          >
            {payCopy.close}
          </Button>
        </>
      ) : problem && !quote.data ? (
        <Failed
          title={copy.failed}
          text={sentenceFor(problem)}
          busy={quote.isFetching ? purchasesCopy.retrying : undefined}
          onRetry={() => void quote.refetch()}
        />
      ) : (
        <Form of={form} className={text.stack}>
          {quote.data ? (
            <>
              {outdated && outdated.refund !== quote.data.refund && (
                <Notice tone="pending" title={copy.changed} urgent>
                  {copy.changedText(outdated.refund, quote.data.refund)}
                </Notice>
              )}
              <Figures quote={quote.data} merchant={purchase.merchant} />
            </>
          ) : (
            // As high as the figures: they come without moving the sheet.
            <Skeleton label={copy.loading}>
              <SkeletonBlock />
              <SkeletonBlock />
              <SkeletonBlock shape="sum" width="half" />
              <SkeletonBlock shape="facts" />
              <SkeletonBlock />
              <SkeletonBlock width="half" />
            </Skeleton>
          )}
          <Field
            label={copy.reason}
            name="reason"
            hint={copy.reasonHint}
            maxLength={REASON_LENGTH}
            autoComplete="off"
          />
          <SheetFooter>
            <RefusedNotice of={unansweredAt === undefined ? form : { ...form, text: whatOfIt }} />
            {noQuote && noQuote !== form.title && <Notice tone="danger" title={noQuote} urgent />}
            <Button
              type="submit"
              variant="danger"
              wide
              busy={form.busy ? copy.cancelling : quote.isFetching ? copy.calculating : undefined}
            >
              {copy.confirm}
            </Button>
            <Button variant="quiet" wide onClick={close}>
              {copy.keep}
            </Button>
          </SheetFooter>
        </Form>
      )}
    </Sheet>
  );
}

/** Whether there is no purchase left to cancel. */
function isOver(error: unknown): boolean {
  return isRefused(error, 'PURCHASE_CANCELLED', 'PURCHASE_SETTLED', 'NOT_FOUND');
}

/** What was paid, less the penalty, is refunded; with how, and what happens to the service fees. */
function Figures({ quote, merchant }: { quote: Quote; merchant: string }) {
  const rows: LineItem[] = [
    { label: copy.paid, amount: quote.paid },
    { label: copy.penalty, text: <Deduction amount={quote.penalty} /> },
  ];
  if (quote.feesReturned > 0) rows.push({ label: copy.feesReturned, amount: quote.feesReturned });
  const notes = [
    quote.freeUntil !== undefined && copy.free(quote.freeUntil),
    quote.feesKept > 0 && copy.feesKept(quote.feesKept),
    quote.refund === 0 && quote.paid > 0 && copy.nothing,
    quote.invoiced && copy.invoiced,
  ].filter((note) => note !== false);
  return (
    <>
      <LineItems
        rows={rows}
        total={{
          label: quote.returns.some(({ payer }) => payer !== undefined) ? copy.refundOfAll : copy.refund,
          amount: quote.refund,
        }}
      />
      {quote.returns.length > 0 && (
        <FactList
          facts={quote.returns.map(({ amount, method, last4, payer }) => ({
            key: `${method} ${last4} ${payer}`,
            icon: method === 'card' ? ('card' as const) : ('store' as const),
            title:
              method === 'card'
                ? endedCopy.refunds.toCard(amount, last4, payer)
                : endedCopy.refunds.byShop(amount, last4, payer),
            text:
              method === 'card'
                ? copy.toCard(payer !== undefined)
                : copy.inCash(merchant, payer !== undefined),
          }))}
        />
      )}
      {notes.length > 0 && (
        <ul className={`${text.tight} ${text.muted} ${text.small}`}>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </>
  );
}
