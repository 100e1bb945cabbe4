import { ButtonLink } from '@aparta/ui/button.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { isRefused } from '@aparta/browser/api-error.ts';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import { knownRefusals } from '../copy/known-refusals.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { confirmEmail } from '../data/email-confirmation.ts';
import { emailConfirmation } from '../session/email-confirmation.ts';
import { useUser } from '../session/session.ts';
import { confirmCopy as copy } from './confirm-copy.ts';
import { PublicPage } from './public-page.tsx';

type Outcome = { is: 'asking' | 'done' | 'dead' } | { is: 'failed'; error: unknown };

const deadLink = knownRefusals.CONFIRMATION_DEAD;

/** Ours: the target of the welcome email's link. The code was taken from the URL before the first render. */
export default function ConfirmEmailPage() {
  useArrival(copy.title, config.productName);
  const user = useUser();
  const [confirm] = useState(confirmation);
  const [outcome, setOutcome] = useState<Outcome>({ is: 'asking' });

  useEffect(() => void confirm().then(setOutcome), [confirm]);

  if (outcome.is === 'failed') {
    return (
      <PublicPage foot={<Link to={paths.home}>{copy.toHome}</Link>}>
        <h1 tabIndex={-1}>{copy.title}</h1>
        <Failed
          title={copy.failed}
          text={sentenceFor(outcome.error)}
          onRetry={() => {
            setOutcome({ is: 'asking' });
            void confirm().then(setOutcome);
          }}
        />
      </PublicPage>
    );
  }
  const [heading, sentence] = {
    asking: [copy.asking, ''],
    done: [copy.done, copy.doneText],
    dead: [deadLink.title, copy.deadText],
  }[outcome.is];
  return (
    <PublicPage foot={user ? <Link to={paths.home}>{copy.toHome}</Link> : null}>
      <div className={text.stack}>
        <div role="status" className={text.stack}>
          <h1 tabIndex={-1}>{heading}</h1>
          {sentence && <p className={text.muted}>{sentence}</p>}
        </div>
        {/* The link's code is in its fragment, which only a script can send. */}
        <noscript>
          <p>{copy.withoutScripts}</p>
        </noscript>
        {outcome.is !== 'asking' &&
          (user ? (
            <ButtonLink to={outcome.is === 'done' ? paths.home : paths.profile} variant="primary" wide>
              {outcome.is === 'done' ? copy.toHome : copy.toProfile}
            </ButtonLink>
          ) : (
            <ButtonLink to={paths.login} variant="primary" wide>
              {copy.signIn}
            </ButtonLink>
          ))}
      </div>
    </PublicPage>
  );
}

/**
 * Spends the link's code once, however often the page renders; retries only if the request did not get
 * through.
 */
function confirmation(): () => Promise<Outcome> {
  let asked: Promise<Outcome> | undefined;
  return () => {
    asked ??= outcomeOf(emailConfirmation.code()).then((outcome) => {
      if (outcome.is === 'failed') asked = undefined;
      return outcome;
    });
    return asked;
  };
}

async function outcomeOf(code: string | undefined): Promise<Outcome> {
  if (code === undefined) return { is: 'dead' };
  try {
    await confirmEmail(code);
    emailConfirmation.clear();
    return { is: 'done' };
  } catch (error) {
    if (!isRefused(error, 'CONFIRMATION_DEAD', 'INVALID_INPUT')) return { is: 'failed', error };
    emailConfirmation.clear();
    return { is: 'dead' };
  }
}
