import { isRefused } from '@aparta/browser/api-error.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { isUnanswered } from '@aparta/browser/unanswered.ts';
import { PRODUCT_LENGTHS } from '@aparta/domain/product-lengths';
import { Button } from '@aparta/ui/button.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { Select, TextArea } from '@aparta/ui/other-fields.tsx';
import { Form, RefusedNotice, useSubmit, type Refusal, type Sent } from '@aparta/ui/form.tsx';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, type ChangeEvent, type ReactNode } from 'react';
import { useOnline } from '../app/use-online.ts';
import { planTermsQuery, type Entry } from '../data/products.ts';
import { productsCopy } from './copy.ts';
import type { Fields } from './draft.ts';
import { entryFrom } from './entry.ts';
import { PlanPreview } from './plan-preview.tsx';
import styles from './products.module.css';

const copy = productsCopy.form;
const RATES = [16, 8, 0].map((percent) => ({ value: String(percent), label: copy.rate(percent) }));

/** The fields of a product, with the plan that its price makes. What cannot be saved stays as it was typed. */
export function ProductForm({
  fields,
  type,
  submit,
  picture,
  notice,
  other,
  send,
}: {
  fields: Fields;
  type: (name: keyof Fields, text: string) => void;
  submit: string;
  /** Of a new product, whose picture goes with it. */
  picture?: ReactNode;
  /** What came of the last press, above the button. */
  notice?: ReactNode;
  /** Another way on, below it. */
  other?: ReactNode;
  /** `isOpen` tells whether its person is still there to be led on. */
  send: (entry: Entry, isOpen: () => boolean) => Promise<Sent>;
}) {
  const { data: terms, isPending } = useQuery(planTermsQuery);
  const online = useOnline();
  const told = useRef<HTMLDivElement>(null);
  const isTold = Boolean(notice);
  // It pushes the button down: on a phone both would be out of sight.
  useEffect(() => {
    if (isTold) told.current?.scrollIntoView({ block: 'center' });
  }, [isTold]);
  const form = useSubmit({
    check: () => {
      const read = entryFrom(fields, terms);
      return 'errors' in read ? read : undefined;
    },
    async send(_typed, isOpen) {
      const read = entryFrom(fields, terms);
      return 'errors' in read ? read : send(read.entry, isOpen);
    },
    refuse: problemOf,
  });
  const field = (name: keyof Fields) => ({
    ...form.field(name),
    label: copy.labels[name],
    value: fields[name],
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) =>
      type(name, event.target.value),
  });
  // A select cannot be read-only.
  const { readOnly: _readOnly, ...rate } = field('ivaPercent');

  return (
    <Form of={form} className={styles.form}>
      <div className={styles.fields}>
        <Field
          {...field('name')}
          maxLength={PRODUCT_LENGTHS.name[1]}
          autoComplete="off"
          autoCapitalize="sentences"
        />
        <Field {...field('price')} hint={copy.priceHint} inputMode="decimal" autoComplete="off" />
      </div>
      <PlanPreview typed={fields.price} terms={terms} loading={isPending} />
      <div className={styles.fields}>
        <Field
          {...field('sku')}
          hint={copy.skuHint}
          maxLength={PRODUCT_LENGTHS.sku[1]}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
        <TextArea {...field('description')} rows={3} maxLength={PRODUCT_LENGTHS.description[1]} />
        {picture}
        <Select {...rate} options={RATES} />
        <details className={styles.more} open={fields.invoicingKey !== '' || undefined}>
          <summary>{copy.more}</summary>
          <Field
            {...field('invoicingKey')}
            hint={copy.invoicingKeyHint}
            maxLength={PRODUCT_LENGTHS.invoicingProductUuid[1]}
            autoComplete="off"
            spellCheck={false}
          />
        </details>
        <RefusedNotice of={form} />
        <div ref={told} className={styles.told}>
          {notice}
        </div>
        <Button {...form.button(copy.busy)} variant="primary" wide disabled={!online}>
          {submit}
        </Button>
        {other}
      </div>
    </Form>
  );
}

/** A refusal beside its field; where nobody knows whether it was saved, that pressing again is safe. */
function problemOf(error: unknown): Refusal {
  if (isRefused(error, 'SKU_TAKEN')) return { errors: { sku: sentenceFor(error) } };
  if (isRefused(error, 'PRICE_WITHOUT_PLAN')) return { errors: { price: sentenceFor(error) } };
  if (isUnanswered(error)) return { title: copy.unanswered, text: copy.unansweredText };
  return { title: sentenceFor(error) };
}
