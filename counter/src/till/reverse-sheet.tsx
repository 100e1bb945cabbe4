import { isRefused } from '@aparta/browser/api-error.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { newId } from '@aparta/browser/new-id.ts';
import { isUnanswered } from '@aparta/browser/unanswered.ts';
import { Button } from '@aparta/ui/button.tsx';
import { Sheet } from '@aparta/ui/dialog.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { Form, RefusedNotice, useSubmit } from '@aparta/ui/form.tsx';
import { LineItems } from '@aparta/ui/line-items.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useQueryClient } from '@tanstack/react-query';
import { useOnline } from '../app/use-online.ts';
import { receiptQuery, reverse, type Receipt } from '../data/payments.ts';
import { reversalPresses, type Presser, type ReversalPress } from '../session/press.ts';
import { useBranch, useSession } from '../session/session.ts';
import { tillCopy } from './copy.ts';

const copy = tillCopy.receipt;

/** Takes a payment back, with a reason; by who may. `onTakenBefore`: another press did it, whose screen tells to hand it over. */
export function ReverseSheet({
  receipt,
  onClose,
  onTakenBefore,
}: {
  receipt: Receipt;
  onClose: () => void;
  onTakenBefore: () => void;
}) {
  const queries = useQueryClient();
  const online = useOnline();
  const position = useSession()?.position;
  const open = useBranch();
  const { branch, branchId, method } = receipt;
  const form = useSubmit({
    check: (typed) =>
      typed('reason').trim().length < 3 ? { errors: { reason: copy.reasonWrong } } : undefined,
    async send(typed) {
      const reason = typed('reason').trim();
      const press = pressFor(position, receipt.folio);
      reversalPresses.keep(position, press);
      try {
        const reversed = await reverse(press, reason, position?.name);
        const by = reversed.reversal?.id;
        if (by !== press.id) reversalPresses.forget(press.id);
        if (!reversalPresses.unfinished(position, ({ id, isTold }) => id === by && !isTold)) onTakenBefore();
        queries.setQueryData(receiptQuery(receipt.folio).queryKey, reversed);
      } catch (error) {
        if (!isUnanswered(error)) reversalPresses.forget(press.id);
        throw error;
      }
      onClose();
      return {};
    },
    refuse(error) {
      if (isUnanswered(error)) return { title: copy.reverseUnanswered };
      // The receipt behind the sheet says why, where its purchase ended meanwhile.
      if (isRefused(error, 'NOT_REVERSIBLE')) void queries.invalidateQueries(receiptQuery(receipt.folio));
      return { title: sentenceFor(error) };
    },
  });
  return (
    <Sheet title={copy.reverseTitle} onClose={onClose}>
      <Form of={form} className={text.stack}>
        <p>{copy.reverseText}</p>
        <LineItems
          rows={[
            { label: copy.from, text: method === 'cash' ? copy.drawer(branch) : copy.terminalOf(branch) },
          ]}
        />
        {open && open.id !== branchId && (
          <Notice tone="pending" title={copy.elsewhere[method](open.name, branch)} />
        )}
        <RefusedNotice of={form} />
        <Field {...form.field('reason')} label={copy.reason} hint={copy.reasonHint} maxLength={200} />
        <Button {...form.button(copy.reverseBusy)} variant="danger" wide disabled={!online}>
          {copy.reverseSubmit(receipt.amount)}
        </Button>
      </Form>
    </Sheet>
  );
}

/** The press whose end was not seen, sent again; else a new one. */
function pressFor(who: Presser, folio: string): ReversalPress {
  const before = reversalPresses.unfinished(who, (kept) => kept.folio === folio && !kept.isTold);
  return before ?? { id: newId(), folio };
}
