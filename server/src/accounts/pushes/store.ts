import { sql } from 'kysely';

import type { Tx } from '../../platform/db/db.ts';
import { defer } from '../../platform/db/transaction.ts';

/** A buyer's browsers that are told; an older one is forgotten. */
const MOST_OF_A_BUYER = 10;

export interface NewPush {
  readonly endpoint: string;
  readonly publicKey: string;
  readonly authSecret: string;
}

/**
 * Keeps a browser for whose session this is, whoever had it before, and forgets their oldest beyond ten. Whether it was not kept
 * for them before.
 */
export async function savePush(
  tx: Tx,
  buyerId: number,
  tokenHash: Buffer,
  { endpoint, publicKey, authSecret }: NewPush,
): Promise<boolean> {
  const { rows: before } =
    await sql`select from push_subscriptions where endpoint = ${endpoint} and buyer_id = ${buyerId}`.execute(
      tx,
    );
  await sql`
    insert into push_subscriptions (buyer_id, session_id, kept_id, endpoint, public_key, auth_secret)
    select buyer_id, id, kept_id, ${endpoint}, ${publicKey}, ${authSecret} from sessions
    where token_hash = ${tokenHash} and buyer_id = ${buyerId}
    on conflict on constraint push_subscriptions_endpoint_once do update set buyer_id = excluded.buyer_id,
      session_id = excluded.session_id, kept_id = excluded.kept_id, public_key = excluded.public_key, auth_secret = excluded.auth_secret,
      saved_at = app_now()`.execute(tx);
  await defer(
    tx,
    sql`
    delete from push_subscriptions where id in (select id from push_subscriptions where buyer_id = ${buyerId}
      order by saved_at desc, id offset ${MOST_OF_A_BUYER})`,
  );
  return before.length === 0;
}

/** Forgets one browser of a buyer; false when it was not kept for them. */
export async function deletePush(tx: Tx, buyerId: number, endpoint: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('push_subscriptions')
    .where('buyer_id', '=', buyerId)
    .where('endpoint', '=', endpoint)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Forgets the browser of a session that its buyer ended. A deferred write. */
export async function deletePushOfSession(
  tx: Tx,
  which: { readonly tokenHash: Buffer } | { readonly buyerId: number; readonly sessionId: number },
): Promise<void> {
  const ended =
    'tokenHash' in which
      ? sql`session_id = (select id from sessions where token_hash = ${which.tokenHash})`
      : sql`session_id = ${which.sessionId} and buyer_id = ${which.buyerId}`;
  await defer(tx, sql`delete from push_subscriptions where ${ended}`);
}

/** Forgets the browser of a kept session, whichever of its sessions said it. A deferred write. */
export async function deletePushOfKept(tx: Tx, buyerId: number, keptId: number): Promise<void> {
  await defer(
    tx,
    tx.deleteFrom('push_subscriptions').where('buyer_id', '=', buyerId).where('kept_id', '=', keptId),
  );
}

/** Forgets all browsers of a buyer. A deferred write. */
export async function deletePushesOf(tx: Tx, buyerId: number): Promise<void> {
  await defer(tx, tx.deleteFrom('push_subscriptions').where('buyer_id', '=', buyerId));
}

/** Forgets a browser that its push service does not know any more, unless it was said again meanwhile. */
export async function dropGonePush(tx: Tx, { id, savedAt }: { id: string; savedAt: Date }): Promise<void> {
  await defer(
    tx,
    sql`delete from push_subscriptions where id = ${id} and date_trunc('milliseconds', saved_at) <= ${savedAt}`,
  );
}
