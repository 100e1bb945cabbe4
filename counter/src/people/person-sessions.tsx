import { sentenceFor } from '@aparta/browser/copy.ts';
import { Button } from '@aparta/ui/button.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { sessionsQuery, signOutEverywhere } from '../data/people.ts';
import { peopleCopy } from './copy.ts';
import { WhereIn } from './own-sessions.tsx';

const copy = peopleCopy.staff;

/** Where somebody of the shop is signed in, and the end of all of it. */
export function PersonSessions({ positionId }: { positionId: string }) {
  const queries = useQueryClient();
  const { data, error } = useQuery(sessionsQuery(positionId));
  const out = useMutation({
    mutationFn: () => signOutEverywhere(positionId),
    onSuccess: () => queries.invalidateQueries({ queryKey: sessionsQuery(positionId).queryKey }),
  });
  const problem = out.error ?? error;
  return (
    <section className={text.tight}>
      <h3>{copy.sessions}</h3>
      {problem && <Notice tone="danger" title={sentenceFor(problem)} urgent />}
      {out.isSuccess && <Notice tone="info" title={copy.signedOut} urgent />}
      {data?.map((session) => (
        <WhereIn key={session.id} session={session} />
      ))}
      {data?.length === 0 && <p className={text.muted}>{copy.nowhere}</p>}
      {data !== undefined && data.length > 0 && (
        <Button wide busy={out.isPending ? copy.signingOut : undefined} onClick={() => out.mutate()}>
          {copy.signOut}
        </Button>
      )}
    </section>
  );
}
