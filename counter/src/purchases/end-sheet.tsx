import { isRefused } from '@aparta/browser/api-error.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { Button } from '@aparta/ui/button.tsx';
import { Sheet } from '@aparta/ui/dialog.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { Form, RefusedNotice, useSubmit } from '@aparta/ui/form.tsx';
import { LineItems } from '@aparta/ui/line-items.tsx';
import { SkeletonBlock, Skeleton } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { endPurchase, endQuoteQuery, purchaseQuery, type EndQuote } from '../data/purchases.ts';
import { purchasesCopy } from './copy.ts';

const copy = purchasesCopy.end;

/** Ends a purchase whose goods cannot be delivered: first what goes back and how, then why, and the press. */
export function EndSheet({ id, onClose }: { id: number; onClose: () => void }) {
  const query = useQuery(endQuoteQuery(id));
  return (
    <Sheet title={copy.title} onClose={onClose}>
      {query.data ? (
        <Confirm id={id} quote={query.data} onClose={onClose} />
      ) : query.error ? (
        <Failed
          title={copy.failed}
          text={wordsFor(query.error)}
          busy={query.isFetching ? purchasesCopy.retrying : undefined}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <Skeleton label={copy.loading}>
          <SkeletonBlock />
          <SkeletonBlock />
          <SkeletonBlock shape="control" />
        </Skeleton>
      )}
    </Sheet>
  );
}

function Confirm({ id, quote, onClose }: { id: number; quote: EndQuote; onClose: () => void }) {
  const queries = useQueryClient();
  const form = useSubmit({
    check: (typed) =>
      typed('reason').trim().length < 3 ? { errors: { reason: copy.reasonWrong } } : undefined,
    async send(typed) {
      try {
        await endPurchase(id, { reason: typed('reason').trim(), refundShown: quote.refundShown });
      } catch (error) {
        // The figures that were agreed to hold no longer: the next press is for the new ones.
        if (isRefused(error, 'QUOTE_CHANGED')) void queries.invalidateQueries(endQuoteQuery(id));
        throw error;
      }
      void queries.invalidateQueries({ queryKey: ['purchases'] });
      await queries.invalidateQueries(purchaseQuery(id));
      onClose();
    },
    refuse: (error) => ({ title: wordsFor(error) }),
  });
  return (
    <Form of={form} className={text.stack}>
      <p>{copy.text}</p>
      <LineItems
        rows={quote.returns.map(({ folio, amount, method, last4 }) => ({
          key: folio,
          label: copy.methods[method](last4),
          amount,
        }))}
        total={{ label: copy.refund, amount: quote.refund, size: 'mid' }}
      />
      {quote.inCash > 0 && <p className={`${text.muted} ${text.small}`}>{copy.inCash(quote.inCash)}</p>}
      {quote.invoiced && <p className={`${text.muted} ${text.small}`}>{copy.invoiced}</p>}
      <Field {...form.field('reason')} label={copy.reason} hint={copy.reasonHint} maxLength={200} />
      <RefusedNotice of={form} />
      <Button {...form.button(copy.busy)} variant="danger" wide>
        {copy.submit(quote.refund)}
      </Button>
    </Form>
  );
}

function wordsFor(error: unknown): string {
  if (isRefused(error, 'QUOTE_CHANGED')) return copy.changed;
  if (isRefused(error, 'PURCHASE_CANCELLED')) return copy.over;
  if (isRefused(error, 'PURCHASE_SETTLED')) return copy.delivered;
  return sentenceFor(error);
}
