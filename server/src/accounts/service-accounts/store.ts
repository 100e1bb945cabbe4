import { sql, type Selectable } from 'kysely';

import { builtOnce } from '../../platform/db/built-once.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { readTogether } from '../../platform/db/read-together.ts';
import type { ServiceAccountsTable } from '../../platform/db/tables.ts';
import type { Integrator, Till } from '../../platform/principal.ts';
import { SESSION_LIFE } from '../credentials/token.ts';

export interface ServiceAccountRow {
  readonly id: string;
  readonly kind: 'till' | 'integrator';
  readonly secret_hash: string;
  /** The secret before, while it is still good. */
  readonly previous_secret_hash: string | null;
  /** Addresses that it may call from; everywhere when there are none. */
  readonly addresses: readonly string[];
}

function serviceAccounts(db: Db | Tx, kind: ServiceAccountRow['kind'], userName: string) {
  return db
    .selectFrom('service_accounts')
    .select(['id', 'kind', 'secret_hash', 'addresses'])
    .select(
      sql<string | null>`case when previous_until > app_now() then previous_secret_hash end`.as(
        'previous_secret_hash',
      ),
    )
    .where('kind', '=', kind)
    .where('user_name', '=', userName)
    .where('revoked_at', 'is', null)
    .$narrowType<{ kind: ServiceAccountRow['kind'] }>();
}

/** A service account that may sign in: not revoked. */
export async function findServiceAccount(
  db: Db,
  kind: ServiceAccountRow['kind'],
  userName: string,
): Promise<ServiceAccountRow | undefined> {
  return serviceAccounts(db, kind, userName).executeTakeFirst();
}

/** The same, locked. */
export async function lockServiceAccount(
  tx: Tx,
  kind: ServiceAccountRow['kind'],
  userName: string,
): Promise<ServiceAccountRow | undefined> {
  return serviceAccounts(tx, kind, userName).forUpdate().executeTakeFirst();
}

export type NewServiceAccount = { readonly userName: string; readonly secretHash: string } & (
  | { readonly kind: 'till'; readonly chain: string; readonly merchantIds: readonly number[] }
  | { readonly kind: 'integrator'; readonly merchantId: number }
);

export async function insertServiceAccount(tx: Tx, serviceAccount: NewServiceAccount): Promise<string> {
  const { id } = await tx
    .insertInto('service_accounts')
    .values({
      kind: serviceAccount.kind,
      user_name: serviceAccount.userName,
      secret_hash: serviceAccount.secretHash,
      chain: serviceAccount.kind === 'till' ? serviceAccount.chain : null,
      merchant_id: serviceAccount.kind === 'integrator' ? serviceAccount.merchantId : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (serviceAccount.kind === 'till') await insertTillMerchants(tx, id, serviceAccount.merchantIds);
  return id;
}

/** Adds the account under which a merchant's counters take money, unless it is there. Nobody signs in as it. */
export async function insertCounter(tx: Tx, merchantId: number): Promise<void> {
  const name = `mostrador-${merchantId}`;
  await tx
    .insertInto('service_accounts')
    .values({ kind: 'counter', user_name: name, secret_hash: '', chain: name, merchant_id: merchantId })
    .onConflict((conflict) => conflict.constraint('service_accounts_user_name_once').doNothing())
    .execute();
}

/** Says for which merchants a till collects, in place of those before. Throws on `till_merchants_merchant_id_fkey`. */
export async function setTillMerchants(tx: Tx, id: string, merchantIds: readonly number[]): Promise<void> {
  await tx.deleteFrom('till_merchants').where('service_account_id', '=', id).execute();
  await insertTillMerchants(tx, id, merchantIds);
}

async function insertTillMerchants(tx: Tx, id: string, merchantIds: readonly number[]): Promise<void> {
  const rows = [...new Set(merchantIds)].map((merchant_id) => ({ service_account_id: id, merchant_id }));
  if (rows.length > 0) await tx.insertInto('till_merchants').values(rows).execute();
}

/** Of the account `id` in the query around. */
const merchantsOfTill = sql<number[]>`to_jsonb(array(
  select merchant_id from till_merchants where service_account_id = id order by merchant_id))`;

/** The revoked accounts of the chain of `credential`, the till in the query around, that collected for one of its merchants. */
const formerTills = sql<string[]>`to_jsonb(array(
  select former.id from service_accounts former
  where former.kind = 'till' and former.revoked_at is not null and former.chain = credential.chain and exists (
    select from till_merchants its join till_merchants own using (merchant_id)
    where its.service_account_id = former.id and own.service_account_id = credential.id)
  order by former.created_at desc))`;

/** Gives a service account a new secret; `previous` stays good until its time, or not at all. */
export async function setServiceAccountSecret(
  tx: Tx,
  id: string,
  secretHash: string,
  previous: { readonly hash: string; readonly until: Date } | null,
): Promise<void> {
  await tx
    .updateTable('service_accounts')
    .set({
      secret_hash: secretHash,
      previous_secret_hash: previous?.hash ?? null,
      previous_until: previous?.until ?? null,
    })
    .where('id', '=', id)
    .execute();
}

export async function setServiceAccountAddresses(
  tx: Tx,
  id: string,
  addresses: readonly string[],
): Promise<void> {
  await tx
    .updateTable('service_accounts')
    .set({ addresses: [...addresses] })
    .where('id', '=', id)
    .execute();
}

export async function setServiceAccountRevoked(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('service_accounts')
    .set({ revoked_at: sql<Date>`app_now()` })
    .where('id', '=', id)
    .execute();
}

export async function endServiceAccountSessions(tx: Tx, serviceAccountId: string): Promise<void> {
  await tx
    .deleteFrom('service_account_sessions')
    .where('service_account_id', '=', serviceAccountId)
    .execute();
}

/** Ends its sessions at `until` at the latest. */
export async function capServiceAccountSessions(
  tx: Tx,
  serviceAccountId: string,
  until: Date,
): Promise<void> {
  await tx
    .updateTable('service_account_sessions')
    .set({ expires_at: sql<Date>`least(expires_at, ${until}::timestamptz)` })
    .where('service_account_id', '=', serviceAccountId)
    .execute();
}

export type StoredServiceAccount = Omit<
  Selectable<ServiceAccountsTable>,
  'secret_hash' | 'previous_secret_hash'
> & { readonly collects_for: readonly number[] };

/** All service accounts of a kind, the revoked ones too. */
export async function listServiceAccounts(
  db: Db,
  kind: ServiceAccountRow['kind'],
): Promise<StoredServiceAccount[]> {
  return db
    .selectFrom('service_accounts')
    .select([
      'id',
      'kind',
      'user_name',
      'chain',
      'merchant_id',
      'created_at',
      'revoked_at',
      'previous_until',
      'addresses',
      merchantsOfTill.as('collects_for'),
    ])
    .where('kind', '=', kind)
    .orderBy('created_at')
    .execute();
}

/**
 * Opens a session of 12 hours, or until the previous secret ends when that one was used; false when the service account is
 * revoked or `secretHash` is no longer good.
 */
export async function insertServiceAccountSession(
  tx: Tx,
  serviceAccountId: string,
  tokenHash: Buffer,
  secretHash: string | undefined,
): Promise<boolean> {
  const given = sql`coalesce(${secretHash ?? null}::text, secret_hash)`;
  // The lock makes a sign-in and a change of the secret wait for each other, as for a buyer.
  const { rows } = await sql`
    insert into service_account_sessions (token_hash, service_account_id, expires_at)
    select ${tokenHash}, id,
      least(app_now() + ${SESSION_LIFE}::interval, case when secret_hash <> ${given} then previous_until end)
    from service_accounts
    where id = ${serviceAccountId} and revoked_at is null
      and (secret_hash = ${given} or previous_secret_hash = ${given} and previous_until > app_now())
    for share
    returning service_account_id`.execute(tx);
  return rows.length > 0;
}

interface LiveSession {
  readonly serviceAccount: Till | Integrator;
  readonly addresses: readonly string[];
}

/** The service account whose live session has this token, and from where it may call; none once it is revoked. */
export const findServiceAccountSession = readTogether<Buffer, LiveSession | undefined>(
  async (db, tokenHashes) => {
    const { rows } = await db.executeQuery(liveSessions(db, { tokenHashes }));
    const found = new Map(
      rows.map(({ token_hash, addresses, ...row }) => {
        const serviceAccount = tillOrIntegrator(row);
        return [token_hash.toString('hex'), serviceAccount && { serviceAccount, addresses }];
      }),
    );
    return tokenHashes.map((hash) => found.get(hash.toString('hex')));
  },
);

const liveSessions = builtOnce((db, { tokenHashes }: { tokenHashes: readonly Buffer[] }) =>
  db
    .selectFrom('service_account_sessions as session')
    .innerJoin('service_accounts as credential', 'credential.id', 'session.service_account_id')
    .select([
      'session.token_hash',
      'credential.id',
      'credential.chain',
      'credential.merchant_id',
      'credential.addresses',
    ])
    .select([merchantsOfTill.as('merchantIds'), formerTills.as('formerIds')])
    .where(sql<boolean>`session.token_hash = any(${tokenHashes}::bytea[])`)
    .where('session.expires_at', '>', sql<Date>`app_now()`)
    .where('credential.revoked_at', 'is', null)
    .where('credential.kind', '<>', 'counter'),
);

function tillOrIntegrator(row: {
  id: string;
  chain: string | null;
  merchant_id: number | null;
  merchantIds: readonly number[];
  formerIds: readonly string[];
}): Till | Integrator | undefined {
  const { id: serviceAccountId, chain, merchant_id: merchantId, merchantIds, formerIds } = row;
  if (chain !== null) return { kind: 'till', serviceAccountId, chain, merchantIds, formerIds };
  return merchantId === null ? undefined : { kind: 'integrator', serviceAccountId, merchantId };
}
