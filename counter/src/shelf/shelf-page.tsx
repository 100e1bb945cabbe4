import { sentenceFor } from '@aparta/browser/copy.ts';
import { formatDate, mexicoCityDate } from '@aparta/domain/calendar';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { Empty } from '@aparta/ui/empty.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { Form, useSubmit } from '@aparta/ui/form.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { Page, PageHead } from '@aparta/ui/page.tsx';
import { ProductTile } from '@aparta/ui/product-tile.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { AtBranch } from '../lists/at-branch.tsx';
import { NotYet } from '../lists/not-yet.tsx';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import { useOnline } from '../app/use-online.ts';
import { sayIsThere, shelfQuery, type KeptUnit } from '../data/shelf.ts';
import { ScanButton } from '../scan/scan-button.tsx';
import { session, useBranch } from '../session/session.ts';
import { shelfCopy as copy } from './copy.ts';
import styles from './shelf.module.css';

const dayOf = (moment: string) => formatDate(mexicoCityDate(new Date(moment)));

/** What a branch keeps for buyers, ticked by scanning or by hand; what is not there the owners are told. */
export default function ShelfPage() {
  useArrival(copy.title, config.productName);
  return (
    <Page>
      <div className={`${styles.column} ${text.stack}`}>
        <PageHead title={copy.title}>{copy.intro}</PageHead>
        <AtBranch left={({ hasUnits }) => hasUnits}>
          {(branch) =>
            branch && (
              <Shelf
                key={branch.id}
                branchId={branch.id}
                closed={branch.isClosed ? branch.name : undefined}
              />
            )
          }
        </AtBranch>
      </div>
    </Page>
  );
}

interface Tick {
  readonly code: string;
  readonly isThere: boolean;
  /** Where it is now, of what a closed branch kept. */
  readonly to?: Branch;
}
type Branch = NonNullable<ReturnType<typeof useBranch>>;

/** `closed`: what a branch is called that closed. */
function Shelf({ branchId, closed }: { branchId: number; closed: string | undefined }) {
  const queries = useQueryClient();
  const query = useQuery(shelfQuery(branchId));
  const [by] = useState(() => session.current()?.position);
  const { queryKey } = shelfQuery(branchId);
  // Each until it is ticked again or put aside: the next number may be scanned before one reads of it.
  const [missed, setMissed] = useState<readonly { code: string; error: Error }[]>([]);
  const putAside = (code: string) => setMissed((before) => before.filter((one) => one.code !== code));
  const tick = useMutation({
    mutationKey: queryKey,
    // One after another: what is scanned while one has no answer waits its turn.
    scope: { id: queryKey.join(' ') },
    async mutationFn({ code, isThere, to }: Tick) {
      // What waited when its person left is not the next one's to say.
      if (!session.isStill(by)) throw new DOMException('', 'AbortError');
      return sayIsThere(to?.id ?? branchId, code, isThere);
    },
    onMutate: ({ code }) => putAside(code),
    onError(error, { code }) {
      putAside(code);
      setMissed((before) => [...before, { code, error }]);
    },
    onSuccess: (_, { to }) => queries.invalidateQueries({ queryKey: to ? ['shelf'] : queryKey }),
  });
  const waiting = useIsMutating({ mutationKey: queryKey });
  if (!query.data) return <NotYet of={query} failed={copy.failed} loading={copy.loading} />;
  const { units, total } = query.data;
  const { data: ticked, variables } = tick;
  const nameOf = (code: string) => units.find(({ reference }) => reference === code)?.productName ?? code;
  if (units.length === 0 && !ticked && waiting === 0 && missed.length === 0)
    return <Empty text={closed === undefined ? copy.none : copy.closed.none} />;
  return (
    <div className={text.stack}>
      {closed !== undefined && (
        <Notice tone="pending" title={copy.closed.title(closed)}>
          {copy.closed.text}
        </Notice>
      )}
      <Scan onCode={(code, onSuccess = () => {}) => tick.mutate({ code, isThere: true }, { onSuccess })} />
      {missed.map(({ code, error }) => (
        <Notice
          key={code}
          tone="danger"
          title={copy.missed(nameOf(code))}
          urgent
          onDismiss={() => putAside(code)}
        >
          {sentenceFor(error)}
        </Notice>
      ))}
      <div role="status">
        {waiting > 0 ? (
          <Notice tone="info" title={copy.saving(waiting)} />
        ) : (
          ticked && (
            <Notice
              tone={variables?.isThere ? 'next' : 'pending'}
              title={
                variables?.to
                  ? copy.moved(ticked.productName, ticked.buyer, variables.to.name)
                  : (variables?.isThere ? copy.seen : copy.gone)(ticked.productName, ticked.buyer)
              }
            />
          )
        )}
      </div>
      <p className={`${text.muted} ${text.small}`}>
        {total === 0 ? copy.closed.none : `${copy.count(total)}.`}{' '}
        {total > units.length && copy.cut(units.length)}
      </p>
      <ul className={styles.list}>
        {units.map((unit) => (
          <li key={unit.reference}>
            <Unit unit={unit} tick={tick.mutate} waits={waiting > 0} isClosed={closed !== undefined} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Unit({
  unit,
  tick,
  waits,
  isClosed,
}: {
  unit: KeptUnit;
  tick: (tick: Tick) => void;
  waits: boolean;
  isClosed: boolean;
}) {
  const own = useBranch();
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
      {isClosed && own && (
        <>
          <Button
            wide
            aria-describedby={code}
            disabled={!online || waits}
            onClick={() => tick({ code, isThere: true, to: own })}
          >
            {copy.move(own.name)}
          </Button>
          {unit.isPaidOff && (
            <ButtonLink aria-describedby={code} to={paths.handOver(code)}>
              {copy.handOver}
            </ButtonLink>
          )}
        </>
      )}
    </section>
  );
}

/** One after another: a number that was found goes, and the next that is typed takes the place of one that was not. */
function Scan({ onCode }: { onCode: (code: string, onSeen?: () => void) => void }) {
  const online = useOnline();
  const form = useSubmit({
    check: (typed) => (typed('code').trim() === '' ? { errors: { code: copy.empty } } : undefined),
    async send(typed) {
      const code = typed('code');
      const field = form.element.current?.querySelector('input');
      // A scanner that types sends the next without waiting. Elsewhere it would bring the keyboard back.
      if (field === document.activeElement) field?.select();
      onCode(code, () => {
        if (field?.value === code) field.value = '';
      });
      return {};
    },
    refuse: () => ({}),
  });

  return (
    <>
      <ScanButton text={copy.scan} disabled={!online} onFound={(code) => onCode(code)} />
      <Form of={form} className={styles.typed}>
        <Field
          {...form.field('code')}
          label={copy.number}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
        />
        {/* Never disabled: Enter would do nothing, and the next number be typed behind this one. */}
        <Button type="submit">{copy.submit}</Button>
      </Form>
    </>
  );
}
