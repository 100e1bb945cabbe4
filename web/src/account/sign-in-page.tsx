import { Button } from '@aparta/ui/button.tsx';
import { Check } from '@aparta/ui/check.tsx';
import { Field, PasswordField } from '@aparta/ui/field.tsx';
import { Form, RefusedNotice, useSubmit } from '@aparta/ui/form.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useHydrated } from '@aparta/ui/use-hydrated.ts';
import { useEffect, useRef } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { isRefused } from '@aparta/browser/api-error.ts';
import { config } from '../app/config.ts';
import { isOwnDocument, paths } from '../app/paths.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { accountAlerts } from '../copy/account-alerts.ts';
import { signIn } from '../data/account.ts';
import { session } from '../session/session.ts';
import { accountCopy } from './copy.ts';
import { PublicPage } from './public-page.tsx';

const copy = accountCopy.signIn;

/** What a screen says that leads to login. */
export type Arrival = { passwordChanged?: boolean; email?: string };

/** Spec §2, login. `onIntent` preloads the next screen while the buyer types. */
export default function SignInPage({ onIntent }: { onIntent?: () => void }) {
  useArrival(copy.title, config.productName);
  const [, navigate] = useLocation();
  const hydrated = useHydrated();
  const search = useSearch();
  const state: unknown = useHistoryState();
  // Why the buyer is here; unknown in prerendered HTML.
  const arrival: Arrival = hydrated && typeof state === 'object' ? (state ?? {}) : {};
  const reason = arrival.passwordChanged
    ? copy.passwordChanged
    : hydrated && session.hasDied()
      ? copy.died
      : '';
  const done = noticeOf(search);
  const password = useRef<HTMLInputElement>(null);
  // From sign-up only the password is missing.
  useEffect(() => {
    if (arrival.email) password.current?.focus();
  }, [arrival.email]);

  const form = useSubmit({
    async send(typed) {
      // Spec §5: no client-side checks; empty fields are sent as they are.
      const profile = await signIn(typed('user'), typed('password'), typed('keep') !== '');
      const back = session.takeReturn() ?? paths.home;
      session.open(profile);
      if (isOwnDocument(back)) location.assign(back);
      else navigate(back, { replace: true });
      return 'leaving';
    },
    refuse: (error) => ({
      // rules/accounts#sign-in: 401 and 422 get the spec's banner; other failures get their own text.
      title: isRefused(error, 'WRONG_CREDENTIALS', 'INVALID_INPUT') ? copy.wrong : sentenceFor(error),
      focus: 'password',
    }),
  });

  return (
    <PublicPage
      foot={
        <>
          <Link to={paths.forgotPassword}>{copy.forgot}</Link>
          <Link to={paths.registerLink}>{copy.register}</Link>
        </>
      }
    >
      <h1 tabIndex={-1}>{copy.heading}</h1>
      <p className={text.muted}>{accountCopy.tagline}</p>
      <Form of={form}>
        {reason && !form.title && <Notice tone="info" title={reason} urgent />}
        {done && !form.title && (
          <Notice tone="info" title={done.title} urgent>
            {done.text}
          </Notice>
        )}
        <RefusedNotice of={form} dismissible />
        <Field
          {...form.field('user')}
          label={copy.email}
          type="email"
          autoComplete="username"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          {...(arrival.email && { defaultValue: arrival.email })}
          onFocus={onIntent}
        />
        <PasswordField
          label={copy.password}
          name="password"
          autoComplete="current-password"
          ref={password}
          onFocus={onIntent}
        />
        <Check name="keep" defaultChecked={!!form.field('keep').defaultValue}>
          {copy.keep}
        </Check>
        <Button {...form.button(copy.busy)} variant="primary" wide>
          {copy.submit}
        </Button>
      </Form>
    </PublicPage>
  );
}

/** What was done on the page before, where no script ran to say it there. */
function noticeOf(search: string) {
  const notice = new URLSearchParams(search).get('aviso');
  if (notice === 'registro') return accountAlerts.registered;
  return notice === 'correo' ? accountAlerts.resetMailSent : undefined;
}
