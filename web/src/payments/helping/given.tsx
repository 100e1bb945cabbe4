import { Choice } from '@aparta/ui/choice.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { LineItems } from '@aparta/ui/line-items.tsx';
import type { Helped } from '../../data/helping.ts';
import { paymentsCopy } from '../copy.ts';
import { helpingCopy as copy } from './copy.ts';
import { sumsOf, type Typed, type Method } from './typed.ts';

/** How much a helper gives, and as whom. */
export function Given({
  helped,
  typed,
  onTyped,
  isPaying,
  errors,
  methods,
  longestName,
}: {
  helped: Helped;
  typed: Typed;
  onTyped: (typed: Typed) => void;
  isPaying: boolean;
  errors: Partial<Record<'other' | 'name' | 'email', string | undefined>>;
  methods: readonly Method[];
  longestName: number;
}) {
  const { options, which, sum, totals, fee } = sumsOf(helped, typed);
  const { goalLeft = helped.most, least, most } = helped;
  const labels = { goal: copy.goalLeft(goalLeft), all: copy.all(most), other: copy.other };
  return (
    <>
      {options.length > 1 && (
        <Choice
          legend={copy.sum}
          name="sum"
          stacked
          options={options.map((value) => ({ value, label: labels[value] }))}
          value={which}
          only={isPaying ? which : undefined}
          onChange={(chosen) => onTyped({ ...typed, which: chosen })}
        />
      )}
      {which === 'other' && (
        <Field
          name="other"
          label={copy.otherField}
          hint={copy.otherHint(least, most)}
          error={errors.other}
          inputMode="decimal"
          autoComplete="off"
          readOnly={isPaying}
          value={typed.other}
          onChange={(event) => onTyped({ ...typed, other: event.currentTarget.value })}
        />
      )}
      {methods.length > 1 && (
        <Choice
          legend={copy.method}
          name="method"
          stacked
          options={methods.map((value) => ({ value, label: copy[value](totals[value]) }))}
          value={typed.method}
          only={isPaying ? typed.method : undefined}
          onChange={(method) => onTyped({ ...typed, method })}
        />
      )}
      {sum !== undefined && fee > 0 && (
        <LineItems
          rows={[
            { label: copy.help, amount: sum },
            { label: paymentsCopy.fee, amount: fee },
          ]}
        />
      )}
      <Field
        name="name"
        label={copy.name}
        hint={copy.nameHint(helped.firstName)}
        error={errors.name}
        autoComplete="given-name"
        maxLength={longestName}
        readOnly={isPaying}
        value={typed.name}
        onChange={(event) => onTyped({ ...typed, name: event.currentTarget.value })}
      />
      <Field
        name="email"
        type="email"
        label={copy.email}
        hint={copy.emailHint}
        error={errors.email}
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        readOnly={isPaying}
        value={typed.email}
        onChange={(event) => onTyped({ ...typed, email: event.currentTarget.value })}
      />
    </>
  );
}
