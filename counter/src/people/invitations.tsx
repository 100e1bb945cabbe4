import { sentenceFor } from '@aparta/browser/copy.ts';
import { formatMoment } from '@aparta/domain/calendar';
import { Button } from '@aparta/ui/button.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { staffQuery, withdraw, type Invited } from '../data/people.ts';
import { ActOf } from '../lists/act-of.tsx';
import { peopleCopy } from './copy.ts';

const copy = peopleCopy.staff;

/** Who is invited and has not come yet. */
export function Invitations({
  invitations,
  onAnew,
}: {
  invitations: readonly Invited[];
  onAnew: (invited: Invited) => void;
}) {
  const queries = useQueryClient();
  const withdrawing = useMutation({
    // Also when it was accepted meanwhile.
    mutationFn: (email: string) =>
      withdraw(email).finally(() => void queries.invalidateQueries({ queryKey: staffQuery.queryKey })),
  });
  const { error, isPending, variables } = withdrawing;
  return (
    <section className={`${text.card} ${text.stack}`}>
      <h2>{copy.invited}</h2>
      {error && <Notice tone="danger" title={sentenceFor(error)} urgent />}
      {invitations.map((invited) => (
        <div key={invited.email} className={text.tight}>
          <p>
            <b>{invited.name}</b>
            <br />
            {invited.email}
            <br />
            <span className={text.muted}>
              {copy.until(peopleCopy.roles[invited.role], formatMoment(new Date(invited.expiresAt)))}
            </span>
          </p>
          <div className={text.between}>
            <Button small onClick={() => onAnew(invited)}>
              <ActOf act={copy.inviteAnew} of={invited.email} />
            </Button>
            <Button
              small
              busy={isPending && variables === invited.email ? copy.withdrawing : undefined}
              onClick={() => withdrawing.mutate(invited.email)}
            >
              <ActOf act={copy.withdraw} of={invited.email} />
            </Button>
          </div>
        </div>
      ))}
    </section>
  );
}
