import { isRefused } from '@aparta/browser/api-error.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { formatMoment } from '@aparta/domain/calendar';
import { Button } from '@aparta/ui/button.tsx';
import { Field, PasswordField } from '@aparta/ui/field.tsx';
import { Form, RefusedNotice, useSubmit } from '@aparta/ui/form.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { makePasskey, type Passkey, passkeysQuery, remove, rename } from '../data/passkeys.ts';
import { ActOf } from '../lists/act-of.tsx';
import { peopleCopy } from './copy.ts';
import { hasPasskeys, passkeyProblem } from './passkey-problem.ts';

const copy = peopleCopy.passkeys;

/** The person's passkeys, and another one. */
export function Passkeys() {
  const queries = useQueryClient();
  const { data, error } = useQuery(passkeysQuery);
  const renew = () => void queries.invalidateQueries({ queryKey: passkeysQuery.queryKey });
  return (
    <section className={`${text.card} ${text.stack}`}>
      <h2>{copy.title}</h2>
      <p className={text.muted}>{copy.intro}</p>
      {error && <Notice tone="danger" title={sentenceFor(error)} urgent />}
      {data?.map((passkey) => (
        <PasskeyEntry key={passkey.passkeyId} passkey={passkey} onDone={renew} />
      ))}
      {hasPasskeys() ? <AddPasskey onDone={renew} /> : <p>{copy.unsupported}</p>}
    </section>
  );
}

function PasskeyEntry({ passkey, onDone }: { passkey: Passkey; onDone: () => void }) {
  const { passkeyId, name, isSynced, addedAt, usedAt } = passkey;
  const [open, setOpen] = useState<'rename' | 'remove'>();
  const removing = useMutation({ mutationFn: () => remove(passkeyId), onSuccess: onDone });
  const form = useSubmit({
    async send(typed) {
      await rename(passkeyId, typed('name').trim());
      onDone();
      setOpen(undefined);
      return {};
    },
    refuse: (error) => ({ title: sentenceFor(error), focus: 'name' }),
  });
  const used = usedAt === null ? copy.unused : copy.used(formatMoment(new Date(usedAt)));
  return (
    <div className={text.tight}>
      <p>
        <b>{name}</b>
        <br />
        <span className={text.muted}>
          {copy.added(formatMoment(new Date(addedAt)))} · {used} · {isSynced ? copy.synced : copy.onlyHere}
        </span>
      </p>
      {removing.error && <Notice tone="danger" title={sentenceFor(removing.error)} urgent />}
      {open === 'rename' && (
        <Form of={form} className={text.tight}>
          <RefusedNotice of={form} />
          <Field {...form.field('name')} label={copy.name} defaultValue={name} maxLength={40} required />
          <Button {...form.button(peopleCopy.account.busy)}>{copy.save}</Button>
        </Form>
      )}
      {open === 'remove' ? (
        <>
          <p role="status">{copy.removeText}</p>
          <Button
            variant="danger"
            autoFocus
            busy={removing.isPending ? copy.removing : undefined}
            onClick={() => removing.mutate()}
          >
            {copy.removeSure(name)}
          </Button>
        </>
      ) : (
        <div className={text.between}>
          <Button small onClick={() => setOpen(open === 'rename' ? undefined : 'rename')}>
            <ActOf act={copy.rename} of={name} />
          </Button>
          <Button small onClick={() => setOpen('remove')}>
            <ActOf act={copy.remove} of={name} />
          </Button>
        </div>
      )}
    </div>
  );
}

/** Makes a passkey; asks for the password when the person signed in a while ago. */
export function AddPasskey({ onDone }: { onDone: () => void }) {
  const [asksPassword, setAsksPassword] = useState(false);
  const [times, setTimes] = useState(0);
  const form = useSubmit({
    check: (typed) => (typed('name').trim() === '' ? { errors: { name: copy.nameWrong } } : undefined),
    async send(typed) {
      await makePasskey(typed('name').trim(), typed('current'));
      setTimes((before) => before + 1);
      setAsksPassword(false);
      onDone();
      return {};
    },
    refuse(error) {
      const isAsked = isRefused(error, 'PASSWORD_NEEDED');
      if (isAsked) setAsksPassword(true);
      return {
        title: passkeyProblem(error),
        ...(isRefused(error, 'PASSWORD_NEEDED', 'WRONG_PASSWORD') && { focus: 'current' }),
      };
    },
  });
  return (
    <Form of={form} className={text.stack}>
      <RefusedNotice of={form} />
      {times > 0 && !form.title && <Notice tone="info" title={copy.done} urgent />}
      <Field
        key={times}
        {...form.field('name')}
        label={copy.name}
        hint={copy.nameHint}
        defaultValue={times === 0 ? copy.suggested(navigator.userAgent) : ''}
        maxLength={40}
      />
      {asksPassword && (
        <PasswordField
          {...form.field('current')}
          label={peopleCopy.account.current}
          autoComplete="current-password"
        />
      )}
      <Button {...form.button(copy.adding)} icon="lock" wide>
        {copy.add}
      </Button>
    </Form>
  );
}
