import { type Centavos, zero } from '@aparta/domain/money';
import { sql } from 'kysely';

import { payerAtStore } from '../../ledger/receipts/payer-at-store.read-model.ts';
import { assignedTo } from '../../ledger/refunds/assigned.read-model.ts';
import { takenLast4, terminalLast4 } from '../../ledger/refunds/terminal.read-model.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import type {
  EndedBy,
  PurchaseState,
  ReceiptChannel,
  RefundState,
  RefundMethod,
} from '../../platform/db/tables.ts';

/** What cancelling needs to know of a purchase. */
export interface CancellablePurchase {
  readonly id: number;
  readonly merchantId: number;
  readonly buyerId: number;
  readonly state: PurchaseState;
  readonly productName: string;
  readonly priceCentavos: Centavos;
  readonly paidCentavos: Centavos;
  readonly penaltyCentavos: Centavos;
  readonly penaltyFreeUntil: Date;
  readonly endedBy: EndedBy | null;
  /** The database's time when it was read. */
  readonly now: Date;
}

/** Whose a purchase has to be. */
export type PurchaseOwner = { readonly buyerId: number } | { readonly merchantId: number };

const ownedBy = (owner: PurchaseOwner) =>
  'buyerId' in owner
    ? sql<boolean>`buyer_id = ${owner.buyerId}`
    : sql<boolean>`merchant_id = ${owner.merchantId}`;

/** A purchase of a buyer, or of a merchant; undefined for any other. */
export async function findCancellable(
  db: Db | Tx,
  owner: PurchaseOwner,
  purchaseId: number,
): Promise<CancellablePurchase | undefined> {
  return db
    .selectFrom('purchases')
    .where('id', '=', purchaseId)
    .where(ownedBy(owner))
    .select([
      'id',
      'merchant_id as merchantId',
      'buyer_id as buyerId',
      'state',
      'product_name as productName',
      'price_centavos as priceCentavos',
      'paid_centavos as paidCentavos',
      'penalty_centavos as penaltyCentavos',
      'penalty_free_until as penaltyFreeUntil',
      'ended_by as endedBy',
      sql<Date>`app_now()`.as('now'),
    ])
    .executeTakeFirst();
}

/** Locks a purchase (rules/ledger#lock-order, level 1), then reads it. */
export async function lockCancellable(
  tx: Tx,
  owner: PurchaseOwner,
  purchaseId: number,
): Promise<CancellablePurchase | undefined> {
  await tx
    .selectFrom('purchases')
    .select('id')
    .where('id', '=', purchaseId)
    .where(ownedBy(owner))
    .forNoKeyUpdate()
    .executeTakeFirst();
  return findCancellable(tx, owner, purchaseId);
}

/** A payment that a purchase has: what of it was applied, and the fee that came with it; one for several has its fee with the first. */
export interface HeldPayment {
  readonly receiptId: number;
  readonly folio: string;
  readonly channel: ReceiptChannel;
  readonly sourceId: string;
  readonly paidAt: Date;
  readonly appliedCentavos: Centavos;
  readonly feeCentavos: Centavos;
  /** Of a card payment. */
  readonly attemptId: string | null;
  /** Of the buyer's own card, or of one that the shop's own terminal took. */
  readonly last4: string | null;
  /** Who paid it to help the buyer; null for the buyer's own money. */
  readonly payerName: string | null;
  /** Of who helped; null too once it is forgotten. */
  readonly payerEmail: string | null;
}

/**
 * The payments that a purchase has, oldest first, without those that were reversed. Its receipts are named before anything is
 * joined to them: while the planner takes the tables for empty, it would join all of them first, which took 10 s over 600 payments.
 */
export async function listHeldPayments(db: Db | Tx, purchaseId: number): Promise<HeldPayment[]> {
  return db
    .selectFrom((eb) =>
      eb
        .selectFrom('instalments as y')
        .innerJoin('allocations as x', 'x.instalment_id', 'y.id')
        .where('y.purchase_id', '=', purchaseId)
        .select('x.receipt_id')
        .distinct()
        .as('own'),
    )
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('allocations as a')
          .leftJoin('instalments as i', 'i.id', 'a.instalment_id')
          .whereRef('a.receipt_id', '=', 'own.receipt_id')
          .select([
            sql<Centavos>`(sum(a.amount_centavos) filter (where i.purchase_id = ${purchaseId}))::bigint`.as(
              'applied',
            ),
            sql<Centavos>`(case when min(i.purchase_id) = ${purchaseId}
              then coalesce(sum(a.amount_centavos) filter (where a.target = 'service_fee'), 0) else 0 end)::bigint`.as(
              'fee',
            ),
          ])
          .as('sums'),
      (join) => join.on('sums.applied', '>', zero),
    )
    .innerJoin('receipts as r', 'r.id', 'own.receipt_id')
    .leftJoin('card_attempts as t', (join) =>
      join.on('t.id', '=', sql<string>`case when r.channel = 'card' then r.source_id::uuid end`),
    )
    .select([
      'r.id as receiptId',
      'r.folio',
      'r.channel',
      'r.source_id as sourceId',
      sql<Date>`coalesce(r.paid_at, r.received_at)`.as('paidAt'),
      'sums.applied as appliedCentavos',
      'sums.fee as feeCentavos',
      't.id as attemptId',
      sql<
        string | null
      >`case when t.payer_name is null then coalesce(t.card_last4, ${takenLast4('r')}) end`.as('last4'),
      sql<string | null>`coalesce(t.payer_name, ${payerAtStore('r')})`.as('payerName'),
      sql<string | null>`coalesce(t.payer_email, ${payerAtStore('r', 'payer_email')})`.as('payerEmail'),
    ])
    .orderBy('paidAt')
    .orderBy('r.id')
    .execute();
}

/**
 * Locks the card attempts of these payments (rules/ledger#lock-order, level 2), by id, as `lockAttempt` of payments does: those
 * come after purchases, and a lock writes nothing.
 */
export async function lockAttempts(tx: Tx, attemptIds: readonly string[]): Promise<void> {
  if (attemptIds.length === 0) return;
  await tx
    .selectFrom('card_attempts')
    .select('id')
    .where('id', 'in', [...attemptIds])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

export interface RefundRow {
  readonly id: number;
  readonly amountCentavos: Centavos;
  readonly method: RefundMethod;
  readonly state: RefundState;
  /** Of the buyer's own card that it goes back to, by its provider or on the shop's own terminal. */
  readonly last4: string | null;
  /** Whose money it is, of a helper. */
  readonly payerName: string | null;
  readonly folio: string;
  readonly createdAt: Date;
  readonly doneAt: Date | null;
}

/** The refunds `f` of money that was meant for a purchase. Of one that moved to cash, the cash refund alone. */
function refundsOf(db: Db | Tx, purchaseId: number) {
  return db
    .selectFrom('refunds as f')
    .where('f.state', '<>', 'moved_to_cash')
    .where((by) => by.or([by('f.purchase_id', 'is', null), by('f.purchase_id', '=', purchaseId)]))
    .where('f.receipt_id', 'in', (eb) =>
      // Applied to it, paid by card for its deposit or an instalment, or paid in a store for one.
      eb
        .selectFrom('allocations as a')
        .innerJoin('instalments as i', 'i.id', 'a.instalment_id')
        .where('i.purchase_id', '=', purchaseId)
        .select('a.receipt_id as id')
        .union(
          eb
            .selectFrom('card_attempts as k')
            .innerJoin('receipts as e', (join) =>
              join.on('e.channel', '=', 'card').on('e.source_id', '=', sql<string>`k.id::text`),
            )
            .where('k.reference_id', 'in', (its) =>
              its
                .selectFrom('instalments as i')
                .where('i.purchase_id', '=', purchaseId)
                .select('i.id')
                .union(
                  its
                    .selectFrom('purchases as p')
                    .where('p.id', '=', purchaseId)
                    .select('p.layaway_reference_id as id'),
                ),
            )
            .select('e.id'),
        )
        .union(
          // Paid by card for several, this one among them, and returned whole.
          eb
            .selectFrom('card_attempt_parts as t')
            .innerJoin('receipts as e', (join) =>
              join.on('e.channel', '=', 'card').on('e.source_id', '=', sql<string>`t.attempt_id::text`),
            )
            .where('t.purchase_id', '=', purchaseId)
            .where((by) =>
              by.not(
                by.exists(
                  by
                    .selectFrom('allocations as u')
                    .whereRef('u.receipt_id', '=', 'e.id')
                    .where('u.target', '=', 'instalment')
                    .select('u.id'),
                ),
              ),
            )
            .select('e.id'),
        )
        .union(
          eb
            .selectFrom('cash_references as c')
            .innerJoin('cash_notices as n', 'n.cash_reference_id', 'c.id')
            .innerJoin('receipts as e', (join) =>
              join.on('e.channel', '=', 'cash').onRef('e.source_id', '=', 'n.operation_id'),
            )
            .where((by) =>
              by.or([
                by('c.purchase_id', '=', purchaseId),
                by('c.layaway_reference_id', '=', (its) =>
                  its
                    .selectFrom('purchases as p')
                    .where('p.id', '=', purchaseId)
                    .select('p.layaway_reference_id'),
                ),
              ]),
            )
            .select('e.id'),
        )
        .union(
          eb
            .selectFrom('receipts as e')
            .where('e.channel', '=', 'cash')
            .where(
              sql<boolean>`e.source_id in (${assignedTo(sql`(select layaway_reference_id from purchases where id = ${purchaseId})`)})`,
            )
            .select('e.id'),
        ),
    );
}

/** Whether money that was meant for a purchase went back, or is to. */
export async function anyRefundOf(db: Db | Tx, purchaseId: number): Promise<boolean> {
  // They are few: asked for the first alone, a planner may read everybody's to find it.
  const ids = await refundsOf(db, purchaseId).select('f.id').execute();
  return ids.length > 0;
}

/** The refunds of money that was meant for a purchase, newest first. */
export async function listRefundsOf(db: Db | Tx, purchaseId: number): Promise<RefundRow[]> {
  return refundsOf(db, purchaseId)
    .innerJoin('receipts as r', 'r.id', 'f.receipt_id')
    .leftJoin('card_attempts as t', 't.id', 'f.attempt_id')
    .select([
      'f.id',
      'f.amount_centavos as amountCentavos',
      'f.method',
      'f.state',
      sql<string | null>`case when f.method = 'cash' then ${terminalLast4('f', 'r')}
        when t.payer_name is null then t.card_last4 end`.as('last4'),
      sql<string | null>`coalesce(t.payer_name, ${payerAtStore('r')})`.as('payerName'),
      'r.folio',
      'f.created_at as createdAt',
      'f.done_at as doneAt',
    ])
    .orderBy('f.id', 'desc')
    .execute();
}
