import { sentenceFor } from '@aparta/browser/copy.ts';
import { Button } from '@aparta/ui/button.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { chooseDigest, digestQuery } from '../data/people.ts';
import { peopleCopy } from './copy.ts';

const copy = peopleCopy.digest;

/** Whether this owner is mailed each morning how the shop stands. */
export function DigestChoice() {
  const queries = useQueryClient();
  const { data: isOn, error } = useQuery(digestQuery);
  const choosing = useMutation({
    mutationFn: chooseDigest,
    onSuccess: () => queries.invalidateQueries({ queryKey: digestQuery.queryKey }),
  });
  const problem = choosing.error ?? error;
  return (
    <section className={`${text.card} ${text.stack}`}>
      <h2>{copy.title}</h2>
      {problem && <Notice tone="danger" title={sentenceFor(problem)} urgent />}
      {isOn !== undefined && (
        <>
          <p>{isOn ? copy.on : copy.off}</p>
          <Button
            wide
            busy={choosing.isPending ? copy.busy : undefined}
            onClick={() => choosing.mutate(!isOn)}
          >
            {isOn ? copy.forgo : copy.want}
          </Button>
        </>
      )}
    </section>
  );
}
