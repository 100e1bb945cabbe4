import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import type { PlannedInstalment } from '@aparta/domain/plan';
import type { PaymentMethod } from '@aparta/domain/service-fee';
import { sql } from 'kysely';

import { gathered, HELD, type Locking, writtenTogether } from '../../platform/db/batch.ts';
import { builtOnce } from '../../platform/db/built-once.ts';
import type { Tx } from '../../platform/db/db.ts';
import { rowsAs } from '../../platform/db/rows.ts';
import { defer, pipeline } from '../../platform/db/transaction.ts';
import type { PurchaseState } from '../../platform/db/tables.ts';
import { referenceInsert } from '../references/store.ts';

/** What paying an instalment needs to know of it. */
export interface OwedInstalment {
  readonly id: number;
  readonly number: number;
  readonly balanceCentavos: Centavos;
}

/** A purchase whose lock the caller holds: none of its money can change meanwhile. */
export interface LockedPurchase {
  readonly id: number;
  readonly buyerId: number;
  readonly merchantId: number;
  readonly state: PurchaseState;
  readonly productName: string;
  readonly balanceCentavos: Centavos;
  readonly feeCentavos: Centavos;
  readonly feeMethods: readonly PaymentMethod[];
  readonly instalments: readonly OwedInstalment[];
  /** The database's time when it was read. */
  readonly now: Date;
}

/** A purchase by its own id, or by that of one of its instalments; a prefix that is given has to be the instalment's. */
type Wanted = { readonly purchaseId: number } | { readonly id: number; readonly prefix?: string | undefined };

const lockAndRead = gathered<Wanted, LockedPurchase | undefined>({
  async many(tx, wanted, locking) {
    const those = wanted.map((one, place) =>
      'purchaseId' in one
        ? { place, given: one.purchaseId }
        : { place, instalment: one.id, said: one.prefix },
    );
    const [purchases, instalments] = await pipeline(
      tx,
      // A row that is locked is read as it is then, and its lock keeps the instalments for the next statement.
      purchasesLocked(tx, { those }, locking),
      instalmentsOf(tx, { those }),
    );
    const owed = Map.groupBy(instalments, ({ place }) => place);
    const locked = new Map(purchases.map(({ place, ...purchase }) => [place, purchase]));
    return wanted.map((_, place) => {
      const its = owed.get(place);
      const purchase = locked.get(place);
      if (its === undefined) return undefined;
      return purchase === undefined
        ? HELD
        : { ...purchase, instalments: its.map(({ place: _place, ...instalment }) => instalment) };
    });
  },
  headOf: (purchase) => purchase && `purchase ${purchase.id}`,
});

type Those = readonly {
  readonly place: number;
  readonly given?: number;
  readonly instalment?: number;
  readonly said?: string | undefined;
}[];

/** Purchases are then found by these keys, whatever they are planned to be joined with. */
const wantedOf = (those: Those) => sql`wanted as materialized (
  select place, coalesce(given, purchase_id) as id
  from ${rowsAs('wanted', { place: 'int', given: 'bigint', instalment: 'bigint', said: 'text' }, those)}
  left join instalments on id = instalment and prefix = coalesce(said, prefix))`;

const purchasesLocked = builtOnce(
  (_, { those }: { those: Those }, locking: Locking) => sql<
    Omit<LockedPurchase, 'instalments'> & { place: number }
  >`
    with ${wantedOf(those)}
    select place, p.id, buyer_id as "buyerId", merchant_id as "merchantId", state, product_name as "productName",
      price_centavos - paid_centavos as "balanceCentavos", service_fee_centavos as "feeCentavos",
      service_fee_methods as "feeMethods", app_now() as now
    from wanted join purchases p on p.id = wanted.id
    where p.id = any (array(select id from wanted))
    order by p.id for no key update of p ${locking === 'skip' ? sql`skip locked` : sql``}`,
);

const instalmentsOf = builtOnce(
  (_, { those }: { those: Those }) => sql<OwedInstalment & { place: number }>`
    with ${wantedOf(those)}
    select place, i.id, number, amount_centavos - paid_centavos as "balanceCentavos"
    from wanted join instalments i on i.purchase_id = wanted.id order by number`,
);

/** Locks a purchase (rules/ledger#lock-order, level 1), then reads it. Its instalments change under this lock alone. */
export async function lockPurchase(tx: Tx, purchaseId: number): Promise<LockedPurchase | undefined> {
  return lockAndRead(tx, { purchaseId });
}

/** Locks and reads the purchase of an instalment; undefined where a prefix is given that is not the instalment's. */
export async function lockPurchaseOf(
  tx: Tx,
  reference: { id: number; prefix?: string | undefined },
): Promise<LockedPurchase | undefined> {
  return lockAndRead(tx, reference);
}

/** The purchases of printed instalments, in their order; undefined for one that is none. Locks nothing. */
export async function findPurchaseIds(
  tx: Tx,
  printed: readonly { readonly id: number; readonly prefix: string }[],
): Promise<(number | undefined)[]> {
  const rows = await tx
    .selectFrom('instalments')
    .select(['id', 'prefix', 'purchase_id as purchaseId'])
    .where(
      'id',
      'in',
      printed.map(({ id }) => id),
    )
    .execute();
  return printed.map(
    ({ id, prefix }) => rows.find((row) => row.id === id && row.prefix === prefix)?.purchaseId,
  );
}

type Parts = readonly { readonly instalmentId: number; readonly amountCentavos: Centavos }[];

/** Adds money to what is paid of instalments and of their purchase. `instalments_not_overpaid` refuses more than they owe. */
export async function addPaid(tx: Tx, purchaseId: number, parts: Parts): Promise<void> {
  await changePaid(tx, { purchaseId, parts, sign: 1 });
}

/** Takes money off what is paid of instalments and of their purchase. A constraint refuses to go below zero. */
export async function subtractPaid(tx: Tx, purchaseId: number, parts: Parts): Promise<void> {
  await changePaid(tx, { purchaseId, parts, sign: -1 });
}

const changePaid = writtenTogether<{
  readonly purchaseId: number;
  readonly parts: Parts;
  readonly sign: 1 | -1;
}>(async (tx, changes) => {
  const parts = changes.flatMap(({ purchaseId, parts: its, sign }) =>
    its.map((part) => ({
      purchase_id: purchaseId,
      id: part.instalmentId,
      change: sign * part.amountCentavos,
    })),
  );
  await defer(tx, paidChange(tx, { parts }));
});

interface PaidChange {
  readonly purchase_id: number;
  readonly id: number;
  readonly change: number;
}

/** The next day is set here too: what changes a row twice has all its foreign keys looked up again. */
const paidChange = builtOnce(
  (_, { parts }: { parts: readonly PaidChange[] }) => sql`
    with part as (
      select purchase_id, id, sum(change)::bigint as change
      from ${rowsAs('part', { purchase_id: 'bigint', id: 'bigint', change: 'bigint' }, parts)} group by 1, 2
    ), changed as (
      update instalments i set paid_centavos = paid_centavos + change
      from part where i.id = part.id and i.purchase_id = part.purchase_id
    )
    update purchases p set paid_centavos = paid_centavos + change,
      next_due_on = case state when 'active' then (
        select min(due_on) from instalments i left join part on part.id = i.id
        where i.purchase_id = p.id and i.paid_centavos + coalesce(part.change, 0) < amount_centavos) end
    from (select purchase_id, sum(change)::bigint as change from part group by 1) as of_it
    where p.id = purchase_id and p.id = any (array(select purchase_id from part))`,
);

/** An instalment as it becomes; one with an id is new, and the last. */
export interface Replanned extends PlannedInstalment {
  readonly id?: number | undefined;
}

/**
 * Gives unpaid instalments of a purchase, whose lock the caller holds, other days and amounts, and adds one. Throws where something of
 * them is paid, and on what a plan keeps to (`instalments_keep_their_plan`).
 */
export async function replan(tx: Tx, purchaseId: number, plan: readonly Replanned[]): Promise<void> {
  const [added, changed] = [
    plan.filter(({ id }) => id !== undefined),
    plan.filter(({ id }) => id === undefined),
  ];
  for (const { id = 0, number, dueOn, amountCentavos } of added)
    await defer(
      tx,
      sql`with printed as (${referenceInsert('instalment', [{ id, prefix: String(number) }])})
        insert into instalments (id, purchase_id, number, due_on, amount_centavos)
        values (${id}, ${purchaseId}, ${number}, ${dueOn}, ${amountCentavos})`,
    );
  const rows = changed.map(({ number, dueOn, amountCentavos }) => ({ number, dueOn, amountCentavos }));
  const { numAffectedRows } = await sql`
    update instalments i set due_on = "dueOn", amount_centavos = "amountCentavos"
    from ${rowsAs('planned', { number: 'int', dueOn: 'date', amountCentavos: 'bigint' }, rows)}
    where i.purchase_id = ${purchaseId} and i.number = planned.number and i.paid_centavos = 0`.execute(tx);
  if (Number(numAffectedRows) !== changed.length)
    throw new Error(`purchase ${purchaseId}: something is paid of what was to be changed`);
}

/** What is paid of a purchase. */
export async function sumPaid(tx: Tx, purchaseId: number): Promise<Centavos> {
  const { paid } = await tx
    .selectFrom('purchases')
    .select('paid_centavos as paid')
    .where('id', '=', purchaseId)
    .executeTakeFirstOrThrow();
  return paid;
}

/** Gives a purchase more time for its oldest unpaid day. The caller holds its lock. Deferred. */
export async function putMoreTime(
  tx: Tx,
  purchaseId: number,
  { until, dueOn }: { until: DateOnly; dueOn: DateOnly },
): Promise<void> {
  await defer(
    tx,
    sql`update purchases set more_time_until = ${until}, more_time_for = ${dueOn} where id = ${purchaseId}`,
  );
}
