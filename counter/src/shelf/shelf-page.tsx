import { sentenceFor } from '@aparta/browser/copy.ts';
import { formatDate, mexicoCityDate } from '@aparta/domain/calendar';
import { Button } from '@aparta/ui/button.tsx';
import { Empty } from '@aparta/ui/empty.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { Form, useSubmit } from '@aparta/ui/form.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { Page, PageHead } from '@aparta/ui/page.tsx';
import { ProductTile } from '@aparta/ui/product-tile.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { NotYet } from '../lists/not-yet.tsx';
import { config } from '../app/config.ts';
import { useOnline } from '../app/use-online.ts';
import { sayIsThere, shelfQuery, type KeptUnit } from '../data/shelf.ts';
import { ScanButton } from '../scan/scan-button.tsx';
import { useBranch } from '../session/session.ts';
import { shelfCopy as copy } from './copy.ts';
import styles from './shelf.module.css';

const dayOf = (moment: string) => formatDate(mexicoCityDate(new Date(moment)));

/** What a branch keeps for buyers, ticked by scanning or by hand; what is not there the owners are told. */
export default function ShelfPage() {
  useArrival(copy.title, config.productName);
  const branch = useBranch();
  return (
    <Page>
      <div className={styles.column}>
        <PageHead title={copy.title}>{copy.intro}</PageHead>
        {branch && <Shelf key={branch.id} branchId={branch.id} />}
      </div>
    </Page>
  );
}

interface Tick {
  readonly code: string;
  readonly isThere: boolean;
}

function Shelf({ branchId }: { branchId: number }) {
  const queries = useQueryClient();
  const query = useQuery(shelfQuery(branchId));
  const tick = useMutation({
    mutationFn: ({ code, isThere }: Tick) => sayIsThere(branchId, code, isThere),
    onSuccess: () => queries.invalidateQueries({ queryKey: shelfQuery(branchId).queryKey }),
  });
  if (!query.data) return <NotYet of={query} failed={copy.failed} loading={copy.loading} />;
  const { units, total } = query.data;
  if (units.length === 0) return <Empty text={copy.none} />;
  const { data: ticked, variables } = tick;
  return (
    <div className={text.stack}>
      <Scan onCode={(code) => tick.mutate({ code, isThere: true })} busy={tick.isPending} />
      <div role="status">
        {tick.error ? (
          <Notice tone="danger" title={sentenceFor(tick.error)} urgent />
        ) : (
          ticked &&
          !tick.isPending && (
            <Notice
              tone={variables?.isThere ? 'next' : 'pending'}
              title={(variables?.isThere ? copy.seen : copy.gone)(ticked.productName, ticked.buyer)}
            />
          )
        )}
      </div>
      <p className={`${text.muted} ${text.small}`}>
        {copy.count(total)}. {total > units.length && copy.cut(units.length)}
      </p>
      <ul className={styles.list}>
        {units.map((unit) => (
          <li key={unit.reference}>
            <Unit unit={unit} tick={tick.mutate} waits={tick.isPending} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Unit({ unit, tick, waits }: { unit: KeptUnit; tick: (tick: Tick) => void; waits: boolean }) {
  const { reference: code, productName, pictures, buyer, since, checkedAt, missingSince } = unit;
  const online = useOnline();
  const state = unit.isPaidOff ? copy.paidOff : unit.purchaseId === null ? copy.waits : undefined;
  return (
    <section className={`${text.card} ${text.tight}`}>
      <div className={text.besideTile}>
        <ProductTile name={productName} pictures={pictures} inList />
        <p id={code}>
          <b>{productName}</b> <span className={text.muted}>{buyer}</span>
        </p>
      </div>
      {missingSince && <Notice tone="danger" title={copy.missing(dayOf(missingSince))} />}
      <p className={`${text.muted} ${text.small}`}>
        {copy.since(dayOf(since))}, {checkedAt ? copy.checked(dayOf(checkedAt)) : copy.never}.
        {state && ` ${state}.`}
      </p>
      <div className={text.pair}>
        <Button
          icon="check"
          aria-describedby={code}
          disabled={!online || waits}
          onClick={() => tick({ code, isThere: true })}
        >
          {copy.there}
        </Button>
        <Button
          aria-describedby={code}
          disabled={!online || waits}
          onClick={() => tick({ code, isThere: false })}
        >
          {copy.notThere}
        </Button>
      </div>
    </section>
  );
}

function Scan({ onCode, busy }: { onCode: (code: string) => void; busy: boolean }) {
  const online = useOnline();
  const form = useSubmit({
    check: (typed) => (typed('code').trim() === '' ? { errors: { code: copy.empty } } : undefined),
    async send(typed) {
      onCode(typed('code'));
      return {};
    },
    refuse: () => ({}),
  });

  return (
    <>
      <ScanButton text={copy.scan} disabled={!online} onFound={onCode} />
      <Form of={form} className={styles.typed}>
        <Field
          {...form.field('code')}
          label={copy.number}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
        />
        <Button type="submit" disabled={!online} busy={busy ? copy.busy : undefined}>
          {copy.submit}
        </Button>
      </Form>
    </>
  );
}
