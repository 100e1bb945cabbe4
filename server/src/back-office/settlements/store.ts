import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import { MOST_SETTLEMENTS } from '@aparta/domain/shop-lists';
import { type Insertable, type RawBuilder, sql } from 'kysely';

import type { Db, Tx } from '../../platform/db/db.ts';
import type {
  ReceiptChannel,
  SettlementKind,
  SettlementParty,
  SettlementsTable,
} from '../../platform/db/tables.ts';
import { nextReportNumber } from './report.read-model.ts';

export interface Settlement {
  readonly id: number;
  readonly merchantId: number;
  readonly kind: SettlementKind;
  readonly channel: ReceiptChannel | null;
  readonly chain: string | null;
  readonly fromOn: DateOnly | null;
  readonly toOn: DateOnly | null;
  readonly party: SettlementParty | null;
  readonly amountCentavos: Centavos;
  readonly commissionCentavos: Centavos;
  readonly ofId: number | null;
  readonly happenedOn: DateOnly;
  readonly evidence: string;
  readonly recordedAt: Date;
  readonly isVoided: boolean;
  /** What its operations exceed it by, in centavos: below zero where more came, 0 once all is explained. */
  readonly differenceCentavos: number;
}

function settlements(db: Db | Tx) {
  return db.selectFrom('settlements as s').select([
    's.id',
    's.merchant_id as merchantId',
    's.kind',
    's.channel',
    's.chain',
    sql<DateOnly | null>`s.from_on::text`.as('fromOn'),
    sql<DateOnly | null>`s.to_on::text`.as('toOn'),
    's.party',
    's.amount_centavos as amountCentavos',
    's.commission_centavos as commissionCentavos',
    's.of_id as ofId',
    sql<DateOnly>`s.happened_on::text`.as('happenedOn'),
    's.evidence',
    's.recorded_at as recordedAt',
    sql<boolean>`exists (select from settlements v where v.of_id = s.id and v.kind = 'void')`.as('isVoided'),
    sql<number>`coalesce((select b.balance from balances b
        where b.account = 'settlement_difference' and b.subject = 'settlement:' || s.id), 0)::bigint`.as(
      'differenceCentavos',
    ),
  ]);
}

/** Undefined when there is no such settlement. */
export async function findSettlement(db: Db | Tx, id: number): Promise<Settlement | undefined> {
  return settlements(db).where('s.id', '=', id).executeTakeFirst();
}

/** A merchant's settlements, newest first; those `before` one, where it is named. */
export async function listSettlements(
  db: Db,
  merchantId: number,
  {
    before,
    limit = MOST_SETTLEMENTS,
  }: { readonly before?: number | undefined; readonly limit?: number } = {},
): Promise<Settlement[]> {
  let query = settlements(db).where('s.merchant_id', '=', merchantId);
  if (before !== undefined) query = query.where('s.id', '<', before);
  return query.orderBy('s.id', 'desc').limit(limit).execute();
}

const asTyped = (evidence: RawBuilder<unknown>) =>
  sql<string>`lower(regexp_replace(${evidence}, '\\s+', ' ', 'g'))`;

/** A merchant's settlements with the same evidence, voided ones included. Capitals and how wide a space is make no other one. */
export async function listByEvidence(tx: Tx, merchantId: number, evidence: string): Promise<Settlement[]> {
  return settlements(tx)
    .where('s.merchant_id', '=', merchantId)
    .where(asTyped(sql.ref('s.evidence')), '=', asTyped(sql.val(evidence)))
    .orderBy('s.id')
    .execute();
}

/** Whether an explanation of a settlement stands. */
export async function hasExplanation(tx: Tx, id: number): Promise<boolean> {
  const found = await settlements(tx).where('s.of_id', '=', id).where('s.kind', '=', 'explanation').execute();
  return found.some(({ isVoided }) => !isVoided);
}

/** Records a settlement, and returns its id. Throws on `settlements_evidence_once`. */
export async function insertSettlement(tx: Tx, settlement: Insertable<SettlementsTable>): Promise<number> {
  const { id } = await tx
    .insertInto('settlements')
    .values(settlement)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A report that was handed over. */
export interface Issue {
  /** Of its merchant's reports, from 1. */
  readonly number: number;
  readonly issuedAt: Date;
}

/** Gives a merchant's report its number: the next one, unless a restore forgot some. */
export async function issueReport(
  tx: Tx,
  { merchantId, from, to }: { merchantId: number; from: DateOnly; to: DateOnly },
): Promise<Issue> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`settlement report ${merchantId}`}, 0))`.execute(
    tx,
  );
  return tx
    .insertInto('settlement_reports')
    .values({ merchant_id: merchantId, number: nextReportNumber(merchantId), from_on: from, to_on: to })
    .returning(['number', 'issued_at as issuedAt'])
    .executeTakeFirstOrThrow();
}
