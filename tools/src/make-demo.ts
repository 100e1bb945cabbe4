import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { totalFor } from '@aparta/domain/service-fee';
import { createPasswords } from '@aparta/server/account/passwords';
import { addMachine } from '@aparta/server/account/sign-in-machine';
import { signUp } from '@aparta/server/account/sign-up';
import { compose, type Composition } from '@aparta/server/compose';
import { openDb, type Db, type Tx } from '@aparta/server/db/db';
import { transaction } from '@aparta/server/db/transaction';
import type { Settings } from '@aparta/server/env';
import { createReference } from '@aparta/server/layaway/create-reference';
import { findReference, type LayawayReference } from '@aparta/server/layaway/store';
import { createLimiter } from '@aparta/server/limiter';
import { createLog } from '@aparta/server/logging';
import { CARD_SECRET } from '@aparta/server/payments/credential';
import { startCardPayment } from '@aparta/server/payments/start-card-payment';
import { seal } from '@aparta/server/secrets';
import { takeDeposit } from '@aparta/server/tills/take-deposit';
import { COMPANIES, MERCHANTS, type DemoMerchant } from '../demo/shops.ts';
import { StartFailure } from './start-failure.ts';

const OPENED_DAYS_AGO = 60;
const SIGNED_UP_DAYS_AGO = 45;
/** Of a network that exists in documents alone, so that nobody's limits are used up. */
const ADDRESS = '192.0.2.1';
const PASSWORD = 'aparta-demo-2026';
const TILL = { userName: 'caja-demo', password: 'caja-demo-2026', chain: 'CAJA-DEMO', branch: '1' };
const INTEGRATOR = { userName: 'integrador-demo', password: 'integrador-demo-2026' };

const BUYERS = [
  { user: 'demo@aparta.mx', userName: 'Marisol Reyes', phone: '2225550311' },
  { user: 'otra@aparta.mx', userName: 'Ana Torres', phone: '2225550322' },
] as const;
type BuyerEmail = (typeof BUYERS)[number]['user'];

/** Clip's documented test cards that are approved at once. */
const CARDS = { credit: '4555128482797669', debit: '4208318689081956' };

interface Reservation {
  readonly buyer: BuyerEmail;
  readonly sku: string;
  readonly daysAgo: number;
  readonly deposit: keyof typeof CARDS | 'till' | 'unpaid';
}

/**
 * Oldest first, so that numbers rise with dates. What the product cannot do yet is missing, and belongs here once it can:
 * a second instalment paid, one paid in part, a purchase settled, one cancelled within the five days and one after them,
 * an instalment waiting for cash, an instalment invoiced with its fiscal client.
 */
const RESERVATIONS: readonly Reservation[] = [
  { buyer: 'demo@aparta.mx', sku: 'LB-REF-14', daysAgo: 40, deposit: 'credit' }, // the second instalment is 10 days late
  { buyer: 'demo@aparta.mx', sku: 'EZ-PAN-55', daysAgo: 10, deposit: 'debit' },
  { buyer: 'otra@aparta.mx', sku: 'EZ-TEL-12', daysAgo: 5, deposit: 'credit' },
  { buyer: 'demo@aparta.mx', sku: 'MV-COL-MA', daysAgo: 3, deposit: 'till' },
  { buyer: 'demo@aparta.mx', sku: 'LB-LAV-18', daysAgo: 0, deposit: 'unpaid' },
];

/**
 * Fills an empty, migrated database with the demo (decisions §10) through the use cases, each at its own moment in the past,
 * and the sandbox's wire. Answers whether it did: a database with any buyer or merchant is left as it is. Throws
 * `StartFailure` with a sentence for the operator when something is missing.
 *
 * The sandbox's clock stays where it is: it dates the charges today while we date the payments in the past. That way they
 * are found in its list (we ask for everything since the payment) and can be refunded (it pays refunds out of the day's
 * sales, as Clip does).
 */
export async function makeDemo(settings: Settings): Promise<boolean> {
  if (settings.production) throw new StartFailure('Demo data is never made in production.');
  const { db, engine, stop } = compose(settings, createLog('silent'));
  try {
    if (!(await isEmpty(db))) return false;
    // Before anything is written, since without the sandbox half a demo would be left behind.
    const sandbox = await reachSandbox(settings.clip.apiBase);
    const shops = await at(settings, OPENED_DAYS_AGO, (past) => openShops(past, settings));
    await reserveAll({ settings, engine, sandbox, ...shops });
    return true;
  } finally {
    await stop();
  }
}

async function isEmpty(db: Db): Promise<boolean> {
  const buyer = await db.selectFrom('buyers').select('id').limit(1).executeTakeFirst();
  const merchant = await db.selectFrom('merchants').select('id').limit(1).executeTakeFirst();
  return buyer === undefined && merchant === undefined;
}

/** Does something with a database whose clock shows so many days ago. */
async function at<T>(settings: Settings, daysAgo: number, work: (db: Db) => Promise<T>): Promise<T> {
  const db = openDb({ url: settings.databaseUrl, max: 2, clockOffset: `-${daysAgo} days` });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

// The sandbox ------------------------------------------------------------------------------------------------

interface Sandbox {
  /** A card token, as the card frame would make it. */
  cardToken(number: string, merchant: DemoMerchant): Promise<string>;
}

/** Only this machine's own: a real provider must never see a demo. */
async function reachSandbox(origin: string): Promise<Sandbox> {
  if (!['localhost', '127.0.0.1'].includes(new URL(origin).hostname)) {
    throw new StartFailure(
      `The demo is paid at the sandbox, and CLIP_API_BASE names ${origin}: set it to the sandbox.`,
    );
  }
  const ask = async (path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${origin}${path}`, {
      signal: AbortSignal.timeout(10_000),
      ...(body !== undefined && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return response.json();
  };
  try {
    await ask('/control/clock');
  } catch (cause) {
    throw new StartFailure(
      `The sandbox does not answer at ${origin}: start it with 'npm start' in another terminal.`,
      { cause },
    );
  }
  return {
    async cardToken(number, { cardKeys }) {
      const token = await ask('/control/tokens', { number, apiKey: cardKeys?.publicKey });
      return (token as { id: string }).id;
    },
  };
}

// Shops and people -------------------------------------------------------------------------------------------

interface ShopItem {
  readonly merchant: DemoMerchant;
  readonly merchantId: number;
  readonly productId: number;
  readonly name: string;
}

interface Shops {
  readonly items: ReadonlyMap<string, ShopItem>;
  readonly tillId: string;
}

/** Companies, merchants and products, which have no use case yet, in one transaction; then the machines' accounts. */
async function openShops(db: Db, settings: Settings): Promise<Shops> {
  const passwords = createPasswords();
  const logos = await Promise.all(
    COMPANIES.map(({ logo }) => readFile(new URL(`../demo/logos/${logo}`, import.meta.url))),
  );
  const items = await transaction(db, async (tx) => {
    const companies = new Map<string, number>();
    for (const [index, { name, phone, logo }] of COMPANIES.entries()) {
      const { id } = await tx
        .insertInto('companies')
        .values({ name, phone, logo_file_name: logo, logo: logos[index] ?? null })
        .returning('id')
        .executeTakeFirstOrThrow();
      companies.set(name, id);
    }
    const made = new Map<string, ShopItem>();
    for (const merchant of MERCHANTS) {
      const companyId = companies.get(merchant.company) ?? 0;
      for (const [sku, item] of await addMerchant(tx, settings, merchant, companyId)) made.set(sku, item);
    }
    const [printed] = made.values();
    if (printed?.merchantId !== 1 || printed.productId !== 1) {
      throw new StartFailure(
        'The demo needs the ids from 1 on, and this database gave them away before: use a new one.',
      );
    }
    return made;
  });

  const tillId = await addMachine(
    { db, passwords },
    { kind: 'till', userName: TILL.userName, password: TILL.password, chain: TILL.chain },
  );
  await addMachine({ db, passwords }, { kind: 'integrator', merchantId: 1, ...INTEGRATOR });
  return { items, tillId };
}

async function addMerchant(
  tx: Tx,
  settings: Settings,
  merchant: DemoMerchant,
  companyId: number,
): Promise<[sku: string, item: ShopItem][]> {
  const { serviceFee, keyRing } = settings;
  const { id: merchantId } = await tx
    .insertInto('merchants')
    .values({
      company_id: companyId,
      business_name: merchant.businessName,
      trade_name: merchant.tradeName,
      rfc: merchant.rfc,
      contact: merchant.contact,
      phone: merchant.phone,
      email: merchant.email,
      address: merchant.address,
      deposit_basis_points: merchant.depositBasisPoints,
      frequency_days: merchant.frequencyDays,
      plan_duration_days: merchant.planDurationDays,
      penalty_centavos: merchant.penaltyCentavos,
      service_fee_centavos: serviceFee.amountCentavos,
      service_fee_methods: [...serviceFee.methods],
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (merchant.cardKeys !== undefined) {
    const { publicKey, secret } = merchant.cardKeys;
    const { ciphertext, keyId } = seal(keyRing, secret, { merchantId, field: CARD_SECRET });
    await tx
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
  const items: [string, ShopItem][] = [];
  for (const { sku, name, description, priceCentavos } of merchant.products) {
    const { id: productId } = await tx
      .insertInto('products')
      .values({ merchant_id: merchantId, name, description, sku, sale_price_centavos: priceCentavos })
      .returning('id')
      .executeTakeFirstOrThrow();
    items.push([sku, { merchant, merchantId, productId, name }]);
  }
  return items;
}

// Reservations -----------------------------------------------------------------------------------------------

interface Stage extends Shops {
  readonly settings: Settings;
  readonly engine: Composition['engine'];
  readonly sandbox: Sandbox;
}

async function reserveAll(stage: Stage): Promise<void> {
  const { settings } = stage;
  const buyers = await at(settings, SIGNED_UP_DAYS_AGO, (db) => signUpAll(db, settings));
  for (const reservation of RESERVATIONS) {
    await at(settings, reservation.daysAgo, (db) => reserve(db, stage, buyers, reservation));
  }
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
    });
    ids.set(buyer.user, id);
  }
  return ids;
}

async function reserve(
  db: Db,
  stage: Stage,
  buyers: ReadonlyMap<string, number>,
  { buyer, sku, deposit }: Reservation,
): Promise<void> {
  const item = stage.items.get(sku);
  const buyerId = buyers.get(buyer);
  if (item === undefined || buyerId === undefined) throw new Error(`no ${sku} for ${buyer}`);
  const id = await createReference({ db, referenceDays: stage.settings.referenceDays }, buyerId, {
    qrText: `1|${item.merchantId}|${item.productId}|0||||0`,
    repeat: false,
    sourceAddress: ADDRESS,
  });
  if (deposit === 'unpaid') return;
  const reference = await findReference(db, buyerId, id);
  if (reference === undefined) throw new Error(`no reference ${id}`);
  if (deposit === 'till') return payAtTill(db, stage, reference);
  await payByCard(db, stage, { reference, buyer, item, card: CARDS[deposit] });
}

async function payByCard(
  db: Db,
  { engine, sandbox }: Stage,
  given: { reference: LayawayReference; buyer: BuyerEmail; item: ShopItem; card: string },
): Promise<void> {
  const { reference, buyer, item, card } = given;
  const phone = BUYERS.find(({ user }) => user === buyer)?.phone ?? '';
  const attempt = await startCardPayment(
    { ...engine, db },
    reference.buyerId,
    {
      reference: reference.reference,
      merchantId: item.merchantId,
      intentId: randomUUID(),
      shownCentavos: totalFor(reference.depositCentavos, feeOf(reference), 'card'),
      token: await sandbox.cardToken(card, item.merchant),
      description: item.name,
      customer: { email: buyer, phone, street: '', number: '', postalCode: '' },
      sessionId: undefined,
      userAgent: undefined,
    },
    { sourceAddress: ADDRESS, requestId: randomUUID(), log: createLog('silent') },
  );
  if (attempt.state !== 'applied')
    throw new Error(`the card payment of ${item.name} ended as ${attempt.state}`);
}

async function payAtTill(db: Db, stage: Stage, reference: LayawayReference): Promise<void> {
  const { error, message } = await takeDeposit(
    { db, tillCapCentavos: stage.settings.tillCapCentavos },
    { credentialId: stage.tillId, chain: TILL.chain },
    {
      reference: reference.reference,
      amountCentavos: totalFor(reference.depositCentavos, feeOf(reference), 'till'),
      chain: TILL.chain,
      branch: TILL.branch,
      transactionId: randomUUID(),
    },
    createLog('silent'),
  );
  if (error !== 0) throw new Error(`the till did not take ${reference.reference}: ${message}`);
}

function feeOf({ feeCentavos, feeMethods }: LayawayReference) {
  return { amountCentavos: feeCentavos, methods: feeMethods };
}
