import { isEmailAddress } from '@aparta/domain/email-address';
import { holdsWebAddress } from '@aparta/domain/web-address';
import { useAlert } from '@aparta/ui/alert.tsx';
import { Button } from '@aparta/ui/button.tsx';
import { Field, PasswordField } from '@aparta/ui/field.tsx';
import { Form, RefusedNotice, useSubmit } from '@aparta/ui/form.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { ApiError, isRefused } from '@aparta/browser/api-error.ts';
import { isUnanswered } from '@aparta/browser/unanswered.ts';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import { alertFor, sentenceFor } from '@aparta/browser/copy.ts';
import { accountAlerts } from '../copy/account-alerts.ts';
import { opensWith, register } from '../data/sign-up.ts';
import { registerCopy, takenAlerts } from './register-copy.ts';
import { useEmailLookup } from './email-lookup.ts';
import { usePasswordStrength } from './password-strength.ts';
import { PublicPage } from './public-page.tsx';
import type { Arrival } from './sign-in-page.tsx';
import { TermsCheck, useTerms } from './terms-check.tsx';

const copy = registerCopy;

/** Spec §2, 'Crear mi cuenta'. */
export default function RegisterPage() {
  useArrival(copy.title, config.productName);
  const [, navigate] = useLocation();
  const showAlert = useAlert();
  const email = useRef<HTMLInputElement>(null);
  const lookUp = useEmailLookup();
  const terms = useTerms();
  const strength = usePasswordStrength();
  /** The address of a submit whose answer was lost: an account that it has now may be this buyer's. */
  const unanswered = useRef<string>(undefined);
  const toLogin = (user: string) =>
    navigate(paths.login, { replace: true, state: { email: user } satisfies Arrival });

  const form = useSubmit({
    check(typed) {
      const problem = emailProblem(typed('user').trim());
      const name = holdsWebAddress(typed('userName')) ? copy.nameIsAddress : undefined;
      return problem === undefined && name === undefined
        ? undefined
        : { errors: { user: problem, userName: name } };
    },
    async send(typed, isOpen) {
      const user = typed('user').trim();
      // Spec §4's 'email is free' flag: submit waits for it. The warning, then login.
      if (unanswered.current !== user && (await lookUp(user)) === 'taken')
        return { alert: takenAlerts.emailTakenAtSubmit, leave: () => toLogin(user) };
      const termsAccepted = typed('terms') !== '';
      const termsVersion = termsAccepted ? await terms.inForce() : undefined;
      if (!isOpen()) return {};
      const password = typed('password');
      try {
        await register({
          user,
          userName: typed('userName').trim(),
          phone: typed('phone').trim(),
          password,
          termsAccepted,
          ...(termsVersion !== undefined && { termsVersion }),
        });
      } catch (error) {
        if (isUnanswered(error)) unanswered.current = user;
        if (unanswered.current !== user || !isRefused(error, 'EMAIL_TAKEN')) throw error;
        if (!(await opensWith(user, password)))
          return { alert: takenAlerts.maybeMade, leave: () => toLogin(user) };
      }
      await showAlert(accountAlerts.registered);
      toLogin(user);
      return 'leaving';
    },
    /** Spec §8: a failed sign-up shows in red under the form; if one field can fix it, at that field too. */
    refuse(error, typed) {
      const title = sentenceFor(error);
      if (!(error instanceof ApiError) || error.failure.kind !== 'refused') return { title };
      const { code, facts, fields } = error.failure;
      if (code === 'EMAIL_TAKEN')
        return { alert: alertFor(error), leave: () => toLogin(typed('user').trim()) };
      if (code === 'TERMS_CHANGED') {
        terms.replacedBy(String(facts.version));
        return { title, focus: 'terms' };
      }
      const isPassword = code.startsWith('PASSWORD_TOO_');
      return {
        title,
        errors: isPassword ? { password: title } : 'user' in fields ? { user: copy.emailInvalid } : {},
      };
    },
  });

  async function leaveEmail(address: string) {
    if (address.length < 4) return;
    if (!isEmailAddress(address)) return form.amend({ errors: { user: copy.emailInvalid } });
    const said = await lookUp(address);
    // A submit that is already running reports it itself; a changed address is not this one.
    if (said !== 'taken' || form.running.current || email.current?.value.trim() !== address) return;
    // Theirs, by a submit whose answer was lost: the next one says so.
    if (unanswered.current === address) return;
    form.amend({ errors: { user: copy.emailTaken } });
    await showAlert(takenAlerts.emailExists);
  }

  return (
    <PublicPage foot={<Link to={paths.home}>{copy.signIn}</Link>}>
      <h1 tabIndex={-1}>{copy.heading}</h1>
      <p className={text.muted}>{copy.intro}</p>
      <Form of={form}>
        <fieldset className={text.stack} disabled={form.busy}>
          <Field
            {...form.field('userName')}
            label={copy.userName}
            hint={copy.optional}
            autoComplete="name"
            maxLength={80}
          />
          <Field
            {...form.field('phone')}
            label={copy.phone}
            hint={copy.optional}
            type="tel"
            autoComplete="tel"
            inputMode="tel"
            maxLength={30}
          />
          <Field
            {...form.field('user')}
            label={copy.email}
            type="email"
            autoComplete="username"
            inputMode="email"
            autoCapitalize="none"
            spellCheck={false}
            ref={email}
            onBlur={(event) => void leaveEmail(event.target.value.trim())}
          />
          <PasswordField
            {...form.field('password')}
            label={copy.password}
            autoComplete="new-password"
            hint={copy.passwordHint}
            {...strength.watch('user', (error) => form.amend({ errors: { password: error } }))}
          />
          <TermsCheck of={terms} ticked={form.field('terms').defaultValue !== undefined} />
        </fieldset>
        <Button {...form.button(copy.busy)} variant="primary" wide>
          {copy.submit}
        </Button>
        <RefusedNotice of={form} />
      </Form>
    </PublicPage>
  );
}

/** Spec §5 asks for four characters; the rest is what the server takes (rules/accounts#sign-up). */
function emailProblem(address: string): string | undefined {
  if (address.length === 0) return copy.emailRequired;
  if (address.length < 4) return copy.emailTooShort;
  return isEmailAddress(address) ? undefined : copy.emailInvalid;
}
