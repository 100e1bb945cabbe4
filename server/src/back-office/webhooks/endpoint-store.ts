import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { WebhookType } from '../../platform/db/tables.ts';
import type { NewDelivery, Sealed } from './store.ts';

export interface ListedEndpoint {
  readonly id: string;
  readonly url: string;
  readonly isDead: boolean;
  readonly createdAt: Date;
  readonly offAt: Date | null;
  readonly failingSince: Date | null;
  readonly bothUntil: Date | null;
  /** Events that are not delivered and not given up. */
  readonly waiting: number;
}

/** A merchant's endpoints: those that are on first, then the last ones that were switched off. */
export async function listEndpoints(db: Db | Tx, merchantId: number): Promise<ListedEndpoint[]> {
  return db
    .selectFrom('webhook_endpoints')
    .where('merchant_id', '=', merchantId)
    .orderBy('off_at', (order) => order.desc().nullsFirst())
    .orderBy('created_at')
    .limit(20)
    .select([
      'id',
      'url',
      'is_dead as isDead',
      'created_at as createdAt',
      'off_at as offAt',
      'failing_since as failingSince',
      sql<Date | null>`case when previous_until > app_now() then previous_until end`.as('bothUntil'),
      sql<number>`(select count(*) from webhook_deliveries where endpoint_id = webhook_endpoints.id and due_at is not null)`.as(
        'waiting',
      ),
    ])
    .execute();
}

/** Lets one caller at a time say which of a merchant's endpoints are on. */
export async function lockEndpoints(tx: Tx, merchantId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks ${merchantId}`}, 0))`.execute(tx);
}

/** Adds an endpoint that hears of what is not final yet, and of all that comes. */
export async function insertEndpoint(
  tx: Tx,
  {
    id,
    merchantId,
    url,
    sealed,
  }: { readonly id: string; readonly merchantId: number; readonly url: string; readonly sealed: Sealed },
): Promise<void> {
  await tx
    .insertInto('webhook_endpoints')
    .values({
      id,
      merchant_id: merchantId,
      url,
      secret_ciphertext: sealed.ciphertext,
      secret_key_id: sealed.keyId,
      position: sql<number>`journal_horizon()`,
      last_event_id: 0,
    })
    .execute();
}

/** Gives an endpoint of the merchant a new secret, and lets the old one sign for a day; false when there is none. */
export async function replaceSecret(
  tx: Tx,
  { id, merchantId, sealed }: { readonly id: string; readonly merchantId: number; readonly sealed: Sealed },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('webhook_endpoints')
    .set(({ ref }) => ({
      previous_ciphertext: ref('secret_ciphertext'),
      previous_key_id: ref('secret_key_id'),
      previous_until: sql<Date>`app_now() + interval '24 hours'`,
      secret_ciphertext: sealed.ciphertext,
      secret_key_id: sealed.keyId,
    }))
    .where('id', '=', id)
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Switches an endpoint of the merchant on or off; undefined when there is none, false when it was so already. */
export async function switchEndpoint(
  tx: Tx,
  { id, merchantId, isOn }: { readonly id: string; readonly merchantId: number; readonly isOn: boolean },
): Promise<boolean | undefined> {
  const row = await tx
    .selectFrom('webhook_endpoints')
    .select('off_at')
    .where('id', '=', id)
    .where('merchant_id', '=', merchantId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (row === undefined) return undefined;
  if ((row.off_at === null) === isOn) return false;
  await tx
    .updateTable('webhook_endpoints')
    .set(
      isOn
        ? { off_at: null, is_dead: false, failing_since: null, busy_until: sql<Date>`app_now()` }
        : { off_at: sql<Date>`app_now()` },
    )
    .where('id', '=', id)
    .execute();
  if (isOn) {
    await sql`update webhook_deliveries set due_at = app_now(), tries = 0
      where endpoint_id = ${id} and due_at is not null`.execute(tx);
  }
  return true;
}

export interface ListedDelivery {
  readonly id: string;
  readonly sequence: number;
  readonly type: WebhookType;
  readonly createdAt: Date;
  readonly dueAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly tries: number;
  readonly problem: string | null;
}

export interface DeliveryPage {
  readonly deliveries: readonly ListedDelivery[];
  readonly next: number | null;
  readonly total: number | null;
}

const PAGE = 20;

/** A page of what an endpoint of the merchant was sent, with its tests or without, newest first; undefined when there is no such endpoint. */
export async function listDeliveries(
  db: Db,
  {
    endpointId,
    merchantId,
    before,
    withTests,
  }: {
    readonly endpointId: string;
    readonly merchantId: number;
    readonly before: number | undefined;
    readonly withTests: boolean;
  },
): Promise<DeliveryPage | undefined> {
  const { rows } = await sql<{ total: number | null }>`
    select case when ${before ?? null}::bigint is null then (select count(*) from webhook_deliveries
        where endpoint_id = e.id and (${withTests} or type <> 'webhook.test')) end as total
    from webhook_endpoints e where id = ${endpointId} and merchant_id = ${merchantId}`.execute(db);
  const [endpoint] = rows;
  if (endpoint === undefined) return undefined;
  const found = await db
    .selectFrom('webhook_deliveries')
    .where('endpoint_id', '=', endpointId)
    .$if(before !== undefined, (query) => query.where('sequence', '<', before ?? 0))
    .$if(!withTests, (query) => query.where('type', '<>', 'webhook.test'))
    .orderBy('sequence', 'desc')
    .limit(PAGE + 1)
    .select([
      'id',
      'sequence',
      'type',
      'created_at as createdAt',
      'due_at as dueAt',
      'delivered_at as deliveredAt',
      'tries',
      'problem',
    ])
    .execute();
  const deliveries = found.slice(0, PAGE);
  return {
    deliveries,
    next: found.length > PAGE ? (deliveries.at(-1)?.sequence ?? null) : null,
    total: endpoint.total,
  };
}

/**
 * Locks an endpoint of the merchant for a test: the number of its last event, and whether a test still waits; undefined when there
 * is no such endpoint.
 */
export async function lockForTest(
  tx: Tx,
  { id, merchantId }: { readonly id: string; readonly merchantId: number },
): Promise<{ readonly sequence: number; readonly isWaiting: boolean } | undefined> {
  const endpoint = await tx
    .selectFrom('webhook_endpoints')
    .select('sequence')
    .where('id', '=', id)
    .where('merchant_id', '=', merchantId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (endpoint === undefined) return undefined;
  const waiting = await tx
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('endpoint_id', '=', id)
    .where('due_at', 'is not', null)
    .where('type', '=', 'webhook.test')
    .limit(1)
    .execute();
  return { sequence: endpoint.sequence, isWaiting: waiting.length > 0 };
}

/** Writes a test that an endpoint, whose lock the caller holds, is to be sent. */
export async function insertTest(
  tx: Tx,
  endpointId: string,
  { sequence, type, body }: NewDelivery,
): Promise<void> {
  await tx
    .insertInto('webhook_deliveries')
    .values({ endpoint_id: endpointId, sequence, type, body })
    .execute();
  await tx.updateTable('webhook_endpoints').set({ sequence }).where('id', '=', endpointId).execute();
}

/** Makes a delivery of an endpoint of the merchant due once more; false when there is none. */
export async function makeDue(
  tx: Tx,
  {
    id,
    endpointId,
    merchantId,
  }: { readonly id: string; readonly endpointId: string; readonly merchantId: number },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update webhook_deliveries d set due_at = app_now(), tries = 0, delivered_at = null from webhook_endpoints e
    where d.id = ${id} and d.endpoint_id = ${endpointId} and e.id = d.endpoint_id and e.merchant_id = ${merchantId}`.execute(
    tx,
  );
  return numAffectedRows > 0n;
}

/** Every secret that is sealed, and what it is sealed for, for those that are sealed anew. Locked. */
export async function lockSecrets(
  tx: Tx,
): Promise<{ id: string; merchantId: number; secret: Sealed; previous: Sealed | undefined }[]> {
  const rows = await tx
    .selectFrom('webhook_endpoints')
    .select([
      'id',
      'merchant_id',
      'secret_ciphertext',
      'secret_key_id',
      'previous_ciphertext',
      'previous_key_id',
    ])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return rows.map((row) => ({
    id: row.id,
    merchantId: row.merchant_id,
    secret: { ciphertext: row.secret_ciphertext, keyId: row.secret_key_id },
    previous:
      row.previous_ciphertext === null || row.previous_key_id === null
        ? undefined
        : { ciphertext: row.previous_ciphertext, keyId: row.previous_key_id },
  }));
}

export async function storeSecrets(
  tx: Tx,
  id: string,
  { secret, previous }: { readonly secret: Sealed; readonly previous: Sealed | undefined },
): Promise<void> {
  await tx
    .updateTable('webhook_endpoints')
    .set({
      secret_ciphertext: secret.ciphertext,
      secret_key_id: secret.keyId,
      previous_ciphertext: previous?.ciphertext ?? null,
      previous_key_id: previous?.keyId ?? null,
      ...(previous === undefined && { previous_until: null }),
    })
    .where('id', '=', id)
    .execute();
}
