import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { axeFinds, bringAxe } from './axe.ts';
import { codesIn, codesOn } from './bar-codes.ts';
import { sees } from './card.ts';
import { digitsOn } from './digits.ts';
import { test } from './journey.ts';
import { keptIn } from './kept.ts';
import type { Buyer, Shop } from './shop.ts';

/** What a browser says while there is no server, and what a server says that has just started. */
const WITHOUT_SERVER = [/net::ERR_/, /Failed to (fetch|load)/, /503/];
const SEEN = /^Sin internet\. Visto el \d+ \w+ \d{4}, \d\d:\d\d h\.$/;

/** A buyer with a purchase under way, one that is paid whole, a receipt and a store reference, all of which they have seen. */
async function seesAll(shop: Shop, page: Page, buyer: Buyer) {
  const [, second, last] = await shop.newPurchase(buyer);
  const [paidOff, ...rest] = await shop.newPurchase(buyer);
  if (!second || !last || !paidOff) throw new Error('the demo’s plan has three instalments');
  for (const { paymentReference } of rest) await shop.payAtTill({ paymentReference, tillTotal: 1_200 });
  const [{ folio }] = (await shop.query<{ folio: string }>(
    'select folio from receipts where buyer_id = $1 order by id limit 1',
    [buyer.id],
  )) as [{ folio: string }];
  const paths = {
    store: `/onSitePaymentByTapi/${second.ventaId}/${second.id}`,
    active: `/saleCxcList/${second.ventaId}`,
    paidOff: `/saleCxcList/${paidOff.ventaId}`,
    receipt: `/recibo/${folio}`,
    pay: `/paymentByClib/${second.ventaId}/${second.id}`,
  };
  const keeps = async (path: string, query: string) => {
    await page.goto(shop.origin + path);
    await expect.poll(async () => (await keptIn(page)).queries.join()).toContain(query);
  };
  await keeps('/', '"owed"');
  await keeps('/cxcList', '"list"');
  await keeps(paths.receipt, folio);
  await page.goto(shop.origin + paths.store);
  await sees(page, 'Pago presencial');
  const reference = await digitsOn(page, 'Referencia');
  await keeps(paths.active, `"one",${second.ventaId}`);
  await page.getByRole('button', { name: 'Realizar pago' }).waitFor();
  await keeps(paths.paidOff, '"pickup"');
  const code = await digitsOn(page, 'Código de entrega');
  expect(code).toMatch(/^\d{6}$/);
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active);
  return { paths, reference, till: last.paymentReference, code };
}

/** Reads it all in a tab that was opened without a server, where nobody is signed in. */
async function readsAll(shop: Shop, context: BrowserContext, seen: Awaited<ReturnType<typeof seesAll>>) {
  const { paths, reference, till, code } = seen;
  const tab = await context.newPage();
  await bringAxe(tab);
  await tab.goto(shop.origin);
  await sees(tab, 'Hola, Ana Torres');
  await tab.getByText(SEEN).waitFor();
  await tab.getByText('$1,200.00').first().waitFor();
  expect(await axeFinds(tab, 'all')).toEqual([]);
  await tab.getByRole('link', { name: 'Pagos pendientes' }).click();
  await tab.getByRole('heading', { name: /^Horno de microondas/ }).waitFor();
  await tab.getByText(SEEN).waitFor();
  await tab.goto(shop.origin + paths.receipt);
  await tab.getByText('$600.00').first().waitFor();
  await tab.getByText(SEEN).waitFor();
  await tab.goto(shop.origin + paths.store);
  await sees(tab, 'Pago presencial');
  await expect.poll(() => codesOn(tab)).toEqual([reference]);
  await tab.getByText(/No pudimos revisar tu pago.*Viste esta referencia el \d+ \w+ \d{4}/).waitFor();
  const download = tab.waitForEvent('download');
  await tab.getByRole('button', { name: 'Guardar referencia' }).click();
  expect(await codesIn(await download)).toEqual([reference]);
  await tab.getByRole('button', { name: 'Ayuda' }).click();
  await tab.getByRole('dialog', { name: 'Ayuda' }).getByText('Teléfono:').waitFor();
  await tab.goto(shop.origin + paths.paidOff);
  expect(await digitsOn(tab, 'Código de entrega')).toBe(code);
  await tab.getByText(SEEN).waitFor();
  // Nothing that moves money comes from what was kept.
  await tab.goto(shop.origin + paths.active);
  await tab.getByText('Para pagar con tarjeta necesitas internet').waitFor();
  await tab.getByText('No hay conexión', { exact: false }).first().waitFor();
  expect(await tab.getByRole('button', { name: 'Realizar pago' }).count()).toBe(0);
  // The number for the till is paper, and so is its bar code.
  await tab.getByRole('link', { name: /^En caja: / }).click();
  await expect.poll(() => codesOn(tab)).toEqual([till]);
  await tab.goto(shop.origin + paths.pay);
  await sees(tab, 'Sin internet');
  await tab.getByText('No se pagó ni se cambió nada.', { exact: false }).waitFor();
  expect(await axeFinds(tab, 'all')).toEqual([]);
  return tab;
}

test(
  'What a buyer saw is read in a new tab while there is no server, with its time; nothing is paid or sent later; signing out leaves none of it',
  { timeout: 150_000 },
  async ({ shop, phone }) => {
    const buyer = await shop.newBuyer();
    const { page, context } = await phone({ buyer, hasWorker: true, mayComplain: WITHOUT_SERVER });
    const seen = await seesAll(shop, page, buyer);
    const kept = await keptIn(page);
    for (const query of ['owed', 'list', 'one', 'receipt', 'pickup'])
      expect(kept.queries.join(' ')).toContain(`"${query}"`);
    expect(kept.queries.filter((key) => /instalment|quote|late with|cash reference/.test(key))).toEqual([]);
    expect(kept.documents).not.toContain('/');
    expect(kept.text.includes(seen.reference)).toBe(true);
    const secrets = [buyer.email, buyer.token, '5512345678'];
    expect(secrets.filter((secret) => kept.text.includes(secret))).toEqual([]);
    // Of a build before this one: a tab that is still open finds its scripts.
    await page.evaluate(async () => {
      await (await caches.open('aparta-before')).put('/assets/before-1.js', new Response('before()'));
    });

    let tab: Page;
    await shop.server.stop();
    try {
      tab = await readsAll(shop, context, seen);
      await page.goto(shop.origin + seen.paths.active);
      await page.getByRole('button', { name: 'Canc.Compra' }).click();
      await page.getByText('No pudimos calcular tu devolución').waitFor();
      expect(await page.evaluate(async () => (await fetch('/assets/before-1.js')).text())).toBe('before()');
    } finally {
      await shop.server.start();
    }
    const sent: string[] = [];
    context.on('request', (request) => request.method() !== 'GET' && sent.push(request.url()));
    await page.reload();
    await page.getByRole('button', { name: 'Realizar pago' }).waitFor();
    expect(await page.getByText(SEEN).count()).toBe(0);
    // Where nobody signed in, a document of the network asks for that first.
    await tab.goto(shop.origin + seen.paths.paidOff);
    await sees(tab, /^Bienvenid/);
    expect(sent).toEqual([]);
    expect(
      await shop.query('select 1 from purchases where buyer_id = $1 and cancelled_at is not null', [
        buyer.id,
      ]),
    ).toEqual([]);

    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL(`${shop.origin}/login`);
    await expect.poll(async () => (await keptIn(page)).queries).toEqual([]);
    const left = await keptIn(page);
    const spoken = [...secrets, seen.reference, seen.code, 'Ana Torres', 'Horno'];
    expect(spoken.filter((secret) => left.text.includes(secret))).toEqual([]);
    await context.setOffline(true);
    await tab.goto(shop.origin + seen.paths.paidOff);
    await tab.waitForURL(`${shop.origin}/login`);
    expect(await tab.getByRole('group', { name: 'Código de entrega' }).count()).toBe(0);
  },
);
