import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { StaffRole } from '@aparta/domain/staff-rights';
import { addServiceAccount } from '@aparta/server/accounts/service-accounts/save-service-account';
import { addBranch } from '@aparta/server/accounts/branches/save-branch';
import { acceptInvitation } from '@aparta/server/accounts/staff/accept-invitation';
import { inviteByOperator } from '@aparta/server/accounts/staff/save-staff';
import { findStaffSession } from '@aparta/server/accounts/staff/session-store';
import { setPin } from '@aparta/server/accounts/staff/set-pin';
import { createPasswords } from '@aparta/server/accounts/credentials/passwords';
import { tokenHash } from '@aparta/server/accounts/credentials/token';
import { signUp } from '@aparta/server/accounts/buyers/sign-up';
import { confirmEmailOf } from '@aparta/server/accounts/buyers/store';
import { compose } from '@aparta/server/compose';
import { openDb, type Db, type DbRole, type Tx } from '@aparta/server/platform/db/db';
import { transaction } from '@aparta/server/platform/db/transaction';
import type { Settings } from '@aparta/server/env';
import { publishTemplates } from '@aparta/server/accounts/legal/templates';
import { createLimiter } from '@aparta/server/platform/limiter';
import { createLog } from '@aparta/server/platform/logging';
import { addCompany } from '@aparta/server/catalogue/merchants/save-company';
import { encodeLogo, setLogo } from '@aparta/server/catalogue/merchants/save-logo';
import { addMerchant, WHO_COLLECTS } from '@aparta/server/catalogue/merchants/save-merchant';
import { encodePicture, type EncodedPicture } from '@aparta/server/catalogue/pictures/encode-picture';
import { putPicture } from '@aparta/server/catalogue/pictures/store';
import { putProducts } from '@aparta/server/catalogue/merchants/save-product';
import { listSkus } from '@aparta/server/catalogue/merchants/store';
import type { Staff } from '@aparta/server/platform/principal';
import { createReference } from '@aparta/server/purchases/layaways/create-reference';
import { setCardKeys } from '@aparta/server/payments/card-keys/save-card-keys';
import { setUnitsByStaff } from '@aparta/server/catalogue/units/set-units';
import sharp from 'sharp';
import { AT_COUNTER, COUNTED, CUSTOMERS } from '../demo/counter-month.ts';
import { type Buyer, BUYERS, HISTORY, PASSWORD } from '../demo/history.ts';
import {
  COMPANIES,
  INTEGRATOR,
  INVOICING_PRODUCT_UUID,
  MERCHANTS,
  TILL,
  type DemoMerchant,
} from '../demo/shops.ts';
import { drawingOf } from '../demo/pictures.ts';
import { BRANCHES, STAFF } from '../demo/staff.ts';
import { type ActDeps, ADDRESS, perform, type Subject } from './demo-acts.ts';
import { type Cashier, closeDay, payAtCounter } from './demo-counter.ts';
import { reachSandbox } from './demo-sandbox.ts';
import { demoStanding } from './demo-standing.ts';
import { StartFailure } from './start-failure.ts';

const OPENED_DAYS_AGO = 100;
const SIGNED_UP_DAYS_AGO = 45;

/**
 * Fills an empty, migrated database with the demo through the use cases, each at its own moment in the past,
 * and the sandbox's wire. Answers whether it did: a database with any buyer or merchant is left as it is. Throws
 * `StartFailure` with a sentence for the operator when something is missing, or when a demo was broken off half-way before.
 *
 * The sandbox's clock stays where it is: it dates the charges today while we date the payments in the past. That way they
 * are found in its list (we ask for everything since the payment) and can be refunded (it pays refunds out of the day's
 * sales, as Clip does).
 */
export async function makeDemo(settings: Settings): Promise<boolean> {
  if (settings.production) throw new StartFailure('Demo data is never made in production.');
  const standing = await demoStanding(settings.databaseOwnerUrl);
  if (standing === 'kept') return false;
  if (standing === 'half') {
    throw new StartFailure(
      'The demo data was broken off half-way. Make it anew with npm run demo, begin with an empty ' +
        'database, or set SEED_DEMO=false.',
    );
  }
  // Before anything is written, since without the sandbox half a demo would be left behind.
  const sandbox = await reachSandbox(providersOf(settings));
  const { engine, jobs, stop } = compose(settings, createLog('silent'), undefined, 'aparta_operator');
  const past = openPast(settings);
  try {
    await at(past, OPENED_DAYS_AGO, publishTemplates);
    const { items, tillId } = await at(past, OPENED_DAYS_AGO, (db) => openShops(db, settings));
    const [staff, pictures] = await Promise.all([openCounters(past, settings), drawPictures()]);
    await at(past, OPENED_DAYS_AGO, (db) => hangPictures(db, items, pictures));
    await at(past, OPENED_DAYS_AGO, (db) => countUnits(db, items, staff));
    const buyers = await at(past, SIGNED_UP_DAYS_AGO, (db) => signUpAll(db, settings));
    const deps = { settings, engine, cash: jobs.cash, issuing: jobs, sandbox, tillId };
    await relive(past, [...daysOfBuyers(deps, items, buyers), ...daysAtCounter(settings, items, staff)]);
    await at(past, OPENED_DAYS_AGO, endWithIntegrator);
    return true;
  } finally {
    await past.destroy();
    await stop();
  }
}

/** Where each provider is, by the setting that says so; all of them are the sandbox in a demo, the first one by its API. */
export function providersOf({ clip, tapi, facturaGreen }: Settings): Record<string, string> {
  return {
    CLIP_API_BASE: clip.apiBase,
    TAPI_LOGIN_BASE: tapi.loginBase,
    TAPI_API_BASE: tapi.apiBase,
    FACTURA_GREEN_BASE: facturaGreen.base,
  };
}

/** One connection for all days, which after the first of them has learnt its tables and plans. */
const openPast = ({ databaseOwnerUrl: url }: Settings, role: DbRole = 'aparta_operator') =>
  openDb({ url, role, max: 1 });

/** Does something with a database whose clock shows so many days ago; it has one connection ({@link openPast}). */
async function at<T>(db: Db, daysAgo: number, work: (db: Db) => Promise<T>): Promise<T> {
  await db
    .selectNoFrom(({ fn, val }) =>
      fn('set_config', [val('aparta.clock_offset'), val(`-${daysAgo} days`), val(false)]).as('set'),
    )
    .execute();
  return work(db);
}

// Shops and people -------------------------------------------------------------------------------------------

type ShopItem = Pick<Subject, 'merchant' | 'merchantId' | 'productId' | 'productName'>;

interface Shops {
  readonly items: ReadonlyMap<string, ShopItem>;
  readonly tillId: string;
}

/** What the operator would enter, in one transaction; then the till's account. */
async function openShops(db: Db, settings: Settings): Promise<Shops> {
  const logos = await Promise.all(
    COMPANIES.map(async ({ logo }) =>
      encodeLogo(await readFile(new URL(`../demo/logos/${logo}`, import.meta.url))),
    ),
  );
  const items = await transaction(db, async (tx) => {
    const companies = new Map<string, number>();
    for (const [index, { name, phone }] of COMPANIES.entries()) {
      const id = await addCompany(tx, { name, phone });
      const logo = logos[index];
      if (logo !== undefined) await setLogo(tx, id, logo);
      companies.set(name, id);
    }
    const made = new Map<string, ShopItem>();
    for (const merchant of MERCHANTS) {
      const companyId = companies.get(merchant.company) ?? 0;
      for (const [sku, item] of await openShopOf(tx, settings, merchant, companyId)) made.set(sku, item);
    }
    const [printed] = made.values();
    if (printed?.merchantId !== 1 || printed.productId !== 1) {
      throw new StartFailure(
        'The demo needs the ids from 1 on, and this database gave them away before: use a new one.',
      );
    }
    return made;
  });
  const { userName, password, chain } = TILL;
  const secretHash = await createPasswords().hash(password);
  const merchantIds = [...new Set([...items.values()].map(({ merchantId }) => merchantId))];
  const tillId = await transaction(db, (tx) =>
    addServiceAccount(tx, { kind: 'till', userName, chain, merchantIds, secretHash }),
  );
  return { items, tillId };
}

async function openShopOf(
  tx: Tx,
  { serviceFee, keyRing }: Settings,
  merchant: DemoMerchant,
  companyId: number,
): Promise<[sku: string, item: ShopItem][]> {
  const { cardKeys, products, company: _company, ...entry } = merchant;
  const merchantId = await addMerchant(tx, {
    invoicingBusinessUuid: '',
    ...WHO_COLLECTS,
    ...entry,
    companyId,
    serviceFee,
  });
  if (cardKeys !== undefined) await setCardKeys({ keyRing, allowTestKeys: true }, tx, merchantId, cardKeys);
  await putProducts(
    tx,
    merchantId,
    products.map((product) => ({
      ...product,
      ivaBasisPoints: 1_600,
      invoicingProductUuid: INVOICING_PRODUCT_UUID,
    })),
  );
  const ids = new Map((await listSkus(tx, merchantId)).map(({ sku, id }) => [sku, id]));
  return products.map(({ sku, name }) => [
    sku,
    { merchant, merchantId, productId: ids.get(sku) ?? 0, productName: name },
  ]);
}

type Pictures = ReadonlyMap<string, EncodedPicture>;

/** One after the other, in threads that the rest does not need meanwhile. */
async function drawPictures(): Promise<Pictures> {
  const pictures = new Map<string, EncodedPicture>();
  for (const { sku } of MERCHANTS.flatMap(({ products }) => products)) {
    const drawing = drawingOf(sku);
    if (drawing) pictures.set(sku, await encodePicture(await sharp(drawing).png().toBuffer()));
  }
  return pictures;
}

async function hangPictures(db: Db, items: Shops['items'], pictures: Pictures): Promise<void> {
  for (const [sku, picture] of pictures)
    await transaction(db, (tx) => putPicture(tx, items.get(sku)?.productId ?? 0, picture));
}

/** What the first merchant counts, and how many each branch had for sale. */
async function countUnits(db: Db, items: Shops['items'], { branchIds, staff }: Counters): Promise<void> {
  const owner = staff.get('owner');
  if (owner === undefined) throw new Error('no owner came');
  for (const { sku, branch, free } of COUNTED) {
    const productId = items.get(sku)?.productId ?? 0;
    await setUnitsByStaff(db, owner, productId, { branchId: branchIds.get(branch) ?? 0, free, was: 0 });
  }
}

interface Counters {
  readonly branchIds: ReadonlyMap<string, number>;
  readonly staff: ReadonlyMap<StaffRole, Staff>;
}

/** The first merchant's branches, and its people, each invited and come; who stands where. */
async function openCounters(past: Db, settings: Settings): Promise<Counters> {
  const { branchIds, codes } = await at(past, OPENED_DAYS_AGO, (db) =>
    transaction(db, async (tx) => {
      const ids = new Map<string, number>();
      for (const branch of BRANCHES)
        ids.set(branch.name, await addBranch(tx, { merchantId: 1, ...branch, tills: undefined }));
      const links: string[] = [];
      for (const { branches, ...person } of STAFF) {
        const branchIds = branches.map((name) => ids.get(name) ?? 0);
        const invitation = { ...person, merchantId: 1, branchIds };
        links.push((await inviteByOperator(tx, settings.publicOrigin, invitation)).link);
      }
      return { branchIds: ids, codes: links.map((link) => new URL(link).hash.replace('#code=', '')) };
    }),
  );
  const accept = async (db: Db) => {
    const deps = {
      db,
      passwords: createPasswords(),
      limiter: createLimiter(db),
      limits: settings.accountLimits,
      publicOrigin: settings.publicOrigin,
    };
    const from = { password: PASSWORD, address: ADDRESS, deviceId: undefined };
    const staff = new Map<StaffRole, Staff>();
    for (const [index, { role, pin }] of STAFF.entries()) {
      const { token } = await acceptInvitation(deps, { ...from, code: codes[index] ?? '' });
      const found = await findStaffSession(db, tokenHash(token), undefined);
      if (found === undefined) throw new Error(`no ${role} came`);
      if (pin !== undefined) await setPin(deps, found.staff, { ...from, pin });
      staff.set(role, found.staff);
    }
    return staff;
  };
  const served = openPast(settings, 'aparta_app');
  try {
    return { branchIds, staff: await at(served, OPENED_DAYS_AGO, accept) };
  } finally {
    await served.destroy();
  }
}

/** The last write: `demoStanding` takes it for the sign that nothing is missing. */
async function endWithIntegrator(db: Db): Promise<void> {
  const { userName, password } = INTEGRATOR;
  const secretHash = await createPasswords().hash(password);
  await transaction(db, (tx) =>
    addServiceAccount(tx, { kind: 'integrator', merchantId: 1, userName, secretHash }),
  );
}

async function signUpAll(db: Db, settings: Settings): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>();
  for (const buyer of BUYERS)
    ids.set(buyer.user, await signUpBuyer(db, settings, { ...buyer, password: PASSWORD, address: ADDRESS }));
  return ids;
}

async function signUpBuyer(
  db: Db,
  settings: Settings,
  buyer: Buyer & { readonly password: string; readonly address: string },
): Promise<number> {
  const deps = {
    db,
    passwords: createPasswords(),
    limiter: createLimiter(db),
    limits: settings.accountLimits,
    requireTerms: settings.requireTerms,
  };
  const id = await signUp(deps, { ...buyer, termsAccepted: true, termsVersion: undefined, userAgent: '' });
  await transaction(db, (tx) => confirmEmailOf(tx, id));
  return id;
}

// What they did ----------------------------------------------------------------------------------------------

/** Something done on a day. */
interface Deed {
  readonly daysAgo: number;
  readonly act: (db: Db) => Promise<unknown>;
}

/** Oldest first, so that numbers rise with dates; of one day, in the order given. */
async function relive(past: Db, deeds: readonly Deed[]): Promise<void> {
  const days = Map.groupBy(deeds, ({ daysAgo }) => daysAgo);
  for (const [daysAgo, done] of [...days].toSorted(([a], [b]) => b - a)) {
    await at(past, daysAgo, async (db) => {
      for (const { act } of done) await act(db);
    });
  }
}

function daysOfBuyers(
  deps: Omit<ActDeps, 'db'>,
  items: ReadonlyMap<string, ShopItem>,
  buyers: ReadonlyMap<string, number>,
): Deed[] {
  const reserved = new Map<string, number>();
  return HISTORY.map(({ daysAgo, buyer, sku, acts }) => {
    const item = items.get(sku);
    const buyerId = buyers.get(buyer.user);
    if (item === undefined || buyerId === undefined) throw new Error(`no ${sku} for ${buyer.user}`);
    const key = `${buyerId} ${sku}`;
    return {
      daysAgo,
      async act(db) {
        for (const act of acts) {
          const subject = { ...item, buyer, buyerId, referenceId: reserved.get(key) };
          reserved.set(key, await perform({ ...deps, db }, subject, act));
        }
      },
    };
  });
}

/** Who comes to the counter; at the end of each day but today's the drawers are counted. */
function daysAtCounter(
  settings: Settings,
  items: ReadonlyMap<string, ShopItem>,
  { branchIds, staff }: Counters,
): Deed[] {
  const standing = ({ role, branch }: (typeof AT_COUNTER)[number]): Cashier => {
    const [person, branchId] = [staff.get(role), branchIds.get(branch)];
    if (person === undefined || branchId === undefined) throw new Error(`no ${role} at ${branch}`);
    return { staff: person, branchId };
  };
  const manager = standing(AT_COUNTER[0]).staff;
  const visits = CUSTOMERS.flatMap(({ name, sku, visits: all }, index) => {
    let reserved: { buyerId: number; referenceId: number } | undefined;
    return all.map((visit) => ({
      daysAgo: visit[0],
      async act(db: Db) {
        reserved ??= await reserveAs({ db, settings }, { name, number: index + 1 }, items.get(sku));
        await payAtCounter({ db, settings, manager }, standing(visit[2]), reserved, visit);
      },
    }));
  });
  const days = new Set(visits.map(({ daysAgo }) => daysAgo).filter((daysAgo) => daysAgo > 0));
  const cuts = [...days].flatMap((daysAgo) =>
    AT_COUNTER.map((place) => ({ daysAgo, act: (db: Db) => closeDay(db, standing(place).staff, daysAgo) })),
  );
  return [...visits, ...cuts];
}

/** Signs a customer up, with a password that nobody has, and reserves something for them. */
async function reserveAs(
  { db, settings }: { readonly db: Db; readonly settings: Settings },
  { name, number }: { readonly name: string; readonly number: number },
  item: ShopItem | undefined,
): Promise<{ buyerId: number; referenceId: number }> {
  if (item === undefined) throw new Error(`nothing to reserve for ${name}`);
  const buyerId = await signUpBuyer(db, settings, {
    user: `cliente${number}@aparta.mx`,
    userName: name,
    phone: `22255504${String(number).padStart(2, '0')}`,
    // No digits: the estimator spells them in a hundred ways.
    password: Array.from(randomBytes(20), (byte) => String.fromCodePoint(97 + (byte % 26))).join(''),
    address: `192.0.2.${100 + number}`,
  });
  const qrText = `1|${item.merchantId}|${item.productId}|0||||0`;
  const wanted = { qrText, repeat: false, sourceAddress: ADDRESS };
  const referenceId = await createReference({ db, referenceDays: settings.referenceDays }, buyerId, wanted);
  return { buyerId, referenceId };
}
