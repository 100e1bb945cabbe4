import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { COUNTER_DEVICE_HEADER } from '@aparta/contract/counter-devices';

import { issueConfirmationLink } from './accounts/buyers/confirm-email.ts';
import { createPasswords } from './accounts/credentials/passwords.ts';
import { issueResetLink } from './accounts/buyers/reset-password.ts';
import { accountForms, accountRoutes } from './accounts/routes.ts';
import { calendarOwner } from './accounts/calendar/calendar-link.ts';
import { calendarRoutes } from './accounts/calendar/routes.ts';
import { pushRoutes } from './accounts/pushes/routes.ts';
import { forgetPasskeys } from './accounts/passkeys/forget-passkeys.ts';
import { passkeyRoutes } from './accounts/passkeys/routes.ts';
import { deviceRoutes } from './accounts/devices/routes.ts';
import { identify } from './accounts/identify.ts';
import { mailedInvitation } from './accounts/staff/invite.ts';
import { issueStaffResetLink } from './accounts/staff/reset-password.ts';
import { staffRoutes } from './accounts/staff/routes.ts';
import { cancellationRoutes } from './purchases/cancelling/routes.ts';
import { claimRoutes } from './purchases/claims/routes.ts';
import { endingRoutes } from './purchases/ending/routes.ts';
import { helpLinkRoutes } from './purchases/help-links/routes.ts';
import { activityRoutes } from './back-office/activity/routes.ts';
import { privacyRoutes } from './back-office/privacy/routes.ts';
import { readCalendar } from './purchases/calendar/read-calendar.ts';
import { purchaseCalendarRoutes } from './purchases/calendar/routes.ts';
import { movingRoutes } from './purchases/moving/routes.ts';
import { pickupRoutes } from './purchases/hand-over/routes.ts';
import { presentPreview } from './catalogue/labels/present.ts';
import { previewOf } from './catalogue/labels/preview.ts';
import { cashRoutes } from './payments/cash/routes.ts';
import { changeRoutes } from './platform/changes/routes.ts';
import { openStreams } from './platform/changes/streams.ts';
import { transaction } from './platform/db/transaction.ts';
import { openDb, type Db, type DbRole, type PoolCounts } from './platform/db/db.ts';
import { demoProblems } from './back-office/readiness/demo-left.read-model.ts';
import { isReady, missingMigrations } from './platform/db/ready.ts';
import { loginProblems } from './platform/db/server-login.ts';
import type { Settings } from './env.ts';
import type { AppOptions } from './platform/http/app.ts';
import type { Web } from './platform/http/web.ts';
import { type JobDeps, silentFor, startWorker, type Worker } from './worker.ts';
import { layawayRoutes } from './purchases/layaways/routes.ts';
import { answerText, legalRoutes } from './accounts/legal/routes.ts';
import { legalTextProblems } from './accounts/legal/templates.ts';
import { createLimiter, type Limiter } from './platform/limiter.ts';
import { type Log, logFailures } from './platform/logging.ts';
import { productRoutes } from './catalogue/labels/routes.ts';
import { pictureNamed } from './catalogue/pictures/set-picture.ts';
import { merchantRoutes } from './catalogue/merchants/routes.ts';
import type { IssueDeps } from './invoicing/invoices/round.ts';
import { invoiceRoutes } from './invoicing/routes.ts';
import { breaker } from './payments/cards/breaker.ts';
import { testKeyProblems } from './payments/card-keys/credential.ts';
import { helpRoutes } from './payments/helping/routes.ts';
import { readHelpNews } from './payments/cards/help-news.read-model.ts';
import { cardKeyOf } from './payments/cards/refresh-attempt.ts';
import { paymentRoutes, paymentsOfReference } from './payments/cards/routes.ts';
import type { StartDeps } from './payments/cards/send-charge.ts';
import { clip } from './payments/card-provider/clip.ts';
import { sharingLists } from './payments/card-provider/shared-lists.ts';
import { pollSoon } from './payments/cash/poll-references.ts';
import { tapi } from './payments/cash/tapi.ts';
import { httpClient, type HttpClient } from './platform/http-client.ts';
import { idOf } from './platform/principal.ts';
import { facturaGreen } from './invoicing/provider/factura-green.ts';
import { smtp } from './platform/email/smtp.ts';
import { purchaseRoutes } from './purchases/overview/routes.ts';
import { receiptBlocks } from './purchases/receipts/receipt-blocks.ts';
import { receiptRoutes } from './purchases/receipts/routes.ts';
import { statementRoutes } from './purchases/statement/routes.ts';
import { keyedHash } from './platform/secrets.ts';
import { NOOP_INSTRUMENTATION, type Instrumentation } from './platform/telemetry/instrumentation.ts';
import { evidenceRoutes } from './back-office/evidence/routes.ts';
import { cutRoutes } from './payments/counter/cuts/routes.ts';
import { handOverRoutes } from './payments/counter/hand-overs/routes.ts';
import { counterRoutes } from './payments/counter/routes.ts';
import { eventsOf } from './back-office/webhooks/present.ts';
import { webhookRoutes } from './back-office/webhooks/routes.ts';
import { openOutside } from './platform/post-outside.ts';
import { shopRoutes } from './back-office/counter/routes.ts';
import { readWarning } from './purchases/ending/read-warning.ts';
import { readReminder } from './purchases/reminders/read-reminder.ts';
import { readRemindersOffCode, remindersOffCode, turnRemindersOff } from './accounts/buyers/reminders-off.ts';
import { readUnsubscribeCode, unsubscribe, unsubscribeCode } from './accounts/staff/unsubscribe.ts';
import { readDigest } from './back-office/digest/digest.read-model.ts';
import { readShopNews } from './back-office/shop-mails/shop-mails.read-model.ts';
import { fileRoutes } from './back-office/counter/files/routes.ts';
import { shopInvoiceRoutes } from './back-office/counter/invoices/routes.ts';
import { shopSettlementRoutes } from './back-office/counter/settlements/routes.ts';
import { reportRoutes } from './back-office/counter/reports/routes.ts';
import { shelfRoutes } from './back-office/counter/shelf/routes.ts';
import { tillRoutes } from './payments/tills/routes.ts';
import { SERVER_FOLDER } from './platform/files/server-folder.ts';

export interface Composition {
  readonly db: Db;
  /** For `buildApp`. */
  readonly app: AppOptions;
  /** What the jobs are given. */
  readonly jobs: JobDeps;
  /** What a card payment is given. */
  readonly engine: StartDeps;
  /** Rejects with `StartRefused` where the database is not ready. */
  check(): Promise<void>;
  /** Starts the jobs; until it has, they count as silent and the server as not ready. May be tried again. */
  startJobs(): Promise<void>;
  /** Stops the jobs, lets work under way finish, and closes the database. */
  stop(): Promise<void>;
}

/** The settings are right and the server may not start all the same. */
export class StartRefused extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('; '));
    this.problems = problems;
  }
}

const COUNTER_DEVICE = COUNTER_DEVICE_HEADER.toLowerCase();
const LONGEST_PROOF_MS = 30 * 60_000;
const WEB_FOLDER = fileURLToPath(new URL('../web/dist', SERVER_FOLDER));
const COUNTER_FOLDER = fileURLToPath(new URL('../counter/dist', SERVER_FOLDER));

/** The wiring diagram: every part with what it is given. Works as the server, or as the operator whose command it is. */
export function compose(
  settings: Settings,
  log: Log,
  instrumentation: Instrumentation = NOOP_INSTRUMENTATION,
  role: DbRole = 'aparta_app',
): Composition {
  const login = { url: role === 'aparta_app' ? settings.databaseUrl : settings.databaseOwnerUrl, role };
  const database = openDatabase({ ...login, max: settings.databasePool }, log, instrumentation);
  const parts = composeOver(database, settings, log, { instrumentation, login });
  return {
    ...parts,
    async stop() {
      await parts.stop();
      await database.db.destroy();
    },
  };
}

/** The same over a database that is open, and stays so when the parts stop. */
export function composeOver(
  { db, counts }: OpenDatabase,
  settings: Settings,
  log: Log,
  { instrumentation, login }: { instrumentation: Instrumentation; login: { url: string; role: DbRole } },
): Composition {
  const pool = () => {
    const { all, idle, waiting } = counts();
    return { inUse: all - idle, idle, waiting, most: settings.databasePool };
  };
  const limiter = createLimiter(db);
  const http = httpClient({ connectTimeoutMs: 5_000, instrumentation });
  const outside = openOutside({ isGuarded: settings.production });
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
  const engine = cardEngine(settings, { db, http, instrumentation });
  let worker: Worker | undefined;
  let jobsWantedAt: number | undefined;
  const jobsAreStarting = () => jobsWantedAt !== undefined && worker === undefined;
  const jobsSilentMs = () =>
    worker?.silentMs() ?? silentFor(jobsWantedAt === undefined ? 0 : performance.now() - jobsWantedAt);
  const streams = openStreams({
    databaseUrl: login.url,
    log,
    most: settings.openStreams,
    waits: settings.streamWaits,
  });
  instrumentation.vitals({
    pool,
    streams: streams.vitals,
    chargesPaused: () => engine.breaker.secondsLeft() > 0,
    jobsSilentMs,
    logFailures,
  });

  const background = backgroundWork();
  const payments = paymentsOfReference(db);
  const passwords = createPasswords();
  const accounts = { db, passwords, limiter, limits: settings.accountLimits };
  const pushes = {
    db,
    outside,
    pushKeys: settings.pushKeys,
    pushServices: settings.pushServices,
  };
  const calendar = { db, productName: settings.productName, publicOrigin: settings.publicOrigin };
  const routes = [
    ...accountRoutes({
      ...accounts,
      requireTerms: settings.requireTerms,
      publicOrigin: settings.publicOrigin,
      secure: settings.production,
      inBackground: (work) =>
        background.run(
          work.then(() => {}).catch((err: unknown) => log.warn({ err }, 'an act was not written')),
        ),
    }),
    ...staffRoutes({ ...accounts, publicOrigin: settings.publicOrigin, forgetPasskeys }),
    ...deviceRoutes({ ...accounts, publicOrigin: settings.publicOrigin }),
    ...passkeyRoutes({
      ...accounts,
      publicOrigin: settings.publicOrigin,
      productName: settings.productName,
    }),
    ...pushRoutes(pushes),
    ...calendarRoutes({ ...accounts, keyRing: settings.keyRing, publicOrigin: settings.publicOrigin }),
    ...legalRoutes({ db }),
    ...merchantRoutes({ db }),
    ...productRoutes({ db, publicOrigin: settings.publicOrigin }),
    ...layawayRoutes({ db, referenceDays: settings.referenceDays, payments }),
    ...paymentRoutes(engine),
    ...purchaseRoutes({ db, payments }),
    ...cancellationRoutes({ db }),
    ...claimRoutes({ db }),
    ...endingRoutes({ db }),
    ...helpLinkRoutes({ db, keyRing: settings.keyRing }),
    ...movingRoutes({ db }),
    ...purchaseCalendarRoutes(calendar),
    ...activityRoutes({ db }),
    ...privacyRoutes({ ...accounts, productName: settings.productName }),
    ...helpRoutes({ ...engine, cash, keyRing: settings.keyRing, helpWork: settings.helpWork, limiter }),
    ...pickupRoutes({ db, keyRing: settings.keyRing }),
    ...cashRoutes({ db, cash, instrumentation, log }),
    ...receiptRoutes({ db, productName: settings.productName }),
    ...statementRoutes({ db, productName: settings.productName }),
    ...tillRoutes({ ...engine, limiter, tillCaps: settings.tillCaps }),
    ...counterRoutes({ db, limiter, tillCaps: settings.tillCaps }),
    ...handOverRoutes({ db, limiter, tillCaps: settings.tillCaps, keyRing: settings.keyRing }),
    ...cutRoutes({ db, productName: settings.productName }),
    ...evidenceRoutes({ db, productName: settings.productName }),
    ...shopRoutes({ db }),
    ...reportRoutes({ db }),
    ...shopInvoiceRoutes({ db }),
    ...shopSettlementRoutes({ db }),
    ...shelfRoutes({ db }),
    ...fileRoutes({ db }),
    ...webhookRoutes({ db, keyRing: settings.keyRing, outside }),
    ...invoiceRoutes({ ...issuing, inBackground: background.run, limiter }),
    ...changeRoutes({ streams, identify: (token, address) => identify(db, token, address) }),
  ];

  const jobs: JobDeps = {
    ...engine,
    ...issuing,
    ...pushes,
    pushContact: settings.help.email,
    publicOrigin: settings.publicOrigin,
    webhookEvents: eventsOf,
    cash,
    mailer,
    productName: settings.productName,
    resetLink: (email) => issueResetLink({ db, publicOrigin: settings.publicOrigin }, email),
    staffResetLink: (email) => issueStaffResetLink({ db, publicOrigin: settings.publicOrigin }, email),
    staffInvitation: (merchantId, email) =>
      mailedInvitation({ db, publicOrigin: settings.publicOrigin }, merchantId, email),
    shopDigest: (of) => readDigest(db, of),
    unsubscribeCode: (of) => unsubscribeCode(settings.keyRing, of),
    shopNews: (of) => readShopNews(db, of),
    reminder: (of) => readReminder({ db, cardKeyOf: (merchantId) => cardKeyOf(db, merchantId) }, of),
    endWarning: (of) => readWarning(db, of),
    helpNews: (of) => readHelpNews(db, of),
    remindersOffCode: (buyerId) => remindersOffCode(settings.keyRing, buyerId),
    confirmationLink: (buyerId) =>
      issueConfirmationLink({ db, publicOrigin: settings.publicOrigin }, buyerId),
    receiptBlocks: (buyerId, folio) => receiptBlocks(db, buyerId, folio),
    openForLong: () => openDb({ ...login, max: 1, longestMs: LONGEST_PROOF_MS }),
    log,
  };

  return {
    db,
    app: {
      ...appOptions(settings, { db, limiter, log, instrumentation }),
      isReady: async () => !jobsAreStarting() && isReady(db, jobsSilentMs()),
      routes,
      pageForms: accountForms,
      picture: (name) => pictureNamed(db, name),
      calendar: {
        ownerOf: (code) => calendarOwner({ db, keyRing: settings.keyRing }, code),
        read: (buyerId) => readCalendar(calendar, buyerId),
      },
      unsubscribing: {
        mailOf: (code) =>
          readUnsubscribeCode(settings.keyRing, code)?.mail ??
          (readRemindersOffCode(settings.keyRing, code) === undefined ? undefined : 'reminders'),
        turnOff: async (code) =>
          (await unsubscribe(db, settings.keyRing, code)) || turnRemindersOff(db, settings.keyRing, code),
      },
    },
    jobs,
    engine,
    check: () => checkDatabase(db, settings),
    async startJobs() {
      jobsWantedAt ??= performance.now();
      worker ??= await startWorker(jobs, settings);
      // While no server was there, notices were lost.
      await transaction(db, (tx) => pollSoon(tx));
    },
    async stop() {
      await streams.stop();
      await worker?.stop();
      await background.ended();
      mailer.close();
      await http.close();
      await outside.close();
    },
  };
}

/** The application's pool, and its counts at any moment. */
export interface OpenDatabase {
  readonly db: Db;
  readonly counts: PoolCounts;
}

/** Opens the pool that {@link composeOver} works with. */
export function openDatabase(
  login: { url: string; role: DbRole; max: number },
  log: Log,
  instrumentation: Instrumentation = NOOP_INSTRUMENTATION,
): OpenDatabase {
  let counts: PoolCounts = () => ({ all: 0, idle: 0, waiting: 0 });
  const db = openDb({
    ...login,
    onError: (err) => log.error({ err }, 'database connection failed'),
    ...(instrumentation !== NOOP_INSTRUMENTATION && { onStatement: instrumentation.statement }),
    onPool: (current) => {
      counts = current;
    },
  });
  return { db, counts: () => counts() };
}

function cardEngine(
  settings: Settings,
  {
    db,
    http,
    instrumentation,
  }: Pick<StartDeps, 'db'> & { http: HttpClient; instrumentation: Instrumentation },
): StartDeps & { instrumentation: Instrumentation } {
  return {
    db,
    card: sharingLists(
      clip({
        baseUrl: settings.clip.apiBase,
        http,
        ...settings.providerWaits,
        fingerprintOf: (card) => keyedHash(settings.keyRing, 'card', card),
      }),
    ),
    keyRing: settings.keyRing,
    allowTestKeys: !settings.production,
    clocks: settings.clocks,
    threeDsOrigins: settings.clip.threeDsOrigins,
    cardLimits: settings.cardLimits,
    breaker: breaker({ failures: 5, windowMs: 60_000, pauseMs: settings.cardLimits.breakerPauseMs }),
    publicOrigin: settings.publicOrigin,
    instrumentation,
  };
}

/** Work that a request leaves behind; `ended` waits for all of it. */
function backgroundWork() {
  const pending = new Set<Promise<void>>();
  return {
    run(work: Promise<void>): void {
      pending.add(work);
      void work.finally(() => pending.delete(work));
    },
    async ended(): Promise<void> {
      await Promise.all(pending);
    },
  };
}

interface AppParts {
  readonly db: Db;
  readonly limiter: Limiter;
  readonly log: Log;
  readonly instrumentation: Instrumentation;
}

/** What `buildApp` is given beside the routes. */
function appOptions(
  settings: Settings,
  { db, limiter, log, instrumentation }: AppParts,
): Omit<AppOptions, 'isReady' | 'routes' | 'pageForms' | 'picture' | 'unsubscribing' | 'calendar'> {
  return {
    log,
    instrumentation,
    identify: (token, { address, header }) => identify(db, token, address, header(COUNTER_DEVICE)),
    countMiss: (caller) => limiter.take('miss', idOf(caller), settings.accountLimits.missesPerCaller),
    callLimits: settings.accountLimits,
    places: Math.ceil(settings.databasePool / 2),
    patienceMs: settings.patienceMs,
    productName: settings.productName,
    wireName: settings.wireName,
    secure: settings.production,
    trustedProxies: settings.trustedProxies,
    corsOrigins: settings.corsOrigins,
    checkReplies: !settings.production,
    ...(existsSync(WEB_FOLDER) && { web: webOf(settings, db) }),
  };
}

/** Refuses to start on a database that is not ready. */
async function checkDatabase(db: Db, { production }: Settings): Promise<void> {
  const [first, ...more] = await missingMigrations(db);
  if (first !== undefined)
    throw new StartRefused([`the database lacks ${first} and ${more.length} later migrations`]);
  if (!production) return;
  const problems = [
    ...(await loginProblems(db)),
    ...(await demoProblems(db, createPasswords())),
    ...(await testKeyProblems(db)),
    ...(await legalTextProblems(db)),
  ];
  if (problems.length > 0) throw new StartRefused(problems);
}

/** The web app's settings, and the origins that its documents may reach because of them. */
function webOf(
  { production, productName, publicOrigin, help, wireName, bases, clip }: Settings,
  db: Db,
): Web {
  const services = Object.values(bases)
    .filter((base) => base !== '')
    .map((base) => new URL(base).origin);
  return {
    folder: WEB_FOLDER,
    ...(existsSync(COUNTER_FOLDER) && { counterFolder: COUNTER_FOLDER }),
    publicOrigin,
    preview: async (reference) => presentPreview(await previewOf(db, reference, publicOrigin), publicOrigin),
    texts: {
      '/terminos': () => answerText(db, 'terms'),
      '/privacidad': () => answerText(db, 'privacy'),
    },
    config: {
      productName,
      help,
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
