import type { Centavos } from '@aparta/domain/money';
import { sql } from 'kysely';

import type { Db } from '../../platform/db/db.ts';
import type { EmailState } from '../../platform/db/tables.ts';
import { readStory } from '../operations/payment-history.read-model.ts';
import { matchesByPurchase } from '../operations/payment-search.read-model.ts';
import { type ClaimRow, findClaim } from '../../purchases/claims/read-model.ts';
import { findHandOver, type HandOverRow } from '../../purchases/hand-over/read-model.ts';
import { findWholePurchase, type WholePurchase } from '../operations/purchases.read-model.ts';

/** Who took a payment at a counter, where and how. */
export interface TakenAtCounter {
  readonly folio: string;
  readonly method: 'cash' | 'terminal';
  readonly branch: string;
  readonly takenBy: string;
}

export interface SentEmail {
  readonly topic: string;
  readonly at: Date;
  readonly state: EmailState;
}

/** What of its terms a buyer asks for at the counter. */
export interface FrozenTerms {
  readonly penaltyCentavos: Centavos;
  readonly penaltyFreeUntil: Date;
  readonly deliveryDays: number;
}

export interface PurchaseStory extends WholePurchase {
  readonly frozen: FrozenTerms;
  readonly takenAtCounter: readonly TakenAtCounter[];
  readonly emails: readonly SentEmail[];
  readonly handOver: HandOverRow | undefined;
  readonly claim: ClaimRow | undefined;
}

/** A merchant's purchase with all that a shop is shown of it; undefined for any other. */
export async function findPurchaseStory(
  db: Db,
  merchantId: number,
  id: number,
): Promise<PurchaseStory | undefined> {
  const [whole, [match]] = await Promise.all([findWholePurchase(db, id), matchesByPurchase(db, id)]);
  if (whole?.purchase.merchantId !== merchantId || match === undefined) return undefined;
  const folios = whole.receipts.map(({ folio }) => folio);
  const [taken, story, handOver, claim, frozen] = await Promise.all([
    sql<TakenAtCounter>`
      select r.folio, o.method, h.name as branch, s.name as "takenBy"
      from receipts r join counter_operations o on o.till_operation_id::text = r.source_id and r.channel = 'till'
        join branches h on h.id = o.branch_id join staff_positions p on p.id = o.position_id join staff s on s.id = p.staff_id
      where r.folio = any (${folios})`.execute(db),
    readStory(db, match),
    whole.purchase.state === 'delivered' ? findHandOver(db, { purchaseId: id }) : undefined,
    findClaim(db, id),
    db
      .selectFrom('purchases')
      .select([
        'penalty_centavos as penaltyCentavos',
        'penalty_free_until as penaltyFreeUntil',
        'delivery_promise_days as deliveryDays',
      ])
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
  ]);
  const emails = story
    .filter(({ kind }) => kind === 'email')
    .map(({ at, facts }) => ({
      at,
      topic: String(facts['topic']),
      state: facts['state'] as EmailState,
    }));
  return { ...whole, takenAtCounter: taken.rows, emails, handOver, claim, frozen };
}
