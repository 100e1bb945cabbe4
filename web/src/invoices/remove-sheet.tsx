import { Button } from '@aparta/ui/button.tsx';
import { Sheet } from '@aparta/ui/dialog.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isRefused } from '@aparta/browser/api-error.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { deletingFiscalClient, type FiscalClient } from '../data/fiscal-clients.ts';
import { fiscalCopy } from './fiscal-copy.ts';

const copy = fiscalCopy.remove;

/** Confirms before removing a fiscal client. */
export default function RemoveSheet({
  buyerId,
  client,
  onClose,
  onRemoved,
}: {
  buyerId: number;
  client: FiscalClient;
  onClose: () => void;
  onRemoved: () => void;
}) {
  const remove = useMutation(deletingFiscalClient(useQueryClient(), buyerId));
  const close = () => !remove.isPending && onClose();

  async function confirm() {
    try {
      await remove.mutateAsync(client.id);
    } catch (error) {
      // Already removed in another tab.
      if (!isRefused(error, 'NOT_FOUND')) return;
    }
    onClose();
    onRemoved();
  }

  return (
    <Sheet title={copy.title} onClose={close}>
      <div className={text.tight}>
        <p>
          <b>{copy.of(client.values.rfc, client.values.name)}</b>
        </p>
        <p className={text.muted}>{copy.text}</p>
      </div>
      {remove.error && <Notice tone="danger" title={sentenceFor(remove.error)} urgent />}
      <div className={text.tight}>
        <Button
          variant="danger"
          wide
          busy={remove.isPending ? copy.busy : undefined}
          onClick={() => void confirm()}
        >
          {copy.confirm}
        </Button>
        <Button variant="quiet" wide onClick={close}>
          {copy.keep}
        </Button>
      </div>
    </Sheet>
  );
}
