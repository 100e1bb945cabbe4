import { sql } from 'kysely';
import type { Tx } from '../../platform/db/db.ts';
import { ipPrefixOf } from '../../platform/limiter.ts';

/**
 * Counts of recent attempts that show a card tester (rules/threats#stolen-cards); of the last hour where nothing else is said.
 * A buyer's attempts under way count as rejected: many references at once must not try more cards than one after the other.
 */
export interface Velocity {
  readonly buyerRejections: number;
  readonly referenceRejections: number;
  readonly merchantRejections: number;
  /** Attempts, and different cards that were rejected, from one IP prefix (an address, or an IPv6 /64). */
  readonly addressAttempts: number;
  readonly addressRejectedCards: number;
  /** Different cards that the buyer used, rejected or not. */
  readonly buyerCards: number;
  /** Rejections, whoever the buyer, of the most rejected card that this buyer or reference used. */
  readonly cardRejections: number;
  /** Of the last day. */
  readonly buyerAttempts: number;
  /** Whether the buyer's email address is confirmed. */
  readonly isConfirmed: boolean;
  /** Seconds until the oldest counted rejection of buyer or reference is an hour old. */
  readonly oldestRejectionSeconds: number;
}

/** What helpers try by a buyer's links does not count against the buyer. */
const OWN = sql`help_link_id is null`;

/** Counts a buyer's, a reference's, a merchant's and an address's recent attempts. */
export async function countVelocity(
  tx: Tx,
  subject: { buyerId: number; referenceId: number; merchantId: number; sourceAddress: string },
): Promise<Velocity> {
  const hourAgo = sql<Date>`app_now() - interval '1 hour'`;
  const ipPrefix = ipPrefixOf(subject.sourceAddress);
  const { rows } = await sql<Velocity>`
    select
      (select count(*) from card_attempts where ${OWN} and buyer_id = ${subject.buyerId} and state in ('rejected', 'submitting') and created_at > ${hourAgo}) as "buyerRejections",
      (select count(*) from card_attempts where ${OWN} and reference_id = ${subject.referenceId} and state = 'rejected' and created_at > ${hourAgo}) as "referenceRejections",
      (select count(*) from card_attempts where merchant_id = ${subject.merchantId} and state = 'rejected' and created_at > ${hourAgo}) as "merchantRejections",
      (select count(*) from card_attempts where source_ip_prefix = ${ipPrefix} and source_ip_prefix <> '' and created_at > ${hourAgo}) as "addressAttempts",
      (select count(distinct card_fingerprint) from card_attempts
        where source_ip_prefix = ${ipPrefix} and source_ip_prefix <> '' and state = 'rejected' and created_at > ${hourAgo}) as "addressRejectedCards",
      (select count(distinct card_fingerprint) from card_attempts where ${OWN} and buyer_id = ${subject.buyerId} and created_at > ${hourAgo}) as "buyerCards",
      coalesce((select max(rejections) from (
        select count(*) as rejections from card_attempts
        where state = 'rejected' and created_at > ${hourAgo} and card_fingerprint in (
          select card_fingerprint from card_attempts
          where ${OWN} and (buyer_id = ${subject.buyerId} or reference_id = ${subject.referenceId}) and card_fingerprint is not null and created_at > ${hourAgo})
        group by card_fingerprint) of_card), 0) as "cardRejections",
      (select count(*) from card_attempts where ${OWN} and buyer_id = ${subject.buyerId} and created_at > app_now() - interval '1 day') as "buyerAttempts",
      exists (select from buyers where id = ${subject.buyerId} and email_confirmed_at is not null) as "isConfirmed",
      coalesce((select ceil(extract(epoch from min(created_at) + interval '1 hour' - app_now()))::int from card_attempts
        where ${OWN} and (buyer_id = ${subject.buyerId} or reference_id = ${subject.referenceId}) and state = 'rejected' and created_at > ${hourAgo}), 3600) as "oldestRejectionSeconds"
  `.execute(tx);
  const counted = rows[0];
  if (counted === undefined) throw new Error('a count without a row');
  return counted;
}
