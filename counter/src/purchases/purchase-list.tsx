import { SHOWN_AGE, SHOWN_DAYS, type PurchaseShow } from '@aparta/domain/shop-lists';
import { may } from '@aparta/domain/staff-rights';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { Chip } from '@aparta/ui/chip.tsx';
import { Empty } from '@aparta/ui/empty.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { Form, useSubmit } from '@aparta/ui/form.tsx';
import text from '@aparta/ui/text.module.css';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { Filters } from '../lists/filters.tsx';
import { HowItStands, Row, Rows } from '../lists/row.tsx';
import { NotYet } from '../lists/not-yet.tsx';
import { More } from '../lists/more.tsx';
import { paths, purchasesAddress } from '../app/paths.ts';
import { savePurchaseList } from '../data/lists.ts';
import { purchasesQuery, type ShopPurchase } from '../data/purchases.ts';
import { SaveList } from '../lists/save-list.tsx';
import { useSession } from '../session/session.ts';
import { purchasesCopy as copy } from './copy.ts';
import styles from './purchases.module.css';

interface Listed {
  readonly show: PurchaseShow;
  readonly search: string | undefined;
}

const MAIN: readonly PurchaseShow[] = [
  'active',
  'in_time',
  'late',
  'due_15',
  'waiting',
  'expiring',
  'paid_off',
  'claimed',
  'delivered',
  'cancelled',
  'all',
];
const AGES: readonly PurchaseShow[] = ['late', 'late_30', 'late_60', 'late_61'];
const SOON: readonly PurchaseShow[] = ['due_5', 'due_10', 'due_15'];

/** A list of the shop's purchases, what it shows, and the search. `isScreen`: the list alone is the screen. */
export function PurchaseList({
  show,
  search,
  chosen,
  isScreen,
}: Listed & { chosen: number | undefined; isScreen: boolean }) {
  const Title = isScreen ? 'h1' : 'h2';
  const isLate = show === 'late' || SHOWN_AGE[show] !== undefined;
  const isSoon = SHOWN_DAYS[show] !== undefined;
  return (
    <div className={text.stack}>
      <Title className={styles.title} tabIndex={-1}>
        {copy.title}
      </Title>
      <Search show={show} search={search} />
      <Filters
        label={copy.lists}
        of={MAIN.map((each) => ({
          to: purchasesAddress({ show: each, search }),
          isOn: each === show || (each === 'late' && isLate) || (each === 'due_15' && isSoon),
          label: each === 'due_15' ? copy.dueSoon : copy.shows[each],
        }))}
      />
      {(isLate || isSoon) && (
        <Filters
          label={isLate ? copy.ages : copy.soon}
          of={(isLate ? AGES : SOON).map((each) => ({
            to: purchasesAddress({ show: each, search }),
            isOn: each === show,
            label: each === 'late' ? copy.allLate : copy.shows[each],
          }))}
        />
      )}
      {search !== undefined && (
        <div className={text.between}>
          <p>{copy.found(search)}</p>
          <ButtonLink variant="quiet" small to={purchasesAddress({ show, search: undefined })}>
            {copy.clear}
          </ButtonLink>
        </div>
      )}
      <Lines show={show} search={search} chosen={chosen} />
    </div>
  );
}

function Search({ show, search }: Listed) {
  const [, navigate] = useLocation();
  const role = useSession()?.position.role;
  const form = useSubmit({
    async send(typed) {
      const sought = typed('search').trim();
      const isReservations = show === 'waiting' || show === 'expiring';
      navigate(
        purchasesAddress({
          show: sought.length < 2 || isReservations ? show : 'all',
          search: sought.length < 2 ? undefined : sought,
        }),
      );
      return {};
    },
    refuse: () => ({}),
  });
  return (
    <Form of={form} className={styles.search}>
      <Field
        {...form.field('search')}
        label={role && may(role, 'find_buyers') ? copy.searchFor : copy.searchForNumbers}
        type="search"
        autoComplete="off"
        maxLength={80}
        defaultValue={search}
      />
      <Button {...form.button(copy.searching)}>{copy.search}</Button>
    </Form>
  );
}

function Lines({ show, search, chosen }: Listed & { chosen: number | undefined }) {
  const query = useInfiniteQuery(purchasesQuery(show, search));
  const session = useSession();
  const mayCharge = session && may(session.position.role, 'look_up');
  const { data: purchases } = query;
  if (!purchases) return <NotYet of={query} failed={copy.failed} loading={copy.loading} />;
  if (purchases.length === 0) return <Empty text={copy.empty} />;
  return (
    <>
      <Rows>
        {purchases.map((purchase) => (
          <Line
            key={purchase.id}
            purchase={purchase}
            to={
              purchase.kind === 'purchase'
                ? purchasesAddress({ show, search }, purchase.id)
                : mayCharge
                  ? paths.charge(purchase.reference)
                  : undefined
            }
            isChosen={purchase.kind === 'purchase' && purchase.id === chosen}
          />
        ))}
      </Rows>
      <More of={query} />
      {chosen === undefined && session?.isShared === false && (
        <SaveList save={(format) => savePurchaseList({ show, search }, format)} />
      )}
    </>
  );
}

function Line({
  purchase,
  to,
  isChosen,
}: {
  purchase: ShopPurchase;
  to: string | undefined;
  isChosen: boolean;
}) {
  const { kind, id, productName, buyer, listed, price, balance, state } = purchase;
  return (
    <Row
      title={productName}
      amount={state === 'paid_off' || state === 'cancelled' ? price : listed}
      facts={
        <>
          {buyer} · {kind === 'reservation' ? copy.reservation : copy.purchase(id)}
          {state === 'late' && copy.owes(balance)}
        </>
      }
      to={to}
      isChosen={isChosen}
    >
      <Standing purchase={purchase} />
      {purchase.ends && (
        <small>
          {copy.ends(purchase.ends.endsOn)}
          {copy.warned(purchase.ends.warned)}
        </small>
      )}
    </Row>
  );
}

/** Where a purchase stands, and until when. */
export function Standing({ purchase }: { purchase: ShopPurchase }) {
  const { state, lateDays, nextDueOn, expiresAt, settledAt, keptIn, handedOverAt } = purchase;
  return (
    <HowItStands>
      {state === 'late' ? (
        <Chip state="late" text={copy.late(lateDays)} />
      ) : state === 'waiting' ? (
        <Chip state="due" text={copy.waiting} />
      ) : state === 'delivered' ? (
        <Chip state="paid_off" text={copy.delivered} />
      ) : (
        <Chip state={state} />
      )}
      {state === 'active' && nextDueOn !== null && <span>{copy.due(nextDueOn)}</span>}
      {state === 'paid_off' && settledAt && <span>{copy.ready(settledAt)}</span>}
      {handedOverAt && <span>{copy.handedOver(handedOverAt)}</span>}
      {keptIn !== null && <span>{copy.keptIn(keptIn)}</span>}
      {expiresAt && <span>{copy.expires(expiresAt)}</span>}
    </HowItStands>
  );
}
