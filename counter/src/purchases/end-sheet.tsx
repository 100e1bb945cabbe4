import { isRefused } from '@aparta/browser/api-error.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { isUnanswered } from '@aparta/browser/unanswered.ts';
import { Button } from '@aparta/ui/button.tsx';
import { Sheet } from '@aparta/ui/dialog.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { Form, RefusedNotice, useSubmit } from '@aparta/ui/form.tsx';
import { LineItems } from '@aparta/ui/line-items.tsx';
import { SkeletonBlock, Skeleton } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useOnline } from '../app/use-online.ts';
import {
  endPurchase,
  endQuoteQuery,
  purchaseQuery,
  refundClaimed,
  type EndQuote,
} from '../data/purchases.ts';
import { listsCopy } from '../lists/copy.ts';
import { purchasesCopy } from './copy.ts';

const copy = purchasesCopy.end;
const claimed = purchasesCopy.claim.refund;

interface Ending {
  readonly id: number;
  /** Of the claim that it ends by. */
  readonly claimFolio?: string | undefined;
  readonly onClose: () => void;
}

/** Ends a purchase whose goods cannot be delivered, or by its claim: first what goes back and how, then why, and the press. */
export function EndSheet({ id, claimFolio, onClose }: Ending) {
  const query = useQuery(endQuoteQuery(id));
  return (
    <Sheet title={claimFolio === undefined ? copy.title : claimed.title} onClose={onClose}>
      {query.data ? (
        <Confirm {...{ id, claimFolio, onClose }} quote={query.data} />
      ) : query.error ? (
        <Failed
          title={copy.failed}
          text={wordsFor(query.error)}
          busy={query.isFetching ? listsCopy.loading : undefined}
          onRetry={() => void query.refetch()}
        />
      ) : (
        // As high as what comes, which so moves nothing.
        <Skeleton label={copy.loading}>
          <SkeletonBlock />
          <SkeletonBlock />
          <SkeletonBlock width="most" />
          <SkeletonBlock />
          <SkeletonBlock />
          <SkeletonBlock shape="sum" width="half" />
          <SkeletonBlock width="half" />
          <SkeletonBlock shape="control" />
          <SkeletonBlock width="most" />
          <SkeletonBlock width="half" />
          <SkeletonBlock shape="control" />
        </Skeleton>
      )}
    </Sheet>
  );
}

function Confirm({ id, claimFolio, quote, onClose }: Ending & { quote: EndQuote }) {
  const words = claimFolio === undefined ? copy : claimed;
  const queries = useQueryClient();
  const online = useOnline();
  const form = useSubmit({
    check: (typed) =>
      typed('reason').trim().length < 3 ? { errors: { reason: copy.reasonWrong } } : undefined,
    async send(typed) {
      try {
        const agreed = { reason: typed('reason').trim(), refundShown: quote.refundShown };
        await (claimFolio === undefined
          ? endPurchase(id, agreed)
          : refundClaimed(id, { claimFolio, ...agreed }));
      } catch (error) {
        // The figures that were agreed to hold no longer: the next press is for the new ones.
        if (isRefused(error, 'QUOTE_CHANGED')) void queries.invalidateQueries(endQuoteQuery(id));
        throw error;
      }
      void queries.invalidateQueries({ queryKey: ['purchases'] });
      await queries.invalidateQueries(purchaseQuery(id));
      onClose();
      return {};
    },
    refuse: (error) => ({ title: isUnanswered(error) ? copy.unanswered : wordsFor(error) }),
  });
  return (
    <Form of={form} className={text.stack}>
      <p>{words.text}</p>
      <LineItems
        rows={quote.returns.map(({ folio, amount, method, last4 }) => ({
          key: folio,
          label: copy.methods[method](last4),
          amount,
        }))}
        total={{ label: copy.refund, amount: quote.refund, size: 'mid' }}
      />
      {quote.inCash > 0 && <p className={`${text.muted} ${text.small}`}>{copy.inCash(quote.inCash)}</p>}
      {quote.onTerminal > 0 && (
        <p className={`${text.muted} ${text.small}`}>{copy.onTerminal(quote.onTerminal)}</p>
      )}
      {quote.invoiced && <p className={`${text.muted} ${text.small}`}>{copy.invoiced}</p>}
      <Field {...form.field('reason')} label={copy.reason} hint={copy.reasonHint} maxLength={200} />
      <RefusedNotice of={form} />
      <Button {...form.button(words.busy)} variant="danger" wide disabled={!online}>
        {words.submit(quote.refund)}
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
