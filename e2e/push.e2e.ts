import { expect } from 'vitest';
import { test } from './journey.ts';

test('A buyer asks a purchase’s page to tell them, and their phone shows the payment that a till takes', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer();
  const [, second] = await shop.newPurchase(buyer);
  if (!second) throw new Error('the demo’s plan has three instalments');
  const { page, context } = await phone({ buyer, permissions: ['notifications'] });
  // Chromium here has no push service of its own: the sandbox's gives the address, everything else is real.
  const { id, endpoint, p256dh, auth } = await shop.control('POST /control/push/devices', {});
  await page.addInitScript(
    (device) => {
      const subscription = {
        endpoint: device.endpoint,
        toJSON: () => ({ keys: device }),
        unsubscribe: async () => true,
      };
      PushManager.prototype.subscribe = async () => subscription as unknown as PushSubscription;
      PushManager.prototype.getSubscription = async () => null;
    },
    { endpoint, p256dh, auth },
  );
  const devtools = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
      const active = versions.find(({ status }) => status === 'activated');
      if (active) resolve(active.registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  const displayed = new Promise<void>((resolve) => {
    devtools.on('BackgroundService.backgroundServiceEventReceived', ({ backgroundServiceEvent }) => {
      if (backgroundServiceEvent.eventName === 'Notification displayed') resolve();
    });
  });
  const notices = { service: 'notifications' } as const;
  await devtools.send('BackgroundService.startObserving', notices);
  await devtools.send('BackgroundService.setRecording', { ...notices, shouldRecord: true });

  await page.goto(`${shop.origin}/saleCxcList/${second.ventaId}`);
  await page.getByRole('button', { name: 'Avisarme aquí' }).click();
  await page.getByText('Listo: te avisamos en este dispositivo.').waitFor();

  await shop.payAtTill({ paymentReference: second.paymentReference, tillTotal: 1_200 });
  const pushed = async () => (await shop.control(`GET /control/push/devices/${id}`)).pushed[0]?.message;
  await expect
    .poll(pushed, { timeout: 15_000 })
    .toMatchObject({ title: 'Recibimos tu pago de $1,200.00 MXN', body: 'Te faltan $1,200.00 MXN.' });
  await devtools.send('ServiceWorker.deliverPushMessage', {
    origin: shop.origin,
    registrationId: await registered,
    data: JSON.stringify(await pushed()),
  });
  // Not asked for before: Chromium forgets one that is asked for while it is being displayed.
  await displayed;
  const shown = await page.evaluate(async () => {
    const worker = await navigator.serviceWorker.getRegistration('/saleCxcList/');
    return (await worker?.getNotifications())?.map(({ title, body, data }) => ({ title, body, data }));
  });
  expect(shown).toEqual([
    {
      title: 'Recibimos tu pago de $1,200.00 MXN',
      body: 'Te faltan $1,200.00 MXN.',
      data: `${shop.origin}/saleCxcList/${second.ventaId}`,
    },
  ]);
});
