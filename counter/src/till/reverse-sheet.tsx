import { isRefused } from '@aparta/browser/api-error.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { Button } from '@aparta/ui/button.tsx';
import { Sheet } from '@aparta/ui/dialog.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { Form, RefusedNotice, useSubmit } from '@aparta/ui/form.tsx';
import text from '@aparta/ui/text.module.css';
import { useQueryClient } from '@tanstack/react-query';
import { receiptQuery, reverse, type Receipt } from '../data/payments.ts';
import { tillCopy } from './copy.ts';

const copy = tillCopy.receipt;

/** Takes a payment back, with a reason; by who may. */
export function ReverseSheet({ receipt, onClose }: { receipt: Receipt; onClose: () => void }) {
  const queries = useQueryClient();
  const form = useSubmit({
    check: (typed) =>
      typed('reason').trim().length < 3 ? { errors: { reason: copy.reasonWrong } } : undefined,
    async send(typed) {
      const reversed = await reverse(receipt.folio, typed('reason').trim());
      queries.setQueryData(receiptQuery(receipt.folio).queryKey, reversed);
      onClose();
      return {};
    },
    refuse(error) {
      // The receipt behind the sheet says why, where its purchase ended meanwhile.
      if (isRefused(error, 'NOT_REVERSIBLE')) void queries.invalidateQueries(receiptQuery(receipt.folio));
      return { title: sentenceFor(error) };
    },
  });
  return (
    <Sheet title={copy.reverseTitle} onClose={onClose}>
      <Form of={form} className={text.stack}>
        <p>{copy.reverseText}</p>
        <RefusedNotice of={form} />
        <Field {...form.field('reason')} label={copy.reason} hint={copy.reasonHint} maxLength={200} />
        <Button {...form.button(copy.reverseBusy)} variant="danger" wide>
          {copy.reverseSubmit(receipt.amount)}
        </Button>
      </Form>
    </Sheet>
  );
}
