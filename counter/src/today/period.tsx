import { daysBetween, type DateOnly } from '@aparta/domain/calendar';
import { Button } from '@aparta/ui/button.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { Form, useSubmit } from '@aparta/ui/form.tsx';
import { useLocation } from 'wouter';
import type { DaysOf } from '../data/reports.ts';
import { todayCopy } from './copy.ts';
import styles from './today.module.css';

const copy = todayCopy.list.period;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The days that an address says; undefined where it says none. */
export function daysOf(address: URLSearchParams): DaysOf | undefined {
  const [from, to] = [address.get('desde') ?? '', address.get('hasta') ?? ''];
  return DAY.test(from) && DAY.test(to) ? { from, to } : undefined;
}

/** As many as the server answers. */
const MOST_DAYS = 400;

/** Chooses other days of the same list. */
export function Period({ from, to, addressOf }: DaysOf & { readonly addressOf: (days: DaysOf) => string }) {
  const [, navigate] = useLocation();
  const form = useSubmit({
    check: (typed) => {
      const [first, last] = [typed('from') as DateOnly, typed('to') as DateOnly];
      if (first === '' || last === '') return { errors: { [first === '' ? 'from' : 'to']: copy.missing } };
      const days = daysBetween(first, last);
      return days < 0 || days >= MOST_DAYS ? { errors: { to: copy.wrong(MOST_DAYS) } } : undefined;
    },
    async send(typed) {
      navigate(addressOf({ from: typed('from'), to: typed('to') }));
      return {};
    },
    refuse: () => ({}),
  });
  return (
    <Form of={form} className={styles.period}>
      <Field {...form.field('from')} type="date" label={copy.from} defaultValue={from} />
      <Field {...form.field('to')} type="date" label={copy.to} defaultValue={to} />
      <Button type="submit">{copy.submit}</Button>
    </Form>
  );
}
