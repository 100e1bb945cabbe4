import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { Endpoint } from '@aparta/contract/endpoint';
import { ENDPOINTS } from '@aparta/contract/endpoints';
import { toJsonSchema } from '@valibot/to-json-schema';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { workProof } from '../../../test/help-acts.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import {
  makeBuyer,
  makeServiceAccount,
  makeStaff,
  makeMerchant,
  makeProduct,
  type MadeBuyer,
} from '../../../test/make.ts';
import { makePurchase } from '../../../test/purchases.ts';
import { ACCOUNT_LIMITS } from '../../accounts/credentials/limits.ts';
import { openSession } from '../../accounts/sessions/session.ts';
import { createLog } from '../logging.ts';

/** All requests of the run; `npm run fuzz` asks for more. */
const { requests: REQUESTS, seed: SEED, isLong: IS_LONG } = inject('fuzz');
/** As many at once as the pool has connections. */
const AT_ONCE = 4;

/** What is put into every field in turn: as it stands in a body, and as it stands in an address. */
const HOSTILE = [
  ['ten thousand characters', 'x'.repeat(10_000), 'x'.repeat(10_000)],
  ['a null character', 'a\u0000b', 'a%00b'],
  ['a line break', 'a\r\nBcc: b@example.mx', 'a%0D%0ABcc:%20b@example.mx'],
  ['half a sign', 'a\uD800b', 'a%ED%A0%80b'],
  ['a turned line', '\u202Eexe.txt', '%E2%80%AEexe.txt'],
  ['markup', '<img src=x onerror=alert(1)>', '%3Cimg%20src=x%20onerror=alert(1)%3E'],
  ['a formula and a query', `=1+1' or '1'='1`, `=1+1'%20or%20'1'='1`],
  ['a way out', '../../etc/passwd', '..%2F..%2Fetc%2Fpasswd'],
  ['an object', { $gt: '' }, '%7B%22$gt%22:%22%22%7D'],
] as const;

type Json = { [key: string]: any };
type Place = readonly (string | number)[];

let server: TestApp;
/** What the server logged of calls that failed. */
const failed: string[] = [];
let ana: MadeBuyer;
/** Values with which a call gets past its schema, by the field's name; `name.field` where one call wants its own. */
let good: Json;
let serviceAccounts: Json;
let ownersMerchantId: number;

beforeAll(async () => {
  const nowhere = 'http://127.0.0.1:9';
  const plenty = Object.keys(ACCOUNT_LIMITS).map((name) => [name, { times: 1_000_000, seconds: 60 }]);
  const onlyFailures = new Writable({
    write(chunk, _encoding, done) {
      if (String(chunk).includes('"call failed"')) failed.push(String(chunk));
      done();
    },
  });
  server = await startTestApp({
    app: { log: createLog('error', onlyFailures) },
    env: {
      CLIP_API_BASE: nowhere,
      TAPI_LOGIN_BASE: nowhere,
      TAPI_API_BASE: nowhere,
      FACTURA_GREEN_BASE: nowhere,
      TEST_CLOCKS: JSON.stringify({ ...Object.fromEntries(plenty), attemptsPerAddress: 1_000_000 }),
    },
  });
  ana = await makeBuyer(server.db);
  const merchantId = await makeMerchant(server.db, { cards: { keyRing: server.settings.keyRing } });
  const productId = await makeProduct(server.db, { merchantId });
  const bought = await makeProduct(server.db, { merchantId });
  const { id: saleId } = await makePurchase(server.db, { buyerId: ana.id, merchantId, productId: bought });
  const [till, integrator] = await Promise.all([
    makeServiceAccount(server.db, { kind: 'till', chain: 'ELEKTRA' }),
    makeServiceAccount(server.db, { kind: 'integrator', merchantId }),
  ]);
  serviceAccounts = { till: till.token, integrator: integrator.token };
  ownersMerchantId = merchantId;
  const intentId = randomUUID();
  good = {
    'insertBuyer.user': 'odd@example.mx',
    'insertBuyer.password': 'una-clave-larga-7',
    'getProfile.id': String(ana.id),
    'updateProfile.id': String(ana.id),
    userId: String(ana.id),
    buyerId: String(ana.id),
    saleId: String(saleId),
    businessId: String(merchantId),
    Referencia: `1|${merchantId}|${productId}|0||||0`,
    referencia: '11234567890',
    identifierValue: '21234567890',
    apartaBusinnessId: merchantId,
    'addInvoicingCustomer.businessId': merchantId,
    paymentId: randomUUID(),
    intentoId: intentId,
    helpCode: 'x',
    endpoint: 'https://fcm.googleapis.com/fcm/send/fuzz',
    p256dh: `B${'A'.repeat(86)}`,
    auth: 'A'.repeat(22),
    tokenHash: `${'A'.repeat(43)}=`,
    workProof: workProof('x', intentId),
    amount: 615,
    importe: 600,
    compañia: 'ELEKTRA',
    sucursal: '7',
    idtransaccion: 'T-1',
    email: 'ana@example.mx',
    nonce: 'a'.repeat(32),
    folio: 'ZZZZZZZZZZ',
    status: '1',
    limit: '20',
    cursor: '20000.rest.5',
    rfc: 'TOPA8501019T5',
    taxid: 'TOPA8501019T5',
    regime: '616',
    cfdiUse: 'S01',
    zip: '72000',
    'getFiscalRegime.id': '616',
    positionId: randomUUID(),
    deviceId: randomUUID(),
    pin: '482913',
    'takePayment.id': randomUUID(),
    'findPayment.id': randomUUID(),
    'dropPayment.id': randomUUID(),
    'payRefund.id': randomUUID(),
    'findPaidRefund.id': randomUUID(),
    'reversePayment.id': randomUUID(),
    'dropReversal.id': randomUUID(),
    'dropRefund.id': randomUUID(),
    'handOver.id': randomUUID(),
    'findHandedOver.id': randomUUID(),
    digits: '482913',
    replaces: '482913',
    collector: 'Rosa Luna',
    'handOver.signature': [[1, 1, 2, 2]],
    endpointId: randomUUID(),
    deliveryId: randomUUID(),
    'addWebhook.url': 'https://pos.example.mx/hook',
    'listWebhookDeliveries.cursor': '7',
    'listTillOperations.cursor': 'a-1',
    'listProducts.cursor': '7',
    pressId: randomUUID(),
    'addCounterProduct.ivaPercent': 16,
    'editCounterProduct.ivaPercent': 16,
    picture: null,
    'listShopPurchases.cursor': '7',
    'listShopPurchases.search': 'Ramos',
    'listCuts.cursor': '7',
    'savePurchases.search': 'Ramos',
    'saveTakings.from': '2026-11-01',
    'saveTakings.to': '2026-11-30',
    'saveTakings.cursor': '7',
    month: '2026-11',
    'listShopInvoices.cursor': '7',
    'saveInvoices.cursor': '7',
    'saveSettlements.cursor': '7',
    'saveInvoiceFile.format': 'xml',
    'saveRefunds.from': '2026-11-01',
    'saveRefunds.to': '2026-11-30',
    'saveRefunds.cursor': '7',
    'listShopRefunds.from': '2026-11-01',
    'listShopRefunds.to': '2026-11-30',
    'listShopRefunds.cursor': '7',
    'listTakings.cursor': '7w',
    'listTakings.from': '2026-11-01',
    'listTakings.to': '2026-11-30',
    'listTakings.method': 'card',
    'getStatement.from': '2026-11-01',
    'getStatement.to': '2026-11-30',
    'getStatementFile.from': '2026-11-01',
    'getStatementFile.to': '2026-11-30',
    'getStatementFile.format': 'csv',
    'getCut.id': randomUUID(),
    'getCutPdf.id': randomUUID(),
    'closeCut.id': randomUUID(),
    'closeCut.reason': 'Faltó cambio',
    'takePayment.tendered': 1_000,
    'takePayment.last4': '4242',
    'lookUpReference.amount': '600',
    linkId: randomUUID(),
    changeNumber: 1,
    'moveInstalment.number': 2,
    'splitInstalment.number': 2,
    fromDay: '2031-01-01',
    toDay: '2031-01-05',
    firstPart: 100,
    helperName: 'Tía Marta',
    helperEmail: 'marta@example.mx',
    claimFolio: 'K7Q2M9XW4T',
    'answerClaim.answer': 'Llega el martes',
    'answerClaim.promisedOn': '2026-12-01',
    'refundClaim.reason': 'No va a llegar',
    'endPlan.reason': 'Llegó roto',
    'giveTime.reason': 'Lo pidió',
    'giveTime.endsOn': '2031-01-01',
    'reversePayment.reason': 'Se cobró dos veces',
    'inviteStaff.email': 'nadie@example.mx',
    'inviteStaff.role': 'owner',
    'inviteStaff.branchIds': [],
    'changeStaff.role': 'owner',
    'changeStaff.branchIds': [],
    sessionId: 'a'.repeat(64),
    passkeyId: randomUUID(),
    'signInByPasskey.merchantId': 1,
    'addPasskey.name': 'Mi teléfono',
    'renamePasskey.name': 'Mi teléfono',
    'setOwnerRule.ownersNeedPasskey': false,
  };
});
afterAll(() => server.close());

/** A part of a call that its schema takes. */
function sampleOf(schema: Json, call: string, field = ''): unknown {
  const known = good[`${call}.${field}`] ?? good[field];
  if (known !== undefined) return known;
  if (schema['const'] !== undefined) return schema['const'];
  if (schema['enum']) return schema['enum'][0];
  if (schema['anyOf']) return sampleOf(schema['anyOf'][0], call);
  switch (schema['type']) {
    case 'object':
      return Object.fromEntries(
        Object.entries((schema['properties'] ?? { anything: {} }) as Json).map(([name, its]) => [
          name,
          sampleOf(its, call, name),
        ]),
      );
    case 'array':
      return Array.from({ length: schema['minItems'] ?? 1 }, () => sampleOf(schema['items'], call));
    case 'boolean':
      return true;
    case 'number':
    case 'integer':
      return 1;
    default:
      return schema['pattern']?.startsWith('^[1-9]') ? '1' : 'x';
  }
}

/** Where its leaves are. */
function leavesOf(value: unknown, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [at];
  return Object.entries(value).flatMap(([key, its]) => leavesOf(its, [...at, key]));
}

function withOther(value: any, [key, ...rest]: Place, other: unknown): unknown {
  if (key === undefined) return other;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copy[key] = withOther(value[key], rest, other);
  return copy;
}

/** Of a body that nothing is read of, the schema says nothing. */
const wholeBody = (sample: Json): Json => (typeof sample === 'object' ? sample : { anything: 'x' });

interface Parts {
  readonly params: Json;
  readonly query: Json;
  readonly body: Json | undefined;
}

function partsOf({ name, params, query, body }: Endpoint): Parts {
  const sample = (schema: Endpoint['body']) =>
    sampleOf(toJsonSchema(schema!, { typeMode: 'input', errorMode: 'ignore' }) as Json, name) as Json;
  return {
    params: params ? sample(params) : {},
    query: query ? sample(query) : {},
    body: body && wholeBody(sample(body)),
  };
}

/** Whose token a call comes with: the right kind's, nobody's, another kind's, or none that ever was. */
type Bearer = 'right' | 'none' | 'other' | 'invented';
let anasToken: string | undefined;
let ownersToken: string | undefined;

async function tokenFor({ access }: Endpoint, bearer: Bearer): Promise<string | undefined> {
  if (bearer === 'none' || (access === 'public' && bearer === 'right')) return undefined;
  if (bearer === 'invented') return `by_${'A'.repeat(43)}`;
  const right = access === 'public' ? 'buyer' : access[0]!;
  const other = right === 'buyer' ? 'integrator' : 'buyer';
  const kind = bearer === 'other' ? other : right;
  const asOwner = { merchantId: ownersMerchantId, role: 'owner' } as const;
  if (kind === 'staff') return (ownersToken ??= (await makeStaff(server.db, asOwner)).token);
  return kind === 'buyer' ? (anasToken ??= await openSession(server.db, ana.id)) : serviceAccounts[kind];
}

/** Makes the call. What stands in the address is spelt as it travels. */
async function send(
  endpoint: Endpoint,
  { params, query, body }: Parts,
  { bearer = 'right', as = (text) => text }: { bearer?: Bearer; as?: (body: string) => string } = {},
) {
  const token = await tokenFor(endpoint, bearer);
  const where = endpoint.path.replace(/:(\w+)/g, (_, name: string) => params[name]);
  const asked = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  const answer = await server.ask(
    `${endpoint.method} ${where}${asked.length > 0 ? '?' : ''}${asked.join('&')}`,
    {
      ...(token !== undefined && { token }),
      ...(body !== undefined && { body: as(JSON.stringify(body) ?? '') }),
    },
  );
  if (answer.status === 401 && bearer === 'right') anasToken = ownersToken = undefined; // an earlier call ended the session
  return answer;
}

/** But streams, which answer for as long as they are open. */
const everyEndpoint = Object.values(ENDPOINTS)
  .flat()
  .filter(({ isStream }) => !isStream);
/** Nothing of ours failed: a provider may be away, and is here. */
const HONEST = new Set(['PROVIDER_DOWN', 'UNAVAILABLE']);
const isFailure = ({ status, body }: { status: number; body: any }) =>
  (status >= 500 && !HONEST.has(body.code)) || body.error === 99;

test('the good calls, of which the hostile ones differ in one field, get past their schemas', async () => {
  for (const endpoint of everyEndpoint) {
    const answer = await send(endpoint, partsOf(endpoint));
    expect([endpoint.name, answer.body.fields ?? {}, isFailure(answer)]).toEqual([endpoint.name, {}, false]);
  }
});

/** A request that is good but for what was changed in it. */
interface Altered {
  readonly endpoint: Endpoint;
  readonly parts: Parts;
  readonly bearer?: Bearer;
  readonly as?: (body: string) => string;
  readonly what: string;
}

/** Each hostile value in each field of each call. */
function* oneFieldEach(): Generator<Altered> {
  for (const endpoint of everyEndpoint) {
    const whole = partsOf(endpoint);
    for (const place of leavesOf(whole)) {
      const isBody = place[0] === 'body';
      if (isBody && whole.body === undefined) continue;
      for (const [what, inBody, inAddress] of HOSTILE) {
        const parts = withOther(whole, place, isBody ? inBody : inAddress) as Parts;
        yield { endpoint, parts, what: `${place.join('.')}: ${what}` };
      }
    }
  }
}

/** Hashing a password takes fifty times as long as another call. */
const SLOW = new Set([
  'authenticateBuyer',
  'authenticateTill',
  'authenticateIntegrator',
  'insertBuyer',
  'signInStaff',
  'acceptInvitation',
]);
/** One for both: each has a table of every code point, a second to make. */
const ANY_TEXT = fc.string({ unit: 'binary', maxLength: 300 });
const IN_BODY = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(...HOSTILE.map(([, inBody]) => inBody)),
  fc.constantFrom<unknown>(
    0,
    -1,
    1e308,
    2 ** 53,
    0.001,
    '',
    ' ',
    null,
    true,
    [],
    {},
    '2026-02-30',
    '1e9',
    undefined,
  ),
  ANY_TEXT,
);
const IN_ADDRESS = fc.oneof(
  ANY_TEXT.map((text) => encodeURIComponent(text.slice(0, 80).toWellFormed())),
  fc.constantFrom(...HOSTILE.map(([, , inAddress]) => inAddress)),
  fc.integer().map(String),
  fc.constantFrom('', '0', '9'.repeat(30), '%', '%00', '..', 'null', 'undefined', '1;2', '1%2C2'),
);
const ALTERED = fc.record({
  endpoint: fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...everyEndpoint.filter(({ name }) => !SLOW.has(name))) },
    { weight: 1, arbitrary: fc.constantFrom(...everyEndpoint.filter(({ name }) => SLOW.has(name))) },
  ),
  changes: fc.array(fc.tuple(fc.nat(), IN_BODY, IN_ADDRESS), { minLength: 0, maxLength: 4 }),
  extra: fc.option(
    fc.tuple(fc.constantFrom('__proto__', 'constructor', 'isAdmin', 'error', 'Estatus'), IN_BODY),
    { freq: 4 },
  ),
  bearer: fc.oneof(
    { weight: 9, arbitrary: fc.constant<Bearer>('right') },
    { weight: 1, arbitrary: fc.constantFrom<Bearer>('none', 'other', 'invented') },
  ),
  cut: fc.option(fc.nat(200), { freq: 10 }),
});

/** Several strange values at once, fields of nobody's, other people's tokens and bodies that break off; for ever. */
function* several(): Generator<Altered> {
  for (let round = 0; ; round += 1) {
    for (const { endpoint, changes, extra, bearer, cut } of fc.sample(ALTERED, {
      numRuns: 500,
      seed: SEED + round,
    })) {
      let parts = partsOf(endpoint);
      const places = leavesOf(parts).filter(([part]) => part !== 'body' || parts.body !== undefined);
      for (const [which, inBody, inAddress] of places.length === 0 ? [] : changes) {
        const place = places[which % places.length]!;
        parts = withOther(parts, place, place[0] === 'body' ? inBody : inAddress) as Parts;
      }
      if (extra !== null && parts.body !== undefined)
        parts = { ...parts, body: { ...parts.body, [extra[0]]: extra[1] } };
      const as = (text: string) => (cut === null ? text : text.slice(0, cut));
      yield { endpoint, parts, bearer, as, what: `seed ${SEED}, round ${round}` };
    }
  }
}

/** Rows of all tables, and bytes of the heap once it is swept. */
async function measured(): Promise<{ rows: Map<string, number>; heapBytes: number }> {
  const { rows: tables } = await sql<{ t: string }>`
    select table_name as t from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(server.db);
  const rows = new Map<string, number>();
  for (const { t } of tables) {
    const counted = await sql<{ n: number }>`select count(*) as n from ${sql.table(t)}`.execute(server.db);
    rows.set(t, counted.rows[0]!.n);
  }
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return { rows, heapBytes: process.memoryUsage().heapUsed };
}

test(
  'whatever is sent to any call, it is refused or kept clean, never a failure, and fills neither memory nor tables',
  async () => {
    const failures: unknown[] = [];
    const statuses = new Map<number, number>();
    let [sent, accepted] = [0, 0];
    let before = await measured();
    const requests = (function* () {
      yield* oneFieldEach();
      yield* several();
    })();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (sent < REQUESTS) {
          sent += 1;
          const { value } = requests.next();
          if (value === undefined) return;
          const { endpoint, parts, what, ...how } = value;
          const answer = await send(endpoint, parts, how);
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
          if (answer.status === 200 && (answer.body.error ?? 0) === 0) accepted += 1;
          if (isFailure(answer)) failures.push([endpoint.name, what, parts, answer.status, answer.body]);
          // Modules are loaded and caches are full.
          if (sent === Math.floor(REQUESTS / 5))
            before = { ...before, heapBytes: (await measured()).heapBytes };
        }
      }),
    );
    expect(failures.slice(0, 10)).toEqual([]);
    expect(failed).toEqual([]);
    const after = await measured();
    const grown = [...after.rows]
      .map(([table, rows]) => ({ table, by: rows - (before.rows.get(table) ?? 0) }))
      .filter(({ by }) => by > 0);
    const heapMb = Math.round((after.heapBytes - before.heapBytes) / 2 ** 20);
    if (IS_LONG)
      process.stdout.write(
        `${JSON.stringify({ sent, accepted, statuses: Object.fromEntries(statuses), heapMb, grown })}\n`,
      );
    // A refused call keeps a count for its limit, or the answer that a till would get again; both are forgotten with time.
    const kept = grown.filter(({ table }) => !['rate_counters', 'till_operations'].includes(table));
    expect(kept.reduce((sum, { by }) => sum + by, 0)).toBeLessThan(4 * accepted);
    expect(heapMb).toBeLessThan(64);
  },
  60_000 + 60 * REQUESTS,
);

test('and nothing of it is in the database that could break a line, end a text or fill a disk', async () => {
  const { rows: columns } = await sql<{ t: string; c: string }>`
    select c.table_name as t, c.column_name as c from information_schema.columns c
    join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and data_type in ('text', 'jsonb')
      and c.table_name <> 'legal_texts'`.execute(server.db);
  expect(columns.length).toBeGreaterThan(100);
  const dirty: string[] = [];
  for (const { t, c } of columns) {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from ${sql.table(t)}
      where ${sql.ref(c)}::text ~ '[\u0001-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029]' or char_length(${sql.ref(c)}::text) > 2000`.execute(
      server.db,
    );
    if (rows[0]!.n > 0) dirty.push(`${t}.${c}`);
  }
  expect(dirty).toEqual([]);
});
