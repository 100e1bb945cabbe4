import { sql, type Selectable } from 'kysely';

import type { Db, Tx } from '../../platform/db/db.ts';
import type { BuyersTable, ServiceAccountsTable } from '../../platform/db/tables.ts';
import { refusedBy } from '../../platform/db/transaction.ts';
import type { Buyer, Integrator, Till } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';

export type BuyerRow = Selectable<BuyersTable>;

const SESSION_LIFE = sql`interval '12 hours'`;

export async function findBuyer(db: Db, id: number): Promise<BuyerRow | undefined> {
  return db.selectFrom('buyers').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function findBuyerByEmail(db: Db, email: string): Promise<BuyerRow | undefined> {
  return db.selectFrom('buyers').selectAll().where('email', '=', email).executeTakeFirst();
}

export async function isEmailTaken(db: Db, email: string): Promise<boolean> {
  const found = await db.selectFrom('buyers').select('id').where('email', '=', email).executeTakeFirst();
  return found !== undefined;
}

export interface NewBuyer {
  readonly email: string;
  readonly userName: string;
  readonly phone: string;
  readonly passwordHash: string;
  readonly termsAccepted: boolean;
  readonly termsVersion: string | undefined;
}

/** Adds a buyer and returns its id. Refuses with EMAIL_TAKEN. */
export async function insertBuyer(tx: Tx, buyer: NewBuyer): Promise<number> {
  try {
    const { id } = await tx
      .insertInto('buyers')
      .values({
        email: buyer.email,
        user_name: buyer.userName,
        name: buyer.userName,
        phone: buyer.phone,
        password_hash: buyer.passwordHash,
        terms_accepted_at: buyer.termsAccepted ? sql<Date>`app_now()` : null,
        terms_version: buyer.termsAccepted ? (buyer.termsVersion ?? null) : null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  } catch (error) {
    if (refusedBy(error) === 'buyers_email_once') throw new Refusal('EMAIL_TAKEN');
    throw error;
  }
}

/** What is asked of a session beside whose it is. */
export interface NewSession {
  /** What the browser calls itself, at most 200 characters. */
  readonly device?: string;
  /** The password that let the buyer in; no session opens if it has been changed meanwhile. */
  readonly passwordHash?: string;
}

/** Adds a session; false when there is no such buyer, or no longer with that password. */
export async function insertSession(
  tx: Tx,
  buyerId: number,
  tokenHash: Buffer,
  { device = '', passwordHash }: NewSession = {},
): Promise<boolean> {
  // The lock makes a sign-in and a change of password wait for each other: none slips in between change and sign-out.
  const { rows } = await sql`
    insert into sessions (token_hash, buyer_id, expires_at, device)
    select ${tokenHash}, id, app_now() + ${SESSION_LIFE}, ${device} from buyers
    where id = ${buyerId} and password_hash = coalesce(${passwordHash ?? null}::text, password_hash)
    for share
    returning id`.execute(tx);
  return rows.length > 0;
}

export interface SessionRow {
  readonly id: number;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly device: string;
  readonly is_this: boolean;
}

/** The live sessions of a buyer, newest first; `tokenHash` tells which one asks. */
export async function listSessions(db: Db, buyerId: number, tokenHash: Buffer): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .select(['id', 'created_at', 'expires_at', 'device'])
    .select(sql<boolean>`token_hash = ${tokenHash}`.as('is_this'))
    .where('buyer_id', '=', buyerId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`app_now()`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(50)
    .execute();
}

/** Ends one live session of a buyer; false when he has no such. */
export async function revokeSessionOf(tx: Tx, buyerId: number, sessionId: number): Promise<boolean> {
  const revoked = await tx
    .updateTable('sessions')
    .set({ revoked_at: sql<Date>`app_now()` })
    .where('id', '=', sessionId)
    .where('buyer_id', '=', buyerId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`app_now()`)
    .returning('id')
    .executeTakeFirst();
  return revoked !== undefined;
}

export async function revokeAllSessions(tx: Tx, buyerId: number): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ revoked_at: sql<Date>`app_now()` })
    .where('buyer_id', '=', buyerId)
    .where('revoked_at', 'is', null)
    .execute();
}

/** What a buyer may change of himself; what is undefined stays. */
export interface ProfileChanges {
  readonly name: string | undefined;
  readonly phone: string | undefined;
  readonly address_number: string | undefined;
  readonly address_postal_code: string | undefined;
  readonly address_street: string | undefined;
}

export async function updateProfile(tx: Tx, buyerId: number, changes: ProfileChanges): Promise<void> {
  if (Object.values(changes).every((value) => value === undefined)) return;
  // A call that was under way when he was erased brings nothing of him back.
  await tx
    .updateTable('buyers')
    .set(changes)
    .where('id', '=', buyerId)
    .where('erased_at', 'is', null)
    .execute();
}

export async function setPassword(tx: Tx, buyerId: number, passwordHash: string): Promise<void> {
  await tx.updateTable('buyers').set({ password_hash: passwordHash }).where('id', '=', buyerId).execute();
}

const RESET_LIFE = sql`interval '30 minutes'`;
const MOST_WRONG_CODES = 5;

/** Makes this the one live code of the account with this email address, for 30 minutes; false when there is none. */
export async function replaceResetCode(tx: Tx, email: string, codeHash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    insert into password_resets (buyer_id, code_hash, expires_at)
    select id, ${codeHash}, app_now() + ${RESET_LIFE} from buyers where email = ${email}
    on conflict (buyer_id) do update
      set code_hash = excluded.code_hash, wrong_tries = 0, created_at = app_now(), expires_at = excluded.expires_at
    returning buyer_id`.execute(tx);
  return rows.length > 0;
}

/** Whether this is the buyer's live code. A wrong one is counted, under the row's lock: five kill it. The right one changes nothing. */
export async function tryResetCode(tx: Tx, buyerId: number, codeHash: Buffer): Promise<boolean> {
  const tried = await tx
    .updateTable('password_resets')
    .set({ wrong_tries: sql<number>`wrong_tries + (code_hash <> ${codeHash})::int` })
    .where('buyer_id', '=', buyerId)
    .where('wrong_tries', '<', MOST_WRONG_CODES)
    .where('expires_at', '>', sql<Date>`app_now()`)
    .returning(sql<boolean>`code_hash = ${codeHash}`.as('is_right'))
    .executeTakeFirst();
  return tried?.is_right ?? false;
}

/** Uses the buyer's live code up; false when it is not, or no longer, that. */
export async function takeResetCode(tx: Tx, buyerId: number, codeHash: Buffer): Promise<boolean> {
  const taken = await tx
    .deleteFrom('password_resets')
    .where('buyer_id', '=', buyerId)
    .where('code_hash', '=', codeHash)
    .where('wrong_tries', '<', MOST_WRONG_CODES)
    .where('expires_at', '>', sql<Date>`app_now()`)
    .returning('buyer_id')
    .executeTakeFirst();
  return taken !== undefined;
}

const CONFIRMATION_LIFE = sql`interval '7 days'`;

/** Makes this the one live code that confirms the buyer's email address, for 7 days; false when it is confirmed already. */
export async function replaceConfirmationCode(tx: Tx, buyerId: number, codeHash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    insert into email_confirmations (buyer_id, code_hash, expires_at)
    select id, ${codeHash}, app_now() + ${CONFIRMATION_LIFE} from buyers
    where id = ${buyerId} and email_confirmed_at is null
    on conflict (buyer_id) do update
      set code_hash = excluded.code_hash, created_at = app_now(), expires_at = excluded.expires_at
    returning buyer_id`.execute(tx);
  return rows.length > 0;
}

/** Uses a live code up; returns whose email address it confirms. */
export async function takeConfirmationCode(tx: Tx, codeHash: Buffer): Promise<number | undefined> {
  const taken = await tx
    .deleteFrom('email_confirmations')
    .where('code_hash', '=', codeHash)
    .where('expires_at', '>', sql<Date>`app_now()`)
    .returning('buyer_id')
    .executeTakeFirst();
  return taken?.buyer_id;
}

/** The mailbox is the buyer's: he read an email of ours in it. The first time counts. */
export async function confirmEmailOf(tx: Tx, buyerId: number): Promise<void> {
  await tx
    .updateTable('buyers')
    .set({ email_confirmed_at: sql<Date>`app_now()` })
    .where('id', '=', buyerId)
    .where('email_confirmed_at', 'is', null)
    .execute();
}

export async function revokeSession(tx: Tx, tokenHash: Buffer): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ revoked_at: sql<Date>`app_now()` })
    .where('token_hash', '=', tokenHash)
    .where('revoked_at', 'is', null)
    .execute();
}

/** The buyer whose live session has this token. */
export async function findSession(db: Db, tokenHash: Buffer): Promise<Buyer | undefined> {
  const session = await db
    .selectFrom('sessions')
    .select('buyer_id')
    .where('token_hash', '=', tokenHash)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`app_now()`)
    .executeTakeFirst();
  return session && { kind: 'buyer', id: session.buyer_id };
}

export interface ServiceAccountRow {
  readonly id: string;
  readonly kind: 'till' | 'integrator';
  readonly secret_hash: string;
  /** The secret before, while it is still good. */
  readonly previous_secret_hash: string | null;
  /** From where it may call; none: from everywhere. */
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
    .where('revoked_at', 'is', null);
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
  | { readonly kind: 'till'; readonly chain: string }
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
  return id;
}

/** Gives it this secret; the one before stays good as long as is said, or not at all. */
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

/** Ends them at a moment, where they would go on longer. */
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
>;

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
    ])
    .where('kind', '=', kind)
    .orderBy('created_at')
    .execute();
}

/**
 * Opens a session, good until the time is up or, with the secret before, until that one's is; false when the service account is revoked,
 * or `secretHash` is no longer good.
 */
export async function insertServiceAccountSession(
  tx: Tx,
  serviceAccountId: string,
  tokenHash: Buffer,
  secretHash: string | undefined,
): Promise<boolean> {
  const given = sql`coalesce(${secretHash ?? null}::text, secret_hash)`;
  // As for a buyer: a sign-in and a change of the secret wait for each other.
  const { rows } = await sql`
    insert into service_account_sessions (token_hash, service_account_id, expires_at)
    select ${tokenHash}, id,
      least(app_now() + ${SESSION_LIFE}, case when secret_hash <> ${given} then previous_until end)
    from service_accounts
    where id = ${serviceAccountId} and revoked_at is null
      and (secret_hash = ${given} or previous_secret_hash = ${given} and previous_until > app_now())
    for share
    returning service_account_id`.execute(tx);
  return rows.length > 0;
}

/** The service account whose live session has this token, and from where it may call. A revoked credential ends its sessions at once. */
export async function findServiceAccountSession(
  db: Db,
  tokenHash: Buffer,
): Promise<{ serviceAccount: Till | Integrator; addresses: readonly string[] } | undefined> {
  const serviceAccount = await db
    .selectFrom('service_account_sessions as session')
    .innerJoin('service_accounts as credential', 'credential.id', 'session.service_account_id')
    .select(['credential.id', 'credential.chain', 'credential.merchant_id', 'credential.addresses'])
    .where('session.token_hash', '=', tokenHash)
    .where('session.expires_at', '>', sql<Date>`app_now()`)
    .where('credential.revoked_at', 'is', null)
    .executeTakeFirst();
  if (serviceAccount === undefined) return undefined;
  const { id: serviceAccountId, chain, merchant_id: merchantId, addresses } = serviceAccount;
  if (chain !== null) return { serviceAccount: { kind: 'till', serviceAccountId, chain }, addresses };
  return merchantId === null
    ? undefined
    : { serviceAccount: { kind: 'integrator', serviceAccountId, merchantId }, addresses };
}
