import { sentenceFor } from '@aparta/browser/copy.ts';
import { Button } from '@aparta/ui/button.tsx';
import { Sheet } from '@aparta/ui/dialog.tsx';
import { Form, RefusedNotice, useSubmit } from '@aparta/ui/form.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { change, revoke, staffQuery, type Person } from '../data/people.ts';
import { useSession } from '../session/session.ts';
import { peopleCopy } from './copy.ts';
import { PersonSessions } from './person-sessions.tsx';
import { placeOf, PlaceFields, problemOf } from './place-fields.tsx';

const copy = peopleCopy.staff;

/** Somebody of the shop: what they are, their sessions, and the end of it. */
export function PersonSheet({ person, onClose }: { person: Person; onClose: () => void }) {
  const queries = useQueryClient();
  const branches = useSession()?.branches ?? [];
  const { positionId, name, role } = person;
  const [isEnding, setEnding] = useState(false);
  const done = () => {
    void queries.invalidateQueries({ queryKey: staffQuery.queryKey });
    onClose();
  };
  const form = useSubmit({
    check: (typed) => problemOf(placeOf(typed, branches)),
    async send(typed) {
      await change(positionId, placeOf(typed, branches));
      done();
      return {};
    },
    refuse: (error) => ({ title: sentenceFor(error) }),
  });
  const ending = useMutation({ mutationFn: () => revoke(positionId), onSuccess: done });
  return (
    <Sheet title={name} onClose={onClose}>
      <div className={text.loose}>
        <Form of={form} className={text.stack}>
          <p className={text.muted}>{person.email}</p>
          <RefusedNotice of={form} />
          <PlaceFields start={{ role, branchIds: person.branches.map(({ id }) => id) }} />
          <p className={`${text.muted} ${text.small}`}>{copy.saveHint}</p>
          <Button {...form.button(copy.saving)} variant="primary" wide>
            {copy.save}
          </Button>
        </Form>
        <PersonSessions positionId={positionId} />
        <div className={text.tight}>
          {ending.error && <Notice tone="danger" title={sentenceFor(ending.error)} urgent />}
          {isEnding ? (
            <>
              <p>{copy.revokeText}</p>
              <Button
                variant="danger"
                wide
                busy={ending.isPending ? copy.revoking : undefined}
                onClick={() => ending.mutate()}
              >
                {copy.revokeSure(name)}
              </Button>
            </>
          ) : (
            <Button variant="danger" wide onClick={() => setEnding(true)}>
              {copy.revoke}
            </Button>
          )}
        </div>
      </div>
    </Sheet>
  );
}
