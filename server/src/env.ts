import { readFileSync } from 'node:fs';

import { DEFAULT_WIRE_NAME } from '@aparta/contract/endpoint';
import * as v from 'valibot';

import { ACCOUNT_LIMITS } from './accounts/credentials/limits.ts';
import { STREAM_WAITS } from './platform/changes/streams.ts';
import { DEFAULT_INVOICE_CLOCKS } from './invoicing/invoices/invoice.ts';
import { DEFAULT_CLOCKS } from './payments/cards/attempt.ts';
import { HELP_WORK } from './purchases/help-links/refuse-without-work.ts';
import { DEFAULT_CARD_LIMITS } from './payments/cards/card-limits.ts';
import {
  baseOf,
  DEFAULT_METRICS_WAITS,
  DEFAULT_PROVIDER_WAITS,
  DEFAULT_WORKER_WAITS,
  SERVICES,
  settingsSchema,
  documentedSettings,
  WAITS,
  type Service,
} from './settings-schema.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Everything that the environment sets, read once at the start. */
export type Settings = ReturnType<typeof settingsOf>;

/** Secrets may come from a file that `…_FILE` names. */
const SECRETS = documentedSettings().filter(({ secret }) => secret);

/** The environment with each secret read from its file, without the line end that editors leave. */
export function withSecretFiles(given: Environment): {
  env: Record<string, string | undefined>;
  problems: string[];
} {
  const env = { ...given };
  const problems: string[] = [];
  for (const { name } of SECRETS) {
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

/** Reads the environment. Lists every problem, so that an operator corrects them in one go. */
export function readSettings(given: Environment): { settings: Settings } | { problems: string[] } {
  const { env, problems } = withSecretFiles(given);
  const production = env['NODE_ENV'] === 'production';
  const filledIn = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])),
  );
  const read = v.safeParse(settingsSchema(production), filledIn, { abortPipeEarly: true });
  for (const { message, path = [] } of read.issues ?? []) {
    const [name, ...inside] = path.map(({ key }) => String(key));
    problems.push(`${name} ${message}${inside.length > 0 ? `: ${inside.join('.')}` : ''}`);
  }
  if (problems.length > 0 || !read.success) return { problems };
  return { settings: settingsOf(read.output, production) };
}

/** The settings as the server's parts take them. */
function settingsOf(given: v.InferOutput<ReturnType<typeof settingsSchema>>, production: boolean) {
  const waits = { ...WAITS, attemptsUnconfirmed: given.CARD_TRIES_UNCONFIRMED, ...given.TEST_CLOCKS };
  return {
    production,
    host: given.HOST,
    port: given.PORT,
    logLevel: given.LOG_LEVEL,
    databaseUrl: given.DATABASE_URL,
    databaseOwnerUrl: given.DATABASE_OWNER_URL ?? given.DATABASE_URL,
    databasePool: given.DATABASE_POOL,
    patienceMs: waits.patienceMs,
    openStreams: given.OPEN_STREAMS,
    streamWaits: pick(waits, STREAM_WAITS),
    publicOrigin: given.PUBLIC_ORIGIN ?? `http://localhost:${given.PORT}`,
    productName: given.PRODUCT_NAME,
    help: { email: given.HELP_EMAIL, phone: given.HELP_PHONE },
    wireName: given.PRODUCT_WIRE_NAME ?? wireNameOf(given.PRODUCT_NAME),
    requireTerms: given.REQUIRE_TERMS,
    serviceFee: given.SERVICE_FEE_POLICY,
    keyRing: given.SECRETS_KEY,
    pushKeys: given.PUSH_KEY,
    pushServices: given.PUSH_SERVICES,
    smtpUrl: given.SMTP_URL,
    mailFrom: given.MAIL_FROM,
    clip: {
      apiBase: given.CLIP_API_BASE,
      sdkUrl: given.CLIP_SDK_URL,
      scriptOrigins: given.CLIP_CSP_SCRIPT,
      frameOrigins: given.CLIP_CSP_FRAME,
      connectOrigins: given.CLIP_CSP_CONNECT,
      threeDsOrigins: given.CLIP_3DS_ORIGINS,
    },
    tapi: {
      loginBase: given.TAPI_LOGIN_BASE,
      apiBase: given.TAPI_API_BASE,
      username: given.TAPI_USERNAME,
      password: given.TAPI_PASSWORD,
      loginKey: given.TAPI_LOGIN_KEY,
      referencesKey: given.TAPI_REFERENCES_KEY,
      companyCode: given.TAPI_COMPANY_CODE,
      modalityId: given.TAPI_MODALITY_ID,
      identifierName: given.TAPI_IDENTIFIER_NAME,
      noticeKeys: given.TAPI_NOTICE_KEYS,
      noticeAddresses: given.TAPI_NOTICE_ADDRESSES,
    },
    facturaGreen: {
      base: given.FACTURA_GREEN_BASE,
      applicationKey: given.FACTURA_GREEN_APPLICATION_KEY,
      accountUuid: given.FACTURA_GREEN_ACCOUNT_UUID,
    },
    bases: Object.fromEntries(SERVICES.map((service) => [service, given[baseOf(service)] ?? ''])) as Record<
      Service,
      string
    >,
    trustedProxies: given.TRUSTED_PROXIES,
    corsOrigins: given.CORS_ORIGINS,
    erasuresFile: given.ERASURES_FILE,
    referenceDays: given.REFERENCE_DAYS,
    clocks: pick(waits, DEFAULT_CLOCKS),
    invoiceClocks: pick(waits, DEFAULT_INVOICE_CLOCKS),
    accountLimits: pick(waits, ACCOUNT_LIMITS),
    helpWork: pick(waits, HELP_WORK),
    cardLimits: pick(waits, DEFAULT_CARD_LIMITS),
    providerWaits: pick(waits, DEFAULT_PROVIDER_WAITS),
    workerWaits: pick(waits, DEFAULT_WORKER_WAITS),
    telemetry: {
      metrics:
        given.METRICS_PORT === undefined
          ? undefined
          : {
              host: given.METRICS_HOST,
              port: given.METRICS_PORT,
              ...pick(waits, DEFAULT_METRICS_WAITS),
            },
      traces:
        given.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
          ? undefined
          : { endpoint: given.OTEL_EXPORTER_OTLP_ENDPOINT, share: given.OTEL_TRACES_SAMPLER_ARG },
    },
    tillCaps: {
      perBranchCentavos: given.TILL_CAP_PER_BRANCH_DAY,
      perAccountCentavos: given.TILL_CAP_PER_ACCOUNT_DAY,
      unknownPerHour: given.TILL_UNKNOWN_PER_HOUR,
    },
  };
}

/** The product's name as it starts wire fields: `Mi Apartado` is `miapartado`. */
function wireNameOf(productName: string): string {
  const slug = productName
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
  return /^[a-z]/.test(slug) ? slug.slice(0, 31) : DEFAULT_WIRE_NAME;
}

function pick<T extends object>(from: T, names: T): T {
  return Object.fromEntries(Object.keys(names).map((name) => [name, from[name as keyof T]])) as T;
}
