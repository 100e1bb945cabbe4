import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { issueConfirmationLink } from './accounts/buyers/confirm-email.ts';
import { createPasswords } from './accounts/buyers/passwords.ts';
import { issueResetLink } from './accounts/buyers/reset-password.ts';
import { accountRoutes } from './accounts/buyers/routes.ts';
import { identify } from './accounts/buyers/session.ts';
import { cancellationRoutes } from './purchases/cancelling/routes.ts';
import { cashRoutes } from './payments/cash/routes.ts';
import { openDb, type Db, type PoolCounts } from './platform/db/db.ts';
import { isMigrated, missingMigrations } from './platform/db/ready.ts';
import type { Settings } from './env.ts';
import type { AppOptions } from './platform/http/app.ts';
import type { Web } from './platform/http/web.ts';
import { type JobDeps, startWorker } from './worker.ts';
import { layawayRoutes } from './purchases/layaways/routes.ts';
import { legalRoutes } from './accounts/legal/routes.ts';
import { legalTextProblems, publishTemplates } from './accounts/legal/templates.ts';
import { createLimiter } from './platform/limiter.ts';
import type { Log } from './platform/logging.ts';
import { merchantRoutes } from './catalogue/merchants/routes.ts';
import type { IssueDeps } from './invoicing/invoices/round.ts';
import { invoiceRoutes } from './invoicing/routes.ts';
import { breaker } from './payments/cards/breaker.ts';
import { testKeyProblems } from './payments/card-keys/credential.ts';
import { paymentRoutes, paymentsOfReference } from './payments/cards/routes.ts';
import type { StartDeps } from './payments/cards/start-card-payment.ts';
import { clip } from './payments/card-provider/clip.ts';
import { tapi } from './payments/cash/tapi.ts';
import { httpClient } from './platform/http-client.ts';
import { facturaGreen } from './invoicing/provider/factura-green.ts';
import { smtp } from './platform/email/smtp.ts';
import { purchaseRoutes } from './purchases/overview/routes.ts';
import { receiptRoutes } from './purchases/receipts/routes.ts';
import { keyedHash } from './platform/secrets.ts';
import { NOOP_INSTRUMENTATION, type Instrumentation } from './platform/telemetry/instrumentation.ts';
import { tillRoutes } from './payments/tills/routes.ts';

export interface Composition {
  readonly db: Db;
  /** For `buildApp`. */
  readonly app: AppOptions;
  /** What the jobs are given. */
  readonly jobs: JobDeps;
  /** What a card payment is given. */
  readonly engine: StartDeps;
  /** Starts what works without being asked: the jobs. */
  start(): Promise<void>;
  /** Ends it, lets what is under way finish, and closes the database. */
  stop(): Promise<void>;
}

/** Why the server does not start, however good its settings are. */
export class StartRefused extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('; '));
    this.problems = problems;
  }
}

const LONGEST_PROOF_MS = 30 * 60_000;
const WEB_FOLDER = fileURLToPath(new URL('../../web/dist', import.meta.url));

/** The wiring diagram: every part with what it is given. */
export function compose(
  settings: Settings,
  log: Log,
  instrumentation: Instrumentation = NOOP_INSTRUMENTATION,
): Composition {
  let pool: PoolCounts | undefined;
  const db = openDb({
    url: settings.databaseUrl,
    max: settings.databasePool,
    onError: (err) => log.error({ err }, 'database connection failed'),
    ...(instrumentation !== NOOP_INSTRUMENTATION && { onStatement: instrumentation.statement }),
    onPool: (counts) => {
      pool = counts;
    },
  });
  const limiter = createLimiter(db);
  const passwords = createPasswords();

  instrumentation.vitals({
    pool: () => ({
      inUse: (pool?.totalCount ?? 0) - (pool?.idleCount ?? 0),
      idle: pool?.idleCount ?? 0,
      waiting: pool?.waitingCount ?? 0,
      most: settings.databasePool,
    }),
    chargesPaused: () => engine.breaker.secondsLeft() > 0,
  });
  const http = httpClient({ connectTimeoutMs: 5_000, instrumentation });
  const mailer = smtp({ url: settings.smtpUrl, from: settings.mailFrom });
  const cash = tapi({
    account: settings.tapi,
    http,
    timeoutMs: settings.providerWaits.cashTimeoutMs,
    now: () => new Date(),
  });
  const issuing: IssueDeps = {
    db,
    invoicing: facturaGreen({
      account: settings.facturaGreen,
      http,
      timeoutMs: settings.providerWaits.invoicingTimeoutMs,
    }),
    invoiceClocks: settings.invoiceClocks,
  };
  const pendingWork = new Set<Promise<void>>();
  const inBackground = (work: Promise<void>) => {
    pendingWork.add(work);
    void work.finally(() => pendingWork.delete(work));
  };
  const engine: StartDeps = {
    db,
    card: clip({
      baseUrl: settings.clip.apiBase,
      http,
      ...settings.providerWaits,
      fingerprintOf: (card) => keyedHash(settings.keyRing, 'card', card),
    }),
    keyRing: settings.keyRing,
    allowTestKeys: !settings.production,
    clocks: settings.clocks,
    threeDsOrigins: settings.clip.threeDsOrigins,
    cardLimits: settings.cardLimits,
    breaker: breaker({ failures: 5, windowMs: 60_000, pauseMs: settings.cardLimits.breakerPauseMs }),
    publicOrigin: settings.publicOrigin,
    instrumentation,
  };

  const payments = paymentsOfReference(db);
  const routes = [
    ...accountRoutes({
      db,
      passwords,
      limiter,
      limits: settings.accountLimits,
      requireTerms: settings.requireTerms,
    }),
    ...legalRoutes({ db }),
    ...merchantRoutes({ db }),
    ...layawayRoutes({ db, referenceDays: settings.referenceDays, payments }),
    ...paymentRoutes(engine),
    ...purchaseRoutes({ db, payments }),
    ...cancellationRoutes({ db }),
    ...cashRoutes({ db, cash, instrumentation }),
    ...receiptRoutes({ db, productName: settings.productName }),
    ...tillRoutes({ ...engine, limiter, tillCaps: settings.tillCaps }),
    ...invoiceRoutes({ ...issuing, inBackground, limiter }),
  ];

  const jobs: JobDeps = {
    ...engine,
    ...issuing,
    cash,
    mailer,
    productName: settings.productName,
    resetLink: (email) => issueResetLink({ db, publicOrigin: settings.publicOrigin }, email),
    confirmationLink: (buyerId) =>
      issueConfirmationLink({ db, publicOrigin: settings.publicOrigin }, buyerId),
    openForLong: () => openDb({ url: settings.databaseUrl, max: 1, longestMs: LONGEST_PROOF_MS }),
    log,
  };
  let worker: Awaited<ReturnType<typeof startWorker>> | undefined;

  return {
    db,
    app: {
      log,
      instrumentation,
      routes,
      identify: (token, address) => identify(db, token, address),
      countMiss: (caller) =>
        limiter.take(
          'miss',
          caller.kind === 'buyer' ? `buyer ${caller.id}` : caller.serviceAccountId,
          settings.accountLimits.missesPerCaller,
        ),
      isReady: () => isMigrated(db),
      productName: settings.productName,
      wireName: settings.wireName,
      secure: settings.production,
      trustedProxies: settings.trustedProxies,
      corsOrigins: settings.corsOrigins,
      checkReplies: !settings.production,
      ...(existsSync(WEB_FOLDER) && { web: webOf(settings) }),
    },
    jobs,
    engine,
    async start() {
      const [first, ...more] = await missingMigrations(db);
      if (first !== undefined)
        throw new StartRefused([`the database lacks ${first} and ${more.length} later migrations`]);
      if (settings.production) {
        const problems = [...(await testKeyProblems(db)), ...(await legalTextProblems(db))];
        if (problems.length > 0) throw new StartRefused(problems);
      } else {
        await publishTemplates(db);
      }
      worker = await startWorker(jobs, { databaseUrl: settings.databaseUrl, concurrency: 4 });
    },
    async stop() {
      await worker?.stop();
      await Promise.all(pendingWork);
      mailer.close();
      await http.close();
      await db.destroy();
    },
  };
}

/** The web app's settings, and the origins that its documents may reach because of them. */
function webOf({ production, productName, wireName, bases, clip }: Settings): Web {
  const services = Object.values(bases)
    .filter((base) => base !== '')
    .map((base) => new URL(base).origin);
  return {
    folder: WEB_FOLDER,
    config: {
      productName,
      wireName,
      bases,
      clipSdkUrl: clip.sdkUrl,
      threeDsOrigins: clip.threeDsOrigins,
      designPage: !production,
    },
    origins: {
      services: [...new Set(services)],
      cardScripts: clip.scriptOrigins,
      cardFrames: [...new Set([...clip.frameOrigins, ...clip.threeDsOrigins])],
      cardConnections: clip.connectOrigins,
    },
  };
}
