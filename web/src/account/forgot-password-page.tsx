import { useAlert } from '@aparta/ui/alert.tsx';
import { Button } from '@aparta/ui/button.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { Form, RefusedNotice, useSubmit } from '@aparta/ui/form.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useHydrated } from '@aparta/ui/use-hydrated.ts';
import { Link, useLocation } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import { knownRefusals } from '../copy/known-refusals.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { accountAlerts } from '../copy/account-alerts.ts';
import { askForReset } from '../data/password.ts';
import { passwordCopy } from './password-copy.ts';
import { PublicPage } from './public-page.tsx';

const copy = passwordCopy.forgot;

/**
 * Spec §2, 'Olvidaste tu password?'. `state.deadLink`: the buyer opened a reset link that has expired; 'by a change' if it may have been
 * used by a press of theirs whose answer was lost.
 */
export default function ForgotPasswordPage() {
  useArrival(copy.title, config.productName);
  const [, navigate] = useLocation();
  const showAlert = useAlert();
  const hydrated = useHydrated();
  const state: unknown = useHistoryState();
  const deadLink = hydrated && typeof state === 'object' && state !== null && 'deadLink' in state;
  const whyHere =
    deadLink && state.deadLink === 'by a change' ? copy.mayBeChanged : knownRefusals.RESET_CODE_DEAD;

  const form = useSubmit({
    async send(typed) {
      // Spec §5: the e-mail is not validated.
      const sent = askForReset(typed('email').trim());
      // Spec §7: the confirmation does not wait for the answer. Being offline is known at once.
      await Promise.race([sent, nextTask()]);
      await showAlert(accountAlerts.resetMailSent);
      navigate(paths.login);
      // Nobody waits for an email that will not come.
      sent.catch((error: unknown) =>
        showAlert({ kind: 'warning', title: copy.notSent, text: sentenceFor(error) }),
      );
      return 'leaving';
    },
    refuse: (error) => ({ title: sentenceFor(error), focus: 'email' }),
  });

  return (
    <PublicPage foot={<Link to={paths.login}>{copy.signIn}</Link>}>
      <h1 tabIndex={-1}>{copy.heading}</h1>
      <p className={text.muted}>{copy.intro}</p>
      <Form of={form}>
        {deadLink && !form.title && (
          // A sentence before another; as an alert's title it stands alone.
          <Notice tone="pending" title={`${whyHere.title}.`}>
            {whyHere.text}
          </Notice>
        )}
        <RefusedNotice of={form} dismissible />
        <Field
          {...form.field('email')}
          label={copy.email}
          type="email"
          autoComplete="username"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Button {...form.button(copy.busy)} variant="primary" wide>
          {copy.submit}
        </Button>
      </Form>
    </PublicPage>
  );
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
