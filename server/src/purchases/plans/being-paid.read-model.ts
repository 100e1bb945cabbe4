import { type RawBuilder, sql } from 'kysely';
import type { AttemptState } from '../../platform/db/tables.ts';

/**
 * Payments come after purchases, so the states of a card payment that is begun and not decided are named here; as text, so that the
 * planner finds the index of these alone, which is short.
 */
const OPEN = sql`('submitting', 'pending_3ds', 'unknown', 'held')`;

/** Whether a card payment of a purchase is open: its buyer's own, or anybody's. */
export function isBeingPaid(purchaseId: RawBuilder<unknown>, by: 'buyer' | 'anybody') {
  const isOpen = sql`k.state in ${OPEN}
      ${by === 'buyer' ? sql`and k.help_link_id is null` : sql``}`;
  return sql<boolean>`(exists (select from card_attempts k where k.purchase_id = ${purchaseId} and ${isOpen})
    or exists (select from card_attempt_parts t join card_attempts k on k.id = t.attempt_id
      where t.purchase_id = ${purchaseId} and ${isOpen}))`;
}

/** The state of the buyer's own card payment of a purchase, or of it and others, that is open; null for none. */
export function openAttemptOf(purchaseId: RawBuilder<unknown>) {
  return sql<AttemptState | null>`coalesce(
    (select state from card_attempts where purchase_id = ${purchaseId} and help_link_id is null and state in ${OPEN} limit 1),
    (select a.state from card_attempt_parts t join card_attempts a on a.id = t.attempt_id
      where t.purchase_id = ${purchaseId} and a.state in ${OPEN} limit 1))`;
}
