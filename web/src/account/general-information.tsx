import { useAlert } from '@aparta/ui/alert.tsx';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { Form, useSubmit } from '@aparta/ui/form.tsx';
import { SkeletonBlock, Skeleton } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { useMutation, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, type ReactNode } from 'react';
import { ApiError } from '@aparta/browser/api-error.ts';
import { paths } from '../app/paths.ts';
import { profileAlerts as alerts } from '../copy/profile-alerts.ts';
import { alertFor, sentenceFor } from '@aparta/browser/copy.ts';
import { profileQuery, savingProfile, type BuyerProfile } from '../data/profile.ts';
import { endSession } from '../data/end-session.ts';
import { session } from '../session/session.ts';
import { profileCopy } from './profile-copy.ts';
import { Reminders } from './reminders.tsx';
import { UnconfirmedEmail } from './unconfirmed-email.tsx';
import styles from './profile-page.module.css';

/** Few browsers can, and it is read last: nothing is amiss without it. */
const PushSwitch = lazy(() => import('./pushes.tsx').catch(() => ({ default: () => null })));

const copy = profileCopy.general;

/** The editable fields by wire name; lengths are the contract's. */
const LENGTHS = { phone: 30, streetAddress: 200, numberAddress: 30, postalCodeAddress: 10 } as const;
type Editable = keyof typeof LENGTHS;
const EDITABLE = Object.keys(LENGTHS) as Editable[];

/** Spec §2, general information tab: name and e-mail are read-only. `children` follow once it is known. */
export function GeneralInformation({ buyerId, children }: { buyerId: number; children: ReactNode }) {
  const query = useQuery(profileQuery(buyerId));
  if (query.data) {
    return (
      <>
        <ProfileForm profile={query.data} />
        <Reminders profile={query.data} />
        <Suspense>
          <PushSwitch />
        </Suspense>
        {children}
      </>
    );
  }
  if (query.error) {
    return (
      <>
        <Failed
          title={copy.failed}
          text={sentenceFor(query.error)}
          busy={query.isFetching ? profileCopy.retrying : undefined}
          onRetry={() => void query.refetch()}
        />
        {children}
      </>
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

function ProfileForm({ profile }: { profile: BuyerProfile }) {
  const showAlert = useAlert();
  const save = useMutation(savingProfile(profile.id));
  const form = useSubmit({
    async send(typed) {
      await save.mutateAsync(Object.fromEntries(EDITABLE.map((name) => [name, typed(name).trim()])));
      await showAlert(alerts.profileUpdated);
      endSession();
      session.end();
      return 'leaving';
    },
    refuse: (error) => ({ ...alertFor(error), errors: errorsIn(error) }),
  });

  const field = (name: Editable) => ({
    ...form.field(name),
    defaultValue: profile[name],
    maxLength: LENGTHS[name],
  });
  return (
    <Form of={form} className={styles.form}>
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
      {form.title && <Failed title={form.title} text={form.text ?? ''} onRetry={() => void form.submit()} />}
      <div className={styles.acts}>
        <p className={`${text.muted} ${text.small}`}>{copy.signsOut}</p>
        <Button {...form.button(copy.busy)} variant="primary" wide>
          {copy.submit}
        </Button>
        <ButtonLink to={paths.homeLink} variant="quiet" wide>
          {copy.cancel}
        </ButtonLink>
      </div>
    </Form>
  );
}

/** The same for each refused field, by wire name. */
function errorsIn(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof ApiError) || error.failure.kind !== 'refused') return {};
  return Object.fromEntries(Object.keys(error.failure.fields).map((name) => [name, copy.wrong]));
}
