import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { codesOn } from './bar-codes.ts';
import { heading, payWith, sees } from './card.ts';
import { digitsOn } from './digits.ts';
import { hurry, takeClock } from './hurry.ts';
import { test } from './journey.ts';
import type { Phone, PhoneOptions } from './phone.ts';
import { CARDS, type Buyer, type Shop } from './shop.ts';

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
  return { buyer, page, purchaseId, instalmentId, reference: await digitsOn(page, 'Referencia') };
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
    await expect.poll(() => digitsOn(page, 'Referencia')).not.toBe(store.reference);
    await page.getByText('Paga $700.00 en efectivo y guarda tu ticket.').waitFor();
    expect(await paidOf(shop, store)).toEqual([600, 500, 0]);
    await payAtStore(shop, await digitsOn(page, 'Referencia'));
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
    const reference = await digitsOn(page, 'Referencia');
    await expect.poll(() => codesOn(page)).toEqual([reference]);
    await payAtStore(shop, reference);
    await hurry(page, () => heading(page, 'Apartado pagado').isVisible());
    expect(await shop.query('select paid_centavos from purchases where buyer_id = $1', [buyer.id])).toEqual([
      { paid_centavos: 60_000 },
    ]);
  });
});
