import type { Centavos } from '@aparta/domain/money';
import { sql } from 'kysely';

import { COVERS } from '../../accounts/staff/read-model.ts';
import { payerOf } from '../../ledger/receipts/payer-at-store.read-model.ts';
import { terminalLast4 } from '../../ledger/refunds/terminal.read-model.ts';
import { takenBack } from '../../ledger/refunds/taken-back.read-model.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { RefundMethod, RefundState } from '../../platform/db/tables.ts';
import type { Staff } from '../../platform/principal.ts';

/** The account under which a merchant's counters take money. */
export interface Counter {
  readonly serviceAccountId: string;
  readonly chain: string;
}

/** A merchant's counter; undefined before its first branch. */
export async function findCounter(db: Db, merchantId: number): Promise<Counter | undefined> {
  const found = await db
    .selectFrom('service_accounts')
    .select(['id', 'chain'])
    .where('kind', '=', 'counter')
    .where('user_name', '=', `mostrador-${merchantId}`)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (found === undefined || found.chain === null) return undefined;
  return { serviceAccountId: found.id, chain: found.chain };
}

/** Whether somebody works in a branch, or did, whatever they are at the merchant now; on a shared device, in its own alone. */
export async function workedAt(
  db: Db,
  { staffId, merchantId, branchIds, device }: Staff,
  branchId: number,
): Promise<boolean> {
  if (branchIds.includes(branchId)) return true;
  if (device !== undefined) return false;
  const { rows } = await sql`
    select from staff_positions p join branches b on b.merchant_id = p.merchant_id and b.id = ${branchId}
    where p.staff_id = ${staffId} and p.merchant_id = ${merchantId} and ${COVERS}`.execute(db);
  return rows.length > 0;
}

/** The newest payment of a purchase that was not taken back whole. */
export interface LastPaid {
  readonly amountCentavos: Centavos;
  readonly at: Date;
}

export async function findLastPaid(db: Db, purchaseId: number): Promise<LastPaid | undefined> {
  return db
    .selectFrom('receipts as r')
    .innerJoin('allocations as a', 'a.receipt_id', 'r.id')
    .innerJoin('instalments as i', 'i.id', 'a.instalment_id')
    .where('i.purchase_id', '=', purchaseId)
    .whereRef('r.withdrawn_centavos', '<', 'r.amount_centavos')
    .select((eb) => [
      'r.amount_centavos as amountCentavos',
      eb.fn.coalesce('r.paid_at', 'r.received_at').as('at'),
    ])
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** An operation of a counter, with who, where and how. */
export interface CounterOperation {
  readonly tillOperationId: string;
  readonly requestId: string;
  readonly folio: string;
  readonly takenAt: Date;
  readonly branchId: number;
  readonly branchName: string;
  /** Who took it, whatever they are at the merchant now. */
  readonly staffId: string;
  readonly takenBy: string;
  /** The shared device on which it was pressed. */
  readonly deviceName: string | null;
  readonly method: 'cash' | 'terminal';
  readonly amountCentavos: Centavos;
  readonly tenderedCentavos: Centavos | null;
  readonly last4: string | null;
  readonly authorisation: string | null;
  readonly buyerId: number;
  readonly reversedAt: Date | null;
  readonly reversedBy: string | null;
  /** Who that is, whatever they are at the merchant now. */
  readonly reversedByStaffId: string | null;
  readonly reason: string | null;
  /** The press that took it back; a screen of the version before named none. */
  readonly reversalId: string | null;
}

/** A merchant's operation by its device's id or its folio. */
export async function findCounterOperation(
  db: Db | Tx,
  merchantId: number,
  by: { readonly requestId: string } | { readonly folio: string },
): Promise<CounterOperation | undefined> {
  const which =
    'folio' in by ? sql`r.folio = ${by.folio}` : sql`o.request_id = ${by.requestId} and r.channel = 'till'`;
  const { rows } = await sql<CounterOperation>`
    select o.till_operation_id as "tillOperationId", o.request_id as "requestId", r.folio, o.created_at as "takenAt", o.branch_id as "branchId", h.name as "branchName",
      s.id as "staffId", s.name as "takenBy", d.name as "deviceName", o.method, o.amount_centavos as "amountCentavos", o.tendered_centavos as "tenderedCentavos",
      o.terminal_last4 as last4, o.terminal_authorisation as authorisation, r.buyer_id as "buyerId",
      v.created_at as "reversedAt", vs.name as "reversedBy", vs.id as "reversedByStaffId", v.reason, v.request_id as "reversalId"
    from counter_operations o
    join receipts r on r.source_id = o.till_operation_id::text and r.channel = 'till'
    join branches h on h.id = o.branch_id
    join staff_positions p on p.id = o.position_id join staff s on s.id = p.staff_id
    left join counter_devices d on d.id = o.device_id
    left join counter_reversals v on v.till_operation_id = o.till_operation_id
    left join staff_positions vp on vp.id = v.position_id left join staff vs on vs.id = vp.staff_id
    where o.merchant_id = ${merchantId} and ${which}`.execute(db);
  return rows[0];
}

/** Money that a merchant gives back. */
export interface RefundOfShop {
  readonly id: number;
  readonly amountCentavos: Centavos;
  readonly method: RefundMethod;
  readonly state: RefundState;
  readonly folio: string;
  /** Of the card to which the shop's own terminal gives it back. */
  readonly last4: string | null;
  readonly isTakenBack: boolean;
  /** Whose money it is, where somebody helped to pay. */
  readonly payerName: string | null;
  readonly at: Date;
  readonly doneAt: Date | null;
}

/** A refund of a merchant's; undefined for any other. */
export async function findRefundOfShop(
  db: Db | Tx,
  merchantId: number,
  id: number,
): Promise<RefundOfShop | undefined> {
  const { rows } = await sql<RefundOfShop>`
    select f.id, f.amount_centavos as "amountCentavos", f.method, f.state, r.folio, f.created_at as at, f.done_at as "doneAt",
      ${terminalLast4('f', 'r')} as last4, ${takenBack('r')} as "isTakenBack", ${payerOf('r')} as "payerName"
    from refunds f join receipts r on r.id = f.receipt_id
    where f.id = ${id} and r.merchant_id = ${merchantId}`.execute(db);
  return rows[0];
}

/** A refund that was handed over out of a drawer, or on a terminal. */
export interface CounterRefund {
  readonly refundId: number;
  readonly branchId: number;
  /** Who handed it over, whatever they are at the merchant now. */
  readonly staffId: string;
  readonly amountCentavos: Centavos;
  readonly method: 'cash' | 'terminal';
}

/** What a merchant's press handed over. */
export async function findCounterRefund(
  db: Db | Tx,
  merchantId: number,
  requestId: string,
): Promise<CounterRefund | undefined> {
  return db
    .selectFrom('counter_refunds as c')
    .innerJoin('staff_positions as p', 'p.id', 'c.position_id')
    .where('c.merchant_id', '=', merchantId)
    .where('c.request_id', '=', requestId)
    .select([
      'c.refund_id as refundId',
      'c.branch_id as branchId',
      'p.staff_id as staffId',
      'c.amount_centavos as amountCentavos',
      'c.method',
    ])
    .executeTakeFirst();
}

/** Who hands something over at a counter, and where, by name. */
export async function readNamesAt(
  tx: Tx,
  { positionId }: Staff,
  branchId: number,
): Promise<{ readonly name: string; readonly branch: string }> {
  return tx
    .selectFrom('staff_positions as p')
    .innerJoin('staff as s', 's.id', 'p.staff_id')
    .innerJoin('branches as h', 'h.merchant_id', 'p.merchant_id')
    .where('p.id', '=', positionId)
    .where('h.id', '=', branchId)
    .select(['s.name', 'h.name as branch'])
    .executeTakeFirstOrThrow();
}
