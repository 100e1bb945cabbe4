import type { DateOnly } from '@aparta/domain/calendar';
import { type Centavos, sum } from '@aparta/domain/money';
import { type DueReminder, isTimely } from '@aparta/domain/reminders';
import type { PaymentMethod } from '@aparta/domain/service-fee';
import { sql } from 'kysely';

import type { Db, Tx } from '../../platform/db/db.ts';
import { isClaimed } from '../claims/read-model.ts';
import { isBeingPaid } from '../plans/being-paid.read-model.ts';

/** A purchase of whose due date nobody has reminded its buyer yet. */
export interface Unreminded {
  readonly purchaseId: number;
  readonly buyerId: number;
  /** With `purchaseId`, where the next page begins. */
  readonly merchantId: number;
  readonly nextDueOn: DateOnly;
}

/** The key of a reminder's email: one for each day that something of a purchase is due. */
export const reminderKey = (purchaseId: number, { kind, dueOn }: DueReminder) =>
  `${purchaseId} ${dueOn} ${kind}`;

/** What owes something of that day, is not claimed or being paid, and whose buyer wants to be reminded and was not; after another. */
export async function listUnreminded(
  tx: Tx,
  { kind, dueOn }: DueReminder,
  after: Unreminded | undefined,
  limit: number,
): Promise<Unreminded[]> {
  const { rows } = await sql<Unreminded>`
    select p.id as "purchaseId", p.buyer_id as "buyerId", p.merchant_id as "merchantId", p.next_due_on as "nextDueOn"
    from purchases p join buyers b on b.id = p.buyer_id and b.wants_reminders
    where p.next_due_on is not null and p.next_due_on <= ${dueOn}::date
      and (p.merchant_id, p.next_due_on, p.id) > (${after?.merchantId ?? 0}, ${after?.nextDueOn ?? '-infinity'}::date, ${after?.purchaseId ?? 0})
      and exists (select from instalments where purchase_id = p.id and due_on = ${dueOn}::date and paid_centavos < amount_centavos)
      and not ${isClaimed(sql`p.id`)} and not ${isBeingPaid(sql`p.id`, 'buyer')}
      and not exists (select from outbox where topic = 'payment_due' and dedupe_key = p.id || ' ' || ${dueOn} || ' ' || ${kind})
    order by p.merchant_id, p.next_due_on, p.id limit ${limit}`.execute(tx);
  return rows;
}

/** A due date as things stand, of which its buyer is reminded. */
export interface Due {
  readonly merchantId: number;
  readonly productName: string;
  readonly tradeName: string;
  readonly feeCentavos: Centavos;
  readonly feeMethods: readonly PaymentMethod[];
  /** What tills take any sum of the purchase by. */
  readonly planReference: string;
  /** Whether the mailbox is known to be the buyer's. */
  readonly isConfirmed: boolean;
  /** The instalment of that day. */
  readonly number: number;
  readonly of: number;
  /** What is owed of it, and of what was due before it. */
  readonly owedCentavos: Centavos;
  readonly lateCentavos: Centavos;
}

interface Found extends Omit<Due, 'number' | 'of' | 'owedCentavos' | 'lateCentavos'> {
  readonly plan: readonly {
    readonly number: number;
    readonly dueOn: DateOnly;
    readonly balanceCentavos: Centavos;
  }[];
  readonly now: Date;
}

/**
 * What a reminder says as things stand; undefined once it is paid, cancelled, claimed or not wanted any more, while its buyer's card
 * payment is under way, or when its hours are over.
 */
export async function findDue(
  db: Db,
  of: { readonly buyerId: number; readonly email: string; readonly purchaseId: number } & DueReminder,
): Promise<Due | undefined> {
  const { rows } = await sql<Found>`
    select p.merchant_id as "merchantId", p.product_name as "productName", m.trade_name as "tradeName",
      p.service_fee_centavos as "feeCentavos", p.service_fee_methods as "feeMethods", b.email_confirmed_at is not null as "isConfirmed", app_now() as now,
      (select json_agg(json_build_object('number', i.number, 'dueOn', i.due_on, 'balanceCentavos', i.amount_centavos - i.paid_centavos)
        order by i.number) from instalments i where i.purchase_id = p.id) as plan,
      (select n.reference from instalments i join payment_references n on n.id = i.id
        where i.purchase_id = p.id order by i.number desc limit 1) as "planReference"
    from purchases p join buyers b on b.id = p.buyer_id join merchants m on m.id = p.merchant_id
    where p.id = ${of.purchaseId} and p.buyer_id = ${of.buyerId} and p.state = 'active' and b.email = ${of.email} and b.wants_reminders
      and not ${isClaimed(sql`p.id`)} and not ${isBeingPaid(sql`p.id`, 'buyer')}`.execute(db);
  const [found] = rows;
  if (found === undefined || !isTimely(of, found.now)) return undefined;
  const { plan, now: _now, ...due } = found;
  const instalment = plan.find(({ dueOn, balanceCentavos }) => dueOn === of.dueOn && balanceCentavos > 0);
  if (instalment === undefined) return undefined;
  const before = plan.filter(({ dueOn }) => dueOn < of.dueOn);
  return {
    ...due,
    number: instalment.number,
    of: plan.length,
    owedCentavos: instalment.balanceCentavos,
    lateCentavos: sum(before.map(({ balanceCentavos }) => balanceCentavos)),
  };
}
