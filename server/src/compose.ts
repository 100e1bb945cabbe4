import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { createPasswords } from './account/passwords.ts';
import { issueResetLink } from './account/reset-password.ts';
import { accountRoutes } from './account/routes.ts';
import { identify } from './account/session.ts';
import { cancellationRoutes } from './cancellations/routes.ts';
import { cashRoutes } from './cash/routes.ts';
import { openDb, type Db } from './db/db.ts';
import { isMigrated } from './db/ready.ts';
import type { Settings } from './env.ts';
import type { AppOptions } from './http/app.ts';
import type { Web } from './http/web.ts';
import { type JobDeps, startWorker } from './jobs/worker.ts';
import { layawayRoutes } from './layaway/routes.ts';
import { createLimiter } from './limiter.ts';
import type { Log } from './logging.ts';
import { merchantRoutes } from './merchants/routes.ts';
import { breaker } from './payments/breaker.ts';
import { refuseTestKeys } from './payments/credential.ts';
import { paymentRoutes, paymentsOfReference } from './payments/routes.ts';
import type { StartDeps } from './payments/start-card-payment.ts';
import { clip } from './providers/card/clip.ts';
import { tapi } from './providers/cash/tapi.ts';
import { httpClient } from './providers/http-client.ts';
import { smtp } from './providers/mail/smtp.ts';
import { purchaseRoutes } from './purchases/routes.ts';
import { receiptRoutes } from './receipts/routes.ts';
import { tillRoutes } from './tills/routes.ts';

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

const WEB_FOLDER = fileURLToPath(new URL('../../web/dist', import.meta.url));

/** The wiring diagram: every part with what it is given. */
export function compose(settings: Settings, log: Log): Composition {
  const db = openDb({
    url: settings.databaseUrl,
    max: settings.databasePool,
    onError: (err) => log.error({ err }, 'database connection failed'),
  });
  const limiter = createLimiter(db);
  const passwords = createPasswords();

  const http = httpClient({ connectTimeoutMs: 5_000 });
  const mail = smtp({ url: settings.smtpUrl, from: settings.mailFrom });
  const cash = tapi({
    account: settings.tapi,
    http,
    timeoutMs: settings.providerWaits.cashTimeoutMs,
    now: () => new Date(),
  });
  const engine: StartDeps = {
    db,
    card: clip({ baseUrl: settings.clip.apiBase, http, ...settings.providerWaits }),
    keyRing: settings.keyRing,
    allowTestKeys: !settings.production,
    clocks: settings.clocks,
    threeDsOrigins: settings.clip.threeDsOrigins,
    cardLimits: settings.cardLimits,
    breaker: breaker({ failures: 5, windowMs: 60_000, pauseMs: settings.cardLimits.breakerPauseMs }),
    publicOrigin: settings.publicOrigin,
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
    ...merchantRoutes({ db }),
    ...layawayRoutes({ db, referenceDays: settings.referenceDays, payments }),
    ...paymentRoutes(engine),
    ...purchaseRoutes({ db, payments }),
    ...cancellationRoutes({ db }),
    ...cashRoutes({ db, cash }),
    ...receiptRoutes({ db, productName: settings.productName }),
    ...tillRoutes({ ...engine, tillCapCentavos: settings.tillCapCentavos }),
  ];

  const jobs: JobDeps = {
    ...engine,
    cash,
    mail,
    productName: settings.productName,
    resetLink: (email) => issueResetLink({ db, publicOrigin: settings.publicOrigin }, email),
    log,
  };
  let worker: Awaited<ReturnType<typeof startWorker>> | undefined;

  return {
    db,
    app: {
      log,
      routes,
      identify: (token) => identify(db, token),
      countMiss: (caller) =>
        limiter.take(
          'miss',
          caller.kind === 'buyer' ? `buyer ${caller.id}` : caller.credentialId,
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
      if (settings.production) await refuseTestKeys(db);
      worker = await startWorker(jobs, { databaseUrl: settings.databaseUrl, concurrency: 4 });
    },
    async stop() {
      await worker?.stop();
      mail.close();
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
