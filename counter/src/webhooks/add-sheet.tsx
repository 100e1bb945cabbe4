import { ApiError } from '@aparta/browser/api-error.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { Button } from '@aparta/ui/button.tsx';
import { Sheet } from '@aparta/ui/dialog.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { Form, RefusedNotice, useSubmit } from '@aparta/ui/form.tsx';
import text from '@aparta/ui/text.module.css';
import { useState } from 'react';
import { add } from '../data/webhooks.ts';
import { webhooksCopy as copy } from './copy.ts';
import { SecretSheet } from './secret-sheet.tsx';

const WHY: Readonly<Record<string, string>> = {
  'already there': copy.urlTwice,
  'five at most': copy.full,
  'https, a public address': copy.urlNotAllowed,
};

/** Adds an address, and shows its secret this once. */
export function AddSheet({ onClose }: { onClose: () => void }) {
  const [secret, setSecret] = useState<string>();
  const form = useSubmit({
    check: (typed) =>
      /^https?:\/\/[^@\s]+$/i.test(typed('url').trim()) ? undefined : { errors: { url: copy.urlWrong } },
    async send(typed) {
      setSecret(await add(typed('url').trim()));
      return {};
    },
    refuse(error) {
      const failure = error instanceof ApiError ? error.failure : undefined;
      const why = failure?.kind === 'refused' ? failure.fields['url'] : undefined;
      if (why === undefined) return { title: sentenceFor(error) };
      return { errors: { url: WHY[why] ?? copy.urlWrong } };
    },
  });
  if (secret !== undefined) return <SecretSheet secret={secret} onClose={onClose} />;
  return (
    <Sheet title={copy.add} onClose={onClose}>
      <Form of={form} className={text.stack}>
        <RefusedNotice of={form} />
        <Field
          {...form.field('url')}
          label={copy.url}
          hint={copy.urlHint}
          inputMode="url"
          maxLength={500}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
        />
        <Button {...form.button(copy.adding)} variant="primary" wide>
          {copy.submit}
        </Button>
      </Form>
    </Sheet>
  );
}
