import type { Centavos } from '@aparta/domain/money';
import { type RawBuilder, sql } from 'kysely';

import { COVERS } from '../../../accounts/staff/read-model.ts';
import { gapOfRestores } from '../../../platform/audit.ts';
import type { Db, Tx } from '../../../platform/db/db.ts';

/** Of what is in a drawer or a cut, as many as a screen and a page hold; its sums are of all. */
const MOST_LISTED = 500;
const PAGE = 30;

/** Money that came into a drawer, or went back out of it. */
export interface Movement {
  readonly positionId: string;
  readonly kind: 'taken' | 'returned';
  readonly folio: string;
  /** Of a refund that the shop handed over; its folio is of the payment that it gives back. */
  readonly refundId: number | null;
  readonly at: Date;
  readonly method: 'cash' | 'terminal';
  readonly amountCentavos: Centavos;
  readonly isReversed: boolean;
}

/** What went through a drawer between two cuts. */
export interface DrawerSums {
  readonly branchId: number;
  readonly branchName: string;
  readonly positionId: string;
  readonly name: string;
  readonly movements: number;
  readonly cashTakenCentavos: Centavos;
  readonly cashReturnedCentavos: Centavos;
  readonly terminalTakenCentavos: Centavos;
  readonly terminalReturnedCentavos: Centavos;
}

/** What waits for a cut. */
export interface OpenDrawer extends DrawerSums {
  readonly since: Date | null;
  /** Of the drawer's last cut; null of one that has none. */
  readonly floatBeforeCentavos: Centavos | null;
}

/** Each movement of counters, with the drawer that it went through. */
const MOVEMENTS = sql`(
  select o.till_operation_id, null::bigint as refund_id, o.branch_id, o.position_id, o.cut_id, 'taken' as kind, o.method,
    o.amount_centavos, o.created_at
  from counter_operations o
  union all
  select v.till_operation_id, null, o.branch_id, v.position_id, v.cut_id, 'returned', o.method, o.amount_centavos, v.created_at
  from counter_reversals v join counter_operations o on o.till_operation_id = v.till_operation_id
  union all
  select null, c.refund_id, c.branch_id, c.position_id, c.cut_id, 'returned', c.method, c.amount_centavos, c.created_at
  from counter_refunds c
)`;

const summed = (kind: Movement['kind'], method: Movement['method']) => sql`
  coalesce(sum(m.amount_centavos) filter (where m.kind = ${sql.lit(kind)} and m.method = ${sql.lit(method)}), 0)::bigint`;

/** What waits for a cut in a branch: `positionId`'s drawer first, and, when `all` are asked for, those with something in them. */
export async function listOpenDrawers(
  db: Db,
  { branchId, positionId, all }: { branchId: number; positionId: string; all: boolean },
): Promise<OpenDrawer[]> {
  const { rows } = await sql<OpenDrawer>`
    select h.id as "branchId", h.name as "branchName", p.id as "positionId", s.name, count(m.kind)::int as movements,
      min(m.created_at) as since, ${summed('taken', 'cash')} as "cashTakenCentavos",
      ${summed('returned', 'cash')} as "cashReturnedCentavos", ${summed('taken', 'terminal')} as "terminalTakenCentavos",
      ${summed('returned', 'terminal')} as "terminalReturnedCentavos",
      (select float_centavos from counter_cuts where branch_id = h.id and position_id = p.id order by number desc limit 1)
        as "floatBeforeCentavos"
    from branches h cross join staff_positions p join staff s on s.id = p.staff_id
    left join ${MOVEMENTS} m on m.cut_id is null and m.branch_id = h.id and m.position_id = p.id
    where h.id = ${branchId} and p.merchant_id = h.merchant_id and ${all ? sql`true` : sql`p.id = ${positionId}`}
    group by h.id, p.id, s.id
    having count(m.kind) > 0 or p.id = ${positionId}
    order by p.id = ${positionId} desc, s.name, p.id`.execute(db);
  return rows;
}

/** Cash that lies in a drawer without a cut. */
export interface UncutDrawer {
  readonly name: string;
  readonly branch: string;
  readonly days: number;
  /** What came into it less what went out; below zero where more was given back than was taken. */
  readonly amountCentavos: number;
}

/** A shop cuts by shift; two days are longer than a day on which it is shut. */
const UNCUT_DAYS = 2;
const MOST_UNCUT = 50;

/** The drawers of a merchant, or of some of its branches, with cash of more than two days ago, the longest waiting first. */
export async function listUncutDrawers(
  db: Db,
  { merchantId, branchIds }: { merchantId: number; branchIds: readonly number[] | undefined },
): Promise<UncutDrawer[]> {
  const { rows } = await sql<UncutDrawer>`
    select s.name, h.name as branch, extract(days from app_now() - min(m.created_at))::int as days,
      ${summed('taken', 'cash')} - ${summed('returned', 'cash')} as "amountCentavos"
    from branches h join ${MOVEMENTS} m on m.cut_id is null and m.branch_id = h.id and m.method = 'cash'
      join staff_positions p on p.id = m.position_id join staff s on s.id = p.staff_id
    where h.merchant_id = ${merchantId} and ${branchIds === undefined ? sql`true` : sql`h.id = any (${branchIds}::bigint[])`}
    group by h.id, p.id, s.id
    having min(m.created_at) < app_now() - ${sql.lit(UNCUT_DAYS)} * interval '1 day'
    order by min(m.created_at), p.id limit ${MOST_UNCUT}`.execute(db);
  return rows;
}

/** What is in the open drawers of a branch, newest first. */
export async function listOpenMovements(
  db: Db,
  branchId: number,
  positionIds: readonly string[],
): Promise<Movement[]> {
  return listMovements(
    db,
    sql`m.cut_id is null and m.branch_id = ${branchId} and m.position_id = any(${positionIds}::uuid[])`,
  );
}

/** What is in a cut, newest first. */
export async function listCutMovements(db: Db, cutId: string): Promise<Movement[]> {
  return listMovements(db, sql`m.cut_id = ${cutId}`);
}

async function listMovements(db: Db, where: RawBuilder<unknown>): Promise<Movement[]> {
  const { rows } = await sql<Movement>`
    select m.position_id as "positionId", m.kind, r.folio, m.refund_id as "refundId", m.created_at as at, m.method, m.amount_centavos as "amountCentavos",
      m.kind = 'taken' and exists (select from counter_reversals v where v.till_operation_id = m.till_operation_id) as "isReversed"
    from ${MOVEMENTS} m left join refunds f on f.id = m.refund_id
      cross join lateral (
        select folio from receipts where source_id = m.till_operation_id::text and channel = 'till'
        union all select folio from receipts where id = f.receipt_id
      ) r
    where ${where} order by m.created_at desc, m.kind desc, r.folio limit ${MOST_LISTED}`.execute(db);
  return rows;
}

/** A closed cut. */
export interface CutRow extends DrawerSums {
  readonly id: string;
  readonly number: number;
  readonly closedBy: string;
  readonly fromAt: Date;
  readonly untilAt: Date;
  readonly floatCentavos: Centavos;
  readonly countedCentavos: Centavos;
  readonly reason: string | null;
  /** Why its float was another than that of the drawer's cut before. */
  readonly floatReason: string | null;
}

export interface CutWithMovements {
  readonly cut: CutRow;
  readonly list: readonly Movement[];
}

const cutsWhere = (where: RawBuilder<unknown>, limit: number) => sql<CutRow>`
  select c.id, c.number, c.branch_id as "branchId", h.name as "branchName", c.position_id as "positionId", s.name,
    cs.name as "closedBy", c.from_at as "fromAt", c.until_at as "untilAt", c.movements,
    c.float_centavos as "floatCentavos", c.cash_taken_centavos as "cashTakenCentavos",
    c.cash_returned_centavos as "cashReturnedCentavos", c.terminal_taken_centavos as "terminalTakenCentavos",
    c.terminal_returned_centavos as "terminalReturnedCentavos", c.counted_centavos as "countedCentavos", c.reason,
    c.float_reason as "floatReason"
  from counter_cuts c join branches h on h.id = c.branch_id
  join staff_positions p on p.id = c.position_id join staff s on s.id = p.staff_id
  join staff_positions cp on cp.id = c.closed_by join staff cs on cs.id = cp.staff_id
  where ${where} order by c.number desc limit ${limit}`;

/** A cut of a merchant; undefined when it has none with that id. */
export async function findCut(db: Db | Tx, merchantId: number, id: string): Promise<CutRow | undefined> {
  const where = sql`c.id = ${id} and c.merchant_id = ${merchantId}`;
  return (await cutsWhere(where, 1).execute(db)).rows[0];
}

/**
 * The float of a drawer's last cut; null where it has none. `isListed`: where it has none on the page of its branch's newest cuts,
 * which is all that a screen of the version before knows of.
 */
export async function findFloatBefore(
  tx: Tx,
  { branchId, positionId }: Required<DrawersOf>,
  isListed: boolean,
): Promise<Centavos | null> {
  const { rows } = await sql<{ floatCentavos: Centavos }>`
    select float_centavos as "floatCentavos" from (
      select * from counter_cuts where branch_id = ${branchId} order by number desc limit ${isListed ? PAGE : null}) c
    where position_id = ${positionId} order by number desc limit 1`.execute(tx);
  return rows[0]?.floatCentavos ?? null;
}

/** The number of a branch's next cut. */
export function nextCutNumber(branchId: number): RawBuilder<number> {
  return sql`(
    select coalesce(last.number, 0) + 1 + ${gapOfRestores(sql`coalesce(last.until_at, h.created_at)`)}
    from branches h left join lateral (
      select number, until_at from counter_cuts where branch_id = h.id order by number desc limit 1) last on true
    where h.id = ${branchId})`;
}

/** The drawers of a branch, or one of them. */
export interface DrawersOf {
  readonly branchId: number;
  readonly positionId?: string;
}

const cutsOf = ({ branchId, positionId }: DrawersOf) =>
  positionId === undefined
    ? sql`c.branch_id = ${branchId}`
    : sql`c.branch_id = ${branchId} and c.position_id = ${positionId}`;

/** The newest cuts of a branch. */
export async function listNewestCuts(db: Db, of: DrawersOf, most: number): Promise<CutRow[]> {
  return (await cutsWhere(cutsOf(of), most).execute(db)).rows;
}

/** A page of a branch's cuts, newest first, before number `before`; of one drawer when `positionId` is given. */
export async function listCutsOf(
  db: Db,
  { before, ...of }: DrawersOf & { before?: number | undefined },
): Promise<{ readonly cuts: CutRow[]; readonly next: number | null; readonly total: number | null }> {
  const all = cutsOf(of);
  const page = before === undefined ? all : sql`${all} and c.number < ${before}`;
  const { rows } = await cutsWhere(page, PAGE + 1).execute(db);
  const cuts = rows.slice(0, PAGE);
  if (before !== undefined) return { cuts, next: nextOf(rows), total: null };
  const counted = await sql<{
    total: number;
  }>`select count(*)::int as total from counter_cuts c where ${all}`.execute(db);
  return { cuts, next: nextOf(rows), total: counted.rows[0]?.total ?? 0 };
}

function nextOf(rows: readonly CutRow[]): number | null {
  return rows.length > PAGE ? (rows[PAGE - 1]?.number ?? null) : null;
}

/** Whether a merchant ever had that position. */
export async function hasPosition(db: Db, merchantId: number, positionId: string): Promise<boolean> {
  const found = await db
    .selectFrom('staff_positions')
    .select('id')
    .where('id', '=', positionId)
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  return found !== undefined;
}

/** The closed branches of a position: all of its merchant, or those that it names. */
const closedBranchesOf = (positionId: string) => sql`
  select b.id, b.name from branches b join staff_positions p on p.merchant_id = b.merchant_id
  where p.id = ${positionId} and b.closed_at is not null and ${COVERS}`;

/** A closed branch with something left in it: a drawer that waits for its cut, or units that are kept for buyers. */
export interface ClosedBranch {
  readonly id: number;
  readonly name: string;
  readonly hasDrawer: boolean;
  readonly hasUnits: boolean;
}

/** Of those, the ones in which something is left. */
export async function listClosedWithSomething(db: Db, positionId: string): Promise<ClosedBranch[]> {
  const { rows } = await sql<ClosedBranch>`
    select id, name, "hasDrawer", "hasUnits" from (${closedBranchesOf(positionId)}) b
    cross join lateral (select
      exists (select from ${MOVEMENTS} m where m.cut_id is null and m.branch_id = b.id) as "hasDrawer",
      exists (select from holds h where h.branch_id = b.id and h.state = 'held') as "hasUnits") has
    where "hasDrawer" or "hasUnits"
    order by name, id`.execute(db);
  return rows;
}

/** Whether it is a closed branch of a position. */
export async function isClosedBranchOf(db: Db, positionId: string, branchId: number): Promise<boolean> {
  const { rows } = await sql`select from (${closedBranchesOf(positionId)}) b where id = ${branchId}`.execute(
    db,
  );
  return rows.length > 0;
}
