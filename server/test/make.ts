import { randomBytes } from 'node:crypto';

import * as argon2 from '@node-rs/argon2';
import type { IvaRate } from '@aparta/domain/fiscal';
import { centavos } from '@aparta/domain/money';
import type { PaymentMethod } from '@aparta/domain/service-fee';
import { COUNTER_DEVICE_HEADER } from '@aparta/contract/counter-devices';
import type { StaffRole } from '@aparta/domain/staff-rights';

import { newToken, tokenHash } from '../src/accounts/credentials/token.ts';
import { insertDevice } from '../src/accounts/devices/store.ts';
import { replacePin } from '../src/accounts/staff/pin-store.ts';
import { createPasswords } from '../src/accounts/credentials/passwords.ts';
import { addServiceAccount } from '../src/accounts/service-accounts/save-service-account.ts';
import { addBranch } from '../src/accounts/branches/save-branch.ts';
import { openServiceAccountSession } from '../src/accounts/service-accounts/session.ts';
import { openSession } from '../src/accounts/sessions/session.ts';
import { openStaffSession } from '../src/accounts/staff/session.ts';
import { findStaffByEmail, insertPosition, insertStaff } from '../src/accounts/staff/store.ts';
import { confirmEmailOf, insertBuyer } from '../src/accounts/buyers/store.ts';
import type { Db } from '../src/platform/db/db.ts';

import { transaction } from '../src/platform/db/transaction.ts';
import { createReference } from '../src/purchases/layaways/create-reference.ts';
import { seal, type KeyRing } from '../src/platform/secrets.ts';

/** Hashed once, and checked in no time: hashing has tests of its own. */
const { hash: hashed } = createPasswords({
  ...argon2,
  hash: (secret) => argon2.hash(secret, { memoryCost: 8, timeCost: 1, parallelism: 1 }),
});
let madeHash: Promise<string> | undefined;
const passwordHashed = () => (madeHash ??= hashed(PASSWORD));
const unique = () => randomBytes(5).toString('hex');

export const PASSWORD = 'una-clave-larga-7';
export const PIN = '482913';
let pinsHash: Promise<string> | undefined;

export interface MadeBuyer {
  readonly id: number;
  readonly email: string;
  readonly token: string;
}

/** A buyer with {@link PASSWORD} and a live session, whose email address is confirmed unless told otherwise. */
export async function makeBuyer(
  db: Db,
  given: { email?: string; userName?: string; isConfirmed?: boolean; passwordHash?: string } = {},
): Promise<MadeBuyer> {
  const email = given.email ?? `buyer-${unique()}@example.mx`;
  const passwordHash = given.passwordHash ?? (await passwordHashed());
  const id = await transaction(db, async (tx) => {
    const buyerId = await insertBuyer(tx, {
      email,
      userName: given.userName ?? 'Ana',
      phone: '5512345678',
      passwordHash,
      termsAccepted: false,
      termsVersion: undefined,
    });
    if (given.isConfirmed ?? true) await confirmEmailOf(tx, buyerId);
    return buyerId;
  });
  return { id, email, token: await openSession(db, id) };
}

/** A till of `chain` that collects for `merchantIds` (all that are there), or an integrator of a merchant, with {@link PASSWORD} and a live session. */
export async function makeServiceAccount(
  db: Db,
  scope: { kind: 'till'; chain: string; merchantIds?: number[] } | { kind: 'integrator'; merchantId: number },
): Promise<{ id: string; userName: string; token: string }> {
  const userName = `${scope.kind}-${unique()}`;
  const secretHash = await passwordHashed();
  const id = await transaction(db, async (tx) => {
    const merchants = await tx.selectFrom('merchants').select('id').execute();
    const everybody = { merchantIds: merchants.map((merchant) => merchant.id) };
    return addServiceAccount(tx, { ...everybody, ...scope, userName, secretHash });
  });
  return { id, userName, token: await openServiceAccountSession(db, id) };
}

/** An open branch of a merchant; returns its number. */
export async function makeBranch(db: Db, merchantId: number, name = `Sucursal ${unique()}`): Promise<number> {
  const branch = { merchantId, name, address: '', hours: '', phone: '', tills: undefined };
  return transaction(db, (tx) => addBranch(tx, branch));
}

export interface MadeStaff {
  readonly positionId: string;
  readonly email: string;
  readonly token: string;
}

/** Somebody of a merchant with {@link PASSWORD} and a live session; of the same email address, the same person. */
export async function makeStaff(
  db: Db,
  given: {
    merchantId: number;
    role: StaffRole;
    branchIds?: readonly number[];
    name?: string;
    email?: string;
  },
): Promise<MadeStaff> {
  const {
    merchantId,
    role,
    branchIds = [],
    name = 'Luis Mora',
    email = `staff-${unique()}@example.mx`,
  } = given;
  const passwordHash = await passwordHashed();
  return transaction(db, async (tx) => {
    const known = await findStaffByEmail(tx, email);
    const staffId = known?.id ?? (await insertStaff(tx, { email, name, passwordHash }));
    const positionId = await insertPosition(tx, { staffId, merchantId, role, branchIds });
    const { token } = await openStaffSession(tx, positionId, { passwordHash });
    return { positionId, email, token };
  });
}

export interface MadeDevice {
  readonly id: string;
  /** As the headers of its calls carry it. */
  readonly headers: Readonly<Record<string, string>>;
}

/** An enrolled device of a branch. */
export async function makeDevice(
  db: Db,
  given: { merchantId: number; branchId: number; name?: string },
): Promise<MadeDevice> {
  const { merchantId, branchId, name = 'Caja 1' } = given;
  const { positionId } = await makeStaff(db, { merchantId, role: 'owner' });
  const secret = newToken('device');
  const enrolment = { merchantId, branchId, name, positionId };
  const id = await transaction(db, (tx) => insertDevice(tx, enrolment, tokenHash(secret)));
  return { id, headers: { [COUNTER_DEVICE_HEADER.toLowerCase()]: secret } };
}

/** Gives somebody {@link PIN}, and a session that was opened with it on a device. */
export async function signInOn(
  db: Db,
  device: MadeDevice,
  positionId: string,
): Promise<{ token: string; headers: MadeDevice['headers'] }> {
  const pinHash = await (pinsHash ??= hashed(PIN));
  const { staff_id } = await db
    .selectFrom('staff_positions')
    .select('staff_id')
    .where('id', '=', positionId)
    .executeTakeFirstOrThrow();
  const { token } = await transaction(db, async (tx) => {
    await replacePin(tx, staff_id, pinHash);
    return openStaffSession(tx, positionId, { deviceId: device.id, pinHash });
  });
  return { token, headers: device.headers };
}

/** The smallest file that passes for a JPEG. */
export const LOGO = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex');

export async function makeCompany(
  db: Db,
  given: { logoFileName?: string; logo?: Buffer } = {},
): Promise<number> {
  const { id } = await db
    .insertInto('companies')
    .values({
      name: 'Grupo Mueblero',
      logo_file_name: given.logoFileName ?? `logo-${unique()}.jpg`,
      logo: given.logo ?? LOGO,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export interface MerchantGiven {
  readonly companyId?: number;
  readonly depositBasisPoints?: number;
  readonly frequencyDays?: number;
  readonly planDurationDays?: number;
  readonly penaltyCentavos?: number;
  readonly endDaysLate?: number;
  readonly movesAllowed?: number;
  readonly moveDays?: number;
  readonly feeCentavos?: number;
  readonly feeMethods?: PaymentMethod[];
  /** Without one, the merchant takes no cards. */
  readonly cards?: { readonly keyRing: KeyRing; readonly publicKey?: string; readonly secret?: string };
  /** Whether it invoices, as a business that the sandbox knows. */
  readonly invoices?: boolean;
}

/** A merchant of 20 %, every 30 days for 60 days, $15.00 per card payment, unless told otherwise. */
export async function makeMerchant(db: Db, given: MerchantGiven = {}): Promise<number> {
  const { id } = await db
    .insertInto('merchants')
    .values({
      company_id: given.companyId ?? (await makeCompany(db)),
      business_name: 'Muebles del Centro SA de CV',
      trade_name: 'Muebles del Centro',
      deposit_basis_points: given.depositBasisPoints ?? 2_000,
      frequency_days: given.frequencyDays ?? 30,
      plan_duration_days: given.planDurationDays ?? 60,
      penalty_centavos: centavos(given.penaltyCentavos ?? 20_000),
      end_days_late: given.endDaysLate ?? null,
      ...(given.movesAllowed !== undefined && { moves_allowed: given.movesAllowed }),
      ...(given.moveDays !== undefined && { move_days: given.moveDays }),
      service_fee_centavos: centavos(given.feeCentavos ?? 1_500),
      service_fee_methods: given.feeMethods ?? ['card'],
      invoicing_business_uuid: given.invoices === true ? 'd0000000-0000-4000-8000-000000000001' : '',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (given.cards !== undefined) await makeCardCredential(db, id, given.cards);
  return id;
}

async function makeCardCredential(
  db: Db,
  merchantId: number,
  {
    keyRing,
    publicKey = `test_${unique()}`,
    secret = `secret-${unique()}`,
  }: NonNullable<MerchantGiven['cards']>,
): Promise<void> {
  const { ciphertext, keyId } = seal(keyRing, secret, { merchantId, field: 'clip_secret' });
  await db
    .insertInto('provider_credentials')
    .values({
      merchant_id: merchantId,
      provider: 'clip',
      public_key: publicKey,
      secret_ciphertext: ciphertext,
      secret_key_id: keyId,
    })
    .execute();
}

/** A product of 3,000.00 with 16 % of IVA unless told otherwise, which the sandbox can invoice. */
export async function makeProduct(
  db: Db,
  given: { merchantId: number; priceCentavos?: number; name?: string; ivaBasisPoints?: IvaRate },
): Promise<number> {
  const ivaBasisPoints = given.ivaBasisPoints ?? 1600;
  const { id } = await db
    .insertInto('products')
    .values({
      merchant_id: given.merchantId,
      name: given.name ?? 'Sala Nórdica',
      description: 'Tres plazas, gris',
      sku: `SALA-${unique()}`,
      sale_price_centavos: centavos(given.priceCentavos ?? 300_000),
      iva_basis_points: ivaBasisPoints,
      invoicing_product_uuid: `e0000000-0000-4000-8000-00000000${String(ivaBasisPoints).padStart(4, '0')}`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A live layaway reference of the buyer; returns its id. */
export async function makeReference(
  db: Db,
  given: { buyerId: number; merchantId: number; productId: number },
): Promise<number> {
  return createReference({ db, referenceDays: 2 }, given.buyerId, {
    qrText: `1|${given.merchantId}|${given.productId}|0|3000.00|3|600.00|0`,
    repeat: true,
    sourceAddress: '198.51.100.7',
  });
}
