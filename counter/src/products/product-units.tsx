import { isRefused } from '@aparta/browser/api-error.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { may } from '@aparta/domain/staff-rights';
import { Button } from '@aparta/ui/button.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { Form, useSubmit } from '@aparta/ui/form.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useOnline } from '../app/use-online.ts';
import { productQuery, saveUnits, stopCountingUnits, type Product } from '../data/products.ts';
import { useSession } from '../session/session.ts';
import { productsCopy } from './copy.ts';
import styles from './products.module.css';

const copy = productsCopy.units;

/** How many units each branch has for sale and keeps for buyers; who counts them says so here. */
export function ProductUnits({ product }: { product: Product }) {
  const session = useSession();
  /** What was asked for last: the button that did so has gone. */
  const [asked, setAsked] = useState<'count' | 'stop'>();
  const role = session?.position.role;
  const mayCount = role !== undefined && may(role, 'edit_units');
  const mayStop = role !== undefined && may(role, 'edit_products');
  const { units } = product;
  if (!units && !mayCount) return null;
  const known = units?.branches ?? [];
  const mine = mayCount ? (session?.branches ?? []) : [];
  // By name, as branches are listed everywhere: a save that makes one known must not move what is under the thumb.
  const rows = [
    ...known,
    ...mine
      .filter(({ id }) => !known.some(({ branchId }) => branchId === id))
      .map(({ id, name }) => ({ branchId: id, branch: name, free: 0, held: 0 })),
  ].toSorted((one, other) => one.branch.localeCompare(other.branch, 'es'));
  return (
    <section className={`${text.card} ${text.tight} ${styles.offScreen}`} aria-label={copy.title}>
      <h2 className={styles.cardTitle}>{copy.title}</h2>
      {!units && asked !== 'count' ? (
        <>
          <p className={text.small}>{copy.notCounted}</p>
          <Button autoFocus={asked === 'stop'} onClick={() => setAsked('count')}>
            {copy.begin}
          </Button>
        </>
      ) : (
        <ul className={text.tight}>
          {rows.map((row, at) => (
            <li key={row.branchId} className={text.tight}>
              <p>
                <b>{row.branch}</b> <span className={text.muted}>{copy.has(row.free, row.held)}</span>
              </p>
              {mine.some(({ id }) => id === row.branchId) && (
                <Count productId={product.id} {...row} autoFocus={asked === 'count' && at === 0} />
              )}
            </li>
          ))}
        </ul>
      )}
      {units?.free === 0 && <Notice tone="pending" title={copy.soldOut} />}
      {units && mayStop && <StopCounting id={product.id} onStop={() => setAsked('stop')} />}
    </section>
  );
}

/** How many a branch has for sale now. Over another number than was shown it is refused, and the new one shown. */
function Count({
  productId,
  branchId,
  branch,
  free,
  autoFocus,
}: {
  autoFocus: boolean;
  productId: number;
  branchId: number;
  branch: string;
  free: number;
}) {
  const keep = useKeep(productId);
  const online = useOnline();
  const form = useSubmit({
    check: (typed) => (/^\d{1,5}$/.test(typed('free').trim()) ? undefined : { errors: { free: copy.wrong } }),
    async send(typed) {
      keep(await saveUnits(productId, { branchId, free: Number(typed('free').trim()), was: free }));
      return {};
    },
    refuse(error) {
      if (isRefused(error, 'UNITS_CHANGED')) keep(undefined);
      return { errors: { free: sentenceFor(error) } };
    },
  });
  return (
    <Form of={form} className={styles.count}>
      <Field
        {...form.field('free')}
        label={copy.label(branch)}
        inputMode="numeric"
        autoComplete="off"
        maxLength={5}
        autoFocus={autoFocus}
        defaultValue={String(free)}
      />
      <Button {...form.button(copy.busy)} disabled={!online}>
        {copy.submit}
      </Button>
    </Form>
  );
}

function StopCounting({ id, onStop }: { id: number; onStop: () => void }) {
  const keep = useKeep(id);
  const online = useOnline();
  const stop = useMutation({
    mutationFn: () => stopCountingUnits(id),
    onSuccess(product) {
      onStop();
      keep(product);
    },
  });
  return (
    <>
      {stop.error && <Notice tone="danger" title={sentenceFor(stop.error)} urgent />}
      <Button busy={stop.isPending ? copy.busy : undefined} disabled={!online} onClick={() => stop.mutate()}>
        {copy.stop}
      </Button>
      <p className={`${text.muted} ${text.small}`}>{copy.stopHint}</p>
    </>
  );
}

/** Shows what a change answered, or reads it anew. */
function useKeep(id: number) {
  const queries = useQueryClient();
  return (product: Product | undefined) => {
    const { queryKey } = productQuery(id);
    if (product) queries.setQueryData(queryKey, product);
    else void queries.invalidateQueries({ queryKey });
    void queries.invalidateQueries({ queryKey: ['products'] });
  };
}
