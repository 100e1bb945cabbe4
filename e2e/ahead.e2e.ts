import { findChromium } from '@aparta/tools/browser';
import { button, openTab, withSession } from '@aparta/tools/tab';
import { expect, onTestFinished } from 'vitest';
import { test } from './journey.ts';

const WAIT_MS = 20_000;

test('The card form is made ready while the buyer reads step 3, without the provider’s frame until they press', async ({
  shop,
}) => {
  const buyer = await shop.newBuyer();
  const { id } = await shop.newReference(buyer);
  const tab = await openTab(findChromium() ?? '', withSession(buyer.session));
  onTestFinished(tab.close);
  await tab.goto(`${shop.origin}/apartado?paso=3&id=${id}`);
  await tab.until(`${button('Pago con Clip')} !== undefined`, WAIT_MS);
  await expect.poll(tab.makesReady).toBe(true);
  await tab.read(`${button('Pago con Clip')}.click()`);
  await tab.until(`${button('Pagar $')} !== undefined`, WAIT_MS);
  expect(await tab.read('location.pathname')).toBe(`/pullapartByClip/${id}`);
  const shownAfter = await tab.read<number>("performance.getEntriesByType('navigation')[0].activationStart");
  expect(shownAfter).toBeGreaterThan(0);
  const startOf = (what: string) =>
    tab.read<number>(`performance.getEntriesByType('resource').findLast((each) => ${what})?.startTime ?? 0`);
  // What is owed is asked anew, and only now the provider is.
  await expect.poll(() => startOf(`each.name.endsWith('/${id}')`)).toBeGreaterThan(shownAfter);
  await expect.poll(() => startOf("each.initiatorType === 'iframe'")).toBeGreaterThan(shownAfter);
});
