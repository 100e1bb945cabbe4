import { sentenceFor } from '@aparta/browser/copy.ts';
import { Button } from '@aparta/ui/button.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { Form, RefusedNotice, useSubmit } from '@aparta/ui/form.tsx';
import { LineItems } from '@aparta/ui/line-items.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { namingCollector } from '../data/pickup.ts';
import { pickupCopy as copy } from './pickup-copy.ts';

/** Who may collect, and naming somebody else. */
export function Collector({ purchaseId, collector }: { purchaseId: number; collector: string | undefined }) {
  const [isNaming, setNaming] = useState<boolean>();
  const queries = useQueryClient();
  const naming = useMutation(namingCollector(queries, purchaseId));
  const form = useSubmit({
    check: (typed) => (typed('name').trim().length < 3 ? { errors: { name: copy.nameWrong } } : undefined),
    async send(typed) {
      await naming.mutateAsync(typed('name').trim());
      setNaming(false);
      return {};
    },
    refuse: (error) => ({ title: sentenceFor(error) }),
  });
  const myself = useMutation(namingCollector(queries, purchaseId));
  return (
    <div className={text.tight}>
      <LineItems rows={[{ label: copy.who, text: collector ?? copy.you }]} />
      {isNaming ? (
        <Form of={form} className={text.stack}>
          <RefusedNotice of={form} />
          {myself.error && <Notice tone="danger" title={sentenceFor(myself.error)} urgent />}
          <Field
            {...form.field('name')}
            label={copy.name}
            hint={copy.nameHint}
            autoComplete="off"
            defaultValue={collector ?? ''}
            maxLength={80}
            // The button that asked for it has gone, as the form has when the button is back.
            autoFocus
          />
          <div className={text.pair}>
            <Button {...form.button(copy.saving)}>{copy.save}</Button>
            {collector !== undefined && (
              <Button
                variant="quiet"
                busy={myself.isPending ? copy.saving : undefined}
                onClick={() => myself.mutate(null, { onSuccess: () => setNaming(false) })}
              >
                {copy.yourself}
              </Button>
            )}
          </div>
        </Form>
      ) : (
        <Button variant="quiet" autoFocus={isNaming === false} onClick={() => setNaming(true)}>
          {collector === undefined ? copy.other : copy.change}
        </Button>
      )}
    </div>
  );
}
