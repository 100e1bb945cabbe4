import { Button } from '@aparta/ui/button.tsx';
import { PasswordField } from '@aparta/ui/field.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useHydrated } from '@aparta/ui/use-hydrated.ts';
import { useEffect, useEffectEvent, useRef, useState, type FormEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import { isRefused } from '../api/api-error.ts';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import { sentenceFor } from '../copy/refusals.ts';
import { resetOwner, setPassword, type ResetOwner } from '../data/password.ts';
import { passwordReset, type ResetLink } from '../session/password-reset.ts';
import { session } from '../session/session.ts';
import { passwordCopy } from './password-copy.ts';
import { PublicPage } from './public-page.tsx';

const copy = passwordCopy.change;

/** Spec §2, reset password. The link's e-mail and code were taken from the URL before the first render. */
export default function ChangePasswordPage() {
  useArrival(copy.title, config.productName);
  const navigate = useNavigate();
  const hydrated = useHydrated();
  const again = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const [link] = useState(passwordReset.link);
  const [owner] = useState(() => link && ownerOf(link));
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [differ, setDiffer] = useState(false);
  const [passwordError, setPasswordError] = useState<string>();
  // Prerendered, where there is no link.
  const email = hydrated ? link?.email : undefined;

  /** No link, or its code has expired: only a new email helps. */
  function leave() {
    passwordReset.clear();
    void navigate(paths.forgotPassword, { replace: true, state: { deadLink: true } });
  }

  const arrive = useEffectEvent(async () => {
    try {
      await (owner ? owner() : leave());
    } catch (error) {
      // Unless the link has expired, this is asked again on submit.
      if (isRefused(error, 'RESET_CODE_DEAD')) leave();
    }
  });
  useEffect(() => void arrive(), []);

  async function change(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy || !link || !owner) return;
    const chosen = password.current?.value ?? '';
    setProblem(undefined);
    setPasswordError(undefined);
    // Spec §5: if they differ, nothing is sent.
    const isEqual = chosen === again.current?.value;
    setDiffer(!isEqual);
    if (!isEqual) return again.current?.focus();
    setBusy(true);
    try {
      await setPassword(await owner(), link, chosen);
      passwordReset.clear();
      // All sessions have ended, including this tab's; the scanned reference stays.
      if (session.user()) session.died(paths.home);
      await navigate(paths.login, { replace: true, state: { passwordChanged: true } });
    } catch (error) {
      if (isRefused(error, 'RESET_CODE_DEAD')) return leave();
      const sentence = sentenceFor(error);
      if (isRefused(error, 'PASSWORD_TOO_SHORT', 'PASSWORD_TOO_LONG', 'PASSWORD_TOO_COMMON')) {
        setPasswordError(sentence);
      } else setProblem(sentence);
      password.current?.focus();
    } finally {
      setBusy(false);
    }
  }

  return (
    <PublicPage foot={<Link to={paths.login}>{copy.signIn}</Link>}>
      <h1 tabIndex={-1}>{copy.heading}</h1>
      <p className={text.muted}>{email === undefined ? copy.intro : copy.introFor(email)}</p>
      <form method="post" noValidate onSubmit={(event) => void change(event)}>
        {problem && <Notice tone="danger" title={problem} urgent onDismiss={() => setProblem(undefined)} />}
        {differ && (
          <Notice tone="danger" title={copy.differ} urgent onDismiss={() => setDiffer(false)}>
            {copy.differHint}
          </Notice>
        )}
        {/* Tells password managers whose password this is. */}
        <input hidden name="username" autoComplete="username" value={email ?? ''} readOnly />
        <PasswordField
          label={copy.password}
          name="password"
          autoComplete="new-password"
          hint={copy.passwordHint}
          error={passwordError}
          ref={password}
          readOnly={busy}
          onChange={() => setPasswordError(undefined)}
        />
        <PasswordField
          label={copy.again}
          name="again"
          autoComplete="new-password"
          ref={again}
          readOnly={busy}
        />
        <Button type="submit" variant="primary" wide waiting={!hydrated} busy={busy ? copy.busy : undefined}>
          {copy.submit}
        </Button>
      </form>
    </PublicPage>
  );
}

/** Looks up the link's owner once, and again only after a failure. */
function ownerOf(link: ResetLink): () => Promise<ResetOwner> {
  let asked: Promise<ResetOwner> | undefined;
  return () => {
    asked ??= resetOwner(link).catch((error: unknown) => {
      asked = undefined;
      throw error;
    });
    return asked;
  };
}
