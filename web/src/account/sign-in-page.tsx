import { Button } from '@aparta/ui/button.tsx';
import { Field, PasswordField } from '@aparta/ui/field.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useHydrated } from '@aparta/ui/use-hydrated.ts';
import { useRef, useState, type FormEvent } from 'react';
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
  const password = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  // Why the buyer is here; unknown in prerendered HTML.
  const hasNewPassword =
    hydrated && typeof state === 'object' && state !== null && 'passwordChanged' in state;

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const field = (name: string) => form.get(name) as string;
    setBusy(true);
    setProblem(undefined);
    try {
      // Spec §5: no client-side checks; empty fields are sent as they are.
      const user = await signIn(field('user'), field('password'));
      const back = session.takeReturn() ?? paths.home;
      session.open(user);
      if (isOwnDocument(back)) location.assign(back);
      else await navigate(back, { replace: true });
    } catch (error) {
      // rules/accounts#sign-in: 401 and 422 get the spec's banner; other failures get their own text.
      setProblem(isRefused(error, 'WRONG_CREDENTIALS', 'INVALID_INPUT') ? copy.wrong : sentenceFor(error));
      setBusy(false);
      password.current?.focus();
    }
  }

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
      {/* No submit before hydration: a plain GET would put the password into the URL. */}
      <form method="post" noValidate onSubmit={(event) => void submit(event)}>
        {hasNewPassword && !problem && <Notice tone="info" title={copy.passwordChanged} urgent />}
        {problem && <Notice tone="danger" title={problem} urgent onDismiss={() => setProblem(undefined)} />}
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
        <PasswordField label={copy.password} name="password" autoComplete="current-password" ref={password} />
        <Button type="submit" variant="primary" wide waiting={!hydrated} busy={busy ? copy.busy : undefined}>
          {copy.submit}
        </Button>
      </form>
    </PublicPage>
  );
}
