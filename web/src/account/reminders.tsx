import { sentenceFor } from '@aparta/browser/copy.ts';
import { Check } from '@aparta/ui/check.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { type BuyerProfile, turningReminders } from '../data/profile.ts';
import { profileCopy } from './profile-copy.ts';

const copy = profileCopy.reminders;

/** Ours: whether the buyer is reminded of due dates by email. Saved as it is touched. */
export function Reminders({ profile }: { profile: BuyerProfile }) {
  const turn = useMutation(turningReminders(useQueryClient(), profile.id));
  const box = useRef<HTMLInputElement>(null);
  // A choice that was not saved goes back to what is so.
  const undo = () => {
    if (box.current) box.current.checked = profile.reminders;
  };
  return (
    <section className={text.stack} aria-labelledby="recordatorios">
      <h2 id="recordatorios">{copy.title}</h2>
      {turn.error && <Notice tone="danger" title={sentenceFor(turn.error)} urgent onDismiss={turn.reset} />}
      <Check
        ref={box}
        name="reminders"
        defaultChecked={profile.reminders}
        onChange={(isOn) => turn.mutate(isOn, { onError: undo })}
      >
        {copy.byEmail}
        <br />
        <span className={`${text.small} ${text.muted}`}>{copy.when}</span>
      </Check>
    </section>
  );
}
