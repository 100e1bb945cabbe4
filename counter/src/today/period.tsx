import { daysBetween, type DateOnly } from '@aparta/domain/calendar';
import { Button } from '@aparta/ui/button.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { Form, useSubmit } from '@aparta/ui/form.tsx';
import { Page, PageHead } from '@aparta/ui/page.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import type { ReactNode } from 'react';
import { Redirect, useLocation, useSearchParams } from 'wouter';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import type { DaysOf } from '../data/reports.ts';
import { todayCopy } from './copy.ts';
import styles from './today.module.css';

const copy = todayCopy.list.period;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A page that lists what happened in the days that its address says, and leads to other days. `of`: what of it. */
export function DaysPage({
  title,
  of,
  addressOf,
  children,
}: {
  readonly title: string;
  readonly of?: string | undefined;
  readonly addressOf: (days: DaysOf) => string;
  readonly children: (days: DaysOf) => ReactNode;
}) {
  useArrival(title, config.productName);
  const [address] = useSearchParams();
  const days = daysOf(address);
  if (days === undefined) return <Redirect to={paths.today} replace />;
  const { from, to } = days;
  return (
    <Page>
      <div className={`${styles.column} ${text.stack}`}>
        <PageHead title={title}>
          {todayCopy.list.days(from, to)}
          {of && ` · ${of}`}
        </PageHead>
        <Period key={`${from} ${to}`} from={from} to={to} addressOf={addressOf} />
        {children(days)}
      </div>
    </Page>
  );
}

/** The days that an address says; undefined where it says none. */
function daysOf(address: URLSearchParams): DaysOf | undefined {
  const [from, to] = [address.get('desde') ?? '', address.get('hasta') ?? ''];
  return DAY.test(from) && DAY.test(to) ? { from, to } : undefined;
}

/** As many as the server answers. */
const MOST_DAYS = 400;

/** Chooses other days of the same list. */
function Period({ from, to, addressOf }: DaysOf & { readonly addressOf: (days: DaysOf) => string }) {
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
