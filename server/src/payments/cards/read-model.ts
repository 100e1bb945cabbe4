import type { DateOnly } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/db.ts';

/**
 * Printed numbers, at most two, that the buyer could pay this merchant now and that cost exactly this by card: live layaway
 * references, and the oldest unpaid instalment of each active purchase.
 */
export async function findReferencesCosting(
  db: Db,
  where: { buyerId: number; merchantId: number; totalCentavos: Centavos },
): Promise<string[]> {
  const { rows } = await sql<{ reference: string }>`
    select r.reference from (
      select l.id, l.deposit_centavos + case when 'card' = any (l.service_fee_methods) then l.service_fee_centavos else 0 end as total
      from layaway_references l
      where l.buyer_id = ${where.buyerId} and l.merchant_id = ${where.merchantId} and l.state = 'open' and l.expires_at > app_now()
      union all
      select i.id, i.amount_centavos - i.paid_centavos + case when 'card' = any (p.service_fee_methods) then p.service_fee_centavos else 0 end
      from purchases p join lateral (
        select * from instalments where purchase_id = p.id and paid_centavos < amount_centavos order by number limit 1
      ) i on true
      where p.buyer_id = ${where.buyerId} and p.merchant_id = ${where.merchantId} and p.state = 'active'
    ) payable join payment_references r on r.id = payable.id
    where payable.total = ${where.totalCentavos} limit 2
  `.execute(db);
  return rows.map(({ reference }) => reference);
}

/** A captured payment that is due to be read again, to see whether its money is still there. */
export interface DueRecheck {
  readonly id: string;
  readonly merchantId: number;
  readonly credentialId: string;
  readonly paymentId: string;
  readonly intentId: string | null;
  readonly capturedCentavos: Centavos;
  /** What the books have had as refunded for a day, so that the provider has to say it too. */
  readonly refundedCentavos: Centavos;
  /** No money can leave it any more: no further recheck. */
  readonly isOver: boolean;
}

/**
 * Captured payments due for a recheck, the longest overdue first, merchants in turn. Rechecks end sixty days after all the
 * money went back (until then a bank may send it back, since the card was closed), or 300 days after the payment (no dispute comes
 * later, rules/providers#chargebacks), yet not before half a year after a cancellation (no refund comes later), nor while its purchase
 * goes on.
 */
export async function listDueRechecks(
  db: Db,
  most: { readonly perMerchant: number; readonly inAll: number },
): Promise<DueRecheck[]> {
  const { rows } = await sql<DueRecheck>`
    select a.id, a.merchant_id as "merchantId", a.credential_id as "credentialId", a.provider_payment_id as "paymentId",
      a.intent_id as "intentId", a.captured_centavos as "capturedCentavos",
      (select coalesce(sum(f.amount_centavos), 0)::bigint from refunds f
        where f.attempt_id = a.id and f.state = 'done' and (f.method = 'card' or f.provider_refund_id is not null)
          and f.done_at < app_now() - interval '1 day') as "refundedCentavos",
      a.refunded_centavos = a.captured_centavos
        and not exists (select from refunds f where f.attempt_id = a.id and f.done_at > app_now() - interval '60 days')
        or not coalesce(paid."mayLeave", a.created_at > app_now() - interval '300 days') as "isOver"
    from (
      select *, row_number() over (partition by merchant_id order by recheck_at, id) as turn from card_attempts
      where state in ('applied', 'returned') and recheck_at <= app_now()
    ) a
    cross join lateral (
      select bool_or(case
          when p.state = 'cancelled' then p.cancelled_at > app_now() - interval '180 days' or a.created_at > app_now() - interval '300 days'
          when p.paid_centavos < p.price_centavos and a.state = 'applied' then true
          else a.created_at > app_now() - interval '300 days' end) as "mayLeave"
      from purchases p where p.id in (
        select id from purchases where layaway_reference_id = a.reference_id
        union select purchase_id from instalments where id = a.reference_id
        union select purchase_id from card_attempt_parts where attempt_id = a.id)
    ) paid
    where a.turn <= ${most.perMerchant} order by a.turn, a.recheck_at limit ${most.inAll}`.execute(db);
  return rows;
}

/** What an attempt pays and what became of its money, as its buyer sees it. */
export interface AttemptOutcome {
  /** As printed; null for money whose reference is unknown. */
  readonly reference: string | null;
  readonly folio: string | null;
  readonly paidAt: Date | null;
  readonly purchaseId: number | null;
  readonly refundCentavos: Centavos | null;
  readonly refundDone: boolean | null;
  /** The purchase's plan as it stands now; null without a purchase, and once it is cancelled. */
  readonly instalments: number | null;
  readonly paidInstalments: number | null;
  readonly leftCentavos: Centavos | null;
  readonly nextDueOn: DateOnly | null;
  /** What it pays of each, of an attempt at several purchases. */
  readonly shares: readonly {
    readonly purchaseId: number;
    readonly productName: string;
    readonly amountCentavos: Centavos;
    /** What is left of the purchase now. */
    readonly leftCentavos: Centavos;
  }[];
}

/** An attempt's outcome; undefined when there is no such attempt. */
export async function findOutcome(db: Db | Tx, attemptId: string): Promise<AttemptOutcome | undefined> {
  return db
    .selectFrom('card_attempts as a')
    .leftJoin('receipts as r', (join) =>
      join.on('r.channel', '=', 'card').onRef('r.source_id', '=', sql`a.id::text`),
    )
    .leftJoin('allocations as l', (join) =>
      join.onRef('l.receipt_id', '=', 'r.id').on('l.target', '=', 'instalment'),
    )
    .leftJoin('instalments as i', 'i.id', 'l.instalment_id')
    .leftJoin('refunds as f', (join) =>
      join.onRef('f.attempt_id', '=', 'a.id').on('f.state', '<>', 'moved_to_cash'),
    )
    .leftJoin('payment_references as p', 'p.id', 'a.reference_id')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('instalments as each')
          .innerJoin('purchases as u', 'u.id', 'each.purchase_id')
          .whereRef('u.id', '=', 'i.purchase_id')
          .where('u.state', '<>', 'cancelled')
          .groupBy('u.id')
          .select([
            sql<number>`count(*)::int`.as('instalments'),
            sql<number>`(count(*) filter (where each.paid_centavos = each.amount_centavos))::int`.as(
              'paidInstalments',
            ),
            sql<Centavos>`sum(each.amount_centavos - each.paid_centavos)::bigint`.as('leftCentavos'),
            sql<DateOnly | null>`min(each.due_on) filter (where each.paid_centavos < each.amount_centavos)`.as(
              'nextDueOn',
            ),
          ])
          .as('plan'),
      (join) => join.onTrue(),
    )
    .where('a.id', '=', attemptId)
    .select([
      'p.reference',
      'r.folio',
      sql<Date | null>`coalesce(r.paid_at, r.received_at)`.as('paidAt'),
      'i.purchase_id as purchaseId',
      'f.amount_centavos as refundCentavos',
      sql<boolean | null>`f.state = 'done'`.as('refundDone'),
      'plan.instalments',
      'plan.paidInstalments',
      'plan.leftCentavos',
      'plan.nextDueOn',
      sql<
        AttemptOutcome['shares']
      >`(select coalesce(json_agg(json_build_object('purchaseId', u.id, 'productName', u.product_name,
        'amountCentavos', s.amount_centavos, 'leftCentavos', u.price_centavos - u.paid_centavos) order by u.id), '[]')
        from card_attempt_parts s join purchases u on u.id = s.purchase_id where s.attempt_id = a.id)`.as(
        'shares',
      ),
    ])
    .limit(1)
    .executeTakeFirst();
}

/** The id of a buyer's attempt, by the printed number that it pays and the provider's payment id. */
export async function findAttemptPaying(
  db: Db,
  where: { buyerId: number; reference: string; paymentId: string },
): Promise<string | undefined> {
  const found = await db
    .selectFrom('card_attempts as a')
    .innerJoin('payment_references as p', 'p.id', 'a.reference_id')
    .where('a.buyer_id', '=', where.buyerId)
    .where('p.reference', '=', where.reference)
    .where('a.provider_payment_id', '=', where.paymentId)
    .select('a.id')
    .executeTakeFirst();
  return found?.id;
}

/** The printed number that a buyer's intent already pays. */
export async function findReferenceOfIntent(
  db: Db,
  buyerId: number,
  intentId: string,
): Promise<string | undefined> {
  const found = await db
    .selectFrom('card_attempts as a')
    .innerJoin('payment_references as p', 'p.id', 'a.reference_id')
    .where('a.buyer_id', '=', buyerId)
    .where('a.intent_id', '=', intentId)
    .select('p.reference')
    .executeTakeFirst();
  return found?.reference;
}

/** Whether one of this merchant's attempts already has this payment. */
export async function isKnownPayment(db: Db | Tx, merchantId: number, paymentId: string): Promise<boolean> {
  const found = await db
    .selectFrom('card_attempts')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('provider_payment_id', '=', paymentId)
    .executeTakeFirst();
  return found !== undefined;
}

/** The attempt whose notices come with this nonce. */
export async function findAttemptByNonce(db: Db, nonce: string): Promise<{ id: string } | undefined> {
  return db.selectFrom('card_attempts').select('id').where('webhook_nonce', '=', nonce).executeTakeFirst();
}
