import { randomUUID } from 'node:crypto';

import type { Endpoint } from '@aparta/contract/endpoint';
import { ENDPOINTS } from '@aparta/contract/endpoints';
import { addDays, mexicoCityDate } from '@aparta/domain/calendar';
import { centavos } from '@aparta/domain/money';
import { may, needsOwnSession, STAFF_ROLES, worksInBranches } from '@aparta/domain/staff-rights';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../../test/app.ts';
import { oweRefund } from '../../ledger/refunds/store.ts';
import { type Db, openDb } from '../db/db.ts';
import { transaction } from '../db/transaction.ts';
import { tokenHash } from '../../accounts/credentials/token.ts';
import {
  type MadeDevice,
  makeBranch,
  makeBuyer,
  makeDevice,
  makeMerchant,
  makeProduct,
  makeReference,
  makeStaff,
  type MadeStaff,
  PASSWORD,
  PIN,
  signInOn,
} from '../../../test/make.ts';
import { addFiscalClient, makeInvoice } from '../../../test/invoice-acts.ts';
import { softPasskey } from '../../../test/passkey.ts';
import { makeClaimed, makePurchase, payPurchase } from '../../../test/purchases.ts';

/** A place that a call may be about. */
interface Place {
  readonly merchantId: number;
  readonly branchId: number;
}

interface Probe {
  /** What tells places apart in it: nothing that it names, a thing of a merchant, or one of a branch. */
  readonly names: 'nothing' | 'merchant' | 'branch';
  /** A call about a thing of that place, which nobody has touched yet. */
  readonly ask?: (
    place: Place,
    token: string,
    positionId: string | undefined,
  ) => Promise<{ readonly path?: string; readonly body?: unknown }>;
}

/** The number of a reservation whose unit the branch keeps. */
async function keptAt({ merchantId, branchId }: Place): Promise<string> {
  const productId = await makeProduct(server.db, { merchantId });
  const { id: buyerId } = await makeBuyer(server.db);
  const id = await makeReference(server.db, { buyerId, merchantId, productId });
  const at = { product_id: productId, branch_id: branchId };
  await server.db
    .insertInto('product_units')
    .values({ ...at, merchant_id: merchantId, free_units: 1, entered_units: 1 })
    .execute();
  await server.db
    .insertInto('holds')
    .values({ ...at, layaway_reference_id: id, ended_at: null, checked_at: null, missing_since: null })
    .execute();
  return `1${id}`;
}

/** The path of an endpoint of a merchant's webhooks, switched off. */
async function webhookAt({ merchantId }: Place): Promise<string> {
  const { id } = await server.db
    .insertInto('webhook_endpoints')
    .values({
      id: randomUUID(),
      merchant_id: merchantId,
      url: 'https://pos.example.mx/hook',
      secret_ciphertext: Buffer.alloc(1),
      secret_key_id: '1',
      position: 0,
      last_event_id: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await server.db.updateTable('webhook_endpoints').set({ off_at: new Date() }).where('id', '=', id).execute();
  return `/v1/counter/webhooks/${id}`;
}

/** Every call of staff. */
const PROBES: Record<string, Probe> = {
  listWebhooks: { names: 'nothing' },
  addWebhook: {
    names: 'nothing',
    ask: async () => ({ body: { url: `https://pos.example.mx/${randomUUID()}` } }),
  },
  rotateWebhook: {
    names: 'merchant',
    ask: async (place) => ({ path: `${await webhookAt(place)}/rotate` }),
  },
  switchWebhook: {
    names: 'merchant',
    ask: async (place) => ({ path: `${await webhookAt(place)}/switch`, body: { isOn: false } }),
  },
  testWebhook: {
    names: 'merchant',
    ask: async (place) => ({ path: `${await webhookAt(place)}/test` }),
  },
  listWebhookDeliveries: {
    names: 'merchant',
    ask: async (place) => ({ path: `${await webhookAt(place)}/deliveries` }),
  },
  resendWebhook: {
    names: 'merchant',
    ask: async (place) => {
      const path = await webhookAt(place);
      const { id } = await server.db
        .insertInto('webhook_deliveries')
        .values({ endpoint_id: path.split('/').at(-1)!, sequence: 1, type: 'payment.taken', body: '{}' })
        .returning('id')
        .executeTakeFirstOrThrow();
      return { path: `${path}/deliveries/${id}/resend` };
    },
  },
  signOutStaff: { names: 'nothing' },
  listBranches: { names: 'nothing' },
  getShopRules: { names: 'nothing' },
  listStaff: { names: 'nothing' },
  inviteStaff: {
    names: 'merchant',
    ask: async ({ branchId }) => ({
      body: {
        email: `nueva-${Math.random()}@example.mx`,
        name: 'Ana',
        role: 'cashier',
        branchIds: [branchId],
      },
    }),
  },
  withdrawInvitation: {
    names: 'merchant',
    ask: async ({ merchantId }) => {
      const email = `retirada-${Math.random()}@example.mx`;
      const { token } = await makeStaff(server.db, { merchantId, role: 'owner' });
      const body = { email, name: 'Ana', role: 'accountant' };
      await server.ask('POST /v1/counter/invitations', { token, body });
      return { body: { email } };
    },
  },
  revokeStaff: {
    names: 'merchant',
    ask: async ({ merchantId }) => {
      const { positionId } = await makeStaff(server.db, { merchantId, role: 'accountant' });
      return { path: `/v1/counter/staff/${positionId}/revoke` };
    },
  },
  changeStaff: {
    names: 'merchant',
    ask: async ({ merchantId, branchId }) => {
      const { positionId } = await makeStaff(server.db, { merchantId, role: 'accountant' });
      const body = { role: 'cashier', branchIds: [branchId] };
      return { path: `/v1/counter/staff/${positionId}/change`, body };
    },
  },
  listStaffSessions: {
    names: 'merchant',
    ask: async ({ merchantId }) => {
      const { positionId } = await makeStaff(server.db, { merchantId, role: 'accountant' });
      return { path: `/v1/counter/staff/${positionId}/sessions` };
    },
  },
  endStaffSessions: {
    names: 'merchant',
    ask: async ({ merchantId }) => {
      const { positionId } = await makeStaff(server.db, { merchantId, role: 'accountant' });
      return { path: `/v1/counter/staff/${positionId}/sign-out` };
    },
  },
  listOwnSessions: { names: 'nothing' },
  readMailChoices: { names: 'nothing' },
  setMailChoice: { names: 'nothing', ask: async () => ({ body: { mail: 'digest', isOn: false } }) },
  endOwnSession: {
    names: 'nothing',
    ask: async (_place, token) => ({
      path: `/v1/counter/sessions/${tokenHash(token).toString('hex')}/end`,
    }),
  },
  changeStaffPassword: {
    names: 'nothing',
    ask: async () => ({ body: { current: PASSWORD, password: 'otra-clave-larga-8' } }),
  },
  startPasskey: { names: 'nothing' },
  addPasskey: {
    names: 'nothing',
    ask: async (_place, token) => {
      const passkey = softPasskey(server.settings.publicOrigin);
      const { body } = await server.ask('POST /v1/counter/passkeys/start', { token, body: {} });
      return { body: { name: 'Llavero', ...(body.data && { credential: passkey.create(body.data) }) } };
    },
  },
  listPasskeys: { names: 'nothing' },
  renamePasskey: {
    names: 'nothing',
    ask: async (_place, token) => ({
      path: `/v1/counter/passkeys/${await passkeyOf(token)}/rename`,
      body: { name: 'Llavero' },
    }),
  },
  removePasskey: {
    names: 'nothing',
    ask: async (_place, token) => ({ path: `/v1/counter/passkeys/${await passkeyOf(token)}/remove` }),
  },
  setOwnerRule: {
    names: 'nothing',
    ask: async (_place, token) => {
      await passkeyOf(token);
      return { body: { ownersNeedPasskey: false } };
    },
  },
  startEnrolment: {
    names: 'branch',
    ask: async ({ branchId }) => ({ body: { branchId, name: 'Caja 2' } }),
  },
  listDevices: { names: 'nothing' },
  revokeDevice: {
    names: 'branch',
    ask: async (place) => ({
      path: `/v1/counter/devices/${(await makeDevice(server.db, place)).id}/revoke`,
    }),
  },
  liftPinLock: {
    names: 'branch',
    ask: async (place) => {
      const { positionId } = await makeStaff(server.db, { merchantId: place.merchantId, role: 'owner' });
      const { id } = await makeDevice(server.db, place);
      return { path: `/v1/counter/devices/${id}/unlock`, body: { positionId } };
    },
  },
  setPin: { names: 'nothing', ask: async () => ({ body: { password: PASSWORD, pin: PIN } }) },
  listProducts: { names: 'nothing' },
  getCounterProduct: {
    names: 'merchant',
    ask: async ({ merchantId }) => ({
      path: `/v1/counter/products/${await makeProduct(server.db, { merchantId })}`,
    }),
  },
  getPlanTerms: { names: 'nothing' },
  addCounterProduct: {
    names: 'nothing',
    ask: async () => ({ body: { pressId: randomUUID(), name: 'Mesa', price: 3000 } }),
  },
  editCounterProduct: {
    names: 'merchant',
    ask: async ({ merchantId }) => ({
      path: `/v1/counter/products/${await makeProduct(server.db, { merchantId })}`,
      body: { version: 1, name: 'Mesa', price: 3000 },
    }),
  },
  setOnSale: {
    names: 'merchant',
    ask: async ({ merchantId }) => ({
      path: `/v1/counter/products/${await makeProduct(server.db, { merchantId })}/sale`,
      body: { onSale: false },
    }),
  },
  setUnits: {
    names: 'branch',
    ask: async ({ merchantId, branchId }) => ({
      path: `/v1/counter/products/${await makeProduct(server.db, { merchantId })}/units`,
      body: { branchId, free: 3, was: 0 },
    }),
  },
  readShelf: {
    names: 'branch',
    ask: async ({ branchId }) => ({ path: `/v1/counter/shelf?branchId=${branchId}` }),
  },
  checkShelf: {
    names: 'branch',
    ask: async (place) => ({ body: { branchId: place.branchId, code: await keptAt(place), isThere: true } }),
  },
  stopCounting: {
    names: 'merchant',
    ask: async ({ merchantId }) => ({
      path: `/v1/counter/products/${await makeProduct(server.db, { merchantId })}/stop-counting`,
    }),
  },
  setProductPicture: {
    names: 'merchant',
    ask: async ({ merchantId }) => ({
      path: `/v1/counter/products/${await makeProduct(server.db, { merchantId })}/picture`,
      body: { picture: null },
    }),
  },
  lookUpReference: {
    names: 'merchant',
    ask: async (place) => ({ path: `/v1/counter/references/${await reservation(place)}` }),
  },
  listShopPurchases: { names: 'nothing' },
  saveEvidence: {
    names: 'merchant',
    ask: async ({ merchantId }) => {
      const productId = await makeProduct(server.db, { merchantId });
      const buyerId = (await makeBuyer(server.db)).id;
      const { id } = await makePurchase(server.db, { buyerId, merchantId, productId });
      return { path: `/v1/counter/purchases/${id}/evidence` };
    },
  },
  getShopPurchase: {
    names: 'merchant',
    ask: async (place) => ({ path: `/v1/counter/purchases/${await purchase(place)}` }),
  },
  getEndQuote: {
    names: 'merchant',
    ask: async (place) => ({ path: `/v1/counter/purchases/${await purchase(place)}/end-quote` }),
  },
  endPlan: {
    names: 'merchant',
    ask: async (place) => ({
      path: `/v1/counter/purchases/${await purchase(place)}/end`,
      body: { reason: 'Se agotó', refundShown: 600 },
    }),
  },
  giveTime: {
    names: 'merchant',
    ask: async (place) => {
      const past = openDb({ url: server.ownerUrl, role: 'none', max: 1, clockOffset: '-40 days' });
      const id = await purchase(place, past);
      // Due ten days ago.
      await past.updateTable('purchases').set({ end_days_late: 30 }).where('id', '=', id).execute();
      await past.destroy();
      const endsOn = addDays(mexicoCityDate(new Date()), 40);
      return { path: `/v1/counter/purchases/${id}/more-time`, body: { endsOn, reason: 'Lo pidió' } };
    },
  },
  answerClaim: {
    names: 'merchant',
    ask: async (place) => {
      const { id, claimFolio } = await claimed(place);
      return {
        path: `/v1/counter/purchases/${id}/claim/answer`,
        body: { claimFolio, answer: 'Llega el martes', promisedOn: null },
      };
    },
  },
  refundClaim: {
    names: 'merchant',
    ask: async (place) => {
      const { id, claimFolio } = await claimed(place);
      return {
        path: `/v1/counter/purchases/${id}/claim/refund`,
        body: { claimFolio, reason: 'No llegó', refundShown: 3_000 },
      };
    },
  },
  readShopToday: { names: 'nothing' },
  listTakings: {
    names: 'nothing',
    ask: async () => ({ path: '/v1/counter/takings?from=2026-11-01&to=2026-11-30' }),
  },
  savePurchases: { names: 'nothing', ask: async () => ({ body: { format: 'csv' } }) },
  saveTakings: {
    names: 'nothing',
    ask: async () => ({ body: { format: 'csv', from: '2026-11-01', to: '2026-11-30' } }),
  },
  saveRefunds: {
    names: 'nothing',
    ask: async () => ({ body: { format: 'csv', from: '2026-11-01', to: '2026-11-30' } }),
  },
  saveCuts: { names: 'branch', ask: async ({ branchId }) => ({ body: { format: 'csv', branchId } }) },
  listOwedRefunds: { names: 'nothing' },
  listShopRefunds: {
    names: 'nothing',
    ask: async () => ({ path: '/v1/counter/refunds/by-day?from=2026-11-01&to=2026-11-30' }),
  },
  listShopInvoices: {
    names: 'nothing',
    ask: async () => ({ path: '/v1/counter/invoices?month=2026-11' }),
  },
  listShopSettlements: { names: 'nothing' },
  saveSettlements: { names: 'nothing', ask: async () => ({ body: { format: 'csv' } }) },
  saveInvoices: { names: 'nothing', ask: async () => ({ body: { format: 'csv', month: '2026-11' } }) },
  saveInvoiceFile: {
    names: 'merchant',
    ask: async (place) => ({
      path: `/v1/counter/invoices/${await issuedBy(place)}/file`,
      body: { format: 'xml' },
    }),
  },
  takePayment: { names: 'branch', ask: async (place) => ({ body: await pressAt(place) }) },
  getCounterReceipt: {
    names: 'branch',
    ask: async (place) => ({ path: `/v1/counter/receipts/${await taken(place)}` }),
  },
  findPayment: {
    names: 'branch',
    ask: async (place) => {
      const body = await pressAt(place);
      await takenAs(place, body);
      return { path: `/v1/counter/payments/${body.id}` };
    },
  },
  dropPayment: {
    names: 'branch',
    ask: async ({ branchId }) => ({
      path: `/v1/counter/payments/${randomUUID()}/drop`,
      body: { branchId },
    }),
  },
  findHandOver: {
    names: 'merchant',
    ask: async (place) => {
      const { reference, digits } = await readyAt(place);
      return { body: { code: reference, digits } };
    },
  },
  handOver: { names: 'branch', ask: async (place) => ({ body: await handOverAt(place) }) },
  findHandedOver: {
    names: 'branch',
    ask: async (place) => {
      const body = await handOverAt(place);
      const { token } = await makeStaff(server.db, { merchantId: place.merchantId, role: 'owner' });
      await server.ask('POST /v1/counter/hand-overs', { token, body });
      return { path: `/v1/counter/hand-overs/${body.id}` };
    },
  },
  listShifts: {
    names: 'branch',
    ask: async ({ branchId }) => ({ path: `/v1/counter/shifts?branchId=${branchId}` }),
  },
  listClosedBranches: { names: 'nothing' },
  closeCut: {
    names: 'branch',
    ask: async (place, _token, positionId) => ({ body: await countAt(place, positionId) }),
  },
  listCuts: {
    names: 'branch',
    ask: async ({ branchId }) => ({ path: `/v1/counter/cuts?branchId=${branchId}` }),
  },
  getCut: {
    names: 'branch',
    ask: async (place, _token, positionId) => ({
      path: `/v1/counter/cuts/${await cutAt(place, positionId)}`,
    }),
  },
  getCutPdf: {
    names: 'branch',
    ask: async (place, _token, positionId) => ({
      path: `/v1/counter/cuts/${await cutAt(place, positionId)}/pdf`,
    }),
  },
  reversePayment: {
    names: 'branch',
    ask: async (place) => ({
      path: `/v1/counter/receipts/${await taken(place)}/reverse`,
      body: { reason: 'Se cobró dos veces' },
    }),
  },
  dropReversal: {
    names: 'merchant',
    ask: async (place) => ({
      path: `/v1/counter/receipts/${await taken(place)}/reverse/drop`,
      body: { id: randomUUID() },
    }),
  },
  dropRefund: {
    names: 'merchant',
    ask: async (place) => ({
      path: `/v1/counter/refunds/${await owedInCash(place)}/pay/drop`,
      body: { id: randomUUID() },
    }),
  },
  findPaidRefund: {
    names: 'nothing',
    ask: async () => ({ path: `/v1/counter/refunds/paid/${randomUUID()}` }),
  },
  payRefund: {
    names: 'branch',
    ask: async (place) => ({
      path: `/v1/counter/refunds/${await owedInCash(place)}/pay`,
      body: { id: randomUUID(), branchId: place.branchId, amount: 600 },
    }),
  },
};

/** A payment that a counter took there and that its merchant owes back in cash. */
async function owedInCash(place: Place): Promise<number> {
  const folio = await taken(place);
  const { id: receiptId } = await server.db
    .selectFrom('receipts')
    .select('id')
    .where('folio', '=', folio)
    .executeTakeFirstOrThrow();
  const owed = { receiptId, attemptId: null, cause: 'surplus', method: 'cash' } as const;
  return transaction(server.db, (tx) => oweRefund(tx, { ...owed, amountCentavos: centavos(60_000) }));
}

/** A reservation that can be paid there. */
async function reservation({ merchantId }: Place): Promise<string> {
  const productId = await makeProduct(server.db, { merchantId });
  return `1${await makeReference(server.db, { buyerId: (await makeBuyer(server.db)).id, merchantId, productId })}`;
}

async function purchase({ merchantId }: Place, db: Db = server.db): Promise<number> {
  const productId = await makeProduct(db, { merchantId });
  const buyerId = (await makeBuyer(db)).id;
  return (await makePurchase(db, { buyerId, merchantId, productId })).id;
}

/** An invoice that a merchant issued. */
async function issuedBy({ merchantId }: Place): Promise<number> {
  const productId = await makeProduct(server.db, { merchantId });
  const buyer = await makeBuyer(server.db);
  const { id, instalmentIds } = await makePurchase(server.db, { buyerId: buyer.id, merchantId, productId });
  return makeInvoice(server.db, {
    instalmentId: instalmentIds[0]!,
    purchaseId: id,
    buyerId: buyer.id,
    merchantId,
    fiscalClientId: await addFiscalClient(server, buyer),
  });
}

/** A purchase of a merchant that its buyer claims. */
async function claimed({ merchantId }: Place): Promise<{ id: number; claimFolio: string }> {
  const productId = await makeProduct(server.db, { merchantId });
  const buyerId = (await makeBuyer(server.db)).id;
  return makeClaimed(server, { buyerId, merchantId, productId });
}

async function pressAt(place: Place) {
  const reference = await reservation(place);
  return { id: randomUUID(), branchId: place.branchId, reference, amount: 600, method: 'cash' };
}

/** A purchase of a merchant that is paid whole, with what its buyer shows to collect it. */
async function readyAt({ merchantId }: Place) {
  const buyer = await makeBuyer(server.db);
  const productId = await makeProduct(server.db, { merchantId });
  const { id, instalmentIds } = await makePurchase(server.db, { buyerId: buyer.id, merchantId, productId });
  await payPurchase(server.db, id, 240_000);
  const { body } = await server.ask(`GET /v1/Sales/PickupAsync/${id}`, { token: buyer.token });
  return { purchaseId: id, reference: `1${instalmentIds[0]}`, digits: body.data.code.digits };
}

async function handOverAt(place: Place) {
  const { purchaseId, digits } = await readyAt(place);
  return { id: randomUUID(), branchId: place.branchId, purchaseId, digits };
}

/** The folio of a payment that was taken there. */
async function taken(place: Place): Promise<string> {
  return takenAs(place, await pressAt(place));
}

async function takenAs(place: Place, body: object): Promise<string> {
  const { token } = await makeStaff(server.db, { merchantId: place.merchantId, role: 'owner' });
  return (await server.ask('POST /v1/counter/payments', { token, body })).body.data.folio;
}

/** A passkey of whoever has this token, who has just used it. */
async function passkeyOf(token: string): Promise<string> {
  const passkey = softPasskey(server.settings.publicOrigin);
  const { body } = await server.ask('POST /v1/counter/passkeys/start', { token, body: {} });
  if (!body.data) return randomUUID();
  const credential = passkey.create(body.data);
  const made = await server.ask('POST /v1/counter/passkeys', { token, body: { name: 'Llave', credential } });
  return made.body.data.passkeyId;
}

/** What is counted in a drawer there with a payment in it: in that one, where it is the merchant's. */
async function countAt(place: Place, positionId: string | undefined) {
  const press = await pressAt(place);
  await takenAs(place, press);
  const isOwn = place.merchantId === own.merchantId && positionId !== undefined;
  const { position_id } = await server.db
    .updateTable('counter_operations')
    .set((eb) => ({ position_id: isOwn ? positionId : eb.ref('position_id') }))
    .where('request_id', '=', press.id)
    .returning('position_id')
    .executeTakeFirstOrThrow();
  const seen = { movements: 1, cashTaken: 600, cashReturned: 0, float: 0, counted: 600 };
  return { id: randomUUID(), branchId: place.branchId, positionId: position_id, ...seen };
}

/** A cut that was closed there; of that drawer, where it is the merchant's. */
async function cutAt(place: Place, positionId: string | undefined): Promise<string> {
  const { token } = await makeStaff(server.db, { merchantId: place.merchantId, role: 'owner' });
  const body = await countAt(place, positionId);
  await server.ask('POST /v1/counter/cuts', { token, body });
  return body.id;
}

const staffEndpoints = Object.values(ENDPOINTS)
  .flat()
  .filter(({ access }) => access !== 'public' && access.includes('staff'));

let server: TestApp;
let own: Place;
let otherBranch: Place;
let otherMerchant: Place;

beforeAll(async () => {
  server = await startTestApp();
  const [merchantId, stranger] = [await makeMerchant(server.db), await makeMerchant(server.db)];
  own = { merchantId, branchId: await makeBranch(server.db, merchantId) };
  otherBranch = { merchantId, branchId: await makeBranch(server.db, merchantId) };
  otherMerchant = { merchantId: stranger, branchId: await makeBranch(server.db, stranger) };
});
afterAll(() => server.close());

async function ask(
  endpoint: Endpoint,
  place: Place,
  {
    token,
    headers,
    positionId,
  }: Pick<MadeStaff, 'token'> & Partial<Pick<MadeDevice, 'headers'> & Pick<MadeStaff, 'positionId'>>,
) {
  const { path = endpoint.path, body } = (await PROBES[endpoint.name]?.ask?.(place, token, positionId)) ?? {};
  const answer = await server.ask(`${endpoint.method} ${path}`, {
    token,
    ...(headers && { headers }),
    ...(body === undefined ? {} : { body }),
  });
  return answer.status === 200 ? 'served' : answer.body.code;
}

test('every call of staff is in the table, and says which act it is', () => {
  expect(Object.keys(PROBES).toSorted()).toEqual(staffEndpoints.map(({ name }) => name).toSorted());
  expect(staffEndpoints.filter(({ act }) => act === undefined)).toEqual([]);
});

describe.each(staffEndpoints)('$name', (endpoint) => {
  test.each(STAFF_ROLES)(
    'serves a %s what their role and branches give them, and nothing else',
    async (role) => {
      const isPlaced = worksInBranches(role);
      const person = () =>
        makeStaff(server.db, {
          merchantId: own.merchantId,
          role,
          branchIds: isPlaced ? [own.branchId] : [],
        });
      const { names } = PROBES[endpoint.name]!;
      const isLetIn = may(role, endpoint.act!);
      const said = {
        own: await ask(endpoint, own, await person()),
        otherBranch: await ask(endpoint, otherBranch, await person()),
        otherMerchant: await ask(endpoint, otherMerchant, await person()),
      };
      expect(said).toEqual({
        own: isLetIn ? 'served' : 'ROLE_NOT_ALLOWED',
        otherBranch: !isLetIn ? 'ROLE_NOT_ALLOWED' : names === 'branch' && isPlaced ? 'NOT_FOUND' : 'served',
        otherMerchant: !isLetIn ? 'ROLE_NOT_ALLOWED' : names === 'nothing' ? 'served' : 'NOT_FOUND',
      });
    },
  );
});

test('a PIN on a shared device gives its branch alone, decides of nobody, and is worth nothing without the device', async () => {
  const device = await makeDevice(server.db, own);
  for (const endpoint of staffEndpoints) {
    const { positionId } = await makeStaff(server.db, { merchantId: own.merchantId, role: 'owner' });
    // Each anew: some of them end it.
    const { token, headers } = await signInOn(server.db, device, positionId);
    const without = await ask(endpoint, own, { token });
    const elsewhere = await ask(endpoint, own, {
      token,
      headers: (await makeDevice(server.db, own)).headers,
    });
    const isEnough = !needsOwnSession(endpoint.act!);
    const said = {
      without,
      elsewhere,
      otherBranch: isEnough && (await ask(endpoint, otherBranch, { token, headers })),
      own: await ask(endpoint, own, { ...(await signInOn(server.db, device, positionId)), positionId }),
    };
    const isPlaced = PROBES[endpoint.name]!.names === 'branch';
    expect([endpoint.name, said]).toEqual([
      endpoint.name,
      {
        without: 'SESSION_DEAD',
        elsewhere: 'SESSION_DEAD',
        otherBranch: isEnough && (isPlaced ? 'NOT_FOUND' : 'served'),
        own: isEnough ? 'served' : 'OWN_SESSION_NEEDED',
      },
    ]);
  }
});

test('no other token opens a call of staff, and theirs opens no other', async () => {
  const buyer = await makeBuyer(server.db);
  const owner = await makeStaff(server.db, { merchantId: own.merchantId, role: 'owner' });
  for (const endpoint of Object.values(ENDPOINTS).flat()) {
    if (endpoint.access === 'public') continue;
    const isStaffs = endpoint.access.includes('staff');
    const { status } = await server.ask(`${endpoint.method} ${endpoint.path.replace(/:\w+/g, '1')}`, {
      token: isStaffs ? buyer.token : owner.token,
      body: {},
    });
    expect([endpoint.name, status]).toEqual([endpoint.name, 403]);
  }
});
