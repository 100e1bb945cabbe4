import type { DateOnly } from '@aparta/domain/calendar';
import { AppLink } from '@aparta/ui/app-link.tsx';
import { Button } from '@aparta/ui/button.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { Form, useSubmit } from '@aparta/ui/form.tsx';
import { useLocation } from 'wouter';
import type { Range } from '../data/statement.ts';
import { statementCopy as copy } from './statement-copy.ts';
import { isAsked, NAMED_RANGES, statementAddress, type NamedRange } from './statement-range.ts';
import styles from './statement.module.css';

/** Chooses the days: those with a name, or any. */
export function Period({ name, range }: { name: NamedRange | undefined; range: Range }) {
  const [, navigate] = useLocation();
  const form = useSubmit({
    check: (typed) => {
      const [from, to] = [typed('from') as DateOnly, typed('to') as DateOnly];
      if (from === '' || to === '') return { errors: { [from === '' ? 'from' : 'to']: copy.missing } };
      return isAsked({ from, to }) ? undefined : { errors: { to: copy.wrong } };
    },
    async send(typed) {
      navigate(statementAddress({ from: typed('from'), to: typed('to') }));
      return {};
    },
    refuse: () => ({}),
  });
  return (
    <div className={styles.period}>
      <nav className={styles.ranges} aria-label={copy.rangesLabel}>
        {NAMED_RANGES.map((each) => (
          <AppLink
            key={each}
            className={styles.range}
            to={statementAddress(each)}
            aria-current={each === name ? 'page' : undefined}
          >
            {copy.ranges[each]}
          </AppLink>
        ))}
      </nav>
      <details className={styles.own} open={name === undefined}>
        <summary>{copy.own}</summary>
        <Form of={form} className={styles.days}>
          <Field {...form.field('from')} type="date" label={copy.from} defaultValue={range.from} />
          <Field {...form.field('to')} type="date" label={copy.to} defaultValue={range.to} />
          <Button type="submit">{copy.submit}</Button>
        </Form>
      </details>
    </div>
  );
}
