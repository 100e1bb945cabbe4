import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findChromium } from '@aparta/tools/browser';
import { buildProduct } from '@aparta/tools/build-product';
import { startProduct } from '@aparta/tools/product';
import { settingsFromEnvironment } from '@aparta/tools/settings';
import { StartFailure } from '@aparta/tools/start-failure';

/** The demo's first buyer and the sandbox's card whose bank asks. */
const BUYER = { user: 'demo@aparta.mx', password: 'aparta-demo-2026' };
const THREE_DS_CARD = '4000001001000009';
/** The demo's first merchant, its key at the sandbox, and two of its products that the buyer has not reserved. */
const MERCHANT = { id: 1, apiKey: 'a0000000-0000-4000-8000-000000000001' };
const PRODUCTS = { waiting: 1, atTheBank: 4 };

/** A screen as a link leads to it: by its address, with what the tab holds from before. */
export interface Place {
  /** As the spec writes it. */
  readonly route: string;
  readonly path: string;
  /** Session storage on arrival; nobody is signed in when empty. */
  readonly session: Readonly<Record<string, string>>;
}

export interface Stage {
  readonly origin: string;
  readonly chromium: string;
  readonly places: readonly Place[];
  stop(): Promise<void>;
}

/** The built product as `npm start` runs it, in a folder of its own, with a buyer for whom every screen has something to show. */
export async function openStage(log: (line: string) => void): Promise<Stage> {
  await buildProduct(log);
  const chromium = await findChromium(log);
  if (!chromium) throw new StartFailure('There is no Chromium here: install it, or set CHROME_PATH to one.');
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-bench-'));
  fs.chmodSync(dataDir, 0o755); // another user, who runs the database where we are root, has to get in
  const { port, sandboxPort } = settingsFromEnvironment();
  const product = await startProduct({ dataDir, port, sandboxPort, demo: 'when-empty', log });
  const stop = async () => {
    await product.stop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    return { origin: product.origin, chromium, places: await findPlaces(product), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Reference {
  readonly id: number;
  readonly paymentReference: string;
  readonly cardTotal: number;
  readonly productName: string;
}

async function findPlaces({
  origin,
  sandboxOrigin,
}: {
  origin: string;
  sandboxOrigin: string;
}): Promise<Place[]> {
  const { token, ...user } = await ask<{ token: string; id: number }>(
    origin,
    'POST /v1/TokenBuyer/Authenticate',
    {
      body: BUYER,
    },
  );
  const session = { token, user: JSON.stringify(user) };
  const qrText = (product: number) => `1|${MERCHANT.id}|${product}|0||||0`;
  const reserve = (product: number) =>
    ask<Reference>(origin, 'POST /v1/PullApartReference', { token, body: { Referencia: qrText(product) } });
  const waiting = await reserve(PRODUCTS.waiting);
  const atTheBank = await reserve(PRODUCTS.atTheBank);
  const card = await ask<string>(sandboxOrigin, 'POST /control/tokens', {
    body: { number: THREE_DS_CARD, apiKey: MERCHANT.apiKey },
    field: 'id',
  });
  await ask(origin, 'POST /v1/Clib/CreatePaymentsAsync', {
    token,
    body: {
      amount: atTheBank.cardTotal,
      currency: 'MXN',
      description: atTheBank.productName,
      payment_method: { token: card },
      customer: { email: BUYER.user, phone: '2225550311' },
      apartaBusinnessId: MERCHANT.id,
      referencia: atTheBank.paymentReference,
      intentoId: randomUUID(),
    },
  });
  const purchases = await ask<
    { ventaId: number; comercioId: number; nextInstalment: { id: number } | null }[]
  >(origin, `GET /v1/Cxc/ByBuyerIdH/${user.id}?status=2`, { token });
  const purchase = purchases.find(({ comercioId }) => comercioId === MERCHANT.id); // which takes cards
  const instalment = `${purchase?.ventaId}/${purchase?.nextInstalment?.id}`;
  const scanned = { ...session, refApartado: qrText(PRODUCTS.waiting) };
  const at = (route: string, path = route, held: Place['session'] = session): Place => ({
    route,
    path,
    session: held,
  });
  return [
    at('/login', '/login', {}),
    at('/buyerRegister', '/buyerRegister', {}),
    at('/resetyourpassword', '/resetyourpassword', {}),
    at('/terminos', '/terminos', {}),
    at('/'),
    at('/apartado'),
    at('/apartado step 2', '/apartado?paso=2', scanned),
    at('/apartado step 3', `/apartado?paso=3&id=${waiting.id}`),
    at('/codigo/{ref02}', `/codigo/${waiting.paymentReference}`),
    at('/pullapartByClip/{id}', `/pullapartByClip/${waiting.id}`),
    at('/threeDSByclipPA/{id}/…', `/threeDSByclipPA/${atTheBank.id}/${MERCHANT.id}/${atTheBank.cardTotal}`),
    at('/cxcList'),
    at('/saleCxcList/{id}', `/saleCxcList/${purchase?.ventaId}`),
    at('/paymentByClib/{id}/{cxcid}', `/paymentByClib/${instalment}`),
    at('/onSitePaymentByTapi/{id}/{cxcid}', `/onSitePaymentByTapi/${instalment}`),
    at('/clientEdit'),
  ];
}

/** One call; answers the reply's `data`, or another field of it. */
async function ask<T>(
  origin: string,
  call: string,
  { token, body, field = 'data' }: { token?: string; body?: unknown; field?: string },
): Promise<T> {
  const [method = 'GET', address = '/'] = call.split(' ');
  const response = await fetch(origin + address, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${call}: ${response.status} ${text}`);
  return (JSON.parse(text) as Record<string, T>)[field] as T;
}
