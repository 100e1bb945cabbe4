import { randomUUID } from 'node:crypto';

import type { Endpoint } from '@aparta/contract/endpoint';
import { ENDPOINTS } from '@aparta/contract/endpoints';
import { centavos } from '@aparta/domain/money';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../../test/app.ts';
import { addFiscalClient, FISCAL_FORM, makeInvoice } from '../../../test/invoice-acts.ts';
import {
  makeBuyer,
  makeServiceAccount,
  makeMerchant,
  makeProduct,
  makeReference,
  type MadeBuyer,
} from '../../../test/make.ts';
import { makePurchase } from '../../../test/purchases.ts';
import { openKeptSession } from '../../accounts/sessions/kept-session.ts';

const MOVED = { changeNumber: 1, number: 2, fromDay: '2031-01-01', toDay: '2031-01-05', amount: 1_200 };

/** What belongs to Ana, and what belongs to nobody, by the place it takes in a call. */
interface Things {
  readonly buyerId: number;
  readonly referenceId: number;
  readonly merchantId: number;
  readonly paymentId: string;
  readonly intentId: string;
  readonly saleId: number;
  readonly instalmentId: number;
  readonly sessionId: number;
  readonly keptId: number;
  readonly folio: string;
  readonly fiscalClientId: number;
  readonly rfc: string;
  /** Issued for the first instalment. */
  readonly invoiceId: number;
  readonly invoicedId: number;
}

interface Probe {
  readonly path?: (things: Things) => string;
  readonly body?: (things: Things) => unknown;
  /** What a stranger is told: 404 where nothing else is said. */
  readonly refused?: { readonly status: number; readonly body: object };
  /** Whether to check that its owner, Ana, gets it. */
  readonly ownerIsServed: boolean;
}

/** Calls that name a thing of somebody's. A stranger is told exactly what they are told of a thing that is not there. */
const OWNED: Record<string, Probe> = {
  getBuyer: { path: ({ buyerId }) => `/v1/UserBuyerClient/GetByUserIdAsync/${buyerId}`, ownerIsServed: true },
  getProfile: { path: ({ buyerId }) => `/v1/SecurityBuyer/GetAsync/${buyerId}`, ownerIsServed: true },
  updateProfile: {
    path: ({ buyerId }) => `/v1/SecurityBuyer/Update2Async/${buyerId}`,
    body: () => ({ phone: '5500000000' }),
    ownerIsServed: true,
  },
  closeSession: {
    path: ({ sessionId }) => `/v1/TokenBuyer/Sessions/${sessionId}/Close`,
    ownerIsServed: false, // it is the session that asks
  },
  closeKeptSession: {
    path: ({ keptId }) => `/v1/TokenBuyer/KeptSessions/${keptId}/Close`,
    ownerIsServed: true,
  },
  getLayawayReference: {
    path: ({ referenceId }) => `/v1/PullApartReference/${referenceId}`,
    ownerIsServed: true,
  },
  getCardPayment: {
    path: ({ paymentId, merchantId }) => `/v1/Clib/GetPaymentsAsync/${paymentId}/${merchantId}`,
    ownerIsServed: true,
  },
  getAttempt: { path: ({ intentId }) => `/v1/Clib/GetAttemptAsync/${intentId}`, ownerIsServed: true },
  listPurchases: { path: ({ buyerId }) => `/v1/Cxc/ByBuyerIdH/${buyerId}`, ownerIsServed: true },
  listInstalments: {
    path: ({ saleId }) => `/v1/Cxc/ByBusinesidVentaidDateD/${saleId}`,
    ownerIsServed: true,
  },
  getInstalment: {
    path: ({ instalmentId }) => `/v1/Cxc/ByIdWithBalance/${instalmentId}`,
    ownerIsServed: true,
  },
  getLatePurchases: {
    path: ({ saleId }) => `/v1/Cxc/GetLateWithAsync/${saleId}`,
    refused: { status: 200, body: { data: [] } },
    ownerIsServed: true,
  },
  getSale: { path: ({ saleId }) => `/v1/Sales/GetAsync/${saleId}`, ownerIsServed: true },
  getCancelQuote: { path: ({ saleId }) => `/v1/Sales/CancelQuoteAsync/${saleId}`, ownerIsServed: true },
  listRefunds: { path: ({ saleId }) => `/v1/Sales/RefundsAsync/${saleId}`, ownerIsServed: true },
  cancelPurchase: {
    path: ({ saleId }) => `/v1/Sales/UpdateCancelByBuyerAsync/${saleId}`,
    body: () => ({ cancelNotes: 'Ya no' }),
    ownerIsServed: false, // it would cancel
  },
  getPickup: {
    path: ({ saleId }) => `/v1/Sales/PickupAsync/${saleId}`,
    ownerIsServed: false, // it is not paid whole
  },
  replacePickupCode: {
    path: ({ saleId }) => `/v1/Sales/PickupReplaceAsync/${saleId}`,
    body: () => ({ replaces: '482913' }),
    ownerIsServed: false, // the same
  },
  nameCollector: {
    path: ({ saleId }) => `/v1/Sales/PickupCollectorAsync/${saleId}`,
    body: () => ({ collector: 'Rosa Luna' }),
    ownerIsServed: false, // the same
  },
  getPurchaseCalendar: { path: ({ saleId }) => `/v1/Sales/CalendarAsync/${saleId}`, ownerIsServed: true },
  listHelpLinks: { path: ({ saleId }) => `/v1/Sales/HelpLinksAsync/${saleId}`, ownerIsServed: true },
  makeHelpLink: { path: ({ saleId }) => `/v1/Sales/HelpLinkAsync/${saleId}`, ownerIsServed: true },
  revokeHelpLink: {
    path: ({ saleId }) => `/v1/Sales/HelpLinkRevokeAsync/${saleId}`,
    body: () => ({ linkId: randomUUID() }),
    ownerIsServed: false, // there is none
  },
  moveInstalment: {
    path: ({ saleId }) => `/v1/Sales/MoveInstalmentAsync/${saleId}`,
    body: () => MOVED,
    ownerIsServed: false, // its shop offers none
  },
  splitInstalment: {
    path: ({ saleId }) => `/v1/Sales/SplitInstalmentAsync/${saleId}`,
    body: () => ({ ...MOVED, firstPart: 100 }),
    ownerIsServed: false, // the same
  },
  openClaim: {
    path: ({ saleId }) => `/v1/Sales/ClaimAsync/${saleId}`,
    body: () => ({ notes: '' }),
    ownerIsServed: false, // the same
  },
  withdrawClaim: {
    path: ({ saleId }) => `/v1/Sales/ClaimWithdrawAsync/${saleId}`,
    body: () => ({ claimFolio: 'K7Q2M9XW4T' }),
    ownerIsServed: false, // there is none
  },
  getReceipt: { path: ({ folio }) => `/v1/Receipts/GetAsync/${folio}`, ownerIsServed: true },
  getReceiptPdf: { path: ({ folio }) => `/v1/Receipts/PdfAsync/${folio}`, ownerIsServed: true },
  generateReference: {
    body: ({ instalmentId }) => ({ generationData: [{ identifierValue: `2${instalmentId}` }] }),
    ownerIsServed: false, // it would ask the network
  },
  listFiscalClients: {
    path: ({ buyerId }) => `/v1/ClientSat/GetAllBySecurityBuyerIdAsync/${buyerId}`,
    ownerIsServed: true,
  },
  updateFiscalClient: {
    path: ({ fiscalClientId }) => `/v1/ClientSat/UpdateAsync/${fiscalClientId}`,
    body: () => FISCAL_FORM,
    ownerIsServed: true,
  },
  confirmFiscalClient: {
    path: ({ fiscalClientId }) => `/v1/ClientSat/UpdateFGecustomeruuidasync/${fiscalClientId}`,
    ownerIsServed: true,
  },
  deleteFiscalClient: {
    path: ({ fiscalClientId }) => `/v1/ClientSat/DeleteAsync/${fiscalClientId}`,
    ownerIsServed: false, // it would delete
  },
  addInvoicingCustomer: {
    body: ({ merchantId, rfc }) => ({ businessId: merchantId, customer: { taxid: rfc } }),
    ownerIsServed: false, // it would ask the provider
  },
  emitInvoice: {
    body: ({ invoicedId, fiscalClientId }) => ({ cxcId: invoicedId, clientSatId: fiscalClientId }),
    ownerIsServed: true, // with the invoice that there is
  },
  recordInvoice: { body: ({ invoicedId }) => ({ cxcId: invoicedId }), ownerIsServed: true },
  getInvoicePdf: { path: ({ invoiceId }) => `/v1/Invoices/PdfAsync/${invoiceId}`, ownerIsServed: true },
  getInvoiceXml: { path: ({ invoiceId }) => `/v1/Invoices/XmlAsync/${invoiceId}`, ownerIsServed: true },
  payTill: {
    body: ({ instalmentId, paymentId }) => ({
      referencia: `2${instalmentId}`,
      importe: 1200,
      compañia: 'ELEKTRA',
      sucursal: '7',
      idtransaccion: paymentId,
    }),
    refused: { status: 200, body: { error: 9, autorizacion: '' } },
    ownerIsServed: false, // it has no card payment, so its owner is told the same
  },
  createCardPayment: {
    body: ({ referenceId, merchantId }) => ({
      amount: 615,
      currency: 'MXN',
      description: '',
      payment_method: { token: randomUUID() },
      apartaBusinnessId: merchantId,
      referencia: `1${referenceId}`,
      intentoId: randomUUID(),
    }),
    ownerIsServed: false, // it would charge
  },
  onLayaway: {
    body: ({ referenceId, paymentId }) => ({
      referencia: `1${referenceId}`,
      importe: 600,
      compañia: 'ELEKTRA',
      sucursal: '7',
      idtransaccion: paymentId,
    }),
    refused: { status: 200, body: { error: 9, autorizacion: '' } },
    ownerIsServed: false, // the payment was rejected, so its owner is told the same
  },
};

/** Calls of a buyer in which no id can be somebody else's. */
const OWNERLESS: Record<string, string> = {
  sendConfirmation: 'acts on the token that it carries',
  getPushKey: 'the key is the same for all',
  savePush: "keeps the caller's browser; pushes.http.test.ts shows that its news are theirs alone",
  endPush: 'the same',
  exportData: "reads the caller's own; export-own-data.http.test.ts shows that it has nobody else's",
  listActivity: "lists the caller's own; activity.http.test.ts shows that it has nobody else's",
  getCalendar: "reads the caller's own; calendar.http.test.ts shows that it has nobody else's",
  makeCalendar: "makes the caller's own",
  endCalendar: "ends the caller's own",
  turnReminders: 'acts on the token that it carries',
  listSessions: 'lists those of whose token it carries',
  logoutBuyer: 'acts on the token that it carries',
  getMerchant: 'the catalogue is the same for all; its key has tests of its own',
  getProduct: 'the catalogue is the same for all',
  getCompany: 'the catalogue is the same for all',
  downloadLogo: 'the catalogue is the same for all',
  insertFiscalClient: "makes the caller's own",
  getStatement: "reads the caller's own; statement.http.test.ts shows that it has nobody else's",
  getStatementFile: 'the same',
  streamChanges: 'tells the caller of their own',
  getFiscalRegime: "SAT's tables are the same for all",
  listPersonRegimes: "SAT's tables are the same for all",
  listCompanyRegimes: "SAT's tables are the same for all",
  createLayawayReference: "makes the caller's own; the buyer in the text is not read",
  listUnresolvedLayaways: "lists the caller's own; deposit.http.test.ts shows that it has nobody else's",
};

const buyerEndpoints = Object.values(ENDPOINTS)
  .flat()
  .filter(({ access }) => access !== 'public' && access.includes('buyer'));

let server: TestApp;
let ana: MadeBuyer;
let eva: MadeBuyer;
let anas: Things;
let nobodys: Things;

beforeAll(async () => {
  // Nothing listens there: a poll of the provider that should not happen fails at once.
  server = await startTestApp({ env: { CLIP_API_BASE: 'http://127.0.0.1:9' } });
  [ana, eva] = await Promise.all([makeBuyer(server.db), makeBuyer(server.db)]);
  const cards = { keyRing: server.settings.keyRing };
  const merchantId = await makeMerchant(server.db, { cards });
  const productId = await makeProduct(server.db, { merchantId });
  const referenceId = await makeReference(server.db, { buyerId: ana.id, merchantId, productId });
  const credential = await server.db
    .selectFrom('provider_credentials')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .executeTakeFirstOrThrow();
  const session = await server.db
    .selectFrom('sessions')
    .select('id')
    .where('buyer_id', '=', ana.id)
    .executeTakeFirstOrThrow();
  await openKeptSession(server.db, ana.id, {});
  const kept = await server.db.selectFrom('kept_sessions').select('id').executeTakeFirstOrThrow();
  const purchase = await makePurchase(server.db, {
    buyerId: ana.id,
    merchantId,
    productId: await makeProduct(server.db, { merchantId }),
  });
  const { folio } = await server.db.selectFrom('receipts').select('folio').executeTakeFirstOrThrow();
  const fiscalClientId = await addFiscalClient(server, ana);
  const invoiceId = await makeInvoice(server.db, {
    instalmentId: purchase.instalmentIds[0]!,
    purchaseId: purchase.id,
    buyerId: ana.id,
    merchantId,
    fiscalClientId,
  });
  anas = {
    fiscalClientId,
    rfc: FISCAL_FORM.rfc,
    invoiceId,
    invoicedId: purchase.instalmentIds[0]!,
    buyerId: ana.id,
    merchantId,
    referenceId,
    paymentId: randomUUID(),
    intentId: randomUUID(),
    saleId: purchase.id,
    instalmentId: purchase.instalmentIds[1]!,
    sessionId: session.id,
    keptId: kept.id,
    folio,
  };
  nobodys = {
    ...anas,
    buyerId: 999_999,
    referenceId: 9_999_999_999,
    paymentId: randomUUID(),
    intentId: randomUUID(),
    saleId: 999_999,
    instalmentId: 9_999_999_998,
    sessionId: 999_999,
    keptId: 999_999,
    folio: 'ZZZZZZZZZZ',
    fiscalClientId: 999_999,
    rfc: 'URE180429TM6',
    invoiceId: 999_999,
    invoicedId: 9_999_999_997,
  };
  await server.db
    .insertInto('card_attempts')
    .values({
      buyer_id: ana.id,
      merchant_id: merchantId,
      credential_id: credential.id,
      reference_id: referenceId,
      intent_id: anas.intentId,
      intent_hash: Buffer.alloc(32),
      state: 'rejected',
      principal_centavos: centavos(60_000),
      fee_centavos: centavos(1_500),
      provider_payment_id: anas.paymentId,
      detail_code: 'RE-ISS01',
    })
    .execute();
});
afterAll(() => server.close());

function ask(endpoint: Endpoint, things: Things, token: string) {
  const probe = OWNED[endpoint.name]!;
  const path = probe.path?.(things) ?? endpoint.path;
  return server.ask(`${endpoint.method} ${path}`, { token, ...(probe.body && { body: probe.body(things) }) });
}

test('every call of a buyer is in one of the two lists', () => {
  const listed = [...Object.keys(OWNED), ...Object.keys(OWNERLESS)].toSorted();
  expect(listed).toEqual(buyerEndpoints.map(({ name }) => name).toSorted());
});

describe.each(buyerEndpoints.filter(({ name }) => name in OWNED))('$name', (endpoint) => {
  const { refused = { status: 404, body: { code: 'NOT_FOUND' } }, ownerIsServed } = OWNED[endpoint.name]!;

  test("tells a stranger of Ana's what it tells of nobody's", async () => {
    const [hers, none] = [await ask(endpoint, anas, eva.token), await ask(endpoint, nobodys, eva.token)];
    expect(hers.status).toBe(refused.status);
    expect(hers.body).toMatchObject(refused.body);
    expect(hers.body).toEqual(none.body);
    expect(none.status).toBe(hers.status);
  });

  if (!ownerIsServed) return;
  test('serves Ana', async () => {
    expect((await ask(endpoint, anas, ana.token)).status).toBe(200);
  });
});

test("a service account's token reaches nothing of a buyer's", async () => {
  const till = await makeServiceAccount(server.db, { kind: 'till', chain: 'ELEKTRA' });
  const integrator = await makeServiceAccount(server.db, {
    kind: 'integrator',
    merchantId: await makeMerchant(server.db),
  });
  for (const endpoint of buyerEndpoints) {
    for (const [kind, { token }] of Object.entries({ till, integrator })) {
      const path = OWNED[endpoint.name]?.path?.(anas) ?? endpoint.path.replace(/:\w+/g, '1');
      const { status } = await server.ask(`${endpoint.method} ${path}`, { token, body: {} });
      const isLetIn = endpoint.access.includes(kind as 'till');
      // Where it is let in, it is to its own scope: another merchant's payment is not there.
      expect([endpoint.name, kind, status]).toEqual([
        endpoint.name,
        kind,
        !isLetIn ? 403 : endpoint.refusalForm === 'till' ? 200 : 404,
      ]);
    }
  }
});

test('without a token, every call but the public ones is refused before anything is read', async () => {
  for (const endpoint of Object.values(ENDPOINTS).flat()) {
    if (endpoint.access === 'public') continue;
    const { status } = await server.ask(`${endpoint.method} ${endpoint.path.replace(/:\w+/g, '1')}`, {
      body: '{',
    });
    expect([endpoint.name, status]).toEqual([endpoint.name, 401]);
  }
});

test('every endpoint of the contract is served', async () => {
  for (const { method, path } of Object.values(ENDPOINTS).flat()) {
    expect(`${method} ${path} ${server.app.hasRoute({ method, url: path })}`).toBe(`${method} ${path} true`);
  }
});

test('who enumerates ids learns nothing: after a hundred that are not there, they are told to wait', async () => {
  const prober = await makeBuyer(server.db);
  const probe = (id: number) => server.ask(`GET /v1/Sales/GetAsync/${id}`, { token: prober.token });
  const answers: number[] = [];
  for (let id = 1; id <= 110; id += 1) answers.push((await probe(id)).status);
  expect(answers.slice(0, 100)).toEqual(Array(100).fill(404));
  expect(answers.slice(100)).toEqual(Array(10).fill(429));
  // Somebody's real purchase is told apart no better, and the catalogue is still open.
  expect((await probe(anas.saleId)).status).toBe(429);
  expect(
    (await server.ask(`GET /v1/Business/GetAsync/${anas.merchantId}`, { token: prober.token })).status,
  ).toBe(200);
});
