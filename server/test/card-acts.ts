import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { openDb } from '../src/platform/db/db.ts';
import { createLog } from '../src/platform/logging.ts';
import type { Answer } from './app.ts';
import { makeBuyer, makeProduct, makeServiceAccount } from './make.ts';
import { makePurchase } from './purchases.ts';
import { MERCHANT_KEYS, openShop, type Shop } from './shop.ts';

const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Clocks of simulations: every one of their buyers sits at one address, and none is kept out. */
export const UNLIMITED = {
  breakerPauseMs: 1,
  rejectionsPerBuyer: 99_999,
  rejectionsPerReference: 99_999,
  rejectionsPerMerchant: 99_999,
  rejectionsPerCard: 99_999,
  cardsPerBuyer: 99_999,
  rejectedCardsPerAddress: 99_999,
  attemptsPerAddress: 999_999,
};

const log = createLog('silent');

/** The buyer approves or rejects in the bank's 3DS window. */
export async function answer3ds(shop: Shop, intentId: string, answer: 'approve' | 'reject'): Promise<void> {
  const { provider_payment_id: paymentId } = await shop.attempt(intentId);
  const reply = await fetch(`${shop.sandbox.threeDsOrigin}/challenge/${paymentId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: shop.sandbox.threeDsOrigin },
    body: JSON.stringify({ answer }),
  });
  if (!reply.ok) throw new Error(`3DS: ${reply.status}`);
}

/** Makes the provider misbehave on the next `times` calls. */
export async function fault(shop: Shop, body: Record<string, unknown>): Promise<void> {
  await shop.control('POST /control/faults', body);
}

/** The merchant changes a payment in the provider's panel. */
export async function panel(shop: Shop, paymentId: string, move: Record<string, unknown>): Promise<void> {
  await shop.control(`POST /control/payments/${paymentId}`, move);
}

/** A charge with any reference, made without our server. */
export async function chargeElsewhere(
  shop: Shop,
  externalReference: string | undefined,
  card: string,
  { amount = 615, keys = MERCHANT_KEYS } = {},
): Promise<void> {
  const { id } = await shop.control('POST /control/tokens', { number: card, apiKey: keys.publicKey });
  const reply = await fetch(`${shop.sandbox.apiUrl}/payments`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${btoa(`${keys.publicKey}:${keys.secret}`)}`,
    },
    body: JSON.stringify({
      amount,
      currency: 'MXN',
      payment_method: { token: id },
      customer: { email: 'otra@example.mx', phone: '5512345678' },
      ...(externalReference === undefined ? {} : { external_reference: externalReference }),
    }),
  });
  if (!reply.ok) throw new Error(`charge: ${reply.status}`);
}

export async function till(shop: Shop, reference: any, amount = 600): Promise<Answer> {
  const { token } = await makeServiceAccount(shop.db, { kind: 'till', chain: 'demo' });
  return shop.ask('POST /PosOperations/OnLayaway', {
    token,
    body: {
      referencia: reference.paymentReference,
      importe: amount,
      compañia: 'demo',
      sucursal: '1',
      idtransaccion: randomUUID(),
    },
  });
}

/** Moves a reference into the past, so that it expired `agoMs` ago. */
export async function endReference(shop: Shop, reference: any, agoMs: number): Promise<void> {
  await shop.db
    .updateTable('layaway_references')
    .set({
      created_at: new Date(Date.now() - agoMs - 2 * DAY),
      expires_at: new Date(Date.now() - agoMs),
    })
    .where('id', '=', reference.id)
    .execute();
}

/** Runs each refund's job once. */
export async function runRefunds(shop: Shop): Promise<void> {
  for (const { id } of await shop.db.selectFrom('refunds').select('id').execute())
    await shop.job.refund_card({ refundId: id }, log);
}

export const refunds = (shop: Shop) => shop.db.selectFrom('refunds').selectAll().orderBy('id').execute();

export const purchases = (shop: Shop) => shop.db.selectFrom('purchases').selectAll().execute();

/** Topics of all emails, in the order in which they were queued. */
export async function emails(shop: Shop): Promise<string[]> {
  const rows = await shop.db.selectFrom('outbox').select('topic').orderBy('id').execute();
  return rows.map((row) => row.topic);
}

export async function alerts(shop: Shop): Promise<string[]> {
  const rows = await shop.db.selectFrom('alerts').select('kind').orderBy('kind').execute();
  return rows.map((row) => row.kind);
}

/** An account's balance over all its subjects, in centavos. */
export async function balance(shop: Shop, account: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(balance), 0)::bigint as total from balances where account = ${account}
  `.execute(shop.db);
  return rows[0]?.total ?? 0;
}

/** What the provider refunded of all payments, in pesos: the oracle of refunds. */
export async function givenBack(shop: Shop): Promise<number> {
  const { payments } = await shop.control('GET /control/log');
  return payments.reduce((total: number, one: { amount_refunded: number }) => total + one.amount_refunded, 0);
}

/** A call of ours as it reached the provider. */
export interface ProviderCall {
  readonly method: string;
  readonly url: string;
  readonly body: any;
}

/** A shop whose calls to the provider are recorded on the way. */
export async function openRecordedShop(
  given: Parameters<typeof openShop>[0] = {},
): Promise<Shop & { readonly calls: ProviderCall[] }> {
  const calls: ProviderCall[] = [];
  let target = '';
  const record = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { method = '', url = '' } = request;
    calls.push({ method, url, body: text === '' ? undefined : JSON.parse(text) });
    const reply = await fetch(target + url, {
      method,
      headers: {
        'content-type': 'application/json',
        authorization: request.headers.authorization ?? '',
        ...(request.headers['idempotency-key'] !== undefined && {
          'idempotency-key': String(request.headers['idempotency-key']),
        }),
      },
      ...(text !== '' && { body: text }),
    }).catch(() => undefined);
    if (reply === undefined) return response.destroy();
    response.writeHead(reply.status, { 'content-type': 'application/json' });
    return response.end(await reply.text());
  };
  const recorder = createServer((request, response) => void record(request, response)).listen(0, '127.0.0.1');
  await once(recorder, 'listening');
  const { port } = recorder.address() as AddressInfo;
  const shop = await openShop({
    ...given,
    env: { CLIP_API_BASE: `http://127.0.0.1:${port}`, ...given.env },
  });
  target = shop.sandbox.apiUrl;
  return {
    ...shop,
    calls,
    async close() {
      recorder.close().closeAllConnections();
      await shop.close();
    },
  };
}

/** Purchases that a new buyer made so many days ago; `pay` pays with one card all that is late of them. */
export async function payLate(
  shop: Shop,
  { merchantId, daysAgo, card }: { merchantId: number; daysAgo: readonly number[]; card: string },
): Promise<{ readonly ids: readonly number[]; readonly intentId: string; pay(): Promise<Answer> }> {
  const buyer = await makeBuyer(shop.db);
  const ids: number[] = [];
  for (const days of daysAgo) {
    const past = openDb({ url: shop.ownerUrl, role: 'none', max: 1, clockOffset: `-${days} days` });
    const productId = await makeProduct(shop.db, { merchantId });
    ids.push((await makePurchase(past, { buyerId: buyer.id, merchantId, productId })).id);
    await past.destroy();
  }
  const intentId = randomUUID();
  const pay = async () => {
    const { token } = buyer;
    const { data } = (await shop.ask(`GET /v1/Cxc/GetLateWithAsync/${ids[0]}`, { token })).body;
    const sums = data.flatMap(({ abonos }: any) => abonos.map(({ monto }: any) => monto));
    return shop.ask('POST /v1/Clib/CreatePaymentsAsync', {
      token,
      body: {
        amount: sums.reduce((all: number, sum: number) => all + sum, data[0].cardFee),
        currency: 'MXN',
        payment_method: { token: await shop.cardToken(card) },
        apartaBusinnessId: merchantId,
        intentoId: intentId,
        compras: data.map(({ referencia, abonos }: any) => ({ referencia, abonos })),
      },
    });
  };
  return { ids, intentId, pay };
}
