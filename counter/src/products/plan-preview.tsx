import { zero } from '@aparta/domain/money';
import { LineItems } from '@aparta/ui/line-items.tsx';
import text from '@aparta/ui/text.module.css';
import { typedSum } from '@aparta/browser/typed-sum.ts';
import type { Terms } from '../data/products.ts';
import { productsCopy } from './copy.ts';
import { planOf } from './entry.ts';
import { planLines } from './plan-lines.ts';
import styles from './products.module.css';

const copy = productsCopy.form;

/** What a buyer would be offered for the price that is typed. */
export function PlanPreview({
  typed,
  terms,
  loading,
}: {
  typed: string;
  terms: Terms | undefined;
  loading: boolean;
}) {
  const price = typedSum(typed) ?? zero;
  const plan = terms && price > 0 ? planOf(terms, price) : undefined;
  return (
    <section className={`${text.card} ${text.tight} ${styles.preview}`} aria-label={copy.preview}>
      <h2 className={styles.cardTitle}>{copy.preview}</h2>
      <div role="status">
        {plan ? (
          <LineItems rows={planLines(price, plan)} />
        ) : (
          <p className={text.muted}>
            {price === 0
              ? copy.previewEmpty
              : terms
                ? copy.priceWithoutPlan
                : loading
                  ? copy.previewLoading
                  : copy.previewUnknown}
          </p>
        )}
      </div>
    </section>
  );
}
