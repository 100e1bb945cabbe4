import { sentenceFor } from '@aparta/browser/copy.ts';
import { isEmailAddress } from '@aparta/domain/email-address';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { Form, RefusedNotice, useSubmit } from '@aparta/ui/form.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useState } from 'react';
import { config } from '../app/config.ts';
import { Entrance, EntranceHead } from '../app/entrance.tsx';
import { paths } from '../app/paths.ts';
import { askForReset } from '../data/people.ts';
import { peopleCopy } from './copy.ts';

const copy = peopleCopy.forgot;

/** Asks for the email with a link that sets another password. */
export default function ForgotPage() {
  useArrival(copy.title, config.productName);
  const [isSent, setSent] = useState(false);
  const form = useSubmit({
    check: (typed) =>
      isEmailAddress(typed('email').trim()) ? undefined : { errors: { email: peopleCopy.staff.emailWrong } },
    async send(typed) {
      await askForReset(typed('email').trim());
      setSent(true);
      return {};
    },
    refuse: (error) => ({ title: sentenceFor(error), focus: 'email' }),
  });
  return (
    <Entrance>
      <EntranceHead title={copy.title}>{copy.intro}</EntranceHead>
      <Form of={form}>
        <RefusedNotice of={form} />
        {isSent ? (
          <Notice tone="info" title={copy.sent} urgent>
            {copy.sentText}
          </Notice>
        ) : (
          <>
            <Field
              {...form.field('email')}
              label={peopleCopy.signIn.email}
              type="email"
              autoComplete="username"
              inputMode="email"
              autoCapitalize="none"
              spellCheck={false}
            />
            <Button {...form.button(copy.busy)} variant="primary" wide>
              {copy.submit}
            </Button>
          </>
        )}
        <ButtonLink variant="quiet" to={paths.signIn}>
          {copy.back}
        </ButtonLink>
      </Form>
    </Entrance>
  );
}
