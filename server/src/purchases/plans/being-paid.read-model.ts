import { type RawBuilder, sql } from 'kysely';

/**
 * Whether a card payment of a purchase is begun and not decided: its buyer's own, or anybody's. Payments come after purchases, so
 * their states are named here; as text, so that the planner finds the index of these alone.
 */
export function isBeingPaid(purchaseId: RawBuilder<unknown>, by: 'buyer' | 'anybody') {
  const isOpen = sql`k.state in ('submitting', 'pending_3ds', 'unknown', 'held')
      ${by === 'buyer' ? sql`and k.help_link_id is null` : sql``}`;
  return sql<boolean>`(exists (select from card_attempts k where k.purchase_id = ${purchaseId} and ${isOpen})
    or exists (select from card_attempt_parts t join card_attempts k on k.id = t.attempt_id
      where t.purchase_id = ${purchaseId} and ${isOpen}))`;
}
