import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { heading, payWith, sees } from './card.ts';
import { hurry, takeClock } from './hurry.ts';
import { test } from './journey.ts';
import type { Phone, PhoneOptions } from './phone.ts';
import { CARDS, type Buyer, type Shop } from './shop.ts';

prepareZXingModule({
  overrides: {
    wasmBinary: fs.readFileSync(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')))
      .buffer as ArrayBuffer,
  },
});

interface AtTheStore {
  buyer: Buyer;
  page: Page;
  purchaseId: number;
  instalmentId: number;
  /** The reference shown on screen, without spaces. */
  reference: string;
}

/**
 * A buyer with a purchase of 3,000.00 (600.00 deposit paid by card, then 1,200.00 twice) at instalment 2's
 * store reference.
 */
async function atTheStore(
  shop: Shop,
  open: (options?: PhoneOptions) => Promise<Phone>,
  options: PhoneOptions = {},
): Promise<AtTheStore> {
  const buyer = await shop.newBuyer();
  const { id } = await shop.newReference(buyer);
  const { page } = await open({ ...options, buyer });
  await page.goto(`${shop.origin}/pullapartByClip/${id}`);
  await sees(page, 'Pago con tarjeta');
  await payWith(page, CARDS.approved);
  await sees(page, 'Transacción realizada!');
  const [second] = await shop.query(
    `select i.id, i.purchase_id from instalments i join purchases p on p.id = i.purchase_id
       where p.buyer_id = $1 and i.number = 2`,
    [buyer.id],
  );
  const [purchaseId, instalmentId] = [Number(second.purchase_id), Number(second.id)];
  await takeClock(page);
  await page.goto(`${shop.origin}/onSitePaymentByTapi/${purchaseId}/${instalmentId}`);
  await sees(page, 'Pago presencial');
  return { buyer, page, purchaseId, instalmentId, reference: await referenceOn(page) };
}

async function referenceOn(page: Page): Promise<string> {
  return (await page.getByRole('group', { name: 'Referencia' }).innerText()).replaceAll(/\s/g, '');
}

async function codesOn(page: Page): Promise<string[]> {
  const plate = page.getByRole('img', { name: /^Código de barras/ });
  await plate.locator('path').waitFor({ state: 'attached' });
  const codes = await readBarcodes(await plate.screenshot({ scale: 'device' }), { tryHarder: true });
  return codes.map(({ text }) => text);
}

/** At one of the sandbox's stores. */
function payAtStore(shop: Shop, reference: string, amount?: number): Promise<unknown> {
  return shop.control('POST /control/cash/pay', { reference, ...(amount !== undefined && { amount }) });
}

/** What is paid of each instalment, as the buyer sees it. */
async function paidOf(shop: Shop, { buyer, purchaseId }: AtTheStore): Promise<number[]> {
  const { body } = await shop.ask(`GET /v1/Cxc/ByBusinesidVentaidDateD/${purchaseId}`, {
    token: buyer.token,
  });
  return body.data.map(({ pagos }: { pagos: number }) => pagos);
}

/** The screen turns to paid without a reload. */
const sawPaid = (page: Page) => hurry(page, () => heading(page, 'Pagado').isVisible());

const once = { charged: 1, purchases: 1 };

describe('an instalment paid at a store', () => {
  test('Where the store has no signal the bar code still shows, also after a reload, and no other screen gets old', async ({
    shop,
    phone,
  }) => {
    // A server that has just started may refuse a call or two; the screen asks again.
    const store = await atTheStore(shop, phone, { mayComplain: [/net::ERR_/, /Failed to fetch/, /503/] });
    const { page, reference } = store;
    await expect.poll(() => codesOn(page)).toEqual([reference]);
    // The service worker caches in the background; nothing on screen waits for it.
    const isReady = () => page.evaluate(async () => !!(await navigator.serviceWorker.ready).active);
    await expect.poll(isReady).toBe(true);
    await shop.server.stop();
    try {
      await page.reload();
      await sees(page, 'Pago presencial');
      await expect.poll(() => codesOn(page)).toEqual([reference]);
      expect(await referenceOn(page)).toBe(reference);
      await hurry(page, () => page.getByText('No pudimos revisar tu pago.').isVisible());
      // The picture is made on the device.
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Guardar referencia' }).click();
      const codes = await readBarcodes(fs.readFileSync(await (await download).path()));
      expect(codes.map(({ text }) => text)).toEqual([reference]);
      await page.getByRole('button', { name: 'Ayuda' }).click();
      await page.getByRole('dialog', { name: 'Ayuda' }).getByText('Teléfono:').waitFor();
    } finally {
      await shop.server.start();
    }
    await hurry(page, async () => (await page.getByText('No pudimos revisar tu pago.').count()) === 0);
    const kept = await page.evaluate(async () => {
      const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
      const requests = (await Promise.all(caches_.map((cache) => cache.keys()))).flat();
      return {
        addresses: requests.map(({ url }) => new URL(url).pathname),
        scopes: (await navigator.serviceWorker.getRegistrations()).map(
          ({ scope }) => new URL(scope).pathname,
        ),
        stored: JSON.stringify({ ...localStorage }),
      };
    });
    expect(kept.scopes).toEqual(['/onSitePaymentByTapi/']);
    expect(kept.addresses.filter((path) => !path.startsWith('/assets/'))).toEqual(['/onSitePaymentByTapi/']);
    expect(kept.stored).toContain(reference);
    for (const secret of [store.buyer.token, store.buyer.email, 'Ana'])
      expect(kept.stored).not.toContain(secret);
    await page.goto(`${shop.origin}/cxcList`);
    expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
  });

  test('Paid exactly, the screen says so by itself: Pagado, the folio, what is left', async ({
    shop,
    phone,
  }) => {
    const store = await atTheStore(shop, phone);
    const { page } = store;
    await payAtStore(shop, store.reference);
    await sawPaid(page);
    const ticket = page.getByRole('region', { name: 'Recibo de tu pago' });
    await ticket.getByText('Folio').waitFor();
    expect(await ticket.innerText()).toMatch(/\$1,200\.00[^]*Te falta[^]*\$1,200\.00[^]*Siguiente pago/);
    expect(await paidOf(shop, store)).toEqual([600, 1_200, 0]);
    await shop.settle(store.buyer, once);
    await page.getByRole('link', { name: 'Ver recibo' }).click();
    await sees(page, 'Recibo de pago');
  });

  test('Less is applied as far as it goes, and what is left gets a reference of its own', async ({
    shop,
    phone,
  }) => {
    const store = await atTheStore(shop, phone);
    const { page } = store;
    await payAtStore(shop, store.reference, 500);
    const rest = page.getByText('Ya recibimos $500.00 de este pago. Te faltan $700.00.');
    await hurry(page, () => rest.isVisible());
    await expect.poll(() => referenceOn(page)).not.toBe(store.reference);
    await page.getByText('Paga $700.00 en efectivo y guarda tu ticket.').waitFor();
    expect(await paidOf(shop, store)).toEqual([600, 500, 0]);
    await payAtStore(shop, await referenceOn(page));
    await sawPaid(page);
    expect(await paidOf(shop, store)).toEqual([600, 1_200, 0]);
    await shop.settle(store.buyer, once);
  });

  test('An overpayment pays what comes next, and beyond the whole purchase it is owed back to the buyer', async ({
    shop,
    phone,
  }) => {
    const store = await atTheStore(shop, phone);
    const { page } = store;
    await payAtStore(shop, store.reference, 3_000);
    await sawPaid(page);
    await page.getByText('Pagaste $600.00 de más').waitFor();
    await page.getByText('No te falta ningún pago.').waitFor();
    expect(await paidOf(shop, store)).toEqual([600, 1_200, 1_200]);
    const { body } = await shop.ask(`GET /v1/Sales/RefundsAsync/${store.purchaseId}`, {
      token: store.buyer.token,
    });
    expect(body.data).toMatchObject([{ amount: 600, way: 'cash', state: 'owed' }]);
    await shop.settle(store.buyer, once);
  });

  test('Cancelled in the meantime, the screen hides the bar code', async ({ shop, phone }) => {
    const store = await atTheStore(shop, phone);
    const { page, purchaseId, buyer } = store;
    const { body } = await shop.ask(`GET /v1/Sales/CancelQuoteAsync/${purchaseId}`, { token: buyer.token });
    const { status } = await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${purchaseId}`, {
      token: buyer.token,
      body: { cancelNotes: 'Ya no', refundShown: body.data.refund },
    });
    expect(status).toBe(200);
    await hurry(page, () => heading(page, 'Esta compra se canceló').isVisible());
    expect(await page.getByRole('img', { name: /^Código de barras/ }).count()).toBe(0);
  });
});

describe('a deposit paid at a store', () => {
  test('A buyer pays the deposit at a store: what they reserved shows by itself', async ({ shop, phone }) => {
    const buyer = await shop.newBuyer();
    const { id } = await shop.newReference(buyer);
    const { page } = await phone({ buyer });
    await takeClock(page);
    await page.goto(`${shop.origin}/apartado?paso=3&id=${id}`);
    await page.getByRole('link', { name: 'Pagar en tiendas' }).click();
    await sees(page, 'Pago presencial');
    const reference = await referenceOn(page);
    await expect.poll(() => codesOn(page)).toEqual([reference]);
    await payAtStore(shop, reference);
    await hurry(page, () => heading(page, 'Apartado pagado').isVisible());
    expect(await shop.query('select paid_centavos from purchases where buyer_id = $1', [buyer.id])).toEqual([
      { paid_centavos: 60_000 },
    ]);
  });
});
