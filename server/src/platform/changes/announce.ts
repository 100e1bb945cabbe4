import { sql } from 'kysely';
import { writtenTogether } from '../db/batch.ts';
import type { Tx } from '../db/db.ts';
import { defer } from '../db/transaction.ts';

/** Whose screens are told. */
export type Topic = `buyer:${number}`;

/** PostgreSQL's channel on which servers hear of changes; each message is topics with a blank between them. */
export const CHANNEL = 'changed';
/** PostgreSQL takes less than 8,000 bytes in a message. */
const TOPICS_AT_ONCE = 300;

/**
 * Tells open screens that something of `topic` is new, once the transaction stands, and never otherwise: a deferred statement,
 * one for all calls of a batch (docs/decisions/0082).
 */
export const announce = writtenTogether<Topic>(announceAll);

/** {@link announce} for many topics. */
export async function announceAll(tx: Tx, topics: readonly Topic[]): Promise<void> {
  const each = [...new Set(topics)];
  for (let from = 0; from < each.length; from += TOPICS_AT_ONCE)
    await defer(tx, sql`select pg_notify(${CHANNEL}, ${each.slice(from, from + TOPICS_AT_ONCE).join(' ')})`);
}
