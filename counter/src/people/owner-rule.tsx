import { sentenceFor } from '@aparta/browser/copy.ts';
import { Button } from '@aparta/ui/button.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { demandPasskeys, staffQuery } from '../data/people.ts';
import { peopleCopy } from './copy.ts';

const copy = peopleCopy.ownerRule;

/** Whether the shop asks its owners for a passkey. */
export function OwnerRule({ isOn }: { isOn: boolean }) {
  const queries = useQueryClient();
  const setting = useMutation({
    mutationFn: () => demandPasskeys(!isOn),
    onSuccess: () => queries.invalidateQueries({ queryKey: staffQuery.queryKey }),
  });
  return (
    <section className={`${text.card} ${text.stack}`}>
      <h2>{copy.title}</h2>
      <p>{isOn ? copy.on : copy.off}</p>
      {setting.error && <Notice tone="danger" title={sentenceFor(setting.error)} urgent />}
      <Button wide busy={setting.isPending ? copy.busy : undefined} onClick={() => setting.mutate()}>
        {isOn ? copy.forgo : copy.demand}
      </Button>
    </section>
  );
}
