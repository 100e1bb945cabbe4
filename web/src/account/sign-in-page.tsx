import { Button } from '@aparta/ui/button.tsx';
import { Field, PasswordField } from '@aparta/ui/field.tsx';
import { Form, RefusedNotice, useSubmit } from '@aparta/ui/form.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useHydrated } from '@aparta/ui/use-hydrated.ts';
import { Link, useLocation, useNavigate } from 'react-router';
import { isRefused } from '../api/api-error.ts';
import { config } from '../app/config.ts';
import { isOwnDocument, paths } from '../app/paths.ts';
import { sentenceFor } from '../copy/refusals.ts';
import { signIn } from '../data/account.ts';
import { session } from '../session/session.ts';
import { accountCopy } from './copy.ts';
import { PublicPage } from './public-page.tsx';

const copy = accountCopy.signIn;

/** Spec §2, login. `onIntent` preloads the next screen while the buyer types. */
export default function SignInPage({ onIntent }: { onIntent?: () => void }) {
  useArrival(copy.title, config.productName);
  const navigate = useNavigate();
  const hydrated = useHydrated();
  const state: unknown = useLocation().state;
  // Why the buyer is here; unknown in prerendered HTML.
  const hasNewPassword =
    hydrated && typeof state === 'object' && state !== null && 'passwordChanged' in state;

  const form = useSubmit({
    async send(typed) {
      // Spec §5: no client-side checks; empty fields are sent as they are.
      const profile = await signIn(typed('user'), typed('password'));
      const back = session.takeReturn() ?? paths.home;
      session.open(profile);
      if (isOwnDocument(back)) location.assign(back);
      else await navigate(back, { replace: true });
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
        {hasNewPassword && !form.title && <Notice tone="info" title={copy.passwordChanged} urgent />}
        <RefusedNotice of={form} dismissible />
        <Field
          label={copy.email}
          name="user"
          type="email"
          autoComplete="username"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          onFocus={onIntent}
        />
        <PasswordField label={copy.password} name="password" autoComplete="current-password" />
        <Button {...form.button(copy.busy)} variant="primary" wide waiting={!hydrated}>
          {copy.submit}
        </Button>
      </Form>
    </PublicPage>
  );
}
