import { isRefused } from '@aparta/browser/api-error.ts';
import { alertFor, sentenceFor } from '@aparta/browser/copy.ts';
import { Button } from '@aparta/ui/button.tsx';
import { download } from '@aparta/ui/download.ts';
import { PasswordField } from '@aparta/ui/field.tsx';
import { Form, RefusedNotice, useSubmit } from '@aparta/ui/form.tsx';
import text from '@aparta/ui/text.module.css';
import { exportedData } from '../data/activity.ts';
import { yourDataCopy as copy } from './your-data-copy.ts';

/** Downloads all that is kept of the buyer, once they gave their password again. `onDone`: under which name, or not at all. */
export default function ExportData({ onDone }: { onDone: (fileName?: string) => void }) {
  const form = useSubmit({
    async send(typed, isOpen) {
      const file = await exportedData(typed('password'));
      if (!isOpen()) return {};
      download(file);
      onDone(file.name);
      return {};
    },
    refuse: (error) =>
      isRefused(error, 'WRONG_PASSWORD') ? { errors: { password: sentenceFor(error) } } : alertFor(error),
  });
  return (
    <Form of={form} className={text.stack}>
      <p>{copy.dataWhat}</p>
      <RefusedNotice of={form} />
      <PasswordField
        {...form.field('password')}
        label={copy.password}
        autoComplete="current-password"
        autoFocus
        required
      />
      <div className={text.pair}>
        <Button {...form.button(copy.busy)} icon="save">
          {copy.submit}
        </Button>
        <Button variant="quiet" onClick={() => onDone()}>
          {copy.cancel}
        </Button>
      </div>
    </Form>
  );
}
