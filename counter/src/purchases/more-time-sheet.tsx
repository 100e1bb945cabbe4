import { isRefused } from '@aparta/browser/api-error.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { addDays, type DateOnly } from '@aparta/domain/calendar';
import { MORE_TIME_DAYS } from '@aparta/domain/plan-end';
import { Button } from '@aparta/ui/button.tsx';
import { Sheet } from '@aparta/ui/dialog.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { Form, RefusedNotice, useSubmit } from '@aparta/ui/form.tsx';
import text from '@aparta/ui/text.module.css';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useOnline } from '../app/use-online.ts';
import { giveMoreTime, purchaseQuery } from '../data/purchases.ts';
import { purchasesCopy } from './copy.ts';

const copy = purchasesCopy.moreTime;
const USUAL_DAYS = '15';

function daysOf(typed: string): number | undefined {
  const days = /^\d{1,2}$/.test(typed.trim()) ? Number(typed) : 0;
  return days >= MORE_TIME_DAYS.least && days <= MORE_TIME_DAYS.most ? days : undefined;
}

/** Puts the end by rule of a late plan off, by so many days: the day that comes of it stands on the button. */
export function MoreTimeSheet({
  id,
  endsOn,
  onClose,
}: {
  id: number;
  endsOn: DateOnly;
  onClose: () => void;
}) {
  const queries = useQueryClient();
  const online = useOnline();
  // What was there when it was opened: a press that is repeated names the same day.
  const [from] = useState(endsOn);
  const [typed, setTyped] = useState(USUAL_DAYS);
  const days = daysOf(typed);
  const form = useSubmit({
    check: (value) => {
      const errors = {
        ...(days === undefined && { days: copy.daysWrong }),
        ...(value('reason').trim().length < 3 && { reason: copy.reasonWrong }),
      };
      return Object.keys(errors).length > 0 ? { errors } : undefined;
    },
    async send(value) {
      await giveMoreTime(id, { endsOn: addDays(from, days ?? 0), reason: value('reason').trim() });
      void queries.invalidateQueries({ queryKey: ['purchases'] });
      await queries.invalidateQueries(purchaseQuery(id));
      onClose();
      return {};
    },
    refuse: (error) => ({ title: isRefused(error, 'INVALID_INPUT') ? copy.changed : sentenceFor(error) }),
  });
  return (
    <Sheet title={copy.title} onClose={onClose}>
      <Form of={form} className={text.stack}>
        <p>{copy.text(from)}</p>
        <Field
          {...form.field('days')}
          label={copy.days}
          inputMode="numeric"
          maxLength={2}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Field {...form.field('reason')} label={copy.reason} hint={copy.reasonHint} maxLength={200} />
        <RefusedNotice of={form} />
        <Button {...form.button(copy.busy)} wide disabled={!online}>
          {days === undefined ? copy.title : copy.submit(addDays(from, days))}
        </Button>
      </Form>
    </Sheet>
  );
}
