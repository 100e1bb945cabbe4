import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../../test/app.ts';
import { makeBuyer, makeMerchant, makeProduct } from '../../../test/make.ts';
import { presentPreview } from '../../catalogue/labels/present.ts';
import { previewOf } from '../../catalogue/labels/preview.ts';
import { putPicture } from '../../catalogue/pictures/store.ts';
import { transaction } from '../db/transaction.ts';

const ORIGIN = 'https://aparta.test';
const NAME = `L'Aparta & <b>Hijos</b>`;

/** The terms as they were built, and the build's code that draws them with their text. */
const BARE = '<!doctype html><head></head><div id="root" data-rendered="/x">Cargando</div><!--root-->';
const DRAWING = 'export const renderLegal = async (path, { body }) => `<p>${path}: ${body}</p>`;';
let terms: () => Promise<unknown> = () => Promise.reject(new Error('nobody published any'));

let folder: string;
let server: TestApp;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aparta-web-'));
  await mkdir(join(folder, 'assets'));
  await mkdir(join(folder, 'counter/assets'), { recursive: true });
  const page = (title: string) =>
    `<!doctype html><title>%PRODUCT_NAME%: ${title}</title>
     <meta property="og:title" content="%PRODUCT_NAME%" />
     <meta property="og:description" content="Poco a poco." />
     <meta property="og:image" content="%PUBLIC_ORIGIN%/preview.png" />
     <meta property="og:image:width" content="1200" />
     <!--aparta-config--><div id="root"></div>`;
  await mkdir(join(folder, '.server'));
  await Promise.all([
    writeFile(join(folder, '.server/prerender.js'), DRAWING),
    writeFile(
      join(folder, 'index.html'),
      `${page('index')}<script type="module" async>open()</script><script type="speculationrules">{}</script>`,
    ),
    writeFile(join(folder, 'login.html'), page('login')),
    writeFile(join(folder, 'ayudar.html'), `${page('help')}<script>again()</script>`),
    writeFile(
      join(folder, 'pullapartByClip.html'),
      `${page('card')}<link rel="preload" href="%CARD_SCRIPT%">`,
    ),
    writeFile(join(folder, 'buyerRegister.html'), page('register')),
    writeFile(join(folder, 'terminos.html'), BARE),
    writeFile(join(folder, 'privacidad.html'), BARE),
    writeFile(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>'),
    writeFile(join(folder, 'manifest.webmanifest'), '{ "name": "%PRODUCT_NAME%" }'),
    writeFile(join(folder, 'offline-worker.js'), 'worker()'),
    writeFile(join(folder, 'secret.key'), 'no'),
    writeFile(join(folder, 'assets/main-abc123.js'), 'plain()'),
    writeFile(join(folder, 'assets/main-abc123.js.br'), 'brotli'),
    writeFile(join(folder, 'assets/qr-worker-abc123.js'), 'worker()'),
    writeFile(join(folder, 'counter/index.html'), `${page('counter')}<script>again()</script>`),
    writeFile(join(folder, 'counter/assets/main-def456.js'), 'counter()'),
    writeFile(join(folder, 'counter/offline-worker.js'), 'counterWorker()'),
  ]);
  server = await startTestApp({
    app: {
      web: {
        folder,
        counterFolder: join(folder, 'counter'),
        config: {
          productName: NAME,
          help: { email: 'ayuda@aparta.test', phone: '' },
          wireName: 'aparta',
          bases: { account: 'https://accounts.example', ip: '' },
          clipSdkUrl: 'https://sdk.clip.mx/js/clip-sdk.js',
          threeDsOrigins: ['https://3ds.payclip.com'],
          tricky: '</script><script>alert(1)</script><!--',
        },
        publicOrigin: 'https://aparta.test',
        preview: async (reference) => presentPreview(await previewOf(server.db, reference, ORIGIN), ORIGIN),
        texts: {
          '/terminos': () => Promise.resolve({ body: 'Pagas </script> poco a poco.' }),
          '/privacidad': () => terms(),
        },
        origins: {
          services: ['https://accounts.example'],
          cardScripts: ['https://sdk.clip.mx'],
          cardFrames: ['https://elements.clip.mx'],
          cardConnections: ['https://api.payclip.com'],
        },
      },
    },
  });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const load = (path: string, headers: Record<string, string> = {}) =>
  server.ask(`GET ${path}`, { headers: { accept: 'text/html,*/*', ...headers } });

describe('a document', () => {
  test.each([
    ['/', 'index'],
    ['/login', 'login'],
    ['/LOGIN', 'login'],
    ['/buyerRegister', 'register'],
    ['/BuyerRegister?x=1', 'register'],
    ['/apartado', 'index'],
    ['/anything/else?ref=1%7C1', 'index'],
  ])('%s is the %s one', async (path, title) => {
    const { status, headers, body } = await load(path);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(body).toContain(`: ${title}</title>`);
  });

  test('carries the settings, which can neither end their block nor run', async () => {
    const { body } = await load('/');
    const blocks = [...body.matchAll(/<script type="app[^>]*>([\s\S]*?)<\/script>/g)];
    expect(blocks).toHaveLength(1);
    expect(blocks[0]![0]).toContain('type="application/json" id="aparta-config"');
    expect(JSON.parse(blocks[0]![1]!)).toMatchObject({
      productName: NAME,
      bases: { account: 'https://accounts.example', ip: '' },
      tricky: '</script><script>alert(1)</script><!--',
    });
  });

  test("of the card form names the provider's script, which it fetches beside its own", async () => {
    const { body } = await load('/pullapartByClip/77');
    expect(body).toContain('<link rel="preload" href="https://sdk.clip.mx/js/clip-sdk.js">');
  });

  test("has the product's name in it as text", async () => {
    const { body } = await load('/');
    expect(body).toContain('<title>L&#39;Aparta &#38; &#60;b&#62;Hijos&#60;/b&#62;: index</title>');
  });

  test('is asked for again each time, and sent only when it changed', async () => {
    const first = await load('/login');
    expect(first.headers['cache-control']).toBe('no-cache');
    const again = await load('/login', { 'if-none-match': String(first.headers['etag']) });
    expect([again.status, again.body]).toEqual([304, '']);
  });

  test('arrives compressed', async () => {
    const response = await server.app.inject({
      url: '/',
      headers: { accept: 'text/html', 'accept-encoding': 'gzip, br' },
    });
    expect(response.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(response.rawPayload).toString()).toContain('aparta-config');
  });

  test('is no answer to a mistyped call, nor to a program', async () => {
    expect((await load('/v1/Nothing')).body.code).toBe('NOT_FOUND');
    expect((await load('/assets/gone-123.js')).status).toBe(404);
    expect((await server.ask('GET /apartado', { headers: { accept: 'application/json' } })).status).toBe(404);
    expect((await server.ask('POST /apartado', { headers: { accept: 'text/html' } })).status).toBe(404);
  });
});

describe('a page that shows a text', () => {
  test('has it before any script has run, for the script too, compressed and sent once', async () => {
    const { headers, body } = await load('/Terminos');
    expect(body).toContain('data-rendered="/x"><p>/terminos: Pagas </script> poco a poco.</p></div>');
    const [, block = ''] =
      /<script type="application\/json" id="aparta-legal">(.*?)<\/script>/.exec(body) ?? [];
    expect(JSON.parse(block)).toEqual({ body: 'Pagas </script> poco a poco.' });
    expect((await load('/terminos', { 'if-none-match': String(headers['etag']) })).status).toBe(304);
    const { headers: packed } = await server.app.inject({
      url: '/terminos',
      headers: { accept: 'text/html', 'accept-encoding': 'br' },
    });
    expect(packed['content-encoding']).toBe('br');
  });

  test('is the bare one, which reads its text itself, while that cannot be had, or not soon', async () => {
    terms = () => new Promise(() => {});
    const asked = performance.now();
    expect((await load('/privacidad')).body).toBe(BARE);
    expect(performance.now() - asked).toBeGreaterThan(900);
  });
});

const hashOf = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

describe('the counter', () => {
  test.each(['/mostrador', '/mostrador/', '/mostrador/cobro/11234567890', '/Mostrador/entrar'])(
    '%s is its own document, which reaches nobody but us and knows nothing of the buyers’',
    async (path) => {
      const { status, headers, body } = await load(path);
      expect([status, body]).toEqual([200, expect.stringContaining(': counter</title>')]);
      expect(body).not.toContain('accounts.example');
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("connect-src 'self';");
      expect(policy).toContain(`script-src 'self' ${hashOf('again()')};`);
      expect(policy).not.toContain('clip.mx');
    },
  );

  test('its files are beside it, and what is not there is no document', async () => {
    expect((await server.ask('GET /mostrador/assets/main-def456.js')).status).toBe(200);
    expect((await load('/mostrador/assets/gone-123.js')).status).toBe(404);
  });

  test('its worker is asked for again each time, and has its document, whose address has no slash at its end', async () => {
    const { headers, body } = await server.ask('GET /mostrador/offline-worker.js');
    expect(body).toBe('counterWorker()');
    expect(headers['service-worker-allowed']).toBe('/mostrador');
    expect(headers['cache-control']).toBe('no-cache');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; connect-src 'self'",
    );
    const { headers: buyers } = await server.ask('GET /offline-worker.js');
    expect(buyers['service-worker-allowed']).toBeUndefined();
  });
});

describe('what a chat shows of a link', () => {
  const tags = async (path: string, headers: Record<string, string> = {}) => {
    const { status, body } = await server.ask(`GET ${path}`, { headers });
    expect(status).toBe(200);
    const said = [...body.matchAll(/<meta property="og:([\w:]+)" content="([^"]*)" \/>/g)];
    return Object.fromEntries(said.map(([, name, content]) => [name, content]));
  };
  const general = {
    title: 'L&#39;Aparta &#38; &#60;b&#62;Hijos&#60;/b&#62;',
    description: 'Poco a poco.',
    image: 'https://aparta.test/preview.png',
    'image:width': '1200',
  };
  const to = (merchantId: number, productId: number, buyerId = 0) =>
    `/?ref=${encodeURIComponent(`1|${merchantId}|${productId}|${buyerId}|1.00|9|1.00|0`)}`;
  let merchantId: number;
  let productId: number;
  beforeAll(async () => {
    merchantId = await makeMerchant(server.db);
    productId = await makeProduct(server.db, {
      merchantId,
      name: 'Pantalla 55" <script>alert(1)</script>',
      priceCentavos: 300_000,
    });
  });

  test("is the product's name, and what it can be reserved with today", async () => {
    expect(await tags(to(merchantId, productId))).toEqual({
      ...general,
      title: 'Pantalla 55&#34; &#60;script&#62;alert(1)&#60;/script&#62;',
      description: 'Apártalo con $600.00 y 2 abonos de $1,200.00, uno cada 30 días, en Muebles del Centro.',
    });
  });

  test("is the product's picture where it has one, large, whose size is not said", async () => {
    const id = await makeProduct(server.db, { merchantId });
    const picture = { content: 'a1'.repeat(16), large: Buffer.from('large'), small: Buffer.from('small') };
    await transaction(server.db, (tx) => putPicture(tx, id, picture));
    const { image, ...rest } = await tags(to(merchantId, id));
    expect(image).toBe(`https://aparta.test/pictures/${id}-${picture.content}-large.webp`);
    const shown = await server.ask(`GET ${new URL(image ?? '').pathname}`);
    expect([shown.status, shown.headers['content-type'], shown.body]).toEqual([200, 'image/webp', 'large']);
    expect(Object.keys(rest)).toEqual(['title', 'description']);
  });

  test('says nothing of the buyer whose reference was shared', async () => {
    const ana = await makeBuyer(server.db);
    expect(await tags(to(merchantId, productId, ana.id))).toEqual(await tags(to(merchantId, productId)));
  });

  test("is the shop's own for every other link, and for a product that is not on sale there", async () => {
    const withdrawn = await makeProduct(server.db, { merchantId });
    await server.db
      .updateTable('products')
      .set({ withdrawn_at: new Date() })
      .where('id', '=', withdrawn)
      .execute();
    const other = await makeMerchant(server.db);
    for (const path of [
      '/',
      '/?ref=null',
      '/?ref=%3Cb%3E',
      '/?ref=1%7C1%7C99999999%7C0',
      '/login?ref=1',
      to(other, productId),
      to(merchantId, withdrawn),
    ])
      expect(await tags(path), path).toEqual(general);
  });

  test('costs a browser that opens the link nothing: its document is the one that it has', async () => {
    const opened = { 'sec-fetch-mode': 'navigate' };
    expect(await tags(to(merchantId, productId), opened)).toEqual(general);
  });
});

describe('the policy of a document', () => {
  const policyOf = async (path: string) => {
    const { headers } = await load(path);
    return Object.fromEntries(
      String(headers['content-security-policy'])
        .split('; ')
        .map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1).join(' ')]),
    );
  };

  test.each(['/', '/login', '/apartado', '/cxcList', '/pullapart'])(
    '%s admits our own scripts and services only',
    async (path) => {
      const policy = await policyOf(path);
      expect(policy).toMatchObject({
        'default-src': "'none'",
        // Of the one script that stands in the build's documents, and of what browsers may make ready ahead.
        'script-src': `'self' ${['open()', '{}'].map(hashOf).join(' ')}`,
        'style-src': "'self'",
        'connect-src': "'self' https://accounts.example",
        'frame-ancestors': "'none'",
        'base-uri': "'none'",
        'require-trusted-types-for': "'script'",
      });
      expect(policy['frame-src']).toBeUndefined();
      expect(JSON.stringify(policy)).not.toMatch(/clip|unsafe|\*/);
    },
  );

  test.each([
    '/pullapartByClip/1234567890',
    '/threeDSByclipPA/1234567890/1/600.00',
    '/paymentByClib/1/2',
    '/threeDSByclib/1/2/3/4',
  ])("%s admits the card provider's hosts as well", async (path) => {
    expect(await policyOf(path)).toMatchObject({
      'script-src': expect.stringMatching(/^'self' 'sha256-[^']+' 'sha256-[^']+' https:\/\/sdk\.clip\.mx$/),
      'connect-src': "'self' https://accounts.example https://api.payclip.com",
      'frame-src': 'https://elements.clip.mx',
      'frame-ancestors': "'none'",
    });
  });

  test("a help link's admits them too, and the one script that stands in its own document", async () => {
    expect(await policyOf('/ayudar')).toMatchObject({
      'script-src': `'self' ${hashOf('again()')} https://sdk.clip.mx`,
      'connect-src': "'self' https://accounts.example https://api.payclip.com",
      'frame-src': 'https://elements.clip.mx',
    });
  });
});

describe('files', () => {
  test('with a hash in their name are kept for a year, compressed as the build made them', async () => {
    const plain = await server.ask('GET /assets/main-abc123.js');
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(plain.body).toBe('plain()');
    const small = await server.ask('GET /assets/main-abc123.js', { headers: { 'accept-encoding': 'br' } });
    expect([small.headers['content-encoding'], small.body]).toEqual(['br', 'brotli']);
  });

  test('that run as a worker may compile WebAssembly, and nothing more', async () => {
    const { headers } = await server.ask('GET /assets/qr-worker-abc123.js');
    expect(headers['content-security-policy']).toContain("script-src 'self' 'wasm-unsafe-eval'");
    const { headers: others } = await server.ask('GET /assets/main-abc123.js');
    expect(others['content-security-policy']).not.toContain('wasm');
  });

  test('that work offline are asked for again each time, and may fetch what is ours and nothing more', async () => {
    const { headers, body } = await server.ask('GET /offline-worker.js');
    expect(body).toBe('worker()');
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(headers['cache-control']).toBe('no-cache');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; connect-src 'self'",
    );
  });

  test('tell a phone that installs the app its name', async () => {
    const { headers, body } = await server.ask('GET /manifest.webmanifest');
    expect(headers['content-type']).toBe('application/manifest+json');
    expect(body).toEqual({ name: NAME });
  });

  test('of the root are served by their type, and only those that belong to a web app', async () => {
    expect((await server.ask('GET /icon.svg')).headers['content-type']).toBe('image/svg+xml');
    expect((await server.ask('GET /secret.key')).status).toBe(404);
  });

  test.each([
    '/assets/../secret.key',
    '/assets/..%2fsecret.key',
    '/assets/%2e%2e/secret.key',
    '/..%2f..%2fetc%2fpasswd',
  ])('%s leads nowhere', async (path) => {
    expect((await server.ask(`GET ${path}`)).status).toBeGreaterThanOrEqual(400);
  });

  test.each(['/assets/', '/assets/%00', '/assets/..%2fx', '/assets/..%2fsecret.key'])(
    '%s is not found, and no failure of ours',
    async (path) => {
      const { status, body } = await server.ask(`GET ${path}`);
      expect(status).toBe(404);
      expect(body).toMatchObject({ code: 'NOT_FOUND' });
    },
  );
});
