import { randomUUID } from 'node:crypto';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

import type { Endpoint } from '@aparta/contract/endpoint';
import { pathPattern, productField } from '@aparta/contract/endpoint';
import type { RefusalCode } from '@aparta/contract/refusals';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';

import { type Admission, admissions, busy } from '../db/admission.ts';
import { isDatabaseAway, isDatabaseCrowded } from '../db/outage.ts';
import type { Log } from '../logging.ts';
import { idOf, type Principal } from '../principal.ts';
import { Refusal } from '../refusal.ts';
import type { RequestInstrumentation, Instrumentation } from '../telemetry/instrumentation.ts';
import { callAllowance, type CallLimits } from './allowance.ts';
import { serveApiPages } from './api-pages.ts';
import { type CalendarFeed, serveCalendar } from './calendar-feed.ts';
import { serveUnsubscribe, type Unsubscribing } from './unsubscribe-page.ts';
import { allowCrossOrigin } from './cross-origin.ts';
import { type PageForm, servePageForms } from './page-forms.ts';
import { asRefusal, refusedReply } from './refused.ts';
import type { Feed, RawCall, Route } from './route.ts';
import { commonHeaders } from './security-headers.ts';
import { serveWeb, type Web } from './web.ts';

export interface AppOptions {
  readonly log: Log;
  readonly instrumentation: Instrumentation;
  readonly routes: readonly Route[];
  /** Forms of public pages that work before their script; each sends what one of `routes` takes. */
  readonly pageForms: readonly PageForm[];
  /** The WebP of a product's picture by its file name, which names its content. */
  readonly picture: (name: string) => Promise<Buffer | undefined>;
  readonly unsubscribing: Unsubscribing;
  readonly calendar: CalendarFeed;
  /** Whose token this is; undefined when nobody's, ended, or not good from there. */
  readonly identify: (
    token: string,
    from: Pick<RawCall, 'address' | 'header'>,
  ) => Promise<Principal | undefined>;
  /**
   * Counts a call for a thing that is not there; refuses with TOO_MANY a caller that enumerates ids (rules/threats#walking-ids).
   */
  readonly countMiss: (caller: Principal) => Promise<void>;
  readonly callLimits: CallLimits;
  /** How many calls are worked on at once. */
  readonly places: number;
  /** How long a call waits for its turn before it is refused. */
  readonly patienceMs: number;
  /** Whether the server can serve now: database reached and migrated. */
  readonly isReady: () => Promise<boolean>;
  readonly productName: string;
  readonly wireName: string;
  /** Whether `PUBLIC_ORIGIN` is https: then browsers are told never to use anything else. */
  readonly secure: boolean;
  /** Proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  /** Origins of other web apps that may call from a browser. */
  readonly corsOrigins: readonly string[];
  /** Check replies against the contract (test and development). */
  readonly checkReplies: boolean;
  /** How long a client may take to send a request, in ms. 10 s when absent. */
  readonly requestTimeoutMs?: number;
  /** Whether the process is about to stop, so that `/healthz` tells the proxy to send calls elsewhere. */
  readonly isLeaving?: () => boolean;
  /** The built web app; absent where only the API is served. */
  readonly web?: Web;
}

const BODY_LIMIT_BYTES = 64 * 1024;
const REQUEST_TIMEOUT_MS = 10_000;
/** Who asks whether the server is ready asks again soon. */
const PROBE_LIMIT_MS = 3_000;
/** What is refused with the methods that there are; by any other a path is unknown. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
const SANE_REQUEST_ID = /^[\w.-]{8,64}$/;

/** Asked every second: they would be most of the log. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** What we know of each request, kept beside the framework's object instead of in it. */
interface Progress {
  readonly startedAt: number;
  readonly instrumentation: RequestInstrumentation;
  /** Of the route that is there by another method. */
  path?: string;
  caller?: Principal;
  token?: string;
  refusal?: Refusal;
  /** How much of the call's time it took to find out who calls. */
  identifyingMs?: number;
  admission?: Admission;
  /** When a stream was opened, which is all that the call took. */
  openedAt?: number;
}

/** The contract checks calls and replies: the framework's way of doing that, a hundred modules, is not even loaded. */
const NO_COMPILERS = { buildValidator: refuseSchemas, buildSerializer: refuseSchemas };
function refuseSchemas(): never {
  throw new Error('the contract has the schemas of routes');
}

/** Builds the HTTP app. It does not listen; tests use it through `inject`. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { requestTimeoutMs = REQUEST_TIMEOUT_MS, isLeaving = () => false } = options;
  const app = fastify({
    // The framework would log URLs, and ours hold email addresses. We write our own lines below.
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    http: {
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: requestTimeoutMs / 4,
    },
    requestTimeout: requestTimeoutMs,
    connectionTimeout: 60_000,
    keepAliveTimeout: 72_000,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    requestIdHeader: false,
    genReqId: (request) => saneRequestId(request.headers['x-request-id']),
    routerOptions: { maxParamLength: 300 },
    schemaController: { compilersFactory: NO_COMPILERS },
    frameworkErrors: (error, request, reply) => sendRefusal(error, request, reply),
  });
  const known = new WeakMap<FastifyRequest, Progress>();
  /** The request's notes, made the first time they are asked for. */
  function progressOf(request: FastifyRequest): Progress {
    const progress = known.get(request) ?? {
      startedAt: performance.now(),
      instrumentation: options.instrumentation.request(request.id),
    };
    known.set(request, progress);
    return progress;
  }
  const headers = commonHeaders(options.secure);
  const allowance = callAllowance(options.callLimits);
  const { admit } = admissions(options.places, options.patienceMs);

  /** An error as it goes out, noted and logged. */
  function refuse(error: unknown, request: FastifyRequest, form?: Endpoint['refusalForm']) {
    const progress = progressOf(request);
    const refusal = asRefusal(error, progress.admission?.mayBeDone);
    progress.refusal = refusal;
    if (refusal.code === 'INTERNAL') options.log.error({ requestId: request.id, err: error }, 'call failed');
    else if (isDatabaseAway(error) || isDatabaseCrowded(error))
      options.log.warn({ requestId: request.id, err: error }, 'the database did not do it');
    return refusedReply(refusal, request.id, form);
  }

  function sendRefusal(
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
    form?: Endpoint['refusalForm'],
  ) {
    const { status, headers: extra, body } = refuse(error, request, form);
    return reply
      .code(status)
      .headers({ ...headers, ...extra, 'cache-control': 'no-store', 'x-request-id': request.id })
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(body));
  }

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    if (text.length === 0) return done(null, undefined);
    try {
      done(null, JSON.parse(String(text)));
    } catch {
      done(new Refusal('INVALID_INPUT', { fields: { body: 'not JSON' } }));
    }
  });

  app.addHook('onRequest', async (request, reply) => {
    progressOf(request);
    reply.headers({ ...headers, 'x-request-id': request.id });
  });
  app.addHook('onResponse', async (request, reply) => {
    if (PROBES.has(request.routeOptions.url ?? '') && reply.statusCode < 500) return;
    const {
      path = 'none',
      startedAt,
      openedAt = performance.now(),
      instrumentation,
      caller,
      refusal,
    } = progressOf(request);
    const end = {
      method: request.method,
      // The pattern, never the path: paths hold email addresses and one-time codes.
      route: request.routeOptions.url ?? path,
      status: reply.statusCode,
    };
    const ms = openedAt - startedAt;
    instrumentation.ended({ ...end, seconds: ms / 1_000, refusal: refusal?.code });
    // A line for each of thousands that are shed would cost more than shedding them; the metrics count them.
    options.log[refusal?.code === 'BUSY' ? 'debug' : 'info'](
      {
        requestId: request.id,
        ...end,
        ms: Math.round(ms),
        ...(caller && {
          caller: caller.kind,
          callerId: caller.kind === 'buyer' ? caller.id : idOf(caller),
        }),
        ...(refusal && { refusal: refusal.code }),
      },
      'call',
    );
  });
  app.setErrorHandler((error, request, reply) => sendRefusal(error, request, reply));
  if (options.corsOrigins.length > 0) allowCrossOrigin(app, options.corsOrigins);
  const offers = offersOf(options.routes);
  // Before the body is read: the method is wrong, whatever is sent by it.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404 || !METHODS.has(request.method)) return done();
    const [path = ''] = request.url.split('?');
    const offer = offers.find(({ pattern }) => pattern.test(path));
    if (offer === undefined) return done();
    progressOf(request).path = offer.path;
    reply.header('allow', offer.methods);
    sendRefusal(new Refusal('METHOD_NOT_ALLOWED'), request, reply, formOf(path));
  });

  const streaming = new Set<ServerResponse>();
  // Whoever has one open opens it again, at a server that stays.
  app.addHook('preClose', async () => streaming.forEach((response) => response.end()));
  for (const route of options.routes) bind(route);
  servePictures();
  serveApiPages(app, options.productName);
  await serveUnsubscribe(app, options.productName, options.unsubscribing, (request, act) => {
    const progress = progressOf(request);
    progress.admission = admit('act');
    return withinTime(PROBE_LIMIT_MS, 'TOO_SLOW', () => within(progress, act));
  });
  serveCalendar(app, options.calendar, (request, act) => {
    const progress = progressOf(request);
    progress.admission = admit('read');
    return withinTime(PROBE_LIMIT_MS, 'TOO_SLOW', () => within(progress, act));
  });
  serveProbe('/healthz', async () => true);
  serveProbe('/readyz', () =>
    withinTime(PROBE_LIMIT_MS, 'TOO_SLOW', () => options.isReady()).catch(() => false),
  );
  const web = options.web && (await serveWeb(app, options.web, options.secure));
  if (options.web && web) {
    const routeOf = ({ endpoint }: PageForm) =>
      options.routes.find((route) => route.endpoint === endpoint) as Route;
    await servePageForms(app, options.pageForms, {
      web,
      publicOrigin: options.web.publicOrigin,
      secure: options.secure,
      admit: (form, request) => void (progressOf(request).admission = admit(routeOf(form).rank)),
      call: (form, request, reply, body) =>
        run(routeOf(form), request, reply, { params: {}, query: {}, body }),
      refuse,
    });
  }
  app.setNotFoundHandler(async (request, reply) => {
    if (await web?.answer(request, reply)) return reply;
    return sendRefusal(new Refusal('NOT_FOUND'), request, reply, formOf(request.url));
  });
  return app;

  function serveProbe(path: string, isWell: () => Promise<boolean>): void {
    app.get(path, async (_request, reply) => {
      const status = isLeaving() ? 'leaving' : (await isWell()) ? 'ok' : 'not ready';
      return reply
        .code(status === 'ok' ? 200 : 503)
        .header('cache-control', 'no-store')
        .send({ status });
    });
  }

  /** An image is fetched without a token: who knows its name was shown it. */
  function servePictures(): void {
    app.get<{ Params: { name: string } }>('/pictures/:name', async (request, reply) => {
      const progress = progressOf(request);
      progress.admission = admit('read');
      const bytes = await withinTime(PROBE_LIMIT_MS, 'TOO_SLOW', () =>
        within(progress, () => options.picture(request.params.name)),
      );
      if (bytes === undefined) throw new Refusal('NOT_FOUND');
      return reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .type('image/webp')
        .send(bytes);
    });
  }

  function bind(route: Route): void {
    const { endpoint } = route;
    const spelt = productField(endpoint, options.wireName);
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      exposeHeadRoute: !endpoint.isStream,
      bodyLimit: endpoint.bodyLimitBytes ?? BODY_LIMIT_BYTES,
      errorHandler: (error, request, reply) => sendRefusal(error, request, reply, endpoint.refusalForm),
      // Before the body is read: a stranger's megabytes are not parsed.
      onRequest: async (request) => {
        const progress = progressOf(request);
        progress.admission = admit(route.rank);
        if (endpoint.access === 'public') return;
        const token = bearerOf(request.headers.authorization);
        if (token !== undefined) allowance.refuseSpent(token);
        if (token === undefined) throw new Refusal('SESSION_DEAD');
        const askedAt = performance.now();
        // It asks the database alone, and nothing is done yet.
        const caller = await within(progress, () =>
          withinTime(route.timeLimitMs, 'DATABASE_AWAY', () => options.identify(token, fromOf(request))),
        );
        progress.identifyingMs = performance.now() - askedAt;
        if (caller === undefined) throw new Refusal('SESSION_DEAD');
        await allowance.take(caller, token);
        progress.token = token;
        progress.caller = caller;
        if (!endpoint.access.includes(caller.kind)) throw new Refusal('NOT_ALLOWED');
      },
      handler: async (request, reply) => {
        const { params, query, body } = request;
        const reply200 = await run(route, request, reply, {
          params,
          query,
          body: renamed(body, spelt, endpoint.productField),
        });
        if (endpoint.isStream) return stream(request, reply, reply200 as Feed);
        return reply
          .header('cache-control', route.cacheControl)
          .type('application/json; charset=utf-8')
          .send(JSON.stringify(reply200));
      },
    });
  }

  function stream(request: FastifyRequest, reply: FastifyReply, feed: Feed): FastifyReply {
    progressOf(request).openedAt = performance.now();
    const { raw } = reply.hijack();
    // Who hung up meanwhile hears nothing any more, and 'close', which would forget the stream, was told before.
    if (raw.destroyed) return reply;
    streaming.add(raw);
    raw.once('close', () => streaming.delete(raw));
    raw.writeHead(200, {
      ...(reply.getHeaders() as OutgoingHttpHeaders),
      'content-type': 'text/event-stream',
      // A proxy that packs or gathers what it passes on would keep it.
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      // When it ends the connection does, so that a server that stops waits for none.
      connection: 'close',
    });
    feed(raw);
    return reply;
  }

  /** Does what a route does, in its turn and in its time. */
  function run(
    route: Route,
    request: FastifyRequest,
    reply: FastifyReply,
    parts: Pick<RawCall, 'params' | 'query' | 'body'>,
  ): Promise<unknown> {
    const progress = progressOf(request);
    const { caller, token = '', identifyingMs = 0 } = progress;
    const call = {
      ...parts,
      caller,
      token,
      log: options.log.child({ requestId: request.id }),
      requestId: request.id,
      ...fromOf(request),
      setCookies: (cookies: readonly string[]) => void reply.header('set-cookie', cookies),
      checkReply: options.checkReplies,
    };
    const answer = (signal: AbortSignal) => route.answer({ ...call, signal });
    const useCase = { kind: 'use case', name: route.endpoint.name } as const;
    return withinTime(route.timeLimitMs - identifyingMs, 'TOO_SLOW', (signal) =>
      within(progress, () =>
        options.instrumentation
          .during(useCase, () => answer(signal))
          .catch(async (error: unknown) => {
            if (caller !== undefined && asRefusal(error).code === 'NOT_FOUND')
              await options.countMiss(caller);
            throw error;
          }),
      ).catch((error: unknown) => {
        if (error === busy) route.whenBusy?.(call);
        throw error;
      }),
    );
  }
}

/** Runs a part of a call's work as the call's: seen as its, and in its turn at the database. */
function within<T>({ admission, instrumentation }: Progress, work: () => Promise<T>): Promise<T> {
  return instrumentation.within(() => (admission === undefined ? work() : admission.inPlace(work)));
}

/** The paths of routes, each with the methods that it has: as routes of their own, the wrong ones would double the router. */
function offersOf(routes: readonly Route[]): { path: string; pattern: RegExp; methods: string }[] {
  const byPath = Map.groupBy(routes, ({ endpoint }) => endpoint.path);
  return [...byPath].map(([path, offered]) => ({
    path,
    pattern: pathPattern(path),
    methods: offered.map(({ endpoint }) => endpoint.method).join(', '),
  }));
}

function formOf(path: string): Endpoint['refusalForm'] {
  return path.startsWith('/PosOperations/') ? 'till' : undefined;
}

function saneRequestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && SANE_REQUEST_ID.test(given) ? given : randomUUID();
}

function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer ([\w.~+/-]{1,200}=*)$/i.exec(header ?? '')?.[1];
}

function fromOf({ ip, headers }: FastifyRequest): Pick<RawCall, 'address' | 'header'> {
  // Who hung up while they waited has no address any more, and hears no answer.
  if (typeof ip !== 'string') throw new Refusal('TOO_SLOW');
  return { address: addressOf(ip), header: (name) => String(headers[name] ?? '') || undefined };
}

/** A dual-stack socket shows IPv4 callers as ::ffff:…; this is the plain IPv4. */
function addressOf(ip: string): string {
  return ip.replace(/^::ffff:(?=\d+\.)/i, '').toLowerCase();
}

/** The product's own spelling of a body field, as the contract spells it. */
function renamed(body: unknown, from: string | undefined, to: string | undefined): unknown {
  if (from === undefined || to === undefined || from === to) return body;
  if (typeof body !== 'object' || body === null || !(from in body)) return body;
  const { [from]: value, ...rest } = body as Record<string, unknown>;
  return { ...rest, [to]: value };
}

/** Answers in time or refuses. The signal tells the work; it decides itself whether to stop, since a payment must not. */
async function withinTime<T>(
  limitMs: number,
  late: RefusalCode,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const tooSlow = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      over.abort();
      reject(new Refusal(late));
    }, limitMs);
  });
  // Should it throw at once, the timer is stopped all the same: nobody would hear what it says, which ends the server.
  const working = (async () => work(over.signal))();
  working.catch(() => {}); // answered already when it fails after its time
  try {
    return await Promise.race([working, tooSlow]);
  } finally {
    clearTimeout(timer);
  }
}
