import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { closeAcquirer, openAcquirer, type Waits } from './card/acquirer.ts';
import { mountCardApi } from './card/api.ts';
import { createFaults } from './faults.ts';
import { mountCardFrame } from './card/frame.ts';
import { mountThreeDs } from './card/three-ds.ts';
import { createWebhooks, type WebhookTry } from './card/webhooks.ts';
import { mountCashApi } from './cash/api.ts';
import { mountCashControl } from './cash/control.ts';
import { createCounter } from './cash/counter.ts';
import { openCashNetwork } from './cash/network.ts';
import { createCashNotices } from './cash/notices.ts';
import { setTokens } from './cash/sign-in.ts';
import { mountStores } from './cash/stores.ts';
import { type Clock, createClock } from './clock.ts';
import { mountControl } from './control.ts';
import { mountInvoicingApi } from './invoicing/api.ts';
import { mountInvoicingControl } from './invoicing/control.ts';
import { openInvoicingOffice } from './invoicing/office.ts';
import { mountInvoices } from './invoicing/pages.ts';
import { openJournal } from './journal.ts';
import { mountInbox } from './email/pages.ts';
import { createSmtp, type Email } from './email/smtp.ts';
import { mountHome } from './pages/home.ts';
import { mountPageFiles } from './pages/page.ts';
import { mountPush } from './push/api.ts';
import type { Device, Pushed } from './push/open-message.ts';
import { mountTill, type TillCall } from './till/till.ts';

export type SandboxOptions = {
  /** Where the product is: the one page that may frame the card and 3DS windows, and where the till pays. */
  productOrigin: string;
  /** 0 or left out: any free port. */
  ports?: Partial<Record<'api' | 'smtp' | 'frame' | 'threeDs', number>>;
  /** State is kept in its folder `sandbox`; null or left out: only in memory. */
  dataDir?: string | null;
  waits?: Partial<Waits>;
};

export type Sandbox = {
  /** API, SDK script and pages. */
  apiUrl: string;
  frameOrigin: string;
  threeDsOrigin: string;
  smtpPort: number;
  /** Ends every call under way and stops listening. */
  close(): Promise<void>;
};

const ordinaryWaits: Waits = {
  webhookMs: 300,
  approveLaterMs: 5_000,
  approveAloneMs: 20_000,
  lateReplyMs: 60_000,
};

const host = '127.0.0.1';

/** Starts the sandbox on this machine's loopback: card, cash and invoicing providers, mail inbox, till. */
export async function createSandbox({
  productOrigin,
  ports = {},
  dataDir = null,
  ...more
}: SandboxOptions): Promise<Sandbox> {
  const waits = { ...ordinaryWaits, ...more.waits };
  const journal = openJournal(dataDir === null ? null : join(dataDir, 'sandbox'));
  const clock = createClock();
  const closing = new AbortController();
  const origins = { product: productOrigin, frame: '', threeDs: '', api: '' };

  const emails = journal.table<Email>('emails');
  const webhookTries = journal.table<WebhookTry>('webhookTries');
  const webhooks = createWebhooks(webhookTries, clock.now, {
    drop: false,
    copies: 1,
    delayMs: waits.webhookMs,
  });
  const acquirer = openAcquirer({ journal, clock, webhooks, waits, origins });
  const faults = createFaults();
  const network = openCashNetwork({ journal, clock });
  const notices = createCashNotices({ journal, clock, origins, delayMs: waits.webhookMs });
  const counter = createCounter({ network, notices });
  const office = openInvoicingOffice({ journal, clock, waits });

  const smtp = createSmtp(emails, clock.now);
  const frame = createHttp(clock);
  const threeDs = createHttp(clock);
  const api = createHttp(clock);

  mountCardFrame(frame, { acquirer, origins });
  mountThreeDs(threeDs, { acquirer, origins });
  mountCardApi(api, { acquirer, faults, origins, closing: closing.signal });
  mountCashApi(api, { network, faults, closing: closing.signal });
  mountInvoicingApi(api, { office, faults, closing: closing.signal });
  const onReset = () => {
    setTokens(network, {});
    notices.reset();
  };
  mountControl(api, { journal, acquirer, faults, webhooks, webhookTries, emails, clock, origins, onReset });
  mountCashControl(api, { network, notices, counter });
  mountInvoicingControl(api, office);
  mountPush(api, {
    devices: journal.table<Device>('pushDevices'),
    pushed: journal.table<Pushed>('pushed'),
    faults,
    clock,
    closing: closing.signal,
    origin: () => origins.api,
  });
  mountPageFiles(api);
  mountHome(api, { acquirer, network, origins });
  mountInbox(api, emails);
  mountStores(api, { network, notices, counter, clock });
  mountInvoices(api, office);
  mountTill(api, { calls: journal.table<TillCall>('tillCalls'), clock, origins });

  async function close(): Promise<void> {
    closing.abort();
    webhooks.close();
    notices.close();
    closeAcquirer(acquirer);
    faults.clear();
    await Promise.all([
      api.close(),
      frame.close(),
      threeDs.close(),
      new Promise<void>((resolve) => smtp.close(() => resolve())),
    ]);
    journal.close();
  }

  try {
    origins.frame = await listen(frame, ports.frame);
    origins.threeDs = await listen(threeDs, ports.threeDs);
    await new Promise<void>((resolve, reject) => {
      smtp.once('error', reject);
      smtp.listen(ports.smtp ?? 0, host, resolve);
    });
    // A sender that hangs up in the middle of an email raises an error, which would end the sandbox.
    smtp.on('error', () => {});
    const apiUrl = await listen(api, ports.api);
    origins.api = apiUrl;
    const smtpPort = (smtp.server.address() as AddressInfo).port;
    return { apiUrl, frameOrigin: origins.frame, threeDsOrigin: origins.threeDs, smtpPort, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Listens on the loopback and returns the origin as a browser on this machine has it. */
async function listen(app: FastifyInstance, port = 0): Promise<string> {
  await app.listen({ port, host });
  return `http://localhost:${(app.server.address() as AddressInfo).port}`;
}

function createHttp(clock: Clock): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true, bodyLimit: 64 * 1024 });
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  // A page on another site must not drive the sandbox of whoever visits it.
  app.addHook('onRequest', async (request, reply) => {
    const own = `http://${request.headers.host}`;
    const { origin = own } = request.headers;
    if (origin !== own || !/^(localhost|127\.0\.0\.1)(:\d+)?$/.test(request.headers.host ?? '')) {
      return reply.code(403).send({ message: 'only from this machine and from its own pages' });
    }
  });
  app.addHook('onSend', async (_request, reply) => {
    if (reply.raw.sendDate) reply.header('date', new Date(clock.now()).toUTCString());
    reply.header('x-content-type-options', 'nosniff').header('referrer-policy', 'same-origin');
  });
  return app;
}
