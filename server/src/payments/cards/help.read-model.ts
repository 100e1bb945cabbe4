import { sql } from 'kysely';

import type { Db, Tx } from '../../platform/db/db.ts';
import { ipPrefixOf } from '../../platform/limiter.ts';
import { type Attempt, attempts } from './store.ts';

/** A helper's attempt by the id that their browser gave it. */
export async function findHelperAttempt(db: Db | Tx, intentId: string): Promise<Attempt | undefined> {
  return attempts(db)
    .where('intent_id', '=', intentId)
    .where('help_link_id', 'is not', null)
    .executeTakeFirst();
}

/** Counts of attempts that show a card tester at a link; of the last hour where nothing else is said. */
export interface HelpCounts {
  /** Ever. */
  readonly linkRejections: number;
  readonly linkSubmitting: number;
  readonly linkOpen: number;
  /** Of the last day. */
  readonly linkToday: number;
  /** Of the last day, at all links of the buyer; those under way too, since they may all be rejected. */
  readonly buyerRejections: number;
  readonly merchantRejections: number;
  readonly addressAttempts: number;
  readonly addressRejectedCards: number;
  /** Rejections of the most rejected card that this link saw. */
  readonly cardRejections: number;
}

/** Counts what was tried at a link, at all of its buyer, at a merchant and from an address. The caller holds the lock of the link's purchase. */
export async function countHelps(
  tx: Tx,
  {
    linkId,
    buyerId,
    merchantId,
    sourceAddress,
  }: { linkId: string; buyerId: number; merchantId: number; sourceAddress: string },
): Promise<HelpCounts> {
  const hourAgo = sql<Date>`app_now() - interval '1 hour'`;
  const ipPrefix = ipPrefixOf(sourceAddress);
  const ofLink = (where: string) =>
    sql`(select count(*)::int from card_attempts where help_link_id = ${linkId} and ${sql.raw(where)})`;
  const { rows } = await sql<HelpCounts>`
    select
      ${ofLink("state = 'rejected'")} as "linkRejections",
      ${ofLink("state = 'submitting'")} as "linkSubmitting",
      ${ofLink("state in ('submitting', 'pending_3ds', 'unknown', 'held')")} as "linkOpen",
      ${ofLink("created_at > app_now() - interval '1 day'")} as "linkToday",
      (select count(*)::int from card_attempts where buyer_id = ${buyerId} and help_link_id is not null
        and state in ('submitting', 'rejected') and created_at > app_now() - interval '1 day') as "buyerRejections",
      (select count(*)::int from card_attempts
        where merchant_id = ${merchantId} and state = 'rejected' and created_at > ${hourAgo}) as "merchantRejections",
      (select count(*)::int from card_attempts
        where source_ip_prefix = ${ipPrefix} and source_ip_prefix <> '' and created_at > ${hourAgo}) as "addressAttempts",
      (select count(distinct card_fingerprint)::int from card_attempts
        where source_ip_prefix = ${ipPrefix} and source_ip_prefix <> '' and state = 'rejected' and created_at > ${hourAgo})
        as "addressRejectedCards",
      coalesce((select max(rejections)::int from (
        select count(*) as rejections from card_attempts
        where state = 'rejected' and created_at > ${hourAgo} and card_fingerprint in (
          select card_fingerprint from card_attempts where help_link_id = ${linkId} and card_fingerprint is not null)
        group by card_fingerprint) of_card), 0) as "cardRejections"`.execute(tx);
  const counted = rows[0];
  if (counted === undefined) throw new Error('a count without a row');
  return counted;
}

/** How many cards were rejected at a link, ever. */
export async function countLinkRejections(tx: Tx, linkId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from card_attempts where help_link_id = ${linkId} and state = 'rejected'`.execute(
    tx,
  );
  return rows[0]?.count ?? 0;
}
