import { isRefused } from '@aparta/browser/api-error.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { Button } from '@aparta/ui/button.tsx';
import { Sheet } from '@aparta/ui/dialog.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { Form, RefusedNotice, useSubmit } from '@aparta/ui/form.tsx';
import text from '@aparta/ui/text.module.css';
import { useQueryClient } from '@tanstack/react-query';
import { receiptQuery, reverse, type Receipt } from '../data/payments.ts';
import { useSession } from '../session/session.ts';
import { tillCopy } from './copy.ts';

const copy = tillCopy.receipt;

/** Takes a payment back, with a reason; by who may. `onTakenBack`: this press did it, and no colleague's before it. */
export function ReverseSheet({
  receipt,
  onClose,
  onTakenBack,
}: {
  receipt: Receipt;
  onClose: () => void;
  onTakenBack: () => void;
}) {
  const queries = useQueryClient();
  const name = useSession()?.position.name;
  const form = useSubmit({
    check: (typed) =>
      typed('reason').trim().length < 3 ? { errors: { reason: copy.reasonWrong } } : undefined,
    async send(typed) {
      const reason = typed('reason').trim();
      const reversed = await reverse(receipt.folio, reason);
      queries.setQueryData(receiptQuery(receipt.folio).queryKey, reversed);
      onClose();
      if (reversed.reversal?.by === name && reversed.reversal?.reason === reason) onTakenBack();
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
