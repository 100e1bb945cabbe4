import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { entryOf, noEntryCookie } from './entry-cookie.ts';
import { isKept } from './kept-cookie.ts';
import {
  cardDocumentHeaders,
  documentHeaders,
  offlineWorkerHeaders,
  workerHeaders,
  type AllowedOrigins,
} from './security-headers.ts';

/** What the web app reads at run time from its document. */
export interface WebConfig {
  readonly productName: string;
  readonly help: { readonly email: string; readonly phone: string };
  readonly wireName: string;
  readonly bases: Readonly<Record<string, string>>;
  readonly clipSdkUrl: string;
  readonly threeDsOrigins: readonly string[];
  readonly [setting: string]: unknown;
}

/** What a chat shows of a link. */
export interface LinkPreview {
  readonly title: string;
  readonly description: string;
  /** The address of its picture; without one the general one stays. */
  readonly image: string | undefined;
}

export interface Web {
  /** Absolute path of the built web app. */
  readonly folder: string;
  /** The same of the counter, the staff's application; absent where it is not built. */
  readonly counterFolder?: string;
  readonly config: WebConfig;
  readonly origins: AllowedOrigins;
  readonly publicOrigin: string;
  /** What to show of a link to a product, by the text of its QR; undefined for one that names none. */
  readonly preview: (reference: string) => Promise<LinkPreview | undefined>;
  /** Reads the text that a page shows, as its endpoint answers it, by the page's path in lower case. */
  readonly texts: Readonly<Record<string, () => Promise<unknown>>>;
}

/** Where the counter is, with the document without a slash at its end. */
const COUNTER = '/mostrador';
const WORKER = 'offline-worker.js';

/** First path segments of the screens where the card provider's hosts are admitted (rules/card-attempts#card-documents). */
const CARD_ROUTES = ['pullapartbyclip', 'threedsbyclippa', 'paymentbyclib', 'threedsbyclib'];
/** So is a help link's, a document that is built by itself. */
const HELPING = 'ayudar';

/** Parameters of addresses that do not open as their document begins; the build rendered another for each. */
const VARIANTS = ['paso', 'filtro', 'cuenta', 'parte'];

const CONFIG_PLACE = '<!--aparta-config-->';

const HTML = 'text/html; charset=utf-8';
const TYPES: Readonly<Record<string, string>> = {
  '.html': HTML,
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
};

/** Compressed as small as can be, since it is done once. */
const COMPRESS = {
  br: (plain: Buffer) =>
    promisify(brotliCompress)(plain, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      },
    }),
  gzip: (plain: Buffer) => promisify(gzip)(plain, { level: constants.Z_BEST_COMPRESSION }),
};
type Encoding = keyof typeof COMPRESS;

/** A small file kept in memory, and in the encodings that browsers have asked for. */
interface Held {
  readonly type: string;
  readonly etag: string;
  readonly plain: Buffer;
  readonly compressed: (encoding: Encoding) => Promise<Buffer>;
}

/** What a form held, by the names of its fields. */
export type Typed = Readonly<Record<string, string>>;

/** What the page needs to say why its form was refused; the web app reads it with the page and takes over from there. */
export interface Posted {
  readonly path: string;
  readonly typed: Typed;
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: unknown;
}

/** The built web app, as far as the server draws with it. */
export interface ServedWeb {
  /** Answers a GET that no route knows: true when it sent a document or a file. */
  readonly answer: (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>;
  /** A public page whose form was refused, drawn by the page's own code. */
  readonly refusedPage: (
    posted: Posted,
  ) => Promise<{ html: string; headers: Readonly<Record<string, string>> }>;
}

/** The build's own code for that, loaded when it is first needed. */
type Drawing = {
  readonly renderRefused: (posted: Posted) => Promise<string>;
  readonly renderLegal: (path: string, text: unknown) => Promise<string>;
};
const DRAWING = '.server/prerender.js';
/** The drawn part of a document. */
const PAGE = /(?<=<div id="root"[^>]*>)[^]*(?=<\/div><!--root-->)/;

/**
 * Serves the built web app: hashed assets from disk as they were compressed at build time, documents from memory with the
 * run-time settings in them.
 */
export async function serveWeb(app: FastifyInstance, web: Web, secure: boolean): Promise<ServedWeb> {
  const files = await holdFiles(web.folder, (text, name) =>
    withSettings(text, web, name.endsWith('.html') ? escapeHtml : escapeJson),
  );
  const counter = await holdCounter(web);
  const previewFor = linkPreviews(web);
  const pageWithText = textPages(web, drawWithText);
  const inline = inlineScripts(files.get('index.html'));
  const ordinary = documentHeaders(web.origins, inline);
  const card = cardDocumentHeaders(web.origins, inline);
  const helping = cardDocumentHeaders(web.origins, inlineScripts(files.get(`${HELPING}.html`)));
  const headersOf = new Map([...CARD_ROUTES.map((route) => [route, card] as const), [HELPING, helping]]);
  const worker = workerHeaders();

  const serveAssets = (folder: string, prefix: string) =>
    app.register(fastifyStatic, {
      root: join(folder, 'assets'),
      prefix,
      index: false,
      decorateReply: false,
      preCompressed: true,
      immutable: true,
      maxAge: '365d',
      setHeaders: (response, path) => {
        if (/worker[^/]*\.js(\.br|\.gz)?$/.test(path)) {
          response.headers(worker);
        }
      },
    });
  await serveAssets(web.folder, '/assets/');
  if (web.counterFolder !== undefined) await serveAssets(web.counterFolder, '/mostrador/assets/');

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const [path = '/', search = ''] = request.url.split('?');
    const file = files.get(path.slice(1));
    if (file !== undefined && !path.endsWith('.html')) {
      // A service worker controls only its own folder, so it is the one script outside of the assets.
      if (path.endsWith('.js')) reply.headers(offlineWorkerHeaders());
      await send(file, request, reply);
      return true;
    }
    if (counter?.worker !== undefined && path === `${COUNTER}/${WORKER}`) {
      reply.headers({ ...offlineWorkerHeaders(), 'service-worker-allowed': COUNTER });
      await send(counter.worker, request, reply);
      return true;
    }
    if (!wantsDocument(request, path)) return false;
    const segment = path.split('/')[1]?.toLowerCase() ?? '';
    if (segment === 'mostrador' && counter !== undefined) {
      reply.headers(counter.headers);
      await send(counter.document, request, reply);
      return true;
    }
    const query = new URLSearchParams(search);
    // Who stays signed in is not shown the form, not even while the script starts.
    if (segment === 'login' && !query.has('aviso') && isKept(request.headers.cookie)) {
      reply.header('cache-control', 'no-store').redirect(search === '' ? '/' : `/?${search}`, 302);
      return true;
    }
    // What a document of its own was rendered for: a notice of what was just done, or a later step.
    const variant = query.get('aviso') ?? VARIANTS.find((name) => query.has(name)) ?? '';
    const document =
      (await pageWithText(`/${segment}`)) ??
      files.get(`${segment}.${variant}.html`) ??
      files.get(`${segment}.html`) ??
      files.get('index.html');
    if (document === undefined) return false;
    reply.headers(headersOf.get(segment) ?? ordinary);
    const entry = segment === '' ? entryOf(request, secure) : undefined;
    if (entry !== undefined) {
      reply.headers({ 'cache-control': 'no-store', 'set-cookie': noEntryCookie(secure) });
      reply.type(document.type).send(withBlock(document.plain.toString('utf8'), 'aparta-entry', entry));
      return true;
    }
    const preview = segment === '' ? await previewFor(request) : undefined;
    if (preview === undefined) await send(document, request, reply);
    else reply.header('cache-control', 'no-cache').type(document.type).send(withPreview(document, preview));
    return true;
  }

  const drawing = async () => (await import(pathToFileURL(join(web.folder, DRAWING)).href)) as Drawing;

  /** A public page's document with this in the place of what was drawn when it was built. */
  function documentWith(path: string, drawn: string): string {
    const document = files.get(`${path.slice(1)}.html`)?.plain.toString('utf8') ?? '';
    const [before = '', after = ''] = document.split(PAGE);
    return `${before}${withSettings(drawn, web)}${after}`;
  }

  async function refusedPage(posted: Posted) {
    const { renderRefused } = await drawing();
    const html = documentWith(posted.path, await renderRefused(posted));
    return { html: withBlock(html, 'aparta-posted', JSON.stringify(posted)), headers: ordinary };
  }

  async function drawWithText(path: string, text: unknown): Promise<Held> {
    const { renderLegal } = await drawing();
    const html = documentWith(path, await renderLegal(path, text));
    return hold(Buffer.from(withBlock(html, 'aparta-legal', JSON.stringify(text))), HTML);
  }

  return { answer, refusedPage };
}

/** Previews read at once, and how long one may take: strangers ask for them, and the general one does as well. */
const MOST_PREVIEWS = 4;
const PREVIEW_PATIENCE_MS = 1_000;

/** The preview for whoever fetches a product's link without opening it: browsers that open it say so, and need none. */
function linkPreviews({ preview }: Web): (request: FastifyRequest) => Promise<LinkPreview | undefined> {
  let reading = 0;
  return async (request) => {
    if (request.headers['sec-fetch-mode'] === 'navigate') return undefined;
    const reference = new URLSearchParams(request.url.split('?')[1]).get('ref');
    if (reference === null || reading >= MOST_PREVIEWS) return undefined;
    reading += 1;
    const read = preview(reference)
      .catch(() => undefined)
      .finally(() => (reading -= 1));
    const late = setTimeout(PREVIEW_PATIENCE_MS, undefined, { ref: false });
    return Promise.race([read, late]);
  };
}

/** As long as its endpoint lets a text be kept; and how long a page may wait for it, which reads it itself otherwise. */
const TEXT_KEPT_MS = 60_000;
const TEXT_PATIENCE_MS = 1_000;

/** The pages that show a text, drawn with it: it is there before any script has run. Undefined while it cannot be read. */
function textPages(
  { texts }: Web,
  draw: (path: string, text: unknown) => Promise<Held>,
): (path: string) => Promise<Held | undefined> {
  const drawn = new Map<string, { readonly page: Promise<Held | undefined>; readonly since: number }>();
  return async (path) => {
    const read = texts[path];
    if (read === undefined) return undefined;
    let last = drawn.get(path);
    if (last === undefined || performance.now() - last.since > TEXT_KEPT_MS) {
      const page = read()
        .then((text) => draw(path, text))
        .catch(() => undefined);
      last = { page, since: performance.now() };
      drawn.set(path, last);
    }
    return Promise.race([last.page, setTimeout(TEXT_PATIENCE_MS, undefined, { ref: false })]);
  };
}

function withPreview({ plain }: Held, { title, description, image }: LinkPreview): string {
  const says: Record<string, string | undefined> = { title, description, image };
  const page = plain
    .toString('utf8')
    .replaceAll(
      /(<meta property="og:(title|description|image)" content=")([^"]*)/g,
      (_, tag: string, what: string, before: string) =>
        tag + (says[what] === undefined ? before : escapeHtml(says[what])),
    );
  // What the document says of the size is its own picture's.
  return image === undefined ? page : page.replaceAll(/ *<meta property="og:image:[^>]*>\n?/g, '');
}

/** Whether it is a page load. The API's own paths never fall back to a document. */
function wantsDocument(request: FastifyRequest, path: string): boolean {
  if (/^\/(v1|User|PosOperations|webhooks|assets|mostrador\/assets)(\/|$)/.test(path)) return false;
  const { accept = '*/*' } = request.headers;
  // curl and link previews accept anything: they get the page, except where the path looks like a file.
  return accept.includes('text/html') || (accept.includes('*/*') && !path.includes('.'));
}

async function send(file: Held, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.headers({ etag: file.etag, 'cache-control': 'no-cache', vary: 'Accept-Encoding' });
  if (request.headers['if-none-match']?.includes(file.etag)) {
    reply.code(304).send();
    return;
  }
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const encoding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : undefined;
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  reply.type(file.type).send(encoding === undefined ? file.plain : await file.compressed(encoding));
}

/** The hashes of the scripts that stand in a document, as a policy names them: what starts or opens it again, and rules for the browser. */
function inlineScripts(document: Held | undefined): readonly string[] {
  const html = document?.plain.toString('utf8') ?? '';
  return [...html.matchAll(/<script(?: type="(?:module" async|speculationrules"))?>([^]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
}

/** The counter's one document, with a policy of its own: it talks to this origin and to nobody else. */
async function holdCounter(web: Web) {
  if (web.counterFolder === undefined) return undefined;
  const { productName, help } = web.config;
  const settings = { ...web, config: { productName, help } };
  const files = await holdFiles(web.counterFolder, (html) => withSettings(html, settings));
  const document = files.get('index.html');
  const origins = { services: [], cardScripts: [], cardFrames: [], cardConnections: [] };
  return (
    document && {
      document,
      worker: files.get(WORKER),
      headers: documentHeaders(origins, inlineScripts(document)),
    }
  );
}

async function holdFiles(
  folder: string,
  fill: (text: string, name: string) => string,
): Promise<Map<string, Held>> {
  const entries = await readdir(folder, { withFileTypes: true });
  const held = await Promise.all(
    entries
      .filter((entry) => entry.isFile() && extname(entry.name) in TYPES)
      .map(async ({ name }) => {
        const bytes = await readFile(join(folder, name));
        const isDocument = name.endsWith('.html');
        const isFilled = isDocument || name.endsWith('.webmanifest');
        const plain = isFilled ? Buffer.from(fill(bytes.toString('utf8'), name)) : bytes;
        // Links and users spell routes in either case.
        const type = TYPES[extname(name)] ?? 'application/octet-stream';
        return [isDocument ? name.toLowerCase() : name, hold(plain, type)] as const;
      }),
  );
  return new Map(held);
}

function hold(plain: Buffer, type: string): Held {
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  const made: Partial<Record<Encoding, Promise<Buffer>>> = {};
  return { type, etag, plain, compressed: (encoding) => (made[encoding] ??= COMPRESS[encoding](plain)) };
}

/** A block of JSON in a document's head, which needs no script permission. */
function withBlock(html: string, id: string, json: string): string {
  return html.replace('</head>', () => `${block(id, json)}</head>`);
}

function block(id: string, json: string): string {
  return `<script type="application/json" id="${id}">${json.replaceAll('<', '\\u003c')}</script>`;
}

/** Puts in the product's name, and the settings. */
function withSettings(
  html: string,
  {
    config,
    publicOrigin,
  }: {
    readonly config: Pick<WebConfig, 'productName'> & Partial<Pick<WebConfig, 'clipSdkUrl'>>;
    readonly publicOrigin: string;
  },
  escape: (text: string) => string = escapeHtml,
): string {
  return html
    .replaceAll('%PRODUCT_NAME%', () => escape(config.productName))
    .replaceAll('%PUBLIC_ORIGIN%', () => escape(publicOrigin))
    .replaceAll('%CARD_SCRIPT%', () => escape(config.clipSdkUrl ?? ''))
    .replace(CONFIG_PLACE, () => block('aparta-config', JSON.stringify(config)));
}

/** Text as it may stand in HTML, attribute values included. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Text as it may stand in a string of JSON. */
function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
