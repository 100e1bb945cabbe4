import { type Centavos, sum } from '@aparta/domain/money';
import type { PlannedInstalment } from '@aparta/domain/plan';
import type { PaymentMethod } from '@aparta/domain/service-fee';
import { type Expression, sql } from 'kysely';

import type { Tx } from '../../platform/db/db.ts';
import { defer, together } from '../../platform/db/transaction.ts';
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

/** The id of an instalment's purchase; null where a prefix is given that is not the instalment's. */
function purchaseIdOf(tx: Tx, { id, prefix }: { id: number; prefix?: string | undefined }) {
  const instalment = tx.selectFrom('instalments').where('id', '=', id);
  const agreeing = prefix === undefined ? instalment : instalment.where('prefix', '=', prefix);
  return agreeing.select('purchase_id').$asScalar();
}

/** Locks a purchase (rules/ledger#lock-order, level 1), then reads it. Its instalments change under this lock alone. */
export async function lockPurchase(tx: Tx, id: number): Promise<LockedPurchase | undefined> {
  return lockAndRead(tx, sql.val(id));
}

/** Locks and reads the purchase of an instalment; undefined where a prefix is given that is not the instalment's. */
export async function lockPurchaseOf(
  tx: Tx,
  reference: { id: number; prefix?: string | undefined },
): Promise<LockedPurchase | undefined> {
  return lockAndRead(tx, purchaseIdOf(tx, reference));
}

async function lockAndRead(tx: Tx, id: Expression<number>): Promise<LockedPurchase | undefined> {
  const [, [purchase], instalments] = await together(
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

/** What a purchase takes over from its layaway reference. */
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
  readonly feeMethods: readonly PaymentMethod[];
  readonly penaltyCentavos: Centavos;
}

/** Inserts a purchase with its unpaid plan, in one statement, and answers its id. Throws on `purchases_one_per_reference`. */
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
    ), printed as (${referenceInsert(
      'instalment',
      plan.map(({ id, number }) => ({ id, prefix: String(number) })),
    )}), scheduled as (
      insert into instalments (id, purchase_id, number, due_on, amount_centavos)
      select planned.id, purchase.id, number, due_on, amount from planned, purchase
    )
    select id from purchase`.execute(tx);
  const [purchase] = rows;
  if (purchase === undefined) throw new Error(`reference ${terms.id} made no purchase`);
  return purchase.id;
}

type Parts = readonly { readonly instalmentId: number; readonly amountCentavos: Centavos }[];

/** Adds money to what is paid of instalments and of their purchase. `instalments_not_overpaid` refuses more than they owe. */
export async function addPaid(tx: Tx, purchaseId: number, parts: Parts): Promise<void> {
  await changePaid(tx, purchaseId, parts, 1);
}

/** Takes money off what is paid of instalments and of their purchase. A constraint refuses to go below zero. */
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

/** What is paid of a purchase. */
export async function sumPaid(tx: Tx, purchaseId: number): Promise<Centavos> {
  const { paid } = await tx
    .selectFrom('purchases')
    .select('paid_centavos as paid')
    .where('id', '=', purchaseId)
    .executeTakeFirstOrThrow();
  return paid;
}
