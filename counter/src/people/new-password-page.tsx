import { sentenceFor } from '@aparta/browser/copy.ts';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { PasswordField } from '@aparta/ui/field.tsx';
import { Form, RefusedNotice, useSubmit } from '@aparta/ui/form.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useState } from 'react';
import { config } from '../app/config.ts';
import { Entrance, EntranceHead } from '../app/entrance.tsx';
import { useLinkCode } from '../app/link-code.ts';
import { paths } from '../app/paths.ts';
import { resetPassword } from '../data/people.ts';
import { peopleCopy } from './copy.ts';

const copy = peopleCopy.reset;

/** Where the email's link leads: another password. */
export default function NewPasswordPage() {
  useArrival(copy.title, config.productName);
  const code = useLinkCode();
  const [isDone, setDone] = useState(false);
  const form = useSubmit({
    async send(typed) {
      await resetPassword(code, typed('password'));
      setDone(true);
      return {};
    },
    refuse: (error) => ({ title: sentenceFor(error), focus: 'password' }),
  });
  return (
    <Entrance>
      <EntranceHead title={copy.title}>{copy.intro}</EntranceHead>
      <Form of={form}>
        <RefusedNotice of={form} />
        {isDone ? (
          <Notice tone="info" title={copy.done} urgent>
            {copy.doneText}
          </Notice>
        ) : (
          <>
            <PasswordField
              {...form.field('password')}
              label={peopleCopy.newPassword}
              hint={peopleCopy.newPasswordHint}
              autoComplete="new-password"
            />
            <Button {...form.button(copy.busy)} variant="primary" wide>
              {copy.submit}
            </Button>
          </>
        )}
        <ButtonLink variant={isDone ? 'primary' : 'quiet'} to={paths.signIn}>
          {peopleCopy.forgot.back}
        </ButtonLink>
      </Form>
    </Entrance>
  );
}
