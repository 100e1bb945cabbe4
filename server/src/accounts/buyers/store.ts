import { sql, type Selectable } from 'kysely';

import type { Db, Tx } from '../../platform/db/db.ts';
import type { BuyersTable } from '../../platform/db/tables.ts';
import { refusedBy } from '../../platform/db/transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import { recordAccountAct } from '../acts/store.ts';

export type BuyerRow = Selectable<BuyersTable>;

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

/**
 * Keeps a buyer from being erased until the transaction ends. Refuses with SESSION_DEAD who was, while their call was under way:
 * a foreign key alone finds their row and lets them write on.
 */
export async function holdBuyer(tx: Tx, buyerId: number): Promise<void> {
  const held = await tx
    .selectFrom('buyers')
    .select('id')
    .where('id', '=', buyerId)
    .where('erased_at', 'is', null)
    .forKeyShare()
    .executeTakeFirst();
  if (held === undefined) throw new Refusal('SESSION_DEAD');
}

/** What a buyer may change of their profile; what is undefined stays. */
export interface ProfileChanges {
  readonly name: string | undefined;
  readonly phone: string | undefined;
  readonly address_number: string | undefined;
  readonly address_postal_code: string | undefined;
  readonly address_street: string | undefined;
}

export async function updateProfile(tx: Tx, buyerId: number, changes: ProfileChanges): Promise<void> {
  if (Object.values(changes).every((value) => value === undefined)) return;
  // A call that was under way when the buyer was erased must not bring their data back.
  await tx
    .updateTable('buyers')
    .set(changes)
    .where('id', '=', buyerId)
    .where('erased_at', 'is', null)
    .execute();
}

/** Turns a buyer's reminders on or off. `device` is '' for the link of an email. */
export async function turnReminders(tx: Tx, buyerId: number, wanted: boolean, device: string): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('buyers')
    .set({ wants_reminders: wanted })
    .where('id', '=', buyerId)
    .where('wants_reminders', '<>', wanted)
    .executeTakeFirst();
  if (numUpdatedRows > 0n)
    await recordAccountAct(tx, { buyerId, act: wanted ? 'reminders_on' : 'reminders_off', device });
}

export async function setPassword(tx: Tx, buyerId: number, passwordHash: string): Promise<void> {
  await tx.updateTable('buyers').set({ password_hash: passwordHash }).where('id', '=', buyerId).execute();
}

const RESET_LIFE = sql`interval '30 minutes'`;

/** Adds a live code to the account with this email address, for 30 minutes; false when there is none. */
export async function addResetCode(tx: Tx, email: string, codeHash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    insert into password_resets (buyer_id, code_hash, expires_at)
    select id, ${codeHash}, app_now() + ${RESET_LIFE} from buyers where email = ${email}
    returning buyer_id`.execute(tx);
  return rows.length > 0;
}

/** Whether this is a live code of the buyer's. */
export async function isResetCode(db: Db | Tx, buyerId: number, codeHash: Buffer): Promise<boolean> {
  const found = await db
    .selectFrom('password_resets')
    .select('buyer_id')
    .where('buyer_id', '=', buyerId)
    .where('code_hash', '=', codeHash)
    .where('expires_at', '>', sql<Date>`app_now()`)
    .executeTakeFirst();
  return found !== undefined;
}

/** Uses a live code up, and every other of the buyer's with it; false when it is not, or no longer, one. */
export async function takeResetCode(tx: Tx, buyerId: number, codeHash: Buffer): Promise<boolean> {
  if (!(await isResetCode(tx, buyerId, codeHash))) return false;
  const gone = await tx
    .deleteFrom('password_resets')
    .where('buyer_id', '=', buyerId)
    .returning('code_hash')
    .execute();
  return gone.some((row) => row.code_hash.equals(codeHash));
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

/** Marks the buyer's address as confirmed: they read an email of ours there. The first time counts. */
export async function confirmEmailOf(tx: Tx, buyerId: number): Promise<void> {
  await tx
    .updateTable('buyers')
    .set({ email_confirmed_at: sql<Date>`app_now()` })
    .where('id', '=', buyerId)
    .where('email_confirmed_at', 'is', null)
    .execute();
}
