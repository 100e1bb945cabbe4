import { Button } from '@aparta/ui/button.tsx';
import { PasswordField } from '@aparta/ui/field.tsx';
import { Form, RefusedNotice, useSubmit } from '@aparta/ui/form.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useHydrated } from '@aparta/ui/use-hydrated.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { isRefused } from '@aparta/browser/api-error.ts';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { isUnanswered } from '@aparta/browser/unanswered.ts';
import { resetOwner, setPassword, type ResetOwner } from '../data/password.ts';
import { passwordReset, type ResetLink } from '../session/password-reset.ts';
import { session } from '../session/session.ts';
import { passwordCopy } from './password-copy.ts';
import { usePasswordStrength } from './password-strength.ts';
import { PublicPage } from './public-page.tsx';

const copy = passwordCopy.change;

/** Spec §2, reset password. The link's e-mail and code were taken from the URL before the first render. */
export default function ChangePasswordPage() {
  useArrival(copy.title, config.productName);
  const [, navigate] = useLocation();
  const hydrated = useHydrated();
  const [link] = useState(passwordReset.link);
  const [owner] = useState(() => link && ownerOf(link));
  // Prerendered, where there is no link.
  const email = hydrated ? link?.email : undefined;

  const strength = usePasswordStrength();
  /** No link, or its code has expired: only a new email helps. */
  function leave() {
    const deadLink = passwordReset.mayBeUsed() ? 'by a change' : true;
    passwordReset.clear();
    navigate(paths.forgotPassword, { replace: true, state: { deadLink } });
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

  const form = useSubmit({
    // Spec §5: if they differ, nothing is sent.
    check: (typed) =>
      typed('password') === typed('again')
        ? undefined
        : { title: copy.differ, text: copy.differHint, focus: 'again' },
    async send(typed) {
      if (!link || !owner) return {};
      // Until that is known nothing is sent.
      await owner();
      const mayBeUsed = passwordReset.mayBeUsed();
      // Before it is sent: the page may be left while it has no answer.
      passwordReset.mark(true);
      try {
        await setPassword(await owner(), link, typed('password'));
      } catch (error) {
        passwordReset.mark(mayBeUsed || isUnanswered(error));
        throw error;
      }
      passwordReset.clear();
      // All sessions have ended, including this tab's; the scanned reference stays.
      if (session.user()) session.end();
      navigate(paths.login, { replace: true, state: { passwordChanged: true } });
      return 'leaving';
    },
    refuse(error) {
      if (isRefused(error, 'RESET_CODE_DEAD')) return { leave };
      const sentence = sentenceFor(error);
      return isRefused(error, 'PASSWORD_TOO_SHORT', 'PASSWORD_TOO_LONG', 'PASSWORD_TOO_COMMON')
        ? { errors: { password: sentence } }
        : { title: sentence, focus: 'password' };
    },
  });

  return (
    <PublicPage foot={<Link to={paths.login}>{copy.signIn}</Link>}>
      <h1 tabIndex={-1}>{copy.heading}</h1>
      <p className={text.muted}>{email === undefined ? copy.intro : copy.introFor(email)}</p>
      <Form of={form}>
        <RefusedNotice of={form} dismissible />
        {/* Tells password managers whose password this is. */}
        <input hidden name="username" autoComplete="username" value={email ?? ''} readOnly />
        <PasswordField
          {...form.field('password')}
          label={copy.password}
          autoComplete="new-password"
          hint={copy.passwordHint}
          {...strength.watch('username', (error) => form.amend({ errors: { password: error } }))}
        />
        <PasswordField {...form.field('again')} label={copy.again} autoComplete="new-password" />
        <Button {...form.button(copy.busy)} variant="primary" wide waiting={!hydrated}>
          {copy.submit}
        </Button>
      </Form>
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
