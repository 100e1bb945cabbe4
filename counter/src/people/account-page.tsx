import { isRefused } from '@aparta/browser/api-error.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { Button } from '@aparta/ui/button.tsx';
import { PasswordField } from '@aparta/ui/field.tsx';
import { Form, RefusedNotice, useSubmit } from '@aparta/ui/form.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { Page, PageHead } from '@aparta/ui/page.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { may } from '@aparta/domain/staff-rights';
import { useState } from 'react';
import { config } from '../app/config.ts';
import { changePassword, changePin } from '../data/people.ts';
import { useSession } from '../session/session.ts';
import { MailChoices } from './mail-choices.tsx';
import { peopleCopy } from './copy.ts';
import styles from './people.module.css';
import { Passkeys } from './passkeys.tsx';
import { OwnSessions } from './own-sessions.tsx';

const copy = peopleCopy.account;

/** What is one's own: the PIN, the password, and where one is signed in. */
export default function AccountPage() {
  useArrival(copy.title, config.productName);
  const role = useSession()?.position.role;
  return (
    <Page>
      <div className={`${styles.column} ${text.loose}`}>
        <PageHead title={copy.title} />
        {role && may(role, 'set_pin') && <PinForm />}
        <Passkeys />
        {role && may(role, 'own_mails') && <MailChoices />}
        <PasswordForm />
        <OwnSessions />
      </div>
    </Page>
  );
}

function PinForm() {
  const [times, setTimes] = useState(0);
  const form = useSubmit({
    check: (typed) => (/^\d{6}$/.test(typed('pin')) ? undefined : { errors: { pin: copy.pinWrong } }),
    async send(typed) {
      await changePin(typed('current'), typed('pin'));
      setTimes((before) => before + 1);
      return {};
    },
    refuse: (error) => ({
      title: sentenceFor(error),
      focus: isRefused(error, 'PIN_TOO_EASY') ? 'pin' : 'current',
    }),
  });
  return (
    <Form of={form} className={`${text.card} ${text.stack}`}>
      <h2>{copy.pinTitle}</h2>
      <p className={text.muted}>{copy.pinIntro}</p>
      <RefusedNotice of={form} />
      {times > 0 && !form.title && <Notice tone="info" title={copy.pinDone} urgent />}
      <PasswordField
        key={`pin-${times}`}
        {...form.field('pin')}
        label={copy.pin}
        autoComplete="new-password"
        inputMode="numeric"
        maxLength={6}
      />
      <PasswordField
        key={`current-${times}`}
        {...form.field('current')}
        label={copy.current}
        autoComplete="current-password"
      />
      <Button {...form.button(copy.busy)} wide>
        {copy.pinSubmit}
      </Button>
    </Form>
  );
}

function PasswordForm() {
  const [times, setTimes] = useState(0);
  const form = useSubmit({
    async send(typed) {
      await changePassword(typed('current'), typed('password'));
      setTimes((before) => before + 1);
      return {};
    },
    refuse: (error) => ({
      title: sentenceFor(error),
      focus: isRefused(error, 'WRONG_PASSWORD') ? 'current' : 'password',
    }),
  });
  return (
    <Form of={form} className={`${text.card} ${text.stack}`}>
      <h2>{copy.passwordTitle}</h2>
      <RefusedNotice of={form} />
      {times > 0 && !form.title && <Notice tone="info" title={copy.passwordDone} urgent />}
      <PasswordField
        key={`current-${times}`}
        {...form.field('current')}
        label={copy.current}
        autoComplete="current-password"
      />
      <PasswordField
        key={`new-${times}`}
        {...form.field('password')}
        label={peopleCopy.newPassword}
        hint={peopleCopy.newPasswordHint}
        autoComplete="new-password"
      />
      <Button {...form.button(copy.busy)} wide>
        {copy.passwordSubmit}
      </Button>
    </Form>
  );
}
