import { useAlert } from '@aparta/ui/alert.tsx';
import { Button } from '@aparta/ui/button.tsx';
import { Check } from '@aparta/ui/choice.tsx';
import { Field, PasswordField } from '@aparta/ui/field.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useHydrated } from '@aparta/ui/use-hydrated.ts';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import { ApiError, isRefused } from '../api/api-error.ts';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import { alertFor, accountAlerts, sentenceFor } from '../copy/refusals.ts';
import { isEmailTaken, register } from '../data/account.ts';
import { legalText } from '../data/legal.ts';
import { accountCopy } from './copy.ts';
import { PublicPage } from './public-page.tsx';

const copy = accountCopy.register;

/** Result of looking up one e-mail. `unknown`: it failed, and the insert will decide (rules/accounts#sign-up). */
type Lookup = { email: string; answer: Promise<'free' | 'taken' | 'unknown'> };

/** Spec §2, 'Crear mi cuenta'. */
export default function RegisterPage() {
  useArrival(copy.title, config.productName);
  const navigate = useNavigate();
  const showAlert = useAlert();
  const hydrated = useHydrated();
  const email = useRef<HTMLInputElement>(null);
  const lookup = useRef<Lookup>(undefined);
  const terms = useRef<Promise<string | undefined>>(undefined);
  const [version, setVersion] = useState<string>();
  /** The checkbox that must be ticked again. Focused once it is enabled. */
  const [unticked, setUnticked] = useState<{ box: HTMLInputElement }>();
  useEffect(() => unticked?.box.focus(), [unticked]);
  const submitting = useRef(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [emailError, setEmailError] = useState<string>();
  const [passwordError, setPasswordError] = useState<string>();

  /**
   * The version of the terms beside the checkbox. If it could not be loaded, sign-up still works and the
   * server's current one counts.
   */
  function termsInForce(): Promise<string | undefined> {
    terms.current ??= legalText('terms').then(
      (inForce) => {
        setVersion(inForce.version);
        return inForce.version;
      },
      () => {
        terms.current = undefined;
        return undefined;
      },
    );
    return terms.current;
  }

  /** Looks each address up once, however often the field loses focus. */
  function lookUp(address: string): Lookup['answer'] {
    if (lookup.current?.email !== address) {
      const answer = isEmailTaken(address).then(
        (isTaken) => (isTaken ? ('taken' as const) : ('free' as const)),
        () => 'unknown' as const,
      );
      lookup.current = { email: address, answer };
      // After a failure the next call asks again.
      void answer.then((said) => {
        if (said === 'unknown' && lookup.current?.email === address) lookup.current = undefined;
      });
    }
    return lookup.current.answer;
  }

  async function leaveEmail(address: string) {
    if (address.length < 4) return;
    const said = await lookUp(address);
    // A submit that is already running reports it itself; a changed address is not this one.
    if (said !== 'taken' || submitting.current || email.current?.value.trim() !== address) return;
    setEmailError(copy.emailTaken);
    await showAlert(accountAlerts.emailExists);
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const box = event.currentTarget.elements.namedItem('terms') as HTMLInputElement;
    const form = new FormData(event.currentTarget);
    const field = (name: string) => form.get(name) as string;
    const user = field('user').trim();
    setProblem(undefined);
    setPasswordError(undefined);
    // Spec §5: the only client-side rules of this form.
    const wrong = user === '' ? copy.emailRequired : user.length < 4 ? copy.emailTooShort : undefined;
    setEmailError(wrong);
    if (wrong) {
      email.current?.focus();
      return;
    }
    submitting.current = true;
    setBusy(true);
    try {
      // Spec §4's 'email is free' flag: submit waits for it.
      if ((await lookUp(user)) === 'taken') return await refuseTaken();
      const termsAccepted = form.has('terms');
      const shown = termsAccepted ? await termsInForce() : undefined;
      await register({
        user,
        userName: field('userName').trim(),
        phone: field('phone').trim(),
        password: field('password'),
        termsAccepted,
        ...(shown !== undefined && { termsVersion: shown }),
      });
      await showAlert(accountAlerts.registered);
      await navigate(paths.login);
    } catch (error) {
      if (isRefused(error, 'EMAIL_TAKEN')) return await refuseTaken(error);
      if (error instanceof ApiError && isRefused(error, 'TERMS_CHANGED')) unread(error, box);
      explain(error);
    } finally {
      submitting.current = false;
      setBusy(false);
    }
  }

  /** Spec §4: the warning, then login. */
  async function refuseTaken(error?: unknown) {
    await showAlert(error ? alertFor(error) : accountAlerts.emailTakenAtSubmit);
    await navigate(paths.login);
  }

  /**
   * New terms were published while the form was open: the buyer agrees to the ones shown beside the checkbox.
   */
  function unread({ failure }: ApiError, box: HTMLInputElement) {
    const inForce = failure.kind === 'refused' ? String(failure.facts.version) : undefined;
    terms.current = Promise.resolve(inForce);
    setVersion(inForce);
    box.checked = false;
    setUnticked({ box });
  }

  /** Spec §8: a failed sign-up shows in red under the form; if one field can fix it, at that field too. */
  function explain(error: unknown) {
    const sentence = sentenceFor(error);
    if (isRefused(error, 'PASSWORD_TOO_SHORT', 'PASSWORD_TOO_LONG', 'PASSWORD_TOO_COMMON')) {
      setPasswordError(sentence);
    } else if (
      error instanceof ApiError &&
      error.failure.kind === 'refused' &&
      'user' in error.failure.fields
    ) {
      setEmailError(copy.emailInvalid);
    }
    setProblem(sentence);
  }

  return (
    <PublicPage foot={<Link to={paths.home}>{copy.signIn}</Link>}>
      <h1 tabIndex={-1}>{copy.heading}</h1>
      <p className={text.muted}>{copy.intro}</p>
      <form method="post" noValidate onSubmit={(event) => void submit(event)}>
        <Field label={copy.userName} name="userName" autoComplete="name" readOnly={busy} />
        <Field
          label={copy.phone}
          name="phone"
          type="tel"
          autoComplete="tel"
          inputMode="tel"
          readOnly={busy}
        />
        <Field
          label={copy.email}
          name="user"
          type="email"
          autoComplete="username"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          ref={email}
          error={emailError}
          readOnly={busy}
          onChange={() => setEmailError(undefined)}
          onBlur={(event) => void leaveEmail(event.target.value.trim())}
        />
        <PasswordField
          label={copy.password}
          name="password"
          autoComplete="new-password"
          hint={copy.passwordHint}
          error={passwordError}
          readOnly={busy}
          onChange={() => setPasswordError(undefined)}
        />
        <div className={text.tight}>
          <Check name="terms" disabled={busy} onChange={(ticked) => ticked && void termsInForce()}>
            {copy.terms.before}
            <a href={paths.terms} target="_blank" rel="noopener">
              {copy.terms.terms}
            </a>
            {copy.terms.between}
            <a href={paths.privacy} target="_blank" rel="noopener">
              {copy.terms.privacy}
            </a>
          </Check>
          <p role="status" className={`${text.muted} ${text.small}`}>
            {copy.terms.opens}
            {version !== undefined && ` ${copy.terms.version(version)}`}
          </p>
        </div>
        <Button type="submit" variant="primary" wide waiting={!hydrated} busy={busy ? copy.busy : undefined}>
          {copy.submit}
        </Button>
        {problem && <Notice tone="danger" title={problem} urgent />}
      </form>
    </PublicPage>
  );
}
