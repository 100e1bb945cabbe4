import { daysBetween, type DateOnly } from '@aparta/domain/calendar';
import { Button } from '@aparta/ui/button.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { Form, useSubmit } from '@aparta/ui/form.tsx';
import { useLocation } from 'wouter';
import { takingsAddress } from '../app/paths.ts';
import type { TakingsOf } from '../data/reports.ts';
import { todayCopy } from './copy.ts';
import styles from './today.module.css';

const copy = todayCopy.list.period;
/** As many as the server answers. */
const MOST_DAYS = 400;

/** Chooses other days. */
export function Period({ from, to, method }: TakingsOf) {
  const [, navigate] = useLocation();
  const form = useSubmit({
    check: (typed) => {
      const [first, last] = [typed('from') as DateOnly, typed('to') as DateOnly];
      if (first === '' || last === '') return { errors: { [first === '' ? 'from' : 'to']: copy.missing } };
      const days = daysBetween(first, last);
      return days < 0 || days >= MOST_DAYS ? { errors: { to: copy.wrong(MOST_DAYS) } } : undefined;
    },
    async send(typed) {
      navigate(takingsAddress({ from: typed('from'), to: typed('to'), ...(method && { method }) }));
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
