import { ApiError, isRefused } from '@aparta/browser/api-error.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { newId } from '@aparta/browser/new-id.ts';
import { canBeCut, differenceIn, expectedIn, whatNeedsReason } from '@aparta/domain/cut';
import { centavosToPesos, zero, type Centavos } from '@aparta/domain/money';
import { Button } from '@aparta/ui/button.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { Form, RefusedNotice, useSubmit } from '@aparta/ui/form.tsx';
import { LineItems } from '@aparta/ui/line-items.tsx';
import text from '@aparta/ui/text.module.css';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { paths } from '../app/paths.ts';
import { typedSum } from '@aparta/browser/typed-sum.ts';
import { isUnanswered } from '@aparta/browser/unanswered.ts';
import { useOnline } from '../app/use-online.ts';
import { closeDrawer, cutQuery, type Shift } from '../data/cuts.ts';
import { NetAmount } from '../lists/net-amount.tsx';
import { cutsCopy as copy } from './copy.ts';

/** `isSent`: nobody knows yet whether its cut was closed. */
export interface Sending {
  readonly isSent: boolean;
  readonly onSent: (isSent: boolean) => void;
}

/**
 * Counts a drawer and closes its cut, which it leads to. One form is one press: sent again it is the same cut, so what was
 * sent stays as it was until it is known.
 */
export function CountForm({ shift, isSent, onSent }: { shift: Shift } & Sending) {
  const queries = useQueryClient();
  const online = useOnline();
  const [, navigate] = useLocation();
  const [id] = useState(newId);
  const usual = shift.floatBefore;
  // Another cut may follow while this one is counted: what stands in the field stays.
  const [prefilled] = useState(usual ?? zero);
  const [float, setFloat] = useState<Centavos>(prefilled);
  const [counted, setCounted] = useState<Centavos>();
  const drawer = { ...shift.drawer, floatCentavos: float };
  const difference = counted === undefined ? undefined : differenceIn(drawer, counted);
  const { isOff, isOtherFloat } = whatNeedsReason(drawer, counted, usual);
  const needsReason = isOff || isOtherFloat;

  function refresh() {
    for (const key of ['shifts', 'cuts']) void queries.invalidateQueries({ queryKey: [key] });
  }

  const form = useSubmit({
    check: (typed) => {
      if (!canBeCut(shift.movements)) return { title: copy.nothing };
      const errors: Record<string, string> = {};
      if (typed('float').trim() !== '' && typedSum(typed('float')) === undefined)
        errors['float'] = copy.floatWrong;
      if (counted === undefined) errors['counted'] = copy.countWrong;
      if (needsReason && typed('reason').trim().length < 3)
        errors['reason'] = isOff ? copy.reasonWrong : copy.floatReasonWrong;
      return Object.keys(errors).length > 0 ? { errors } : undefined;
    },
    async send(typed, isOpen) {
      if (counted === undefined) return {};
      const reason = needsReason ? typed('reason').trim() : undefined;
      onSent(true);
      const cut = await closeDrawer(shift, { id, float, counted, reason });
      queries.setQueryData(cutQuery(cut.id).queryKey, cut);
      refresh();
      if (isOpen()) navigate(paths.cut(cut.id));
      return 'leaving';
    },
    refuse: (error) => {
      if (isUnanswered(error)) return { title: copy.unanswered };
      // Of a press without an answer only a look into the drawer tells.
      if (!isSent || isRefused(error, 'CUT_CHANGED')) {
        onSent(false);
        refresh();
      }
      return { title: isUnexplained(error) ? copy.unexplained : sentenceFor(error) };
    },
  });

  return (
    <Form of={form} className={text.stack}>
      <RefusedNotice of={form} />
      <Field
        {...form.field('float')}
        readOnly={isSent}
        label={copy.float}
        hint={usual ? copy.floatAsBefore(usual) : copy.floatHint}
        {...(prefilled > 0 && { defaultValue: String(centavosToPesos(prefilled)) })}
        inputMode="decimal"
        autoComplete="off"
        // The button that asked for the form has gone.
        autoFocus={prefilled === 0}
        onInput={(event) => setFloat(typedSum(event.currentTarget.value) ?? zero)}
      />
      <Field
        {...form.field('counted')}
        readOnly={isSent}
        label={copy.countField}
        inputMode="decimal"
        autoComplete="off"
        autoFocus={prefilled > 0}
        onInput={(event) => setCounted(typedSum(event.currentTarget.value))}
      />
      {/* It stands before: a status that came with its text would not be announced. */}
      <div role="status">
        {difference !== undefined && (
          <LineItems
            rows={[
              { label: copy.expected, text: <NetAmount of={expectedIn(drawer)} size="plain" /> },
              { label: copy.difference, text: copy.says(difference), strong: true },
            ]}
          />
        )}
      </div>
      {needsReason && (
        <Field
          {...form.field('reason')}
          readOnly={isSent}
          label={isOff ? (isOtherFloat ? copy.bothReasons : copy.reason) : copy.floatReason}
          hint={isOff ? copy.reasonHint : undefined}
          maxLength={200}
        />
      )}
      <p className={`${text.muted} ${text.small}`}>{copy.final}</p>
      <Button {...form.button(copy.busy)} variant="primary" wide disabled={!online}>
        {copy.submit}
      </Button>
    </Form>
  );
}

/** The server knows of something to explain that this screen does not. */
function isUnexplained(error: unknown): boolean {
  const failure = error instanceof ApiError ? error.failure : undefined;
  return failure?.kind === 'refused' && failure.fields['reason'] === 'missing';
}
