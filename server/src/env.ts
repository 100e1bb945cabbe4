import { readFileSync } from 'node:fs';

import { DEFAULT_WIRE_NAME } from '@aparta/contract/endpoint';
import { parseDecimal, type Centavos } from '@aparta/domain/money';
import { parseFeePolicy, type FeePolicy } from '@aparta/domain/service-fee';

import { isAddressOrNetwork } from './platform/addresses.ts';
import { ACCOUNT_LIMITS, type AccountLimits } from './accounts/buyers/limits.ts';
import { serversOf } from './platform/db/primary.ts';
import { DEFAULT_INVOICE_CLOCKS, type InvoiceClocks } from './invoicing/invoices/invoice.ts';
import { DEFAULT_CLOCKS, type Clocks } from './payments/cards/attempt.ts';
import { DEFAULT_CARD_LIMITS, type CardLimits } from './payments/cards/card-limits.ts';
import type { TapiAccount } from './payments/cash/tapi.ts';
import type { FacturaGreenAccount } from './invoicing/provider/factura-green.ts';
import { readKeyRing, type KeyRing } from './platform/secrets.ts';
import type { TelemetrySettings } from './platform/telemetry/open.ts';
import type { TillCaps } from './payments/tills/operation.ts';

/** The web app's services, each with a base address of its own (spec §7). */
const SERVICES = [
  'account',
  'layaway',
  'payments',
  'operations',
  'receivables',
  'invoicing',
  'notifications',
  'ip',
] as const;
type Service = (typeof SERVICES)[number];

/** Everything that the environment decides, read once. */
export interface Settings {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  readonly logLevel: string;
  readonly databaseUrl: string;
  readonly databasePool: number;
  /** Where buyers find us: links in mails, QR codes and notices. No slash at the end. */
  readonly publicOrigin: string;
  readonly productName: string;
  readonly wireName: string;
  readonly requireTerms: boolean;
  /** What a new merchant charges per payment, until its own setting says otherwise. */
  readonly serviceFee: FeePolicy;
  readonly keyRing: KeyRing;
  readonly smtpUrl: string;
  readonly mailFrom: string;
  readonly clip: {
    readonly apiBase: string;
    readonly sdkUrl: string;
    readonly scriptOrigins: readonly string[];
    readonly frameOrigins: readonly string[];
    readonly connectOrigins: readonly string[];
    readonly threeDsOrigins: readonly string[];
  };
  readonly tapi: TapiAccount;
  readonly facturaGreen: FacturaGreenAccount;
  readonly bases: Readonly<Record<Service, string>>;
  readonly trustedProxies: readonly string[];
  readonly corsOrigins: readonly string[];
  /** Days that a layaway reference lives, besides the one it is made on. */
  readonly referenceDays: number;
  readonly clocks: Clocks;
  readonly invoiceClocks: InvoiceClocks;
  readonly accountLimits: AccountLimits;
  readonly cardLimits: CardLimits;
  readonly providerWaits: typeof DEFAULT_PROVIDER_WAITS;
  readonly telemetry: TelemetrySettings;
  readonly tillCaps: TillCaps;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** In development only; production refuses it by name. */
const DEVELOPMENT_SECRETS_KEY = Buffer.alloc(32, 'aparta development').toString('base64');

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'];

/** Where development finds the providers that no setting names. */
const LOCAL_PROVIDERS = 'http://localhost:4000';

const DEVELOPMENT_NOTICE_KEY = 'aparta-development-notices';

const DEVELOPMENT_APPLICATION_KEY = 'demo-application-key';

/** How long a provider may take to answer: a charge, another card call (payments.md §1.5), a call for cash references, one for invoices. */
const DEFAULT_PROVIDER_WAITS = {
  chargeTimeoutMs: 40_000,
  readTimeoutMs: 15_000,
  cashTimeoutMs: 6_000,
  invoicingTimeoutMs: 30_000,
};

/** One reading of the database serves every scrape for so long. */
const DEFAULT_METRICS_WAITS = { metricsFreshMs: 10_000 };

/** Why a setting cannot be used, in words that follow its name. */
class Unusable extends Error {}

/** What nobody else may read: each may come from a file that `…_FILE` names, as Docker and systemd hand secrets over. */
const SECRETS = [
  'DATABASE_URL',
  'SECRETS_KEY',
  'SMTP_URL',
  'TAPI_PASSWORD',
  'TAPI_LOGIN_KEY',
  'TAPI_REFERENCES_KEY',
  'TAPI_NOTICE_KEYS',
  'FACTURA_GREEN_APPLICATION_KEY',
] as const;

/** The environment with each secret read from its file, without the line end that editors leave. */
export function withSecretFiles(given: Environment): {
  env: Record<string, string | undefined>;
  problems: string[];
} {
  const env = { ...given };
  const problems: string[] = [];
  for (const name of SECRETS) {
    const file = env[`${name}_FILE`]?.trim();
    if (!file) continue;
    if (env[name]?.trim()) problems.push(`${name} and ${name}_FILE are both given`);
    try {
      env[name] = readFileSync(file, 'utf8').trim();
      if (env[name] === '') problems.push(`${name}_FILE names an empty file`);
    } catch (error) {
      problems.push(
        `${name}_FILE names a file that cannot be read (${(error as NodeJS.ErrnoException).code})`,
      );
    }
  }
  return { env, problems };
}

/** Reads the environment. Every problem is listed, so that an operator mends them in one go. */
export function readSettings(given: Environment): { settings: Settings } | { problems: string[] } {
  const { env, problems } = withSecretFiles(given);
  const production = env['NODE_ENV'] === 'production';

  /** A setting with its fallback; `required` has none in production. */
  function read<T>(name: string, parse: (text: string) => T, fallback: string, when?: 'required'): T {
    const given = env[name]?.trim() || undefined;
    if (given === undefined && when === 'required' && production) problems.push(`${name} is missing`);
    try {
      return parse(given ?? fallback);
    } catch (error) {
      if (!(error instanceof Unusable)) throw error;
      if (given !== undefined) problems.push(`${name} ${error.message}`);
      return undefined as T; // never seen: there are problems
    }
  }

  const url = urlReader(production);
  const databaseUrl = env['DATABASE_URL']?.trim() ?? '';
  if (databaseUrl === '') problems.push('DATABASE_URL is missing');
  else if (!isPostgres(databaseUrl)) problems.push('DATABASE_URL is not a postgres:// address');
  if (production) refuseDevelopmentSettings(env, problems);

  const overrides = read('TEST_CLOCKS', testClocks, '{}');
  const port = read('PORT', wholeNumber(0, 65_535), '3000');
  const metricsPort = read('METRICS_PORT', unlessEmpty(wholeNumber(0, 65_535)), '');
  const metricsHost = read('METRICS_HOST', text, '127.0.0.1');
  const traceEndpoint = read('OTEL_EXPORTER_OTLP_ENDPOINT', unlessEmpty(urlReader(false)), '') ?? '';
  const traceShare = read('OTEL_TRACES_SAMPLER_ARG', share, '1');
  const settings: Settings = {
    production,
    port,
    host: read('HOST', text, '127.0.0.1'),
    logLevel: read('LOG_LEVEL', oneOf(LOG_LEVELS), 'info'),
    databaseUrl,
    databasePool: read('DATABASE_POOL', wholeNumber(2, 200), '10'),
    publicOrigin: read('PUBLIC_ORIGIN', origin(production), `http://localhost:${port}`, 'required'),
    productName: read('PRODUCT_NAME', text, 'Aparta'),
    wireName: read('PRODUCT_WIRE_NAME', wireName, wireNameOf(env['PRODUCT_NAME'])),
    requireTerms: read('REQUIRE_TERMS', yesOrNo, 'false', 'required'),
    serviceFee: read('SERVICE_FEE_POLICY', feePolicy, 'card:15.00', 'required'),
    keyRing: read('SECRETS_KEY', keyRing, DEVELOPMENT_SECRETS_KEY, 'required'),
    smtpUrl: read('SMTP_URL', smtpUrl, 'smtp://127.0.0.1:4001', 'required'),
    mailFrom: read('MAIL_FROM', text, 'Aparta <no-responder@aparta.test>', 'required'),
    clip: {
      apiBase: read('CLIP_API_BASE', url, 'https://api.payclip.com'),
      sdkUrl: read('CLIP_SDK_URL', url, 'https://sdk.clip.mx/js/clip-sdk.js'),
      scriptOrigins: read('CLIP_CSP_SCRIPT', sources, 'https://sdk.clip.mx https://tools.clip.mx'),
      frameOrigins: read(
        'CLIP_CSP_FRAME',
        sources,
        'https://elements.clip.mx https://3ds.payclip.com https://3ds.payclip.io',
      ),
      connectOrigins: read(
        'CLIP_CSP_CONNECT',
        sources,
        'https://sdk.clip.mx https://tools.clip.mx https://api.payclip.com',
      ),
      threeDsOrigins: read('CLIP_3DS_ORIGINS', sources, 'https://3ds.payclip.com https://3ds.payclip.io'),
    },
    tapi: {
      loginBase: read('TAPI_LOGIN_BASE', url, production ? 'https://login.tapila.cloud' : LOCAL_PROVIDERS),
      apiBase: read('TAPI_API_BASE', url, LOCAL_PROVIDERS, 'required'),
      username: read('TAPI_USERNAME', text, 'aparta-demo', 'required'),
      password: read('TAPI_PASSWORD', text, 'aparta-demo-2026', 'required'),
      loginKey: read('TAPI_LOGIN_KEY', headerValue, 'demo-login-key', 'required'),
      referencesKey: read('TAPI_REFERENCES_KEY', headerValue, 'demo-references-key', 'required'),
      companyCode: read('TAPI_COMPANY_CODE', text, 'MX-S-00001', 'required'),
      modalityId: read('TAPI_MODALITY_ID', text, 'b0000000-0000-4000-8000-000000000001', 'required'),
      identifierName: read('TAPI_IDENTIFIER_NAME', text, 'referencia', 'required'),
      noticeKeys: read('TAPI_NOTICE_KEYS', noticeKeys, DEVELOPMENT_NOTICE_KEY, 'required'),
      noticeAddresses: read('TAPI_NOTICE_ADDRESSES', addresses, ''),
    },
    facturaGreen: {
      base: read('FACTURA_GREEN_BASE', url, LOCAL_PROVIDERS, 'required'),
      applicationKey: read(
        'FACTURA_GREEN_APPLICATION_KEY',
        headerValue,
        DEVELOPMENT_APPLICATION_KEY,
        'required',
      ),
      accountUuid: read(
        'FACTURA_GREEN_ACCOUNT_UUID',
        headerValue,
        'c0000000-0000-4000-8000-000000000001',
        'required',
      ),
    },
    bases: Object.fromEntries(
      SERVICES.map((service) => [
        service,
        read(`${service.toUpperCase()}_BASE`, (given) => (given === '' ? '' : url(given)), ''),
      ]),
    ) as Record<Service, string>,
    trustedProxies: read('TRUSTED_PROXIES', words, ''),
    corsOrigins: read('CORS_ORIGINS', sources, ''),
    referenceDays: read('REFERENCE_DAYS', wholeNumber(0, 60), '2'),
    clocks: { ...DEFAULT_CLOCKS, ...pick(overrides, DEFAULT_CLOCKS) },
    invoiceClocks: { ...DEFAULT_INVOICE_CLOCKS, ...pick(overrides, DEFAULT_INVOICE_CLOCKS) },
    accountLimits: { ...ACCOUNT_LIMITS, ...pick(overrides, ACCOUNT_LIMITS) },
    cardLimits: {
      ...DEFAULT_CARD_LIMITS,
      attemptsUnconfirmed: read('CARD_TRIES_UNCONFIRMED', wholeNumber(0, 1_000), '3'),
      ...pick(overrides, DEFAULT_CARD_LIMITS),
    },
    providerWaits: { ...DEFAULT_PROVIDER_WAITS, ...pick(overrides, DEFAULT_PROVIDER_WAITS) },
    telemetry: {
      metrics:
        metricsPort === undefined
          ? undefined
          : {
              host: metricsHost,
              port: metricsPort,
              ...DEFAULT_METRICS_WAITS,
              ...pick(overrides, DEFAULT_METRICS_WAITS),
            },
      traces: traceEndpoint === '' ? undefined : { endpoint: traceEndpoint, share: traceShare },
    },
    tillCaps: {
      perBranchCentavos: read('TILL_CAP_PER_BRANCH_DAY', pesosAmount, '200000.00'),
      perAccountCentavos: read('TILL_CAP_PER_ACCOUNT_DAY', pesosAmount, '2000000.00'),
      unknownPerHour: read('TILL_UNKNOWN_PER_HOUR', wholeNumber(1, 1_000_000), '300'),
    },
  };
  return problems.length > 0 ? { problems } : { settings };
}

/** What is good for a demonstration and never for money. */
function refuseDevelopmentSettings(env: Environment, problems: string[]): void {
  if (env['TEST_CLOCKS']) problems.push('TEST_CLOCKS is for tests only');
  if (env['SEED_DEMO'] === 'true') problems.push('SEED_DEMO is for demonstrations only');
  if (env['SECRETS_KEY']?.includes(DEVELOPMENT_SECRETS_KEY)) {
    problems.push('SECRETS_KEY is the one of development');
  }
  if (env['TAPI_NOTICE_KEYS']?.includes(DEVELOPMENT_NOTICE_KEY)) {
    problems.push('TAPI_NOTICE_KEYS has the one of development');
  }
  if (env['FACTURA_GREEN_APPLICATION_KEY'] === DEVELOPMENT_APPLICATION_KEY) {
    problems.push('FACTURA_GREEN_APPLICATION_KEY is the one of development');
  }
}

/** One host as the driver takes it, or a list of hosts that each are an address. */
function isPostgres(given: string): boolean {
  const servers = serversOf(given);
  return (
    /^postgres(ql)?:\/\//.test(given) &&
    (servers.length === 1 || servers.every((server) => URL.canParse(server)))
  );
}

function text(given: string): string {
  return given;
}

function words(given: string): string[] {
  return given.split(/[\s,]+/).filter(Boolean);
}

function addresses(given: string): string[] {
  const list = words(given);
  if (list.every(isAddressOrNetwork)) return list;
  throw new Unusable('must be addresses or networks like 198.51.100.0/24, separated by spaces');
}

function yesOrNo(given: string): boolean {
  if (given === 'true' || given === 'false') return given === 'true';
  throw new Unusable('must be true or false');
}

function wholeNumber(least: number, most: number) {
  return (given: string): number => {
    const number = Number(given);
    if (/^\d+$/.test(given) && number >= least && number <= most) return number;
    throw new Unusable(`must be a whole number from ${least} to ${most}`);
  };
}

function unlessEmpty<T>(parse: (given: string) => T) {
  return (given: string): T | undefined => (given === '' ? undefined : parse(given));
}

function share(given: string): number {
  const number = Number(given);
  if (/^\d(\.\d+)?$/.test(given) && number <= 1) return number;
  throw new Unusable('must be a number from 0 to 1');
}

function oneOf(choices: readonly string[]) {
  return (given: string): string => {
    if (choices.includes(given)) return given;
    throw new Unusable(`must be one of ${choices.join(', ')}`);
  };
}

/** An http address without query or fragment, without the slash at its end; https alone in production. */
function urlReader(production: boolean) {
  return (given: string): string => {
    if (!URL.canParse(given)) throw new Unusable('is not an address');
    const { protocol, search, hash, username } = new URL(given);
    if (protocol !== 'https:' && (production || protocol !== 'http:')) {
      throw new Unusable(production ? 'must begin with https://' : 'must begin with http:// or https://');
    }
    if (search !== '' || hash !== '' || username !== '') throw new Unusable('must be a plain address');
    return given.replace(/\/+$/, '');
  };
}

function origin(production: boolean) {
  const url = urlReader(production);
  return (given: string): string => {
    if (new URL(url(given)).pathname !== '/') throw new Unusable('must be an origin, without a path');
    return new URL(given).origin;
  };
}

/** Origins for a Content-Security-Policy; anything else would be read as another directive. */
function sources(given: string): string[] {
  return words(given).map((word) => {
    if (/^https?:\/\/[\w.-]+(:\d+)?\/?$/i.test(word)) return new URL(word).origin;
    throw new Unusable('must be origins like https://example.com, separated by spaces');
  });
}

function headerValue(given: string): string {
  if (/^[\x21-\x7e]+$/.test(given)) return given;
  throw new Unusable('must be letters, digits and signs without a blank');
}

/** Who has one can say that cash was paid, so they are long. A second one is good only while they are exchanged. */
function noticeKeys(given: string): string[] {
  const keys = given.split(',').map((key) => key.trim());
  if (keys.length <= 2 && keys.every((key) => /^[\x21-\x7e]{24,200}$/.test(key))) return keys;
  throw new Unusable('must be one key of at least 24 characters, or two separated by a comma');
}

function smtpUrl(given: string): string {
  if (/^smtps?:\/\/.+/.test(given)) return given;
  throw new Unusable('is not an smtp:// or smtps:// address');
}

function wireName(given: string): string {
  if (/^[a-z][a-z0-9]{0,30}$/.test(given)) return given;
  throw new Unusable('must be lower-case letters and digits');
}

/** The product's name as it starts wire fields: `Mi Apartado` is `miapartado`. */
function wireNameOf(productName: string | undefined): string {
  const letters = productName
    ?.normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
  return letters && /^[a-z]/.test(letters) ? letters.slice(0, 31) : DEFAULT_WIRE_NAME;
}

function feePolicy(given: string): FeePolicy {
  const policy = parseFeePolicy(given);
  if (policy === undefined) throw new Unusable('must be none, or like card:15.00 or all:15.00');
  return policy;
}

function pesosAmount(given: string): Centavos {
  const amount = parseDecimal(given);
  if (amount === undefined) throw new Unusable('must be pesos, like 200000.00');
  return amount;
}

function keyRing(given: string): KeyRing {
  try {
    return readKeyRing(given);
  } catch {
    throw new Unusable(
      'must be 32 bytes in base64 (openssl rand -base64 32), or id:key pairs separated by commas',
    );
  }
}

/** `TEST_CLOCKS`: JSON that names waits of the payment and invoice engines and limits of the account calls, each in its own shape. */
function testClocks(given: string): Record<string, unknown> {
  const known: Record<string, unknown> = {
    ...DEFAULT_CLOCKS,
    ...DEFAULT_INVOICE_CLOCKS,
    ...ACCOUNT_LIMITS,
    ...DEFAULT_CARD_LIMITS,
    ...DEFAULT_PROVIDER_WAITS,
    ...DEFAULT_METRICS_WAITS,
  };
  let overrides: unknown;
  try {
    overrides = JSON.parse(given);
  } catch {
    throw new Unusable('is not JSON');
  }
  if (typeof overrides !== 'object' || overrides === null) throw new Unusable('is not a JSON object');
  for (const [name, value] of Object.entries(overrides)) {
    if (!(name in known)) throw new Unusable(`names ${name}, which is no wait or limit`);
    if (!sameShape(value, known[name])) throw new Unusable(`gives ${name} another shape than it has`);
  }
  return overrides as Record<string, unknown>;
}

function sameShape(value: unknown, model: unknown): boolean {
  if (Array.isArray(model)) return Array.isArray(value) && value.every((item) => typeof item === 'number');
  if (typeof model !== 'object' || model === null) return typeof value === typeof model;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(model).every(([key, part]) =>
    sameShape((value as Record<string, unknown>)[key], part),
  );
}

function pick<T extends object>(from: Record<string, unknown> | undefined, known: T): Partial<T> {
  return Object.fromEntries(Object.entries(from ?? {}).filter(([name]) => name in known)) as Partial<T>;
}
