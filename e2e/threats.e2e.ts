import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { bankWindow, cardFrame, payWith, sees } from './card.ts';
import { test } from './journey.ts';
import { CARDS, type Buyer, type Shop } from './shop.ts';

/** The policy of every document; `{start}` stands for the hash of what starts it, `{old}` for that of what a browser too old for it says, `{rules}` for that of what a browser may make ready, `{…}` for the sandbox's as the card provider. */
const ORDINARY = [
  "default-src 'none'",
  "script-src 'self' {start} {old} {rules}",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "media-src 'self' blob:",
  "form-action 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
];
const TRUSTED_TYPES = ["require-trusted-types-for 'script'", 'trusted-types aparta'];
const CARD = [
  ...ORDINARY.map((directive) => {
    if (directive.startsWith('script-src')) return `${directive} {sandbox}`;
    if (directive.startsWith('connect-src')) return `${directive} {sandbox} {frame}`;
    return directive;
  }),
  'frame-src {frame} {bank}',
];

const DOCUMENTS: readonly { path: string; policy: readonly string[]; reports?: readonly string[] }[] = [
  ...[
    '/',
    '/login',
    '/buyerRegister',
    '/apartado',
    '/codigo/1',
    '/cxcList',
    '/clientEdit',
    '/nothing-here',
  ].map((path) => ({ path, policy: [...ORDINARY, ...TRUSTED_TYPES] })),
  ...[
    '/pullapartByClip/1',
    '/threeDSByclipPA/1/1/600.00',
    '/paymentByClib/1/1',
    '/THREEDSBYCLIB/1/1/1/1',
  ].map((path) => ({
    path,
    policy: CARD,
    reports: TRUSTED_TYPES,
  })),
  { path: '/ayudar', policy: withoutRules(CARD), reports: TRUSTED_TYPES },
  { path: '/mostrador', policy: withoutRules([...ORDINARY, ...TRUSTED_TYPES]) },
];

/** Of a document without them: in place of what starts it stands what opens it again. */
function withoutRules(policy: readonly string[]): string[] {
  return policy.map((directive) => directive.replace(' {rules}', ''));
}

test('Each document is allowed what the table says, the card provider’s hosts on card screens alone', async ({
  shop,
}) => {
  const sandbox = new URL(shop.sandboxOrigin);
  const at = (offset: number) => `http://localhost:${Number(sandbox.port) + offset}`;
  const places = { '{sandbox}': at(0), '{frame}': at(2), '{bank}': at(3) };
  for (const { path, policy, reports } of DOCUMENTS) {
    const { headers } = await fetch(shop.origin + path, { headers: { accept: 'text/html' } });
    const said = (name: string) => {
      let text = headers.get(name) ?? '';
      for (const place of ['{start}', '{old}', '{rules}']) text = text.replace(/'sha256-[\w+/=]{44}'/, place);
      for (const [place, origin] of Object.entries(places)) text = text.replaceAll(origin, place);
      return text === '' ? undefined : text.split('; ');
    };
    expect(said('content-security-policy'), path).toEqual(policy);
    expect(said('content-security-policy-report-only'), path).toEqual(reports);
    expect(headers.get('x-frame-options'), path).toBe('DENY');
  }
});

test('Nothing of the card provider stays once the buyer has left the card screen', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer();
  const { page } = await phone({ buyer });
  await atTheCardForm(shop, page, buyer);
  expect(await foreign(page, shop.origin)).not.toEqual([]);
  await page.getByRole('banner').getByRole('link', { name: 'Aparta' }).click();
  await sees(page, 'Hola, Ana Torres');
  expect(await foreign(page, shop.origin)).toEqual([]);
  expect(await page.evaluate(() => 'ClipSDK' in window)).toBe(false);

  await atTheCardForm(shop, page, buyer);
  await payWith(page, CARDS.approved);
  await sees(page, 'Transacción realizada!');
  await page.getByRole('link', { name: 'Ver mi compra' }).click();
  await page.waitForURL('**/saleCxcList/*');
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await foreign(page, shop.origin)).toEqual([]);
});

test('A page of somebody else that frames ours shows nothing of it', async ({ shop, phone }) => {
  const buyer = await shop.newBuyer();
  const paths = DOCUMENTS.map(({ path }) => path).concat('/v1/nothing', '/assets/nothing.js');
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(paths.map((path) => `<iframe src="${shop.origin}${path}"></iframe>`).join(''));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { page } = await phone({
      buyer,
      mayComplain: [/frame-ancestors/, /X-Frame-Options/, /status of 404/],
    });
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const frames = page.frames().filter((frame) => frame !== page.mainFrame());
    expect(frames).toHaveLength(paths.length);
    for (const frame of frames) {
      await expect.poll(() => frame.url()).toBe('chrome-error://chromewebdata/');
      expect(await frame.locator('#root').count()).toBe(0);
    }
  } finally {
    server.close();
  }
});

test('The bank’s window cannot navigate the buyer away from the shop', async ({ shop, phone }) => {
  const buyer = await shop.newBuyer();
  const { page } = await phone({ buyer, mayComplain: [/Unsafe attempt to initiate navigation/] });
  await atTheBank(shop, page, buyer);
  const before = page.url();
  const bank = page.frames().find((frame) => frame.url().includes('/challenge/'));
  const refused = await bank?.evaluate(() => {
    try {
      (window.top as Window).location.href = 'http://127.0.0.1:9/';
      return '';
    } catch (error) {
      return (error as Error).name;
    }
  });
  expect(refused).toBe('SecurityError');
  await bankWindow(page).getByRole('button', { name: 'Aprobar' }).waitFor();
  expect(page.url()).toBe(before);
});

test('Messages that do not come from the bank’s window about this payment are ignored', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer();
  const { page } = await phone({ buyer });
  await atTheBank(shop, page, buyer);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (/GetPaymentsAsync|OnLayaway/.test(request.url())) asked.push(request.url());
  });
  const bank = page.frames().find((frame) => frame.url().includes('/challenge/'));
  if (!bank) throw new Error('no window of the bank');
  const paymentId = new URL(bank.url()).pathname.split('/').at(-1) ?? '';

  // Wrong origin: ours.
  await page.evaluate((id) => window.postMessage({ paymentId: id }, '*'), paymentId);
  // Right origin, wrong window.
  await page.evaluate(
    (src) => {
      const other = document.createElement('iframe');
      other.src = src;
      document.body.append(other);
    },
    bank.url().replace(paymentId, 'another'),
  );
  await expect.poll(() => page.frames().find((frame) => frame.url().endsWith('/another'))).toBeDefined();
  const other = page.frames().find((frame) => frame.url().endsWith('/another'));
  await other?.waitForLoadState();
  await other?.evaluate((id) => window.parent.postMessage({ paymentId: id }, '*'), paymentId);
  // Right window, wrong payment; then nonsense.
  await bank.evaluate(() => {
    for (const said of [{ paymentId: 'another' }, 'paid', null, { status: 'approved' }, 7])
      window.parent.postMessage(said, '*');
  });
  await page.waitForTimeout(500);
  expect(asked).toEqual([]);
  await sees(page, 'Autenticación 3DS');

  // The real message. Sent twice, it is handled once, and the provider's answer decides.
  await bank.evaluate((id) => {
    window.parent.postMessage({ paymentId: id }, '*');
    window.parent.postMessage({ paymentId: id }, '*');
  }, paymentId);
  await sees(page, 'Estamos confirmando tu pago');
  expect(asked.filter((url) => url.includes('GetPaymentsAsync'))).toHaveLength(1);
  await page.getByRole('button', { name: /^Abrir .*ventana/ }).click();
  await bankWindow(page).getByRole('button', { name: 'Aprobar' }).click();
  await sees(page, 'Transacción exitosa!');
  await shop.settle(buyer, { charged: 1, purchases: 1 });
});

test('What a buyer types as their name is text on every screen, never markup', async ({ shop, phone }) => {
  const name = '<img src=x onerror="window.hacked=1">';
  const buyer = await shop.newBuyer(name);
  const productId = await shop.newProduct(3_000, 1, '<script>window.hacked=1</script>');
  const reference = await shop.newReference(buyer, { productId });
  const { page } = await phone({ buyer });
  async function expectText(screens: Readonly<Record<string, string>>) {
    for (const [path, text] of Object.entries(screens)) {
      await page.goto(shop.origin + path);
      await page.getByText(text, { exact: false }).first().waitFor();
      expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    }
  }
  const product = '<script>';
  await expectText({
    '/': name,
    [`/apartado?paso=3&id=${reference.id}`]: product,
    [`/pullapartByClip/${reference.id}`]: product,
  });
  await shop.payAtTill(reference);
  const [bought] = await shop.query('select id from purchases where buyer_id = $1', [buyer.id]);
  const [receipt] = await shop.query('select folio from receipts where buyer_id = $1', [buyer.id]);
  await expectText({
    '/': product,
    '/dashboard': product,
    '/cxcList': product,
    [`/saleCxcList/${bought.id}`]: product,
    [`/recibo/${receipt.folio}`]: name,
  });
});

async function atTheCardForm(shop: Shop, page: Page, buyer: Buyer): Promise<void> {
  const { id } = await shop.newReference(buyer);
  await page.goto(`${shop.origin}/pullapartByClip/${id}`);
  await cardFrame(page).getByLabel('Número de tarjeta').waitFor();
}

async function atTheBank(shop: Shop, page: Page, buyer: Buyer): Promise<void> {
  await atTheCardForm(shop, page, buyer);
  await payWith(page, CARDS.threeDs);
  await sees(page, 'Autenticación 3DS');
  await bankWindow(page).getByRole('button', { name: 'Aprobar' }).waitFor();
}

/** Other origins that a document has loaded from or holds. */
function foreign(page: Page, origin: string): Promise<string[]> {
  return page.evaluate((own) => {
    const held = [...document.querySelectorAll('script[src], iframe[src]')].map(
      (each) => (each as HTMLScriptElement).src,
    );
    const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
    return [...held, ...loaded].filter((url) => new URL(url).origin !== own && !url.startsWith('data:'));
  }, origin);
}
