import { sentenceFor } from '@aparta/browser/copy.ts';
import { Button } from '@aparta/ui/button.tsx';
import { download } from '@aparta/ui/download.ts';
import { Notice } from '@aparta/ui/notice.tsx';
import { useMutation } from '@tanstack/react-query';
import { useOnline } from '../app/use-online.ts';
import { evidenceOf } from '../data/purchases.ts';
import { purchasesCopy } from './copy.ts';

const copy = purchasesCopy.evidence;

/** Saves the paper that proves what was agreed, paid and handed over. */
export function EvidenceButton({ id }: { id: number }) {
  const online = useOnline();
  const save = useMutation({ mutationFn: async () => download(await evidenceOf(id)) });
  return (
    <>
      {save.error && <Notice tone="danger" title={sentenceFor(save.error)} urgent />}
      <Button
        icon="save"
        busy={save.isPending ? copy.busy : undefined}
        disabled={!online}
        onClick={() => save.mutate()}
      >
        {copy.save}
      </Button>
    </>
  );
}
