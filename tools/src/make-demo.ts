import { readFile } from 'node:fs/promises';
import { addServiceAccount } from '@aparta/server/accounts/service-accounts/save-service-account';
import { addBranch } from '@aparta/server/accounts/branches/save-branch';
import { acceptInvitation } from '@aparta/server/accounts/staff/accept-invitation';
import { inviteByOperator } from '@aparta/server/accounts/staff/save-staff';
import { createPasswords } from '@aparta/server/accounts/credentials/passwords';

import { signUp } from '@aparta/server/accounts/buyers/sign-up';
import { confirmEmailOf } from '@aparta/server/accounts/buyers/store';
import { compose } from '@aparta/server/compose';
import { openDb, type Db, type Tx } from '@aparta/server/platform/db/db';
import { transaction } from '@aparta/server/platform/db/transaction';
import type { Settings } from '@aparta/server/env';
import { publishTemplates } from '@aparta/server/accounts/legal/templates';
import { createLimiter } from '@aparta/server/platform/limiter';
import { createLog } from '@aparta/server/platform/logging';
import { addCompany } from '@aparta/server/catalogue/merchants/save-company';
import { encodeLogo, setLogo } from '@aparta/server/catalogue/merchants/save-logo';
import { addMerchant, WHO_COLLECTS } from '@aparta/server/catalogue/merchants/save-merchant';
import { putProducts } from '@aparta/server/catalogue/merchants/save-product';
import { listSkus } from '@aparta/server/catalogue/merchants/store';
import { setCardKeys } from '@aparta/server/payments/card-keys/save-card-keys';
import { BUYERS, HISTORY, PASSWORD } from '../demo/history.ts';
import {
  COMPANIES,
  INTEGRATOR,
  INVOICING_PRODUCT_UUID,
  MERCHANTS,
  TILL,
  type DemoMerchant,
} from '../demo/shops.ts';
import { BRANCHES, STAFF } from '../demo/staff.ts';
import { type ActDeps, ADDRESS, perform, type Subject } from './demo-acts.ts';
import { reachSandbox } from './demo-sandbox.ts';
import { demoStanding } from './demo-standing.ts';
import { StartFailure } from './start-failure.ts';

const OPENED_DAYS_AGO = 60;
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
  try {
    await at(settings, OPENED_DAYS_AGO, publishTemplates);
    const { items, tillId } = await at(settings, OPENED_DAYS_AGO, (db) => openShops(db, settings));
    await openCounters(settings);
    const buyers = await at(settings, SIGNED_UP_DAYS_AGO, (db) => signUpAll(db, settings));
    await relive({ settings, engine, cash: jobs.cash, issuing: jobs, sandbox, tillId }, items, buyers);
    await at(settings, OPENED_DAYS_AGO, endWithIntegrator);
    return true;
  } finally {
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

/** Does something with a database whose clock shows so many days ago. */
async function at<T>(
  settings: Settings,
  daysAgo: number,
  work: (db: Db) => Promise<T>,
  role: 'aparta_operator' | 'aparta_app' = 'aparta_operator',
): Promise<T> {
  const db = openDb({
    url: settings.databaseOwnerUrl,
    role,
    max: 2,
    clockOffset: `-${daysAgo} days`,
  });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
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

/** The first merchant's branches, and its people, each invited and come. */
async function openCounters(settings: Settings): Promise<void> {
  const codes = await at(settings, OPENED_DAYS_AGO, (db) =>
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
      return links.map((link) => new URL(link).hash.replace('#code=', ''));
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
    for (const code of codes)
      await acceptInvitation(deps, { code, password: PASSWORD, address: ADDRESS, deviceId: undefined });
  };
  await at(settings, OPENED_DAYS_AGO, accept, 'aparta_app');
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
  const deps = {
    db,
    passwords: createPasswords(),
    limiter: createLimiter(db),
    limits: settings.accountLimits,
    requireTerms: settings.requireTerms,
  };
  const ids = new Map<string, number>();
  for (const buyer of BUYERS) {
    const id = await signUp(deps, {
      ...buyer,
      password: PASSWORD,
      termsAccepted: true,
      termsVersion: undefined,
      address: ADDRESS,
      userAgent: '',
    });
    await transaction(db, (tx) => confirmEmailOf(tx, id));
    ids.set(buyer.user, id);
  }
  return ids;
}

// What they did ----------------------------------------------------------------------------------------------

async function relive(
  deps: Omit<ActDeps, 'db'>,
  items: ReadonlyMap<string, ShopItem>,
  buyers: ReadonlyMap<string, number>,
): Promise<void> {
  const reserved = new Map<string, number>();
  for (const { daysAgo, buyer, sku, acts } of HISTORY) {
    const item = items.get(sku);
    const buyerId = buyers.get(buyer.user);
    if (item === undefined || buyerId === undefined) throw new Error(`no ${sku} for ${buyer.user}`);
    const key = `${buyerId} ${sku}`;
    await at(deps.settings, daysAgo, async (db) => {
      for (const act of acts) {
        const subject = { ...item, buyer, buyerId, referenceId: reserved.get(key) };
        reserved.set(key, await perform({ ...deps, db }, subject, act));
      }
    });
  }
}
