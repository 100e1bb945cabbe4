import { randomUUID } from 'node:crypto';

import type { Endpoint } from '@aparta/contract/endpoint';
import { ENDPOINTS } from '@aparta/contract/endpoints';
import { toJsonSchema } from '@valibot/to-json-schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../../test/app.ts';
import {
  makeBuyer,
  makeServiceAccount,
  makeMerchant,
  makeProduct,
  type MadeBuyer,
} from '../../../test/make.ts';
import { makePurchase } from '../../../test/purchases.ts';
import { ACCOUNT_LIMITS } from '../../accounts/credentials/limits.ts';
import { openSession } from '../../accounts/sessions/session.ts';

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
let ana: MadeBuyer;
/** Values with which a call gets past its schema, by the field's name; `name.field` where one call wants its own. */
let good: Json;
let serviceAccounts: Json;

beforeAll(async () => {
  const nowhere = 'http://127.0.0.1:9';
  const plenty = Object.keys(ACCOUNT_LIMITS).map((name) => [name, { times: 1_000_000, seconds: 60 }]);
  server = await startTestApp({
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
    intentoId: randomUUID(),
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
      return [sampleOf(schema['items'], call)];
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

/** Makes the call. What stands in the address is spelt as it travels. */
async function send({ method, path, access }: Endpoint, { params, query, body }: Parts, token?: string) {
  const kind = access === 'public' ? undefined : access[0]!;
  const bearer =
    token ?? (kind === 'buyer' ? await openSession(server.db, ana.id) : serviceAccounts[kind ?? '']);
  const where = path.replace(/:(\w+)/g, (_, name: string) => params[name]);
  const asked = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return server.ask(`${method} ${where}${asked.length > 0 ? '?' : ''}${asked.join('&')}`, {
    ...(bearer !== undefined && { token: bearer }),
    ...(body !== undefined && { body }),
  });
}

const everyEndpoint = Object.values(ENDPOINTS).flat();
const isFailure = ({ status, body }: { status: number; body: any }) =>
  status === 500 || body.code === 'INTERNAL';

test('the good calls, of which the hostile ones differ in one field, get past their schemas', async () => {
  for (const endpoint of everyEndpoint) {
    const answer = await send(endpoint, partsOf(endpoint));
    expect([endpoint.name, answer.body.fields ?? {}, isFailure(answer)]).toEqual([endpoint.name, {}, false]);
  }
});

test('whatever is put into any field of any call, it is refused or kept clean, and never a failure', async () => {
  const failures: unknown[] = [];
  let calls = 0;
  for (const endpoint of everyEndpoint) {
    const whole = partsOf(endpoint);
    for (const place of leavesOf(whole)) {
      const isBody = place[0] === 'body';
      if (isBody && whole.body === undefined) continue;
      for (const [what, inBody, inAddress] of HOSTILE) {
        const parts = withOther(whole, place, isBody ? inBody : inAddress) as Parts;
        const answer = await send(endpoint, parts);
        calls += 1;
        if (isFailure(answer)) failures.push([endpoint.name, place.join('.'), what, answer.body]);
      }
    }
  }
  expect(failures).toEqual([]);
  expect(calls).toBeGreaterThan(500);
  // A till is answered 200 whatever happens; the log knows better.
  const logged = server.logged().split('\n');
  expect(logged.filter((line) => line.includes('"call failed"'))).toEqual([]);
});

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
