import { useAlert } from '@aparta/ui/alert.tsx';
import { Button } from '@aparta/ui/button.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useHydrated } from '@aparta/ui/use-hydrated.ts';
import { useRef, useState, type FormEvent } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import { alerts } from '../copy/alerts.ts';
import { alertOf, sentenceFor } from '../copy/refusals.ts';
import { askForReset } from '../data/password.ts';
import { passwordCopy } from './password-copy.ts';
import { PublicPage } from './public-page.tsx';

const copy = passwordCopy.forgot;
const deadLink = alertOf('RESET_CODE_DEAD');

/**
 * Spec §7: the confirmation does not wait for the answer, but an error that arrives sooner than this is shown
 * instead.
 */
const HEAD_START_MS = 1_000;

/** Spec §2, 'Olvidaste tu password?'. `state.deadLink`: the buyer opened a reset link that has expired. */
export default function ForgotPasswordPage() {
  useArrival(copy.title, config.productName);
  const navigate = useNavigate();
  const showAlert = useAlert();
  const hydrated = useHydrated();
  const state: unknown = useLocation().state;
  const email = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const hasDeadLink = hydrated && typeof state === 'object' && state !== null && 'deadLink' in state;

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    // Spec §5: the e-mail is not validated.
    const typed = email.current?.value.trim() ?? '';
    setBusy(true);
    setProblem(undefined);
    const ended = askForReset(typed).then(
      () => 'sent' as const,
      (error: unknown) => ({ error }),
    );
    const early = await Promise.race([ended, later(HEAD_START_MS)]);
    if (early === 'sent' || early === undefined) await showAlert(alerts.resetMailSent);
    const how = await ended;
    if (how === 'sent') return await navigate(paths.login);
    setProblem(sentenceFor(how.error));
    setBusy(false);
    email.current?.focus();
  }

  return (
    <PublicPage foot={<Link to={paths.login}>{copy.signIn}</Link>}>
      <h1 tabIndex={-1}>{copy.heading}</h1>
      <p className={text.muted}>{copy.intro}</p>
      <form method="post" noValidate onSubmit={(event) => void send(event)}>
        {hasDeadLink && !problem && (
          <Notice tone="pending" title={deadLink.title}>
            {deadLink.text}
          </Notice>
        )}
        {problem && <Notice tone="danger" title={problem} urgent onDismiss={() => setProblem(undefined)} />}
        <Field
          label={copy.email}
          name="email"
          type="email"
          autoComplete="username"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          ref={email}
          readOnly={busy}
        />
        <Button type="submit" variant="primary" wide waiting={!hydrated} busy={busy ? copy.busy : undefined}>
          {copy.submit}
        </Button>
      </form>
    </PublicPage>
  );
}

function later(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms));
}
