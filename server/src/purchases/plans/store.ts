import { type Centavos, sum } from '@aparta/domain/money';
import type { PlannedInstalment } from '@aparta/domain/plan';
import type { PaymentMethod } from '@aparta/domain/service-fee';
import { type Expression, sql } from 'kysely';

import type { Tx } from '../../platform/db/db.ts';
import { defer, pipeline } from '../../platform/db/transaction.ts';
import type { PurchaseState } from '../../platform/db/tables.ts';

/** An instalment as paying it needs it. */
export interface OwedInstalment {
  readonly id: number;
  readonly number: number;
  readonly balanceCentavos: Centavos;
}

/** A purchase whose lock is held: nothing of its money can change meanwhile. */
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

/** The purchase that an id is an instalment of, its number agreeing where it is given; none for any other. */
function purchaseIdOf(tx: Tx, { id, prefix }: { id: number; prefix?: string | undefined }) {
  const instalment = tx.selectFrom('instalments').where('id', '=', id);
  const agreeing = prefix === undefined ? instalment : instalment.where('prefix', '=', prefix);
  return agreeing.select('purchase_id').$asScalar();
}

/**
 * Locks a purchase (rules/ledger#lock-order, level 1) and reads it afterwards; its instalments change under this lock alone.
 */
export async function lockPurchase(tx: Tx, id: number): Promise<LockedPurchase | undefined> {
  return lockAndRead(tx, sql.val(id));
}

/** The same by one of its instalments, as `purchaseIdOf` finds it. No instalment ever moves to another purchase. */
export async function lockPurchaseOf(
  tx: Tx,
  reference: { id: number; prefix?: string | undefined },
): Promise<LockedPurchase | undefined> {
  return lockAndRead(tx, purchaseIdOf(tx, reference));
}

async function lockAndRead(tx: Tx, id: Expression<number>): Promise<LockedPurchase | undefined> {
  const [, [purchase], instalments] = await pipeline(
    tx,
    tx.selectFrom('purchases').select('id').where('id', '=', id).forNoKeyUpdate().compile(),
    tx
      .selectFrom('purchases')
      .where('id', '=', id)
      .select([
        'id',
        'buyer_id as buyerId',
        'merchant_id as merchantId',
        'state',
        'product_name as productName',
        sql<Centavos>`price_centavos - paid_centavos`.as('balanceCentavos'),
        'service_fee_centavos as feeCentavos',
        'service_fee_methods as feeMethods',
        sql<Date>`app_now()`.as('now'),
      ])
      .compile(),
    tx
      .selectFrom('instalments')
      .where('purchase_id', '=', id)
      .select(['id', 'number', sql<Centavos>`amount_centavos - paid_centavos`.as('balanceCentavos')])
      .orderBy('number')
      .compile(),
  );
  return purchase && { ...purchase, instalments };
}

/** What a purchase takes over from the reference that was paid. */
export interface PurchaseTerms {
  readonly id: number;
  readonly buyerId: number;
  readonly merchantId: number;
  readonly productId: number;
  readonly productName: string;
  readonly productDescription: string;
  readonly priceCentavos: Centavos;
  readonly depositCentavos: Centavos;
  readonly feeCentavos: Centavos;
  readonly feeMethods: readonly ('card' | 'till' | 'cash')[];
  readonly penaltyCentavos: Centavos;
}

/** Inserts a purchase with its unpaid schedule, in one statement, and returns its id. Throws on `purchases_one_per_reference`. */
export async function insertPurchase(
  tx: Tx,
  terms: PurchaseTerms,
  plan: readonly (PlannedInstalment & { readonly id: number })[],
  penaltyFreeUntil: Date,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with purchase as (
      insert into purchases (buyer_id, merchant_id, product_id, layaway_reference_id, product_name, product_description,
        price_centavos, deposit_centavos, service_fee_centavos, service_fee_methods, penalty_centavos, penalty_free_until)
      values (${terms.buyerId}, ${terms.merchantId}, ${terms.productId}, ${terms.id}, ${terms.productName},
        ${terms.productDescription}, ${terms.priceCentavos}, ${terms.depositCentavos}, ${terms.feeCentavos},
        ${[...terms.feeMethods]}::text[], ${terms.penaltyCentavos}, ${penaltyFreeUntil})
      returning id
    ), planned as (
      select * from unnest(${plan.map(({ id }) => id)}::bigint[], ${plan.map(({ number }) => number)}::int[],
        ${plan.map(({ dueOn }) => dueOn)}::date[], ${plan.map((each) => each.amountCentavos)}::bigint[])
        as planned (id, number, due_on, amount)
    ), printed as (
      insert into payment_references (id, kind, prefix) select id, 'instalment', number::text from planned
    ), scheduled as (
      insert into instalments (id, purchase_id, number, due_on, amount_centavos)
      select planned.id, purchase.id, number, due_on, amount from planned, purchase
    )
    select id from purchase`.execute(tx);
  const [purchase] = rows;
  if (purchase === undefined) throw new Error(`reference ${terms.id} made no purchase`);
  return purchase.id;
}

type Parts = readonly { readonly instalmentId: number; readonly amountCentavos: Centavos }[];

/** Adds applied money to instalments and to their purchase; more than they owe is refused by constraint. */
export async function addPaid(tx: Tx, purchaseId: number, parts: Parts): Promise<void> {
  await changePaid(tx, purchaseId, parts, 1);
}

/** Takes applied money off again; below zero is refused by constraint. */
export async function subtractPaid(tx: Tx, purchaseId: number, parts: Parts): Promise<void> {
  await changePaid(tx, purchaseId, parts, -1);
}

async function changePaid(tx: Tx, purchaseId: number, parts: Parts, sign: 1 | -1): Promise<void> {
  const amounts = parts.map((part) => part.amountCentavos);
  await defer(
    tx,
    sql`
    with part as (
      select * from unnest(${parts.map(({ instalmentId }) => instalmentId)}::bigint[], ${amounts}::bigint[]) as part (id, amount)
    ), changed as (
      update instalments set paid_centavos = paid_centavos + ${sign}::int * part.amount
      from part where instalments.id = part.id and purchase_id = ${purchaseId}
    )
    update purchases set paid_centavos = paid_centavos + ${sign * sum(amounts)}::bigint where id = ${purchaseId}`,
  );
}

/** What a purchase has paid now. */
export async function sumPaid(tx: Tx, purchaseId: number): Promise<Centavos> {
  const { paid } = await tx
    .selectFrom('purchases')
    .select('paid_centavos as paid')
    .where('id', '=', purchaseId)
    .executeTakeFirstOrThrow();
  return paid;
}
