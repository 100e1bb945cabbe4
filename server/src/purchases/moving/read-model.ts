import { type DateOnly, mexicoCityDate } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import type { MovablePlan } from '@aparta/domain/moving';
import { type RawBuilder, sql } from 'kysely';

import { isClosed } from '../../invoicing/invoices/invoice.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { AttemptState, InvoiceState, PurchaseState } from '../../platform/db/tables.ts';

/** A change of a plan, as it was made. */
export interface PlanChangeRow {
  readonly sequence: number;
  readonly kind: 'moved' | 'split';
  readonly number: number;
  readonly fromDay: DateOnly;
  readonly toDay: DateOnly;
  readonly amountCentavos: Centavos;
  readonly firstCentavos: Centavos | null;
  /** ISO-8601, as the database writes it inside JSON. */
  readonly changedAt: string;
}

/** The changes of a purchase's plan, the oldest first. */
export function planChangesOf(purchaseId: RawBuilder<unknown>) {
  return sql<PlanChangeRow[]>`(
    select coalesce(jsonb_agg(jsonb_build_object('sequence', c.sequence, 'kind', c.kind, 'number', c.number, 'fromDay', c.from_day,
      'toDay', c.to_day, 'amountCentavos', c.amount_centavos, 'firstCentavos', c.first_centavos, 'changedAt', c.changed_at)
      order by c.sequence), '[]') from plan_changes c where c.purchase_id = ${purchaseId})`;
}

/** What changing a plan needs to know of it. */
export interface MovableRow {
  readonly state: PurchaseState;
  readonly movesAllowed: number;
  readonly moveDays: number;
  readonly changes: readonly PlanChangeRow[];
  readonly instalments: readonly {
    readonly id: number;
    readonly number: number;
    readonly dueOn: DateOnly;
    readonly amountCentavos: Centavos;
    readonly paidCentavos: Centavos;
  }[];
  /** The newest of each instalment that has one. */
  readonly invoices: readonly { readonly instalmentId: number; readonly state: InvoiceState }[];
  /** The database's time when it was read. */
  readonly now: Date;
}

/** A purchase as the rule of moving sees it. */
export function movablePlanOf(row: MovableRow): MovablePlan {
  const invoiced = new Set(
    row.invoices.filter(({ state }) => !isClosed(state)).map(({ instalmentId }) => instalmentId),
  );
  return {
    isActive: row.state === 'active',
    rule: { movesAllowed: row.movesAllowed, moveDays: row.moveDays },
    changes: row.changes.length,
    today: mexicoCityDate(row.now),
    instalments: row.instalments.map((instalment) => ({
      ...instalment,
      isInvoiced: invoiced.has(instalment.id),
    })),
  };
}

/** The same with what decides whether it may be changed at all. */
export interface LockedMovable extends MovableRow {
  readonly priceCentavos: Centavos;
  readonly paidCentavos: Centavos;
  /** The buyer's own card payment that is not decided. */
  readonly attempt: { readonly intentId: string; readonly state: AttemptState } | null;
}

/**
 * Locks a buyer's purchase (rules/ledger#lock-order, level 1), then reads it; undefined for any other. Its plan changes under this
 * lock alone, and so do card payments begin. Payments come after purchases, so the states of theirs are named here.
 */
export async function lockMovable(
  tx: Tx,
  buyerId: number,
  purchaseId: number,
): Promise<LockedMovable | undefined> {
  await sql`select from purchases where id = ${purchaseId} and buyer_id = ${buyerId} for no key update`.execute(
    tx,
  );
  const { rows } = await sql<LockedMovable>`
    select p.state, p.price_centavos as "priceCentavos", p.paid_centavos as "paidCentavos", m.moves_allowed as "movesAllowed",
      m.move_days as "moveDays", app_now() as now, ${planChangesOf(sql`p.id`)} as changes,
      (select jsonb_agg(jsonb_build_object('id', i.id, 'number', i.number, 'dueOn', i.due_on, 'amountCentavos', i.amount_centavos,
        'paidCentavos', i.paid_centavos) order by i.number) from instalments i where i.purchase_id = p.id) as instalments,
      (select coalesce(jsonb_agg(jsonb_build_object('instalmentId', v.instalment_id, 'state', v.state)), '[]') from (
        select distinct on (instalment_id) instalment_id, state from invoices where purchase_id = p.id
        order by instalment_id, id desc) v) as invoices,
      (select jsonb_build_object('intentId', a.intent_id, 'state', a.state) from card_attempts a
        where (a.purchase_id = p.id or a.id in (select attempt_id from card_attempt_parts where purchase_id = p.id))
          and a.help_link_id is null and a.state in ('submitting', 'pending_3ds', 'unknown', 'held')
        limit 1) as attempt
    from purchases p join merchants m on m.id = p.merchant_id
    where p.id = ${purchaseId} and p.buyer_id = ${buyerId}`.execute(tx);
  return rows[0];
}
