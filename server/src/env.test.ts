import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readSettings, withSecretFiles, type Environment } from './env.ts';
import { documentedSettings } from './settings-schema.ts';

const PRODUCTION: Environment = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://aparta@db/aparta',
  PUBLIC_ORIGIN: 'https://aparta.example',
  SMTP_URL: 'smtps://mail.example',
  MAIL_FROM: 'Aparta <hola@aparta.example>',
  HELP_EMAIL: 'ayuda@aparta.example',
  HELP_PHONE: '55 1234 5678',
  SECRETS_KEY: createHash('sha256').update('production').digest('base64'),
  REQUIRE_TERMS: 'true',
  SERVICE_FEE_POLICY: 'all:15.00',
  TAPI_API_BASE: 'https://references.tapi.example',
  TAPI_USERNAME: 'aparta',
  TAPI_PASSWORD: 'of-production',
  TAPI_LOGIN_KEY: 'login-key',
  TAPI_REFERENCES_KEY: 'references-key',
  TAPI_COMPANY_CODE: 'MX-S-00182',
  TAPI_MODALITY_ID: '0e8ee6b3-6a5f-4e4c-9a5e-3b1f2f4c5d6e',
  TAPI_IDENTIFIER_NAME: 'referencia',
  TAPI_NOTICE_KEYS: 'notices-of-2026-notices-of-2026',
  FACTURA_GREEN_BASE: 'https://aparta.facturagreen.example',
  FACTURA_GREEN_APPLICATION_KEY: 'of-production',
  FACTURA_GREEN_ACCOUNT_UUID: '4d4f3c6e-6a5f-4e4c-9a5e-3b1f2f4c5d6e',
};

function problemsOf(env: Environment): string[] {
  const read = readSettings(env);
  return 'problems' in read ? read.problems : [];
}

function settingsOf(env: Environment) {
  const read = readSettings(env);
  if ('problems' in read) throw new Error(read.problems.join('; '));
  return read.settings;
}

test('in development a database is all that has to be named', () => {
  const settings = settingsOf({ DATABASE_URL: 'postgres://localhost/aparta' });
  expect(settings).toMatchObject({ production: false, port: 3000, publicOrigin: 'http://localhost:3000' });
  expect(settings.serviceFee).toEqual({ amountCentavos: 1_500, methods: ['card'] });
});

test('production starts with everything that an operator has to decide', () => {
  expect(problemsOf(PRODUCTION)).toEqual([]);
});

test('production names every missing setting at once', () => {
  expect(problemsOf({ NODE_ENV: 'production' })).toEqual([
    'DATABASE_URL is missing',
    'PUBLIC_ORIGIN is missing',
    'HELP_EMAIL is missing',
    'HELP_PHONE is missing',
    'REQUIRE_TERMS is missing',
    'SERVICE_FEE_POLICY is missing',
    'SECRETS_KEY is missing',
    'SMTP_URL is missing',
    'MAIL_FROM is missing',
    'TAPI_API_BASE is missing',
    'TAPI_USERNAME is missing',
    'TAPI_PASSWORD is missing',
    'TAPI_LOGIN_KEY is missing',
    'TAPI_REFERENCES_KEY is missing',
    'TAPI_COMPANY_CODE is missing',
    'TAPI_MODALITY_ID is missing',
    'TAPI_IDENTIFIER_NAME is missing',
    'TAPI_NOTICE_KEYS is missing',
    'FACTURA_GREEN_BASE is missing',
    'FACTURA_GREEN_APPLICATION_KEY is missing',
    'FACTURA_GREEN_ACCOUNT_UUID is missing',
  ]);
});

const GUESSABLE =
  'SECRETS_KEY can be guessed: make its first key with openssl rand -base64 32, and keep an older one behind it';

test('a key that can be guessed may still open, behind a new one, what it sealed', () => {
  const zeros = Buffer.alloc(32).toString('base64');
  expect(problemsOf({ ...PRODUCTION, SECRETS_KEY: `2:${PRODUCTION['SECRETS_KEY']},1:${zeros}` })).toEqual([]);
  expect(problemsOf({ DATABASE_URL: 'postgres://localhost/aparta', SECRETS_KEY: zeros })).toEqual([]);
});

test.each([
  ['TEST_CLOCKS', '{}', 'TEST_CLOCKS is for tests only'],
  ['SEED_DEMO', 'true', 'SEED_DEMO is for demonstrations only'],
  ['PUBLIC_ORIGIN', 'http://aparta.example', 'PUBLIC_ORIGIN must begin with https://'],
  ['CLIP_API_BASE', 'http://127.0.0.1:4000', 'CLIP_API_BASE must begin with https://'],
  ['TAPI_API_BASE', 'http://127.0.0.1:4000', 'TAPI_API_BASE must begin with https://'],
  ['TAPI_NOTICE_KEYS', 'aparta-development-notices', 'TAPI_NOTICE_KEYS is the one of development'],
  ['FACTURA_GREEN_BASE', 'http://127.0.0.1:4000', 'FACTURA_GREEN_BASE must begin with https://'],
  [
    'FACTURA_GREEN_APPLICATION_KEY',
    'demo-application-key',
    'FACTURA_GREEN_APPLICATION_KEY is the one of development',
  ],
  [
    'SECRETS_KEY',
    Buffer.alloc(32, 'aparta development').toString('base64'),
    'SECRETS_KEY is the one of development',
  ],
  ['SECRETS_KEY', Buffer.alloc(32).toString('base64'), GUESSABLE],
  ['SECRETS_KEY', `1:${Buffer.alloc(32, 0xff).toString('base64')}`, GUESSABLE],
  ['SECRETS_KEY', Buffer.alloc(32, 'a pass phrase').toString('base64'), GUESSABLE],
  [
    'TAPI_NOTICE_KEYS',
    'xyz'.repeat(8),
    'TAPI_NOTICE_KEYS can be guessed: make one with openssl rand -hex 24',
  ],
])('production refuses %s=%s', (name, value, problem) => {
  expect(problemsOf({ ...PRODUCTION, [name]: value })).toEqual([problem]);
});

test('production refuses the default of every secret, which anybody can read in the source', () => {
  const secrets = documentedSettings().filter(({ secret, fallback }) => secret && fallback);
  const given = Object.fromEntries(secrets.map(({ name, fallback }) => [name, fallback]));
  const named = problemsOf({ ...PRODUCTION, ...given }).map((problem) => problem.split(' ')[0]);
  expect(named).toEqual(secrets.map(({ name }) => name));
  expect(named).toContain('TAPI_LOGIN_KEY');
});

test.each([
  ['PORT', '70000'],
  ['PORT', '-1'],
  ['PUBLIC_ORIGIN', 'https://aparta.example/app'],
  ['SECRETS_KEY', 'short'],
  ['SERVICE_FEE_POLICY', 'card'],
  ['SERVICE_FEE_POLICY', 'cheque:15.00'],
  ['SERVICE_FEE_POLICY', 'card:15.001'],
  ['REQUIRE_TERMS', 'yes'],
  ['CLIP_CSP_SCRIPT', "https://sdk.clip.mx; script-src 'unsafe-inline'"],
  ['CLIP_CSP_FRAME', '*'],
  ['CORS_ORIGINS', '*'],
  ['TRUSTED_PROXIES', 'caddy'],
  ['TRUSTED_PROXIES', '127.0.0.1 0.0.0.0/0'],
  ['DATABASE_URL', 'mysql://db'],
  ['TAPI_LOGIN_KEY', 'two words'],
  ['TAPI_NOTICE_KEYS', 'short'],
  ['TAPI_NOTICE_KEYS', ['a', 'b', 'c'].map((key) => key.repeat(24)).join()],
  ['TAPI_NOTICE_KEYS', `${'a'.repeat(24)},`],
  ['TEST_CLOCKS', '{"nothing":1}'],
  ['TEST_CLOCKS', '{"signInPerPair":5}'],
  ['TEST_CLOCKS', 'soon'],
])('%s=%s is refused by its name', (name, value) => {
  const problems = problemsOf({ DATABASE_URL: 'postgres://localhost/aparta', [name]: value });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(name);
});

/** Of each setting another value than its default. */
const OTHER: Record<string, string> = {
  DATABASE_URL: 'postgres://other/aparta',
  TEST_CLOCKS: '{"submittingMs":1}',
  PORT: '3001',
  HOST: '0.0.0.0',
  METRICS_PORT: '13001',
  METRICS_HOST: '0.0.0.0',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:2',
  OTEL_TRACES_SAMPLER_ARG: '0.5',
  LOG_LEVEL: 'error',
  DATABASE_POOL: '7',
  PUBLIC_ORIGIN: 'https://aparta.example',
  PRODUCT_NAME: 'Otra',
  PRODUCT_WIRE_NAME: 'otra',
  REQUIRE_TERMS: 'true',
  SERVICE_FEE_POLICY: 'none',
  SECRETS_KEY: Buffer.alloc(32, 9).toString('base64'),
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'Otra <otra@aparta.test>',
  CLIP_API_BASE: 'https://other.example',
  CLIP_SDK_URL: 'https://other.example/sdk.js',
  CLIP_CSP_SCRIPT: 'https://other.example',
  CLIP_CSP_FRAME: 'https://other.example',
  CLIP_CSP_CONNECT: 'https://other.example',
  CLIP_3DS_ORIGINS: 'https://other.example',
  TAPI_LOGIN_BASE: 'https://other.example',
  TAPI_API_BASE: 'https://other.example',
  TAPI_USERNAME: 'other',
  TAPI_PASSWORD: 'other',
  TAPI_LOGIN_KEY: 'other',
  TAPI_REFERENCES_KEY: 'other',
  TAPI_COMPANY_CODE: 'MX-S-00002',
  TAPI_MODALITY_ID: 'b0000000-0000-4000-8000-000000000002',
  TAPI_IDENTIFIER_NAME: 'otra',
  TAPI_NOTICE_KEYS: 'other-other-other-other-other-01',
  TAPI_NOTICE_ADDRESSES: '10.0.0.1',
  FACTURA_GREEN_BASE: 'https://other.example',
  FACTURA_GREEN_APPLICATION_KEY: 'other',
  FACTURA_GREEN_ACCOUNT_UUID: 'c0000000-0000-4000-8000-000000000002',
  ACCOUNT_BASE: 'https://other.example',
  LAYAWAY_BASE: 'https://other.example',
  PAYMENTS_BASE: 'https://other.example',
  OPERATIONS_BASE: 'https://other.example',
  RECEIVABLES_BASE: 'https://other.example',
  INVOICING_BASE: 'https://other.example',
  NOTIFICATIONS_BASE: 'https://other.example',
  IP_BASE: 'https://other.example',
  TRUSTED_PROXIES: '10.0.0.1',
  CORS_ORIGINS: 'https://other.example',
  REFERENCE_DAYS: '3',
  CARD_TRIES_UNCONFIRMED: '2',
  TILL_CAP_PER_BRANCH_DAY: '1.00',
  TILL_CAP_PER_ACCOUNT_DAY: '1.00',
  TILL_UNKNOWN_PER_HOUR: '1',
};

test.each(Object.entries(OTHER))('%s=%s changes what the server is given', (name, value) => {
  const plain: Environment = {
    DATABASE_URL: 'postgres://localhost/aparta',
    METRICS_PORT: '13000',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
  };
  expect(settingsOf({ ...plain, [name]: value })).not.toEqual(settingsOf(plain));
});

test('a problem never repeats a secret', () => {
  expect(problemsOf({ ...PRODUCTION, SECRETS_KEY: 'hunter2hunter2' }).join()).not.toContain('hunter2');
});

test('the fee is named with the payment methods that carry it', () => {
  const fee = (policy: string) => settingsOf({ ...PRODUCTION, SERVICE_FEE_POLICY: policy }).serviceFee;
  expect(fee('none')).toEqual({ amountCentavos: 0, methods: [] });
  expect(fee('all:15.00')).toEqual({ amountCentavos: 1_500, methods: ['card', 'till', 'cash'] });
  expect(fee('card,till:12.5')).toEqual({ amountCentavos: 1_250, methods: ['card', 'till'] });
});

test('what helpers work for is what their browsers do, 65,536 hashes on average', () => {
  expect(2 ** settingsOf(PRODUCTION).helpWork.helpWorkBits).toBe(65_536);
});

test('a wait or a limit of a test replaces just that one', () => {
  const settings = settingsOf({
    DATABASE_URL: 'postgres://localhost/aparta',
    TEST_CLOCKS: '{"threeDsMs":5000,"signInPerPair":{"times":2,"seconds":60}}',
  });
  expect(settings.clocks.threeDsMs).toBe(5_000);
  expect(settings.clocks.heldEndsMs).toBeGreaterThan(5_000);
  expect(settings.accountLimits.signInPerPair).toEqual({ times: 2, seconds: 60 });
});

test('each service may have a base of its own; the others are where the app is', () => {
  const { bases } = settingsOf({ ...PRODUCTION, LAYAWAY_BASE: 'https://layaway.example/' });
  expect(bases).toMatchObject({ layaway: 'https://layaway.example', account: '', ip: '' });
});

test('cash references go to the sandbox in development and to the network in production', () => {
  const { tapi } = settingsOf({ DATABASE_URL: 'postgres://localhost/aparta' });
  expect([tapi.loginBase, tapi.apiBase]).toEqual(['http://localhost:4000', 'http://localhost:4000']);
  expect(settingsOf(PRODUCTION).tapi.loginBase).toBe('https://login.tapila.cloud');
});

test('while the key of the notices is exchanged, the old and the new one are good', () => {
  const keys = ['notices-of-2026-notices-of-2026', 'notices-of-2027-notices-of-2027'];
  expect(settingsOf({ ...PRODUCTION, TAPI_NOTICE_KEYS: keys.join(', ') }).tapi.noticeKeys).toEqual(keys);
});

test("wire fields begin with the product's name unless they are told otherwise", () => {
  const wireName = (env: Environment) =>
    settingsOf({ DATABASE_URL: 'postgres://localhost/a', ...env }).wireName;
  expect(wireName({})).toBe('aparta');
  expect(wireName({ PRODUCT_NAME: 'Mi Ápartado' })).toBe('miapartado');
  expect(wireName({ PRODUCT_NAME: 'Mi Apartado', PRODUCT_WIRE_NAME: 'aparta' })).toBe('aparta');
});

describe('secrets from files', () => {
  function file(text: string): string {
    const folder = mkdtempSync(path.join(tmpdir(), 'aparta-secret-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const name = path.join(folder, 'secret');
    writeFileSync(name, text);
    return name;
  }

  test('a file takes the place of the setting, its line end does not belong to it', () => {
    const { TAPI_PASSWORD: _password, DATABASE_URL: _url, ...rest } = PRODUCTION;
    const settings = settingsOf({
      ...rest,
      TAPI_PASSWORD_FILE: file('of-a-file\n'),
      DATABASE_URL_FILE: file('postgres://aparta:x@one:5432,two:5433/aparta\r\n'),
    });
    expect(settings.tapi.password).toBe('of-a-file');
    expect(settings.databaseUrl).toBe('postgres://aparta:x@one:5432,two:5433/aparta');
  });

  test('every setting whose name says that it is secret may come from one', () => {
    const named = documentedSettings()
      .map(({ name }) => name)
      .filter((name) => /(?:KEYS?|PASSWORD|SECRET|TOKEN)$/.test(name));
    const { env } = withSecretFiles(Object.fromEntries(named.map((name) => [`${name}_FILE`, file('kept')])));
    expect(named).toContain('SECRETS_KEY');
    expect(named.filter((name) => env[name] !== 'kept')).toEqual([]);
  });

  test('a file that is missing or empty, or a secret given twice, is named, never what is in it', () => {
    const { SMTP_URL: _url, ...rest } = PRODUCTION;
    expect(problemsOf({ ...rest, SMTP_URL_FILE: '/nowhere/secret' })).toEqual([
      'SMTP_URL_FILE names a file that cannot be read (ENOENT)',
      'SMTP_URL is missing',
    ]);
    expect(problemsOf({ ...rest, SMTP_URL_FILE: file(' \n') })).toContain(
      'SMTP_URL_FILE names an empty file',
    );
    expect(problemsOf({ ...PRODUCTION, SMTP_URL_FILE: file('smtps://mail.example') })).toEqual([
      'SMTP_URL and SMTP_URL_FILE are both given',
    ]);
  });

  test('development’s keys are refused from a file too', () => {
    const { SECRETS_KEY: _key, ...rest } = PRODUCTION;
    const key = Buffer.alloc(32, 'aparta development').toString('base64');
    expect(problemsOf({ ...rest, SECRETS_KEY_FILE: file(key) })).toEqual([
      'SECRETS_KEY is the one of development',
    ]);
  });
});

describe('the files of ops', () => {
  const read = (file: string) => readFileSync(new URL(`../../ops/${file}`, import.meta.url), 'utf8');
  const example = Object.fromEntries(
    read('production.env.example')
      .split('\n')
      .filter((line) => /^[A-Z_]+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1) || 'filled-in']),
  );
  const secretsOf = (file: string) =>
    [...read(file).matchAll(/\b([A-Z_]+)_FILE[=:] ?\S*\/([a-z_]+)$/gm)].filter(
      ([, name]) => name !== 'POSTGRES_PASSWORD',
    );

  test.each(['compose.yaml', 'systemd/aparta@.service'])(
    '%s hands over all that production needs',
    (file) => {
      const secrets = secretsOf(file);
      for (const [, name = '', called] of secrets) expect(called).toBe(name.toLowerCase());
      const given = secrets.map(([, name = '']) => [name, PRODUCTION[name]]);
      expect(problemsOf({ ...example, ...Object.fromEntries(given) })).toEqual([]);
      expect(Object.keys(example).filter((name) => given.some(([secret]) => secret === name))).toEqual([]);
    },
  );
});
