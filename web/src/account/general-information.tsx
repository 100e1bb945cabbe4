import { useAlert } from '@aparta/ui/alert.tsx';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { SkeletonBlock, Skeleton } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, type FormEvent } from 'react';
import { ApiError } from '../api/api-error.ts';
import { paths } from '../app/paths.ts';
import { alerts } from '../copy/alerts.ts';
import { alertFor, sentenceFor } from '../copy/refusals.ts';
import { profileQuery, savingProfile, type BuyerProfile } from '../data/profile.ts';
import { endSession } from '../data/sessions.ts';
import { session } from '../session/session.ts';
import { profileCopy } from './profile-copy.ts';
import { UnconfirmedEmail } from './unconfirmed-email.tsx';
import styles from './profile-page.module.css';

const copy = profileCopy.general;

/** The editable fields by wire name; lengths are the contract's. */
const LENGTHS = { phone: 30, streetAddress: 200, numberAddress: 30, postalCodeAddress: 10 } as const;
type Editable = keyof typeof LENGTHS;
const EDITABLE = Object.keys(LENGTHS) as Editable[];

/** Spec §2, general information tab: name and e-mail are read-only. */
export function GeneralInformation({ buyerId }: { buyerId: number }) {
  const query = useQuery(profileQuery(buyerId));
  if (query.data) return <Form profile={query.data} />;
  if (query.error) {
    return (
      <Failed
        title={copy.failed}
        text={sentenceFor(query.error)}
        busy={query.isFetching ? profileCopy.retrying : undefined}
        onRetry={() => void query.refetch()}
      />
    );
  }
  return (
    <Skeleton label={copy.loading}>
      {['name', 'email', ...EDITABLE].map((field) => (
        <SkeletonBlock key={field} shape="control" />
      ))}
    </Skeleton>
  );
}

function Form({ profile }: { profile: BuyerProfile }) {
  const showAlert = useAlert();
  const form = useRef<HTMLFormElement>(null);
  const save = useMutation(savingProfile(profile.id));
  const wrong = fieldsOf(save.error);

  useEffect(() => {
    if (save.error) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [save.error]);

  async function submit() {
    if (!form.current || save.isPending) return;
    const typed = new FormData(form.current);
    const body = Object.fromEntries(
      EDITABLE.map((name) => {
        const value = typed.get(name);
        return [name, typeof value === 'string' ? value.trim() : ''];
      }),
    );
    try {
      await save.mutateAsync(body);
    } catch {
      return; // it stands in the form
    }
    await showAlert(alerts.profileUpdated);
    // Spec §8: an update signs out. Unlike Logout, the scanned reference stays.
    endSession();
    session.died('/');
  }

  const field = (name: Editable) => ({
    name,
    defaultValue: profile[name],
    maxLength: LENGTHS[name],
    readOnly: save.isPending,
    error: name in wrong ? copy.wrong : undefined,
  });
  return (
    <form
      ref={form}
      method="post"
      noValidate
      className={styles.form}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void submit();
      }}
    >
      {!profile.emailConfirmed && <UnconfirmedEmail email={profile.user} />}
      <Field label={copy.name} name="name" autoComplete="name" value={profile.name} readOnly />
      <Field
        label={copy.email}
        name="email"
        type="email"
        autoComplete="email"
        value={profile.user}
        readOnly
      />
      <Field {...field('phone')} label={copy.phone} type="tel" autoComplete="tel" inputMode="tel" />
      <Field {...field('streetAddress')} label={copy.street} autoComplete="address-line1" />
      <div className={styles.pair}>
        <Field {...field('numberAddress')} label={copy.number} autoComplete="address-line2" />
        <Field
          {...field('postalCodeAddress')}
          label={copy.postalCode}
          autoComplete="postal-code"
          inputMode="numeric"
        />
      </div>
      {save.error && (
        <Failed
          title={alertFor(save.error).title}
          text={alertFor(save.error).text ?? ''}
          onRetry={() => void submit()}
        />
      )}
      <div className={styles.acts}>
        <p className={`${text.muted} ${text.small}`}>{copy.signsOut}</p>
        <Button type="submit" variant="primary" wide busy={save.isPending ? copy.busy : undefined}>
          {copy.submit}
        </Button>
        <ButtonLink to={paths.homeLink} variant="quiet" wide>
          {copy.cancel}
        </ButtonLink>
      </div>
    </form>
  );
}

/** The refused fields, by wire name. */
function fieldsOf(error: unknown): Readonly<Record<string, string>> {
  return error instanceof ApiError && error.failure.kind === 'refused' ? error.failure.fields : {};
}
