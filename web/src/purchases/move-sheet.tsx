import { isRefused } from '@aparta/browser/api-error.ts';
import { alertFor, sentenceFor } from '@aparta/browser/copy.ts';
import { typedSum } from '@aparta/browser/typed-sum.ts';
import { addDays, daysBetween, type DateOnly } from '@aparta/domain/calendar';
import { subtract, type Centavos } from '@aparta/domain/money';
import { useAlert } from '@aparta/ui/alert.tsx';
import { Button } from '@aparta/ui/button.tsx';
import { Choice } from '@aparta/ui/choice.tsx';
import { Sheet, SheetFooter } from '@aparta/ui/dialog.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { Form, RefusedNotice, useSubmit } from '@aparta/ui/form.tsx';
import text from '@aparta/ui/text.module.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changingPlan } from '../data/moving.ts';
import type { PurchaseDetail } from '../data/purchases.ts';
import type { Movable, Moving } from '../data/read-moving.ts';
import { moveCopy as copy } from './move-copy.ts';
import { isLate } from './plan.ts';

/** Days later of which the first that is allowed is offered with one press, beside the last that is. */
const QUICK_DAYS = [7, 3];
const OTHER = 'other';

/** As it was when the sheet was opened: a press that is repeated asks for the same change. */
type ToChange = {
  purchaseId: number;
  instalment: Pick<PurchaseDetail['instalments'][number], 'number' | 'dueOn' | 'amount' | 'state'>;
  movable: Movable;
  moving: Moving;
};

/** Moves an instalment's day, or splits it, within the shop's rule (rules/layaways#moving): what was and what will be, before it is done. */
export default function MoveSheet({
  purchaseId,
  instalment,
  movable,
  moving,
  onClose,
}: ToChange & { onClose: () => void }) {
  const { number, dueOn, amount } = instalment;
  const { earliest, latest, firstParts } = movable;
  const queries = useQueryClient();
  const showAlert = useAlert();
  const change = useMutation(changingPlan(queries, purchaseId));
  const [kind, setKind] = useState<'move' | 'split'>('move');
  const days = quickDays(dueOn, movable);
  const [chosen, setChosen] = useState<string>(days[0] ?? OTHER);
  const [typedDay, setTypedDay] = useState('');
  const [typedFirst, setTypedFirst] = useState(() => half(amount));

  const day = chosen === OTHER ? typedDay : chosen;
  const toDay = day >= earliest && day <= latest ? day : undefined;
  const isSplit = kind === 'split' && firstParts !== undefined;
  const sum = typedSum(typedFirst);
  const isFine = isSplit && sum !== undefined && sum >= firstParts.least && sum <= firstParts.most;
  const first = isFine ? sum : undefined;

  const form = useSubmit({
    check() {
      const errors = {
        ...(toDay === undefined && { day: copy.dayWrong(earliest, latest) }),
        ...(isSplit && first === undefined && { first: copy.firstWrong(firstParts.least, firstParts.most) }),
      };
      return Object.keys(errors).length > 0 ? { errors } : undefined;
    },
    async send() {
      if (toDay === undefined) return {};
      const sequence = moving.changes.length + 1;
      await change.mutateAsync({ sequence, number, fromDay: dueOn, amount, toDay, first });
      onClose();
      await showAlert({ kind: 'success', ...saidOf(instalment, toDay, first) });
      return {};
    },
    refuse: (error) =>
      isRefused(error, 'PLAN_CHANGED', 'NOT_MOVABLE', 'PURCHASE_CANCELLED', 'PURCHASE_SETTLED')
        ? { alert: alertFor(error), leave: onClose }
        : { title: sentenceFor(error) },
  });
  const close = () => !form.busy && onClose();

  return (
    <Sheet title={copy.title(number)} onClose={close}>
      <p className={`${text.muted} ${text.small}`}>{copy.left(moving.left)}</p>
      <Form of={form} className={text.stack}>
        {firstParts && (
          <Choice
            legend={copy.what}
            name="kind"
            options={[
              { value: 'move', label: copy.move },
              { value: 'split', label: copy.split },
            ]}
            value={kind}
            onChange={setKind}
          />
        )}
        {isSplit && (
          <Field
            {...form.field('first')}
            label={isLate(instalment) ? copy.firstLate : copy.first(dueOn)}
            hint={
              (isLate(instalment) ? copy.staysLate(dueOn) : '') +
              copy.firstHint(firstParts.least, firstParts.most)
            }
            readOnly={form.busy || firstParts.least === firstParts.most}
            inputMode="decimal"
            autoComplete="off"
            value={typedFirst}
            onChange={(event) => setTypedFirst(event.currentTarget.value)}
          />
        )}
        <Choice
          legend={isSplit ? copy.whenRest : copy.when}
          name="when"
          stacked
          options={[
            ...days.map((each) => ({ value: each, label: copy.on(each, daysBetween(dueOn, each)) })),
            ...(earliest < latest ? [{ value: OTHER, label: copy.otherDay }] : []),
          ]}
          value={chosen}
          onChange={setChosen}
        />
        {chosen === OTHER && (
          <Field
            {...form.field('day')}
            type="date"
            label={copy.day}
            hint={form.errors['day'] === undefined ? copy.dayHint(earliest, latest) : undefined}
            min={earliest}
            max={latest}
            value={typedDay}
            onChange={(event) => setTypedDay(event.currentTarget.value)}
          />
        )}
        <p className={`${text.muted} ${text.small}`}>{copy.same}</p>
        <SheetFooter>
          <RefusedNotice of={form} />
          <Preview
            instalment={instalment}
            toDay={toDay}
            first={isSplit ? (first ?? 'none yet') : undefined}
          />
          <Button variant="primary" wide {...form.button(copy.saving)}>
            {isSplit ? copy.submitSplit : toDay === undefined ? copy.submitMove : copy.moveTo(toDay)}
          </Button>
        </SheetFooter>
      </Form>
    </Sheet>
  );
}

/** What was, and what will be: in sight beside the button. */
function Preview({
  instalment,
  toDay,
  first,
}: {
  instalment: ToChange['instalment'];
  toDay: DateOnly | undefined;
  /** 'none yet': it is to be split, and nobody knows how. */
  first: Centavos | 'none yet' | undefined;
}) {
  return (
    <div role="status" className={text.small}>
      <p className={text.muted}>{copy.before(instalment.amount, instalment.dueOn)}</p>
      {toDay !== undefined && first !== 'none yet' && (
        <p>
          <b>
            {first === undefined
              ? copy.after(instalment.amount, toDay)
              : copy.afterSplit(partsOf(instalment, first, toDay))}
          </b>
        </p>
      )}
    </div>
  );
}

function saidOf(
  instalment: ToChange['instalment'],
  toDay: DateOnly,
  first: Centavos | undefined,
): { title: string; text: string } {
  if (first === undefined)
    return { title: copy.moved.title, text: copy.moved.text(instalment.number, toDay) };
  return { title: copy.splitDone.title, text: copy.splitDone.text(partsOf(instalment, first, toDay)) };
}

function partsOf(instalment: ToChange['instalment'], first: Centavos, toDay: DateOnly): string {
  const { dueOn, amount } = instalment;
  return copy.parts(first, isLate(instalment) ? undefined : dueOn, subtract(amount, first), toDay);
}

/** A few days later, and the last that is allowed. */
function quickDays(dueOn: DateOnly, { earliest, latest }: Movable): DateOnly[] {
  const soon = QUICK_DAYS.map((later) => addDays(dueOn, later)).find(
    (day) => day >= earliest && day < latest,
  );
  return soon === undefined ? [latest] : [soon, latest];
}

/** Half of it in whole pesos, as it would be typed. */
function half(amount: Centavos): string {
  return String(Math.floor(amount / 200));
}
