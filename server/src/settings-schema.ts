import { parseFeePolicy } from '@aparta/domain/service-fee';
import * as v from 'valibot';

import { ACCOUNT_LIMITS } from './accounts/credentials/limits.ts';
import { STREAM_WAITS } from './platform/changes/streams.ts';
import { PATIENCE_MS } from './platform/db/admission.ts';
import { serversOf } from './platform/db/primary.ts';
import { DEFAULT_INVOICE_CLOCKS } from './invoicing/invoices/invoice.ts';
import { DEFAULT_CLOCKS } from './payments/cards/attempt.ts';
import { HELP_WORK } from './purchases/help-links/refuse-without-work.ts';
import { DEFAULT_CARD_LIMITS } from './payments/cards/card-limits.ts';
import { readPushKey } from './accounts/pushes/push-keys.ts';
import { readKeyRing } from './platform/secrets.ts';
import {
  address,
  headerValue,
  networks,
  oneOf,
  parsed,
  pesosAmount,
  share,
  sources,
  wholeNumber,
  words,
  yesOrNo,
} from './platform/setting-values.ts';

/** The web app's services, each with a base address of its own (spec §7). */
export const SERVICES = [
  'account',
  'layaway',
  'payments',
  'operations',
  'receivables',
  'invoicing',
  'notifications',
  'ip',
] as const;
export type Service = (typeof SERVICES)[number];

type BaseName = `${Uppercase<Service>}_BASE`;

export function baseOf(service: Service): BaseName {
  return `${service.toUpperCase() as Uppercase<Service>}_BASE`;
}

/** For development only; production refuses them. */
const DEVELOPMENT_SECRETS_KEY = Buffer.alloc(32, 'aparta development').toString('base64');
const DEVELOPMENT_PUSH_KEY = Buffer.alloc(32, 'aparta push').toString('base64');
const DEVELOPMENT_NOTICE_KEY = 'aparta-development-notices';

/** Different bytes in a key of 32, and characters in one of 24: less is no chance, but a key that somebody typed. */
const LEAST_BYTES = 16;
const LEAST_CHARACTERS = 5;

/** Of Chrome and Edge on Android, Firefox, Safari, and Edge on Windows. */
const PUSH_SERVICES = 'fcm.googleapis.com *.push.services.mozilla.com *.push.apple.com *.notify.windows.com';

/** Where development finds the providers that no setting names. */
const LOCAL_PROVIDERS = 'http://localhost:4000';

/**
 * How long a provider may take to answer: a charge, another card call (rules/card-attempts#clocks), a call for cash references,
 * one for invoices.
 */
export const DEFAULT_PROVIDER_WAITS = {
  chargeTimeoutMs: 40_000,
  readTimeoutMs: 15_000,
  cashTimeoutMs: 6_000,
  invoicingTimeoutMs: 30_000,
};

/** How long one reading of the database serves every scrape. */
export const DEFAULT_METRICS_WAITS = { metricsFreshMs: 10_000 };

/** How often idle workers poll for jobs that are due, for emails, and for webhooks. */
export const DEFAULT_WORKER_WAITS = { jobsPollMs: 2_000, emailsPollMs: 1_000, webhooksPollMs: 1_000 };

export const WAITS = {
  ...STREAM_WAITS,
  ...DEFAULT_CLOCKS,
  ...DEFAULT_INVOICE_CLOCKS,
  ...ACCOUNT_LIMITS,
  ...DEFAULT_CARD_LIMITS,
  ...HELP_WORK,
  ...DEFAULT_PROVIDER_WAITS,
  ...DEFAULT_METRICS_WAITS,
  ...DEFAULT_WORKER_WAITS,
  patienceMs: PATIENCE_MS,
};

/** What docs/settings.md says of a setting beside its description. */
interface SettingNotes {
  readonly required?: true;
  /** Nobody else may read it: it may come from a file that `…_FILE` names, as Docker and systemd hand secrets over. */
  readonly secret?: true;
  /** The default in words, where its value says less or follows from another setting. */
  readonly otherwise?: string;
}

type Text = v.GenericSchema<string>;

/**
 * Every setting that the server reads, in the order in which problems are told; docs/settings.md is made of it. Messages
 * follow the setting's name and never repeat its value, which may be a secret.
 */
export function settingsSchema(production: boolean) {
  const url = address(production);

  function setting<S extends v.GenericSchema<string, unknown>, const D extends string | undefined>(
    about: string,
    schema: S,
    otherwise: D,
    notes: SettingNotes = {},
  ) {
    return v.pipe(v.optional(schema, otherwise), v.description(about), v.metadata({ ...notes }));
  }
  /** Has its default in development alone: production refuses that of a secret, which anybody knows. */
  function required<S extends v.GenericSchema<string, unknown>, const D extends string | undefined>(
    about: string,
    schema: S,
    inDevelopment: D,
    notes: SettingNotes = {},
  ) {
    const isDemo = (given: string) => notes.secret === true && given === inDevelopment;
    const present = v.pipe(
      v.string(),
      v.nonEmpty('is missing'),
      notInProduction(isDemo, 'is the one of development'),
      schema,
    );
    return setting(about, present, production ? '' : inDevelopment, { required: true, ...notes });
  }
  /** Refuses, in production, a value that is good for a demonstration and never for money. */
  function notInProduction(refused: (given: string) => boolean, message: string): Text {
    return v.pipe(
      v.string(),
      v.check((given) => !production || !refused(given), message),
    );
  }

  const base = (service: Service) =>
    setting(`Where the web app finds the service \`${service}\`.`, url, undefined, {
      otherwise: 'the same origin',
    });
  const bases = Object.fromEntries(SERVICES.map((service) => [baseOf(service), base(service)])) as Record<
    BaseName,
    ReturnType<typeof base>
  >;

  return v.object({
    NODE_ENV: setting('`production` turns on every rule of production.', v.string(), 'development', {
      required: true,
    }),
    DATABASE_URL: setting(
      'A `postgres://` address, or one of several hosts, with the login of the server alone. In development with the ' +
        'login that owns the database; without it `npm start` runs the embedded PostgreSQL.',
      v.pipe(v.string(), v.nonEmpty('is missing'), v.check(isPostgres, 'is not a postgres:// address')),
      '',
      { required: true, secret: true, otherwise: 'none' },
    ),
    DATABASE_OWNER_URL: setting(
      'The same with the login that owns it: for migrations, backups and the commands. Refused by a server in production.',
      v.pipe(v.string(), v.check(isPostgres, 'is not a postgres:// address')),
      undefined,
      { secret: true, otherwise: '`DATABASE_URL`' },
    ),
    TEST_CLOCKS: setting(
      'JSON that replaces waits and limits, for tests. Refused in production.',
      v.pipe(
        notInProduction(() => true, 'is for tests only'),
        v.parseJson({}, 'is not JSON'),
        testClocks(),
      ),
      undefined,
    ),
    SEED_DEMO: setting(
      '`true`: demo data is made in an empty database of `DATABASE_URL`. `false`: none is made in the embedded one. ' +
        'Refused in production when `true`.',
      notInProduction((given) => given === 'true', 'is for demonstrations only'),
      undefined,
      { otherwise: '`true` for the embedded database' },
    ),
    PORT: setting('The port to listen on.', wholeNumber(0, 65_535), '3000'),
    HOST: setting('The address to listen on.', v.string(), '127.0.0.1'),
    METRICS_PORT: setting('The port of `/metrics`, for Prometheus.', wholeNumber(0, 65_535), undefined, {
      otherwise: 'no metrics',
    }),
    METRICS_HOST: setting(
      'The address that `/metrics` listens on. Never one that buyers reach.',
      v.string(),
      '127.0.0.1',
    ),
    OTEL_EXPORTER_OTLP_ENDPOINT: setting(
      'A collector of traces, like `http://127.0.0.1:4318`.',
      address(false),
      undefined,
      { otherwise: 'no traces' },
    ),
    OTEL_TRACES_SAMPLER_ARG: setting('The share of traces that are kept, 0 to 1.', share(), '1'),
    LOG_LEVEL: setting(
      '`fatal`, `error`, `warn`, `info`, `debug` or `silent`.',
      oneOf('fatal', 'error', 'warn', 'info', 'debug', 'silent'),
      'info',
    ),
    DATABASE_POOL: setting(
      'Most database connections of the work of one server, 2 to 200; half as many calls are worked on at once. The queue of jobs and the streams have up to 24 more.',
      wholeNumber(2, 200),
      '10',
    ),
    OPEN_STREAMS: setting(
      'Most screens that one server tells at once of payments; others ask every few seconds.',
      wholeNumber(0, 100_000),
      '2000',
    ),
    PUBLIC_ORIGIN: required(
      'Where buyers find the product, without a path. Used in emails, QR links and the addresses of notices. https.',
      v.pipe(
        url,
        v.check((given) => new URL(given).pathname === '/', 'must be an origin, without a path'),
        v.transform((given) => new URL(given).origin),
      ),
      undefined,
      { otherwise: '`http://localhost:PORT`' },
    ),
    HELP_EMAIL: required(
      'Where buyers write about a payment; every screen names it under Ayuda.',
      v.pipe(v.string(), v.email('is not an email address')),
      'ayuda@aparta.test',
    ),
    HELP_PHONE: required(
      'The telephone for the same.',
      v.pipe(v.string(), v.regex(/^\+?[\d ()-]{8,24}$/, 'is not a telephone number')),
      '55 0000 0000',
    ),
    PRODUCT_NAME: setting('The name on screens and in emails.', v.string(), 'Aparta'),
    PRODUCT_WIRE_NAME: setting(
      'What the wire field `…BusinnessId` starts with: lower-case emails and digits.',
      v.pipe(v.string(), v.regex(/^[a-z][a-z0-9]{0,30}$/, 'must be lower-case emails and digits')),
      undefined,
      { otherwise: 'from `PRODUCT_NAME`' },
    ),
    REQUIRE_TERMS: required(
      '`true`: sign-up needs the terms box. `false`: it is only recorded.',
      yesOrNo(),
      'false',
    ),
    SERVICE_FEE_POLICY: required(
      'The fee per payment of a new merchant: `none`, `all:15.00`, or the ways that carry it, `card:15.00`, `card,till:12.50`.',
      parsed(parseFeePolicy, 'must be none, or like card:15.00 or all:15.00'),
      'card:15.00',
    ),
    SECRETS_KEY: required(
      "Encrypts merchants' provider keys. 32 bytes in base64, or a ring of `id:key` pairs.",
      v.pipe(
        notInProduction((given) => given.includes(DEVELOPMENT_SECRETS_KEY), 'is the one of development'),
        parsed(
          readKeyRing,
          'must be 32 bytes in base64 (openssl rand -base64 32), or id:key pairs separated by commas',
        ),
        v.check(
          ({ current, keys }) => !production || new Set(keys.get(current)).size >= LEAST_BYTES,
          'can be guessed: make its first key with openssl rand -base64 32, and keep an older one behind it',
        ),
      ),
      DEVELOPMENT_SECRETS_KEY,
      { secret: true, otherwise: 'one for development' },
    ),
    PUSH_KEY: setting(
      'Signs what is pushed to phones: 32 bytes in base64. With another one every phone has to be asked again.',
      v.pipe(
        notInProduction((given) => given === DEVELOPMENT_PUSH_KEY, 'is the one of development'),
        parsed(readPushKey, 'must be 32 bytes in base64 (openssl rand -base64 32)'),
      ),
      production ? undefined : DEVELOPMENT_PUSH_KEY,
      { secret: true, otherwise: 'nothing is pushed; one for development' },
    ),
    PUSH_SERVICES: setting(
      'Hosts of the push services that browsers may name, `*.` before those of any name below, separated by spaces.',
      words(),
      production ? PUSH_SERVICES : `${PUSH_SERVICES} localhost`,
    ),
    SMTP_URL: required(
      '`smtp://` or `smtps://`, with user and password if needed.',
      v.pipe(v.string(), v.regex(/^smtps?:\/\/.+/, 'is not an smtp:// or smtps:// address')),
      'smtp://127.0.0.1:4001',
      { secret: true, otherwise: 'the sandbox' },
    ),
    MAIL_FROM: required('The sender of every email.', v.string(), 'Aparta <no-responder@aparta.test>'),
    CLIP_API_BASE: setting("Clip's API. https.", url, 'https://api.payclip.com'),
    CLIP_SDK_URL: setting(
      "Clip's script for the card screen. https.",
      url,
      'https://sdk.clip.mx/js/clip-sdk.js',
    ),
    CLIP_CSP_SCRIPT: setting(
      'Origins that the card screens may load scripts from.',
      sources(),
      'https://sdk.clip.mx https://tools.clip.mx',
    ),
    CLIP_CSP_FRAME: setting(
      'Origins that they may show in a frame.',
      sources(),
      'https://elements.clip.mx https://3ds.payclip.com https://3ds.payclip.io',
    ),
    CLIP_CSP_CONNECT: setting(
      'Origins that they may call.',
      sources(),
      'https://sdk.clip.mx https://tools.clip.mx https://api.payclip.com',
    ),
    CLIP_3DS_ORIGINS: setting(
      "Origins of the bank's window. Nobody else's window is shown or listened to.",
      sources(),
      'https://3ds.payclip.com https://3ds.payclip.io',
    ),
    TAPI_LOGIN_BASE: setting(
      'Where the cash network Tapi signs us in. https.',
      url,
      production ? 'https://login.tapila.cloud' : LOCAL_PROVIDERS,
      { otherwise: '`https://login.tapila.cloud`; in development the sandbox' },
    ),
    TAPI_API_BASE: required("Tapi's API. https.", url, LOCAL_PROVIDERS, { otherwise: 'the sandbox' }),
    TAPI_USERNAME: required('Our user there.', v.string(), 'aparta-demo'),
    TAPI_PASSWORD: required('Its password.', v.string(), 'aparta-demo-2026', { secret: true }),
    TAPI_LOGIN_KEY: required('The API key of the sign-in.', headerValue(), 'demo-login-key', {
      secret: true,
    }),
    TAPI_REFERENCES_KEY: required(
      'The API key of the reference calls.',
      headerValue(),
      'demo-references-key',
      { secret: true },
    ),
    TAPI_COMPANY_CODE: required('Our company there.', v.string(), 'MX-S-00001'),
    TAPI_MODALITY_ID: required(
      'The modality of our references.',
      v.string(),
      'b0000000-0000-4000-8000-000000000001',
    ),
    TAPI_IDENTIFIER_NAME: required('The name of the identifier in it.', v.string(), 'referencia'),
    TAPI_NOTICE_KEYS: required(
      'The key that payment notices carry, at least 24 characters. Two, separated by a comma, while they are exchanged.',
      v.pipe(
        notInProduction((given) => given.includes(DEVELOPMENT_NOTICE_KEY), 'has the one of development'),
        v.transform((given) => given.split(',').map((key) => key.trim())),
        // Whoever has one can report cash as paid, so they are long.
        v.check(
          (keys) => keys.length <= 2 && keys.every((key) => /^[\x21-\x7e]{24,200}$/.test(key)),
          'must be one key of at least 24 characters, or two separated by a comma',
        ),
        v.check(
          (keys) => !production || keys.every((key) => new Set(key).size >= LEAST_CHARACTERS),
          'can be guessed: make one with openssl rand -hex 24',
        ),
      ),
      DEVELOPMENT_NOTICE_KEY,
      { secret: true },
    ),
    TAPI_NOTICE_ADDRESSES: setting(
      "Addresses or networks that Tapi's notices may come from, separated by spaces.",
      networks({ mayBeAll: true }),
      '',
      { otherwise: 'any' },
    ),
    FACTURA_GREEN_BASE: required(
      'The invoicing provider FacturaGreen: our address there. https.',
      url,
      LOCAL_PROVIDERS,
      { otherwise: 'the sandbox' },
    ),
    FACTURA_GREEN_APPLICATION_KEY: required('Our key there.', headerValue(), 'demo-application-key', {
      secret: true,
    }),
    FACTURA_GREEN_ACCOUNT_UUID: required(
      'Our account there. Each merchant has a business of its own in it.',
      headerValue(),
      'c0000000-0000-4000-8000-000000000001',
    ),
    ...bases,
    TRUSTED_PROXIES: setting(
      'Addresses or networks whose `X-Forwarded-For` is believed, separated by spaces.',
      networks({ mayBeAll: false }),
      '',
    ),
    ERASURES_FILE: setting(
      'A file beside the backups, to which `buyer erase` and `help forget` add each: it must survive the database. Production erases nobody without it.',
      v.string(),
      undefined,
      { otherwise: 'none' },
    ),
    CORS_ORIGINS: setting('Other web apps that may call from a browser.', sources(), ''),
    REFERENCE_DAYS: setting(
      'Days that a layaway reference lives, besides the one it is made on, 0 to 60.',
      wholeNumber(0, 60),
      '2',
    ),
    CARD_TRIES_UNCONFIRMED: setting(
      'Card payments that a buyer may begin in a day before their email is confirmed; each asks for 3DS.',
      wholeNumber(0, 1_000),
      '3',
    ),
    TILL_CAP_PER_BRANCH_DAY: setting(
      "The most that one branch of a till's chain may take in a day, in pesos.",
      pesosAmount(),
      '200000.00',
    ),
    TILL_CAP_PER_ACCOUNT_DAY: setting(
      'The most that one till account may take in a day over all branches that it names, in pesos.',
      pesosAmount(),
      '2000000.00',
    ),
    TILL_UNKNOWN_PER_HOUR: setting(
      'Most references that do not exist which one till account may ask about in an hour.',
      wholeNumber(1, 1_000_000),
      '300',
    ),
  });
}

export interface DocumentedSetting extends SettingNotes {
  readonly name: string;
  readonly about: string;
  /** Its default in development. */
  readonly fallback?: string | undefined;
}

/** What docs/settings.md says of each setting that the server reads. */
export function documentedSettings(): DocumentedSetting[] {
  return Object.entries(settingsSchema(false).entries).map(([name, setting]) => ({
    name,
    about: v.getDescription(setting) ?? '',
    fallback: v.getDefault(setting),
    ...(v.getMetadata(setting) as SettingNotes),
  }));
}

/** One host as the driver takes it, or a list of hosts that each are an address. */
function isPostgres(given: string): boolean {
  const servers = serversOf(given);
  return (
    /^postgres(ql)?:\/\//.test(given) &&
    (servers.length === 1 || servers.every((server) => URL.canParse(server)))
  );
}

/** Some waits of the payment and invoice engines and limits of the account calls, each in its own shape. */
function testClocks(): v.GenericSchema<unknown, Partial<typeof WAITS>> {
  const entries = Object.entries(WAITS).map(([name, wait]) => [name, v.optional(shapeOf(wait))]);
  return v.strictObject(Object.fromEntries(entries) as Record<string, v.GenericSchema>, ({ expected }) =>
    expected === 'never' ? 'names what is no wait or limit' : 'is not a JSON object',
  ) as unknown as v.GenericSchema<unknown, Partial<typeof WAITS>>;
}

function shapeOf(model: unknown): v.GenericSchema {
  const message = 'has another shape than it has here';
  if (Array.isArray(model)) return v.array(v.number(message), message);
  if (typeof model === 'object' && model !== null)
    return v.object(
      Object.fromEntries(Object.entries(model).map(([key, part]) => [key, shapeOf(part)])),
      message,
    );
  return typeof model === 'boolean' ? v.boolean(message) : v.number(message);
}
