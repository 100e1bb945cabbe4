import { sentenceFor } from '@aparta/browser/copy.ts';
import { Check } from '@aparta/ui/check.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { pushesQuery, turningPushes } from '../data/pushes.ts';
import { profileCopy } from './profile-copy.ts';

const copy = profileCopy.pushes;

/** Ours: whether this browser tells of due dates and money. Nothing where it cannot. */
export default function PushSwitch() {
  const { data: pushes = 'none' } = useQuery(pushesQuery);
  const turn = useMutation(turningPushes(useQueryClient()));
  // A choice that was not kept goes back to what is so.
  const [undone, setUndone] = useState(0);
  const undo = () => setUndone((before) => before + 1);
  if (pushes === 'none') return null;
  return (
    <section className={text.stack} aria-labelledby="avisos">
      <h2 id="avisos">{copy.title}</h2>
      {turn.error && <Notice tone="danger" title={sentenceFor(turn.error)} urgent onDismiss={turn.reset} />}
      {pushes === 'blocked' ? (
        // Of who has just asked for it the browser said no.
        <p role={turn.isSuccess ? 'alert' : undefined}>{copy.blocked}</p>
      ) : (
        <Check
          key={undone}
          name="pushes"
          defaultChecked={pushes === 'on'}
          onChange={(isOn) =>
            turn.mutate(isOn, {
              onError: undo,
              onSuccess: (now) => (now === 'on') !== isOn && undo(),
            })
          }
        >
          {copy.here}
          <br />
          <span className={`${text.small} ${text.muted}`}>{copy.what}</span>
        </Check>
      )}
    </section>
  );
}
