import { randomBytes, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { runAdmin } from '@aparta/admin/run';
import { createSandbox, type Sandbox } from '@aparta/sandbox/app';
import { compose, type Composition } from '@aparta/server/compose';
import { readSettings } from '@aparta/server/env';
import { buildApp } from '@aparta/server/platform/http/app';
import { migrate } from '@aparta/server/platform/db/migrate';
import { createLog } from '@aparta/server/platform/logging';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { query } from './query.ts';
import { serverUrlOf } from './server-url.ts';

/** The commands of the operator's page, typed as they stand there, on an empty database; then what they are for. */
const PAGE = new URL('../../docs/operators.md', import.meta.url);
const SECTION = '## From nothing to the first payment';
const DATABASE = `first_day_${randomBytes(6).toString('hex')}`;
const KEYS = 'a0000000-0000-4000-8000-000000000001\ndemo-secret-1\n';
const PATIENCE = { timeout: 15_000, interval: 50 };
const BUYER = { user: 'you@example.com', password: 'una-clave-larga-7' };

let sandbox: Sandbox;
let env: Record<string, string>;
let product: Composition;
let app: Awaited<ReturnType<typeof buildApp>>;
let folder: string;

beforeAll(async () => {
  await administer(`create database ${DATABASE}`);
  sandbox = await createSandbox({ productOrigin: 'http://localhost:3700' });
  const database = new URL(inject('testServer').url);
  database.pathname = `/${DATABASE}`;
  const serverUrl = serverUrlOf(database.href);
  env = {
    DATABASE_URL: serverUrl,
    DATABASE_OWNER_URL: database.href,
    CLIP_API_BASE: sandbox.apiUrl,
    TAPI_LOGIN_BASE: sandbox.apiUrl,
    TAPI_API_BASE: sandbox.apiUrl,
    FACTURA_GREEN_BASE: sandbox.apiUrl,
    SMTP_URL: `smtp://127.0.0.1:${sandbox.smtpPort}`,
    REQUIRE_TERMS: 'true',
    SERVICE_FEE_POLICY: 'card:15.00',
  };
  await migrate(database.href, { serverUrl });
  const read = readSettings(env);
  if ('problems' in read) throw new Error(read.problems.join('; '));
  product = compose(read.settings, createLog('silent'));
  app = await buildApp(product.app);
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-first-day-'));
});
afterAll(async () => {
  await app.close();
  await product.stop();
  await sandbox.close();
  fs.rmSync(folder, { recursive: true });
  await administer(`drop database ${DATABASE} with (force)`);
});

const administer = (statement: string) => query(inject('testServer').url, statement);

/** What the page has in its shell blocks, each command as its words. */
function commandsOfThePage(): string[][] {
  const section = fs.readFileSync(PAGE, 'utf8').split(SECTION)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/```sh\n([^]*?)```/g)]
    .flatMap(([, block = '']) => block.replaceAll('\\\n', ' ').trim().split('\n'))
    .map((line) => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? ''))
    .map(([npm, run, admin, dashes, ...words]) => {
      expect([npm, run, admin, dashes]).toEqual(['npm', 'run', 'admin', '--']);
      return words;
    });
}

/** The files that the operator has: the templates filled in, a logo, and where the labels go. */
function files(): Record<string, string> {
  const filled = (kind: string) => {
    const template = fs.readFileSync(new URL(`../../server/legal/${kind}.md`, import.meta.url), 'utf8');
    const file = path.join(folder, `${kind}.txt`);
    fs.writeFileSync(file, template.replaceAll(/\[[^\]\n]+\]/g, 'Aparta SA de CV'));
    return file;
  };
  return {
    'terminos.txt': filled('terms'),
    'privacidad.txt': filled('privacy'),
    'logo.png': new URL('../../docs/pictures/reference.png', import.meta.url).pathname,
    'docs/productos-ejemplo.csv': new URL('../../docs/productos-ejemplo.csv', import.meta.url).pathname,
    'etiquetas.pdf': path.join(folder, 'etiquetas.pdf'),
  };
}

async function type(
  words: readonly string[],
  given: Record<string, string> = env,
): Promise<{ code: number; out: string; err: string }> {
  const said = { out: '', err: '' };
  const terminal = {
    input: Readable.from([words[0] === 'key' ? KEYS : '']),
    out: (text: string) => (said.out += text),
    err: (text: string) => (said.err += text),
    isWatched: false,
  };
  return { code: await runAdmin(words, { env: given, terminal }), ...said };
}

async function control(call: string, body?: object): Promise<any> {
  const answer = await fetch(`${sandbox.apiUrl}/control/${call}`, {
    ...(body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  return answer.json();
}

async function ask(call: string, body?: object, token?: string): Promise<any> {
  const [method, url] = call.split(' ') as ['GET', string];
  const { statusCode, json } = await app.inject({
    method,
    url,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(body && { payload: body }),
  });
  if (statusCode !== 200) throw new Error(`${call}: ${statusCode} ${JSON.stringify(json())}`);
  return json().data ?? json();
}

/** A buyer signs up with the terms, confirms their email address, reserves by a label twice, and pays once by card and once at the till. */
async function buy(productId: number, tillSecret: string): Promise<void> {
  const person = { ...BUYER, userName: 'Ana Torres', phone: '5512345678' };
  await expect(ask('POST /v1/SecurityBuyer/InsertAsync', person)).rejects.toThrow('TERMS_NOT_ACCEPTED');
  const { version } = await ask('GET /v1/Legal/GetAsync/terms');
  await ask('POST /v1/SecurityBuyer/InsertAsync', { ...person, termsAccepted: true, termsVersion: version });
  const code = await vi.waitFor(async () => {
    const [welcome] = (await control(`emails?to=${BUYER.user}`)).emails;
    return /confirmarCorreo#code=(\S+)/.exec(welcome.text)?.[1];
  }, PATIENCE);
  await ask('POST /v1/SecurityBuyer/ConfirmEmailAsync', { code });
  const { token } = await ask('POST /v1/TokenBuyer/Authenticate', BUYER);
  const reserve = () =>
    ask('POST /v1/PullApartReference', { Referencia: `1|1|${productId}|0||||0`, repeat: true }, token);

  const first = await reserve();
  const card = await control('tokens', { number: '4555128482797669' });
  const paid = await ask(
    'POST /v1/Clib/CreatePaymentsAsync',
    {
      amount: first.cardTotal,
      currency: 'MXN',
      description: first.productName,
      payment_method: { token: card.id },
      customer: { email: BUYER.user, phone: '5512345678' },
      apartaBusinnessId: first.businessId,
      referencia: first.paymentReference,
      intentoId: randomUUID(),
    },
    token,
  );
  expect(paid.status).toBe('approved');

  const second = await reserve();
  const till = await ask('POST /User/authenticate', { User: 'cajas-norte', Password: tillSecret });
  const call = { compañia: 'NORTE', sucursal: '7', idtransaccion: randomUUID() };
  const taken = await ask(
    'POST /PosOperations/OnLayaway',
    { referencia: second.paymentReference, importe: second.tillTotal, ...call },
    till.token,
  );
  expect(taken.error).toBe(0);
}

test('The operator’s page, typed from top to bottom on an empty database, ends with deposits paid by card and at a till', async () => {
  const given = files();
  const commands = commandsOfThePage().map((words) => words.map((word) => given[word] ?? word));
  const firstCheck = commands.shift() ?? [];
  expect(await type(firstCheck)).toMatchObject({ code: 1, out: expect.stringContaining('FALTA') });
  const refused = await type(['legal', 'publish', 'terms', 'server/legal/terms.md', '--version', '1']);
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('[RAZÓN SOCIAL DEL OPERADOR]') });

  let tillSecret = '';
  const said: string[] = [];
  for (const words of commands) {
    if (words[0] === 'payment' && words[1] === 'follow') {
      const [{ id }] = JSON.parse((await type(['product', 'list', '1', '--json'])).out);
      await product.check();
      await product.startJobs();
      await buy(id, tillSecret);
    }
    const { code, out, err } = await type(words);
    expect([words.join(' '), code, err]).toEqual([words.join(' '), 0, '']);
    tillSecret ||= words[0] === 'till' ? (/clave: +(\S+)/.exec(out)?.[1] ?? '') : '';
    said.push(out);
  }
  expect(
    fs
      .readFileSync(given['etiquetas.pdf'] ?? '')
      .subarray(0, 4)
      .toString(),
  ).toBe('%PDF');
  const [status, follow, waiting, books] = said.slice(-4);
  expect(status).toContain('Se puede cobrar.');
  expect(follow).toMatch(/Compra \d+/);
  expect(waiting).toBe('Nada espera a una persona.\n');
  expect(books).toMatch(/Tarjetas por depositar +\$615\.00[^]*Cajas por pagar +\$600\.00/);

  const lost = { ...env, SECRETS_KEY: `9:${randomBytes(32).toString('base64')}` };
  expect(await type(['status'], lost)).toMatchObject({
    code: 1,
    out: expect.stringMatching(
      /FALLA   SECRETS_KEY, comercio 1, [^]*key set 1 clip[^]*No todo se puede cobrar/,
    ),
  });
  await type('merchant edit 1 --invoicing-business no-es-suyo'.split(' '));
  expect((await type(['status'])).out).toMatch(
    /FALLA   FacturaGreen, comercio 1, [^]*no acepta al comercio \(status 403\)[^]*Se puede cobrar, pero/,
  );
});
