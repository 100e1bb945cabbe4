import { sql } from 'kysely';
import { isJournalAhead, type Place } from '../../ledger/books/journal.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { WebhookType } from '../../platform/db/tables.ts';
import { rowsAs } from '../../platform/db/rows.ts';

/** Longer than a turn may take: the endpoint of a server that died is worked on again then. */
const UNTIL_DEAD = sql`interval '6 minutes'`;

export interface Sealed {
  readonly ciphertext: Buffer;
  readonly keyId: string;
}

/** An endpoint that a server has for itself for a while. */
export interface TakenEndpoint extends Place {
  readonly endpointId: string;
  readonly merchantId: number;
  readonly url: string;
  readonly secret: Sealed;
  /** While it signs too. */
  readonly previous: Sealed | undefined;
}

interface EndpointRow extends Omit<TakenEndpoint, 'secret' | 'previous'> {
  readonly ciphertext: Buffer;
  readonly keyId: string;
  readonly previousCiphertext: Buffer | null;
  readonly previousKeyId: string | null;
}

/**
 * Takes an endpoint for which there is something to do, the one that has been let alone for longest; undefined when there is
 * none. Whoever took it has it alone.
 */
export async function takeEndpoint(tx: Tx): Promise<TakenEndpoint | undefined> {
  const { rows } = await sql<EndpointRow>`
    update webhook_endpoints taken set busy_until = app_now() + ${UNTIL_DEAD} where id = (
      select id from webhook_endpoints e where off_at is null and busy_until <= app_now() and (
        exists (select from webhook_deliveries where endpoint_id = e.id and due_at <= app_now())
        or ${isJournalAhead(sql`e.merchant_id`, sql`(e.position, e.last_event_id)`)})
      order by busy_until limit 1 for no key update skip locked)
    returning id as "endpointId", merchant_id as "merchantId", url, secret_ciphertext as ciphertext, secret_key_id as "keyId",
      case when previous_until > app_now() then previous_ciphertext end as "previousCiphertext", previous_key_id as "previousKeyId",
      position, last_event_id as id`.execute(tx);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { ciphertext, keyId, previousCiphertext, previousKeyId, ...rest } = row;
  const previous =
    previousCiphertext === null || previousKeyId === null
      ? undefined
      : { ciphertext: previousCiphertext, keyId: previousKeyId };
  return { ...rest, secret: { ciphertext, keyId }, previous };
}

export interface NewDelivery {
  readonly sequence: number;
  readonly type: WebhookType;
  readonly body: string;
}

/** Locks an endpoint, so that nobody else gives out numbers of its events, and reads that of its last one. */
export async function lockSequence(tx: Tx, endpointId: string): Promise<number> {
  const { sequence } = await tx
    .selectFrom('webhook_endpoints')
    .select('sequence')
    .where('id', '=', endpointId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  return sequence;
}

/** Writes what an endpoint is to hear of, and the place up to which it has read the books. */
export async function insertDeliveries(
  tx: Tx,
  endpointId: string,
  deliveries: readonly NewDelivery[],
  { position, id }: Place,
): Promise<void> {
  const last = deliveries.at(-1);
  if (last !== undefined) {
    await sql`insert into webhook_deliveries (endpoint_id, sequence, type, body)
      select ${endpointId}::uuid, sequence, type, body
      from ${rowsAs('delivery', { sequence: 'bigint', type: 'text', body: 'text' }, deliveries)}`.execute(tx);
  }
  await tx
    .updateTable('webhook_endpoints')
    .set({
      position,
      last_event_id: id,
      ...(last !== undefined && { sequence: last.sequence }),
    })
    .where('id', '=', endpointId)
    .execute();
}

export interface DueDelivery {
  readonly id: string;
  readonly body: string;
  readonly tries: number;
}

/** What is due at an endpoint, in its order. */
export async function listDue(tx: Tx, endpointId: string, most: number): Promise<DueDelivery[]> {
  return tx
    .selectFrom('webhook_deliveries')
    .where('endpoint_id', '=', endpointId)
    .where('due_at', '<=', sql<Date>`app_now()`)
    .orderBy('sequence')
    .limit(most)
    .select(['id', 'body', 'tries'])
    .execute();
}

export async function markDelivered(tx: Tx, endpointId: string, id: string): Promise<void> {
  await sql`update webhook_deliveries set delivered_at = app_now(), due_at = null, tries = tries + 1, problem = null
    where id = ${id}`.execute(tx);
  await sql`update webhook_endpoints set failing_since = null
    where id = ${endpointId} and failing_since is not null`.execute(tx);
}

/** Notes a try that failed; due again after `againMs`, or never. Returns for how long the endpoint has failed. */
export async function markFailed(
  tx: Tx,
  endpointId: string,
  {
    id,
    problem,
    againMs,
  }: { readonly id: string; readonly problem: string; readonly againMs: number | undefined },
): Promise<{ readonly failingMs: number }> {
  const due = againMs === undefined ? sql`null` : sql`app_now() + ${againMs} * interval '1 millisecond'`;
  await sql`update webhook_deliveries set tries = tries + 1, problem = ${problem}, due_at = ${due} where id = ${id}`.execute(
    tx,
  );
  return noteFailing(tx, endpointId);
}

/** Notes that an endpoint fails, and for how long it has. */
export async function noteFailing(tx: Tx, endpointId: string): Promise<{ readonly failingMs: number }> {
  const { rows } = await sql<{ failingMs: number }>`
    update webhook_endpoints set failing_since = coalesce(failing_since, app_now()) where id = ${endpointId}
    returning (extract(epoch from app_now() - failing_since) * 1000)::float8 as "failingMs"`.execute(tx);
  return { failingMs: rows[0]?.failingMs ?? 0 };
}

/** Whether an event of an endpoint was given up, and not sent once more since. */
export async function hasGivenUp(tx: Tx, endpointId: string): Promise<boolean> {
  const { rows } = await sql`select from webhook_deliveries
    where endpoint_id = ${endpointId} and due_at is null and delivered_at is null limit 1`.execute(tx);
  return rows.length > 0;
}

/** Gives an endpoint back, to be let alone for a while. */
export async function releaseEndpoint(tx: Tx, endpointId: string, forMs: number): Promise<void> {
  await sql`update webhook_endpoints set busy_until = app_now() + ${forMs} * interval '1 millisecond'
    where id = ${endpointId}`.execute(tx);
}

/** Switches an endpoint that is on off, because nobody answers; false when it is off. */
export async function markDead(tx: Tx, endpointId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('webhook_endpoints')
    .set({ off_at: sql<Date>`app_now()`, is_dead: true })
    .where('id', '=', endpointId)
    .where('off_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
