import { findChromium } from '@aparta/tools/browser';
import { button, openTab, withSession } from '@aparta/tools/tab';
import { expect, onTestFinished } from 'vitest';
import { test } from './journey.ts';
import { CARDS, type Buyer } from './shop.ts';

const WAIT_MS = 20_000;
const SHOWN_AFTER = "performance.getEntriesByType('navigation')[0].activationStart";
/** The card form has read what is owed; its button comes with the provider's frame. */
const HAS_READ = "document.querySelector('main')?.textContent.includes('$') ?? false";
const FORM = `${button('Pagar $')} !== undefined`;
const BY_CARD = button('Pago con clip', 'dialog');

async function openTabOf({ session }: Buyer) {
  const tab = await openTab((await findChromium()) ?? '', withSession(session));
  onTestFinished(tab.close);
  return tab;
}

test('The card form is made ready while the buyer reads step 3, without the provider’s frame until they press', async ({
  shop,
}) => {
  const buyer = await shop.newBuyer();
  const { id } = await shop.newReference(buyer);
  const tab = await openTabOf(buyer);
  await tab.goto(`${shop.origin}/apartado?paso=3&id=${id}`);
  await tab.until(`${button('Pago con Clip')} !== undefined`, WAIT_MS);
  await expect.poll(() => tab.isReady(HAS_READ)).toBe(true);
  await tab.act(`${button('Pago con Clip')}.click()`);
  await tab.until(FORM, WAIT_MS);
  expect(await tab.read('location.pathname')).toBe(`/pullapartByClip/${id}`);
  const shownAfter = await tab.read<number>(SHOWN_AFTER);
  expect(shownAfter).toBeGreaterThan(0);
  const startOf = (what: string) =>
    tab.read<number>(`performance.getEntriesByType('resource').findLast((each) => ${what})?.startTime ?? 0`);
  // What is owed is asked anew, and only now the provider is.
  await expect.poll(() => startOf(`each.name.endsWith('/${id}')`)).toBeGreaterThan(shownAfter);
  await expect.poll(() => startOf("each.initiatorType === 'iframe'")).toBeGreaterThan(shownAfter);
});

test('The card form of an instalment is made ready while the buyer chooses how to pay, with what is owed when they come, and takes it once', async ({
  shop,
}) => {
  const buyer = await shop.newBuyer();
  const [deposit, second] = await shop.newPurchase(buyer);
  const tab = await openTabOf(buyer);
  await tab.goto(`${shop.origin}/saleCxcList/${deposit?.ventaId}`);
  await tab.until(`${button('Realizar pago')} !== undefined`, WAIT_MS);
  await tab.act(`${button('Realizar pago')}.click()`);
  await tab.until(`${BY_CARD} !== undefined`, WAIT_MS);
  await expect.poll(() => tab.isReady(HAS_READ)).toBe(true);
  await shop.payAtTill({ paymentReference: second?.paymentReference ?? '', tillTotal: 100 });
  await tab.act(`${BY_CARD}.click()`);
  await tab.until(FORM, WAIT_MS);
  expect(await tab.read('location.pathname')).toBe(`/paymentByClib/${deposit?.ventaId}/${second?.id}`);
  expect(await tab.read(SHOWN_AFTER)).toBeGreaterThan(0);
  // It was made ready before a till took $100 of the $1,200.
  await expect.poll(() => tab.read(`${button('Pagar $')}.textContent`)).toContain('$1,115.00');
  await tab.act("document.querySelector('iframe').focus()");
  await tab.typeOn([CARDS.approved, '1240', '123', 'Ana Torres']);
  await tab.act(`${button('Pagar $')}.click()`);
  await tab.until("document.querySelector('h1')?.textContent === 'Transacción realizada!'", WAIT_MS);
  await shop.settle(buyer, { charged: 1, purchases: 1 });
});

test('Who came by a reminder’s link and turns back from the card form finds the purchase, and is not asked again', async ({
  shop,
}) => {
  const buyer = await shop.newBuyer();
  const [deposit] = await shop.newPurchase(buyer);
  const tab = await openTabOf(buyer);
  await tab.goto(`${shop.origin}/saleCxcList/${deposit?.ventaId}?pagar`);
  await tab.until(`${BY_CARD} !== undefined`, WAIT_MS);
  await expect.poll(() => tab.isReady(HAS_READ)).toBe(true);
  await tab.act(`${BY_CARD}.click()`);
  await tab.until(FORM, WAIT_MS);
  expect(await tab.read(SHOWN_AFTER)).toBeGreaterThan(0);
  await tab.act('history.back()');
  await tab.until(`${button('Realizar pago')} !== undefined`, WAIT_MS);
  expect(await tab.read('location.search')).toBe('');
  await tab.until("document.querySelector('dialog') === null", WAIT_MS);
});
