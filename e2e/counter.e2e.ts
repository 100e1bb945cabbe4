import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer';
import { sees } from './card.ts';
import {
  addAuthenticator,
  daysPass,
  endingWhenLate,
  find,
  notHandedOver,
  openCounter,
  signInAtCounter,
  STAFF,
  tokenOf,
} from './counter.ts';
import { digitsOn } from './digits.ts';
import { emailsTo } from './emails.ts';
import { test } from './journey.ts';
import { keptIn } from './kept.ts';
import { tabbing } from './keyboard.ts';
import type { Phone, PhoneOptions } from './phone.ts';
import type { Shop } from './shop.ts';

prepareZXingModule({
  overrides: {
    wasmBinary: fs.readFileSync(fileURLToPath(import.meta.resolve('zxing-wasm/writer/zxing_writer.wasm')))
      .buffer as ArrayBuffer,
  },
});

const TAKE = '**/v1/counter/payments';
const HAND_OVER = '**/v1/counter/hand-overs';
type Open = (options?: PhoneOptions) => Promise<Phone>;

/** A cashier's phone at the counter. */
async function atTheCounter(shop: Shop, open: Open, options: PhoneOptions = {}): Promise<Page> {
  const { page } = await open(options);
  await openCounter(page, shop);
  await sees(page, 'Cobrar');
  return page;
}

/** What was seen once is on the phone, also in a tab that was opened without internet, where nobody can sign in. */
async function readsCodeOffline(theirs: Page): Promise<void> {
  const context = theirs.context();
  const isReady = () => theirs.evaluate(async () => !!(await navigator.serviceWorker.ready).active);
  await expect.poll(isReady).toBe(true);
  const kept = async () => (await keptIn(theirs)).queries.join();
  for (const query of ['"one"', '"pickup"']) await expect.poll(kept).toContain(query);
  await context.setOffline(true);
  const another = await context.newPage();
  for (const tab of [theirs, another]) {
    await tab.goto(theirs.url());
    expect(await digitsOn(tab, 'Código de entrega')).toMatch(/^\d{6}$/);
    await tab.getByText('Sin internet: este es el último código que viste.').waitFor();
  }
  await another.close();
  await context.setOffline(false);
  await theirs.reload();
  await theirs.getByText('¡Ya es tuyo!').waitFor();
}

const press = (page: Page, sum: string) => page.getByRole('button', { name: `Cobrar ${sum}` });

async function receiptOf(page: Page, sum: string): Promise<void> {
  await sees(page, 'Recibo');
  await page.getByText(sum, { exact: true }).first().waitFor();
}

async function receipts(shop: Shop, buyerId: number): Promise<number[]> {
  const rows = await shop.query(
    'select amount_centavos as amount from receipts where buyer_id = $1 order by id',
    [buyerId],
  );
  return rows.map(({ amount }) => Number(amount));
}

test('A cashier takes deposit, part and rest; the buyer’s phone beside it shows it paid, that it is theirs, and in the end that they have it', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer('Marisol Reyes');
  const { id, paymentReference } = await shop.newReference(buyer);
  const theirs = (await phone({ buyer, hasWorker: true, mayComplain: [/net::ERR_/] })).page;
  await theirs.goto(`${shop.origin}/apartado?paso=3&id=${id}`);
  const { page } = await phone({ mayComplain: [/net::ERR_/] });
  await signInAtCounter(page, shop);
  await find(page, paymentReference);
  await page.getByText('Marisol R.').waitFor();
  await page.getByLabel('Recibes').fill('1000');
  await page.getByText('Cambio: $400.00').waitFor();
  await press(page, '$600.00').click();
  await receiptOf(page, '$600.00');
  await page.getByText('Cambio que entregas').waitFor();
  // The paper is the buyer's.
  await page.emulateMedia({ media: 'print' });
  await page.getByText('Cambio que entregas').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Imprimir' }).waitFor({ state: 'hidden' });
  await page.getByText('Número para pagarlo').waitFor();
  await page.emulateMedia({ media: null });
  await page.getByText('Laura Pérez').waitFor();
  await theirs.getByText('Pagado', { exact: false }).first().waitFor();

  const [made] = await shop.query('select id from purchases where buyer_id = $1', [buyer.id]);
  const purchaseId = Number(made.id);
  const [, second] = await shop.planOf(buyer, purchaseId);
  await page.getByRole('link', { name: 'Cobrar otro' }).click();
  await find(page, second?.paymentReference ?? '');
  await page.getByLabel('Otro monto').check();
  await page.getByLabel('Monto', { exact: true }).fill('37.50');
  await page.getByRole('region', { name: 'Qué cubre' }).getByText('Pago 2 de 3').waitFor();
  await press(page, '$37.50').click();
  await receiptOf(page, '$37.50');

  await page.getByRole('link', { name: 'Cobrar otro' }).click();
  await find(page, second?.paymentReference ?? '');
  await page.getByLabel('Todo: $2,362.50').check();
  await press(page, '$2,362.50').click();
  await page.getByText('¡Ya está liquidado!', { exact: false }).waitFor();
  await theirs.goto(`${shop.origin}/saleCxcList/${purchaseId}`);
  await theirs.getByText('¡Ya es tuyo!').waitFor();
  const shown = await digitsOn(theirs, 'Código de entrega');
  await readsCodeOffline(theirs);
  await page.getByRole('link', { name: 'Entregar', exact: true }).click();
  await page.getByLabel('Código de entrega').fill(shown);
  await page.getByRole('button', { name: 'Revisar el código' }).click();
  // It is written down, the answer never comes, and the phone is started anew.
  await page.route(HAND_OVER, async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await page.getByRole('button', { name: 'Entregar', exact: true }).click();
  await page.getByText('¿Se anotó la entrega?').waitFor();
  await page.unroute(HAND_OVER);
  await page.goto(`${shop.origin}/mostrador`);
  await page.getByText('¡Entregado!').waitFor();
  await page.getByText('Laura Pérez').waitFor();
  const handOvers = await shop.query('select purchase_id from hand_overs where purchase_id = $1', [
    purchaseId,
  ]);
  expect(handOvers).toHaveLength(1);
  await theirs.getByRole('region', { name: 'Entregado' }).getByText('Laura P.').waitFor();
  expect(await receipts(shop, buyer.id)).toEqual([60_000, 3_750, 236_250]);
  await shop.proveBooks();
});

test('A claim to its refund: a buyer who got nothing claims, reads the answer as it comes, and has all of it back', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer('Marisol Reyes');
  const { purchaseId } = await notHandedOver(shop, buyer);
  const theirs = (await phone({ buyer })).page;
  await theirs.goto(`${shop.origin}/saleCxcList/${purchaseId}`);
  await theirs.getByRole('button', { name: 'Reclamar mi entrega' }).click();
  await theirs.getByLabel('Qué pasó').fill('Fui dos veces y no estaba');
  await theirs.getByRole('button', { name: 'Enviar mi reclamo' }).dblclick();
  await theirs.getByRole('region', { name: 'Tu reclamo' }).waitFor();
  const { page } = await phone();
  await openCounter(page, shop, STAFF.owner, '/hoy');
  await page.getByRole('link', { name: /Reclamos abiertos/ }).click();
  await page.getByRole('link', { name: new RegExp(`Compra ${purchaseId}`) }).click();
  await page.getByText('Fui dos veces y no estaba').waitFor();
  await page.getByLabel('Tu respuesta').fill('Se nos dañó en la bodega');
  await page.getByRole('button', { name: 'Contestar' }).click();
  await page.getByText('Ya contestaste.', { exact: false }).waitFor();
  await theirs.getByText('«Se nos dañó en la bodega»').waitFor();
  await page.getByRole('button', { name: 'Devolver todo' }).click();
  await page.getByLabel('Motivo').fill('Se dañó en la bodega');
  await page.getByRole('button', { name: 'Devolver $3,000.00' }).click();
  await page.getByText('Terminó con la devolución de todo.').waitFor();
  await theirs.getByText('por tu reclamo, y se te devuelve todo', { exact: false }).waitFor();
  const rows = await shop.query(
    `select sum(f.amount_centavos)::int as back, (select count(*)::int from claims where purchase_id = $1) as claims
       from refunds f join receipts r on r.id = f.receipt_id where r.buyer_id = $2`,
    [purchaseId, buyer.id],
  );
  expect(rows).toEqual([{ back: 300_000, claims: 1 }]);
  await shop.proveBooks();
});

test('A late plan to its end by rule: its buyer is warned on screen and by mail, reads what was kept and where the rest stands, and the shop has the unit to sell', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer('Marisol Reyes');
  const { purchaseId, productId } = await endingWhenLate(shop, buyer);
  const warned = async (subject: RegExp) => {
    const found = async () =>
      (await emailsTo(shop, buyer.email)).find((email) => subject.test(email.subject));
    await expect.poll(found, { timeout: 10_000 }).toBeDefined();
    return (await found())?.text;
  };
  // Due in 30 days, 30 days late: two weeks are left.
  await daysPass(shop, purchaseId, 46);
  expect(await warned(/^Tu compra \d+ se cancela el /)).toContain('$1,200.00');
  const theirs = (await phone({ buyer })).page;
  await theirs.goto(`${shop.origin}/saleCxcList/${purchaseId}`);
  await theirs.getByText(/^Se cancela el .+ si antes no se paga$/).waitFor();
  await theirs.getByText('Paga los $1,200.00 del abono vencido', { exact: false }).waitFor();
  const { page } = await phone();
  await openCounter(page, shop, STAFF.owner, `/compras/${purchaseId}`);
  await page.getByText(/^Termina sola el .+ por atraso$/).waitFor();
  await page.getByRole('button', { name: 'Dar más tiempo' }).click();
  await page.getByLabel('Cuántos días más').fill('5');
  await page.getByLabel('Motivo').fill('Cobra el viernes');
  await page.getByRole('button', { name: /^Dar hasta el / }).dblclick();
  await page.getByText(/^Le diste más tiempo: hasta el /).waitFor();
  // The screen is open while they are given it.
  await theirs.getByText(/^La tienda te da más tiempo: hasta el /).waitFor();
  await warned(/^La tienda te da hasta el /);
  await daysPass(shop, purchaseId, 6);
  const firsts = async () =>
    (await emailsTo(shop, buyer.email)).filter(({ subject }) => /^Tu compra \d+ se cancela/.test(subject))
      .length;
  await expect.poll(firsts, { timeout: 10_000 }).toBe(2);
  await daysPass(shop, purchaseId, 11);
  await warned(/^Último aviso: tu compra \d+ se cancela el /);
  await theirs.reload();
  await theirs.getByText(/^La tienda te da más tiempo: hasta el /).waitFor();
  // The screen is open while it ends.
  await daysPass(shop, purchaseId, 3);
  await theirs.getByText('por la regla de atraso de su contrato', { exact: false }).waitFor();
  await theirs.getByText('no quedó pagado completo, y te avisamos por correo', { exact: false }).waitFor();
  const bill = theirs.getByRole('region', { name: 'La cuenta de tu devolución' });
  await bill.getByText('$600.00').waitFor();
  await bill.getByText('$400.00').first().waitFor();
  await theirs.getByText('$400.00 en efectivo').waitFor();
  await theirs.getByText('Por entregar. El comercio te lo entrega', { exact: false }).waitFor();
  expect(await warned(/^Tu compra \d+ se canceló/)).toContain('$400.00');
  await page.reload();
  await page.getByText(/Terminó por atraso el /).waitFor();
  await page.getByText(/^Termina sola/).waitFor({ state: 'hidden' });
  await page.getByText('Ya no se cobra').first().waitFor();
  await page.getByText('Más tiempo para pagar').waitFor();
  expect(await page.getByText('Aviso de que termina por atraso').count()).toBe(3);
  await page.goto(`${shop.origin}/mostrador/productos/${productId}`);
  await page.getByText('1 para vender').waitFor();
  await shop.query('update products set withdrawn_at = app_now() where id = $1', [productId]);
  await shop.proveBooks();
});

test('An owner whose goods broke ends a plan: its buyer reads why on the open screen and by mail, and all of it comes back', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer('Marisol Reyes');
  const [deposit] = await shop.newPurchase(buyer);
  const purchaseId = deposit?.ventaId ?? 0;
  const theirs = (await phone({ buyer })).page;
  await theirs.goto(`${shop.origin}/saleCxcList/${purchaseId}`);
  await theirs.getByRole('button', { name: 'Realizar pago' }).waitFor();
  const { page } = await phone();
  await openCounter(page, shop, STAFF.owner, `/compras/${purchaseId}`);
  await page.getByRole('button', { name: 'No podemos entregarlo' }).click();
  await page.getByLabel('Motivo').fill('La pieza llegó rota');
  await page.getByRole('button', { name: 'Terminar y devolver $600.00' }).dblclick();
  await page.getByText('La terminó la tienda el', { exact: false }).waitFor();
  await page.getByText('Motivo: La pieza llegó rota').waitFor();
  await theirs.getByText('La tienda terminó esta compra', { exact: false }).waitFor();
  await theirs.getByText('Motivo: La pieza llegó rota').waitFor();
  await theirs.getByText('$600.00 en efectivo').waitFor();
  const subjects = async () => (await emailsTo(shop, buyer.email)).map(({ subject }) => subject);
  await expect.poll(subjects).toContain(`La tienda terminó tu compra ${purchaseId}`);

  // The manager hands the cash over; the first answer is lost.
  const manager = (await phone({ mayComplain: [/net::ERR_/] })).page;
  await openCounter(manager, shop, STAFF.manager, `/compras/${purchaseId}`);
  await manager.route('**/v1/counter/refunds/*/pay', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await manager.getByRole('button', { name: 'Entregar $600.00 en efectivo' }).click();
  const sheet = manager.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Entregar $600.00' }).click();
  await sheet.getByRole('alert').waitFor();
  await manager.unroute('**/v1/counter/refunds/*/pay');
  await sheet.getByRole('button', { name: 'Entregar $600.00' }).click();
  await manager.getByText('Entregada', { exact: true }).waitFor();
  await theirs.getByText('Entregada el', { exact: false }).waitFor();
  await expect.poll(subjects).toContain('Te entregaron $600.00 MXN');
  await shop.proveBooks();
});

test('A press over what somebody else took meanwhile says that nothing was taken, and what is left', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer();
  const [, second] = await shop.newPurchase(buyer);
  const page = await atTheCounter(shop, phone, { mayComplain: [/status of 409/] });
  await find(page, second?.paymentReference ?? '');
  await press(page, '$1,200.00').waitFor();
  const taken = await shop.ask('POST /v1/counter/payments', {
    token: await tokenOf(shop, STAFF.manager),
    body: {
      id: crypto.randomUUID(),
      branchId: 1,
      reference: second?.paymentReference,
      amount: 50,
      method: 'cash',
    },
  });
  expect(taken.status).toBe(200);
  await press(page, '$1,200.00').click();
  await page
    .getByRole('alert')
    .getByText('La cantidad cambió. No se cobró nada.', { exact: false })
    .waitFor();
  await press(page, '$1,150.00').waitFor();
  expect(await receipts(shop, buyer.id)).toEqual([60_000, 5_000]);
});

test('A press that is tapped twice, whose answer is lost, and whose phone is started anew, is one receipt', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer();
  const [, second] = await shop.newPurchase(buyer);
  const page = await atTheCounter(shop, phone, { mayComplain: [/net::ERR_/] });
  await find(page, second?.paymentReference ?? '');
  // The money is booked, the answer never comes.
  await page.route(TAKE, async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await press(page, '$1,200.00').dblclick();
  await page.getByText('¿Se registró el cobro de $1,200.00?').waitFor();
  await page.getByText('no cobres de nuevo', { exact: false }).waitFor();
  await page.unroute(TAKE);
  await page.reload();
  await receiptOf(page, '$1,200.00');
  expect(await receipts(shop, buyer.id)).toEqual([60_000, 120_000]);
  await shop.proveBooks();
});

test('A server that is killed between the press and its answer: after a reload the cashier is told, and the money is booked once', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer();
  const [, second] = await shop.newPurchase(buyer);
  const page = await atTheCounter(shop, phone, {
    mayComplain: [/net::ERR_/, /status of 50\d/],
  });
  await find(page, second?.paymentReference ?? '');
  // The press does not arrive: the server dies under it.
  const gone = Promise.withResolvers<void>();
  await page.route(TAKE, async (route) => {
    await shop.server.kill();
    await route.abort('connectionreset');
    gone.resolve();
  });
  await press(page, '$1,200.00').click();
  await gone.promise;
  await page.unroute(TAKE);
  await shop.server.start();
  await page.reload();
  // The same press was sent again by itself, or is asked about.
  const notBooked = page.getByRole('button', { name: 'Sí, registrar $1,200.00' });
  await notBooked.or(page.getByText('Quedó por pagar tras este pago')).first().waitFor();
  if (await notBooked.isVisible()) await notBooked.click();
  await receiptOf(page, '$1,200.00');
  expect(await receipts(shop, buyer.id)).toEqual([60_000, 120_000]);
  await shop.proveBooks();
});

test('With the keyboard alone a manager finds, takes, gives back and closes their drawer', async ({
  shop,
  phone,
}) => {
  const { paymentReference } = await shop.newReference(await shop.newBuyer());
  const { page } = await phone();
  const { keyboard } = page;
  const tabTo = tabbing(page);
  const enter = async (name: string) => {
    await tabTo(name);
    await keyboard.press('Enter');
  };
  const type = async (field: string, text: string) => {
    await tabTo(field);
    await keyboard.type(text);
  };

  await openCounter(page, shop, STAFF.manager);
  await sees(page, 'Cobrar');
  await type('Número o folio', paymentReference);
  await keyboard.press('Enter');
  await sees(page, 'Cobro');
  // Its name is there before what it is about.
  await press(page, '$600.00').waitFor();
  await enter('Cobrar $600.00');
  await receiptOf(page, '$600.00');
  await enter('Devolver este cobro');
  await page.getByRole('heading', { name: '¿Devolver este cobro?' }).waitFor();
  await type('Motivo', 'Se cobró dos veces');
  await keyboard.press('Enter');
  await page.getByText('Se cobró dos veces', { exact: false }).waitFor();
  await enter('Corte');
  await sees(page, 'Corte');
  await page.getByRole('button', { name: 'Contar y cerrar' }).first().waitFor();
  await enter('Contar y cerrar');
  await type('¿Cuánto efectivo contaste?', '1');
  await type('Motivo de la diferencia', 'Sobró un peso');
  await keyboard.press('Enter');
  await page.getByRole('button', { name: 'Guardar PDF' }).waitFor();
  await shop.proveBooks();
});

test('Without a network nothing is taken: what was seen stays, with its time, and goes on when the network is back', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer();
  const { paymentReference } = await shop.newReference(buyer);
  const page = await atTheCounter(shop, phone, { mayComplain: [/net::ERR_/] });
  await find(page, paymentReference);
  await press(page, '$600.00').waitFor();
  await page.context().setOffline(true);
  await page.getByText('Sin internet no se cobra.').waitFor();
  await page.getByText('Puede haber cambiado', { exact: false }).waitFor();
  expect(await press(page, '$600.00').isDisabled()).toBe(true);
  await page.context().setOffline(false);
  await press(page, '$600.00').click();
  await receiptOf(page, '$600.00');
  expect(await receipts(shop, buyer.id)).toEqual([60_000]);
});

const WITHOUT_SERVER = [/net::ERR_/, /Failed to (fetch|load)/, /503/];
const SEEN = /Esto lo viste el \d+ \w+ \d{4}, \d\d:\d\d h\. Puede haber cambiado\./;

test('While there is no server a reload shows a cashier what they saw, with its time, and takes nothing; it goes on by itself, and signing out leaves none of it', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer('Marisol Reyes');
  const { paymentReference } = await shop.newReference(buyer);
  const { page, context } = await phone({ hasWorker: true, mayComplain: WITHOUT_SERVER });
  await signInAtCounter(page, shop);
  await find(page, paymentReference);
  await press(page, '$600.00').waitFor();
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active);
  await expect.poll(async () => (await keptIn(page)).queries.join()).toContain(paymentReference);
  const kept = await keptIn(page);
  expect(kept.documents).toEqual(['/mostrador']);
  expect(kept.queries).toHaveLength(1);
  expect(['Marisol Reyes', buyer.email].filter((secret) => kept.text.includes(secret))).toEqual([]);
  // Of a build before this one, and of the buyers' app.
  await page.evaluate(async () => {
    await (
      await caches.open('mostrador-before')
    ).put('/mostrador/assets/before-1.js', new Response('before()'));
    await (await caches.open('aparta-other')).put('/assets/other-1.js', new Response('other()'));
  });

  await shop.server.stop();
  let tab: Page;
  try {
    await page.reload();
    await page.getByText('Sin internet no se cobra.').waitFor();
    await page.getByText(SEEN).waitFor();
    await page.getByText('Marisol R.', { exact: false }).first().waitFor();
    expect(await press(page, '$600.00').isDisabled()).toBe(true);
    const before = await page.evaluate(async () => (await fetch('/mostrador/assets/before-1.js')).text());
    expect(before).toBe('before()');
    tab = await context.newPage();
    await tab.goto(`${shop.origin}/mostrador`);
    await tab.getByText('Sin internet no se cobra.').waitFor();
    await tab.getByLabel('Número o folio').fill(paymentReference);
    await tab.getByRole('button', { name: 'Buscar' }).click();
    await tab.getByText(SEEN).waitFor();
    expect(await press(tab, '$600.00').isDisabled()).toBe(true);
  } finally {
    await shop.server.start();
  }
  expect(await receipts(shop, buyer.id)).toEqual([]);
  const sent: string[] = [];
  context.on('request', (request) => request.method() !== 'GET' && sent.push(request.url()));
  await page.getByText(SEEN).waitFor({ state: 'detached', timeout: 40_000 });
  expect(sent).toEqual([]);
  await press(page, '$600.00').click();
  await receiptOf(page, '$600.00');
  expect(await receipts(shop, buyer.id)).toEqual([60_000]);

  await page.getByRole('button', { name: 'Salir' }).click();
  await page.getByLabel('Correo').waitFor();
  await tab.getByLabel('Correo').waitFor();
  await expect.poll(async () => (await keptIn(page)).queries).toEqual([]);
  const left = await keptIn(page);
  expect(['Marisol', paymentReference].filter((secret) => left.text.includes(secret))).toEqual([]);
  await context.setOffline(true);
  await tab.goto(`${shop.origin}/mostrador/cobro/${paymentReference}`);
  await tab.getByText('Sin internet nadie puede entrar.').waitFor();
  expect(await tab.getByText('Marisol', { exact: false }).count()).toBe(0);
});

test('A cashier who is revoked while a payment is on the screen takes nothing more', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer();
  const [, second] = await shop.newPurchase(buyer);
  const page = await atTheCounter(shop, phone);
  await find(page, second?.paymentReference ?? '');
  await press(page, '$1,200.00').waitFor();
  await shop.query(
    `delete from staff_sessions where position_id in
       (select p.id from staff_positions p join staff s on s.id = p.staff_id where s.email = $1)`,
    [STAFF.cashier],
  );
  await press(page, '$1,200.00').click();
  await page.getByText('Tu sesión terminó', { exact: false }).waitFor();
  expect(await receipts(shop, buyer.id)).toEqual([60_000]);
});

for (const format of ['Code128', 'QRCode'] as const) {
  test(`The camera reads a buyer’s ${format} from a video, in our own decoder`, async ({ shop, phone }) => {
    const buyer = await shop.newBuyer();
    const { paymentReference } = await shop.newReference(buyer);
    const page = await atTheCounter(shop, phone, { permissions: ['camera'] });
    const { svg } = await writeBarcode(paymentReference, { format, scale: 4, addQuietZones: true });
    await page.addInitScript(videoOf, `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`);
    await page.reload();
    await page.getByRole('button', { name: 'Escanear el código' }).click();
    await sees(page, 'Cobro');
    await press(page, '$600.00').waitFor();
  });
}

/** In the page: a camera that shows a picture, and no decoder of the browser's. */
function videoOf(picture: string): void {
  Reflect.deleteProperty(globalThis, 'BarcodeDetector');
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: 1280, height: 720 });
  const image = new Image();
  image.addEventListener('load', () => {
    const pencil = canvas.getContext('2d');
    // A video has frames only while something is drawn.
    setInterval(() => {
      pencil?.fillRect(0, 0, 1280, 720);
      const height = Math.min(600, (1100 * image.height) / image.width);
      const width = (height * image.width) / image.height;
      if (!pencil) return;
      pencil.fillStyle = '#fff';
      pencil.fillRect(0, 0, 1280, 720);
      pencil.imageSmoothingEnabled = false;
      pencil.drawImage(image, (1280 - width) / 2, (720 - height) / 2, width, height);
    }, 100);
  });
  image.src = picture;
  navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(10);
}

test('A number of nobody is told as such, and the product’s own code says whose code is wanted', async ({
  shop,
  phone,
}) => {
  const page = await atTheCounter(shop, phone);
  await page.getByLabel('Número o folio').fill(`${shop.origin}/?ref=1|1|1|0|3000.00|3|600.00|0`.slice(0, 39));
  await page.getByRole('button', { name: 'Buscar' }).click();
  await page.getByText('Ese es el código del producto', { exact: false }).waitFor();
  await page.getByLabel('Número o folio').fill('ZZZZ ZZZZ ZZ');
  await page.getByRole('button', { name: 'Buscar' }).click();
  await page.getByText('Ese número no es de esta tienda', { exact: false }).waitFor();
});

test('An owner adds a product with its picture: tapped twice and its answer lost, it is one; a buyer’s phone opens its label', async ({
  shop,
  phone,
}) => {
  const { page } = await phone({ mayComplain: [/net::ERR_/] });
  await openCounter(page, shop, STAFF.owner, '/productos');
  await page.getByRole('link', { name: 'Agregar producto' }).click();
  const name = `Mecedora ${Date.now()}`;
  await page.getByLabel('Nombre').fill(name);
  await page.getByLabel('Precio').fill('2,500');
  await page.getByText('$500.00').waitFor();
  await page.route('**/v1/counter/products', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  const add = page.getByRole('button', { name: 'Agregar producto' });
  await add.dblclick();
  await page.getByText('No sabemos si se guardó.').waitFor();
  await page.unroute('**/v1/counter/products');
  await page.reload();
  const photo = fileURLToPath(new URL('../docs/pictures/label.png', import.meta.url));
  await page.locator('input[type=file]').setInputFiles(photo);
  await page.getByRole('img', { name: `Foto de ${name}` }).waitFor();
  await add.click();
  await page.getByRole('img', { name: `Código QR de ${name}` }).waitFor();
  const rows = await shop.query('select id from products where name = $1', [name]);
  expect(rows).toHaveLength(1);
  const token = await tokenOf(shop, STAFF.owner);
  const { body } = await shop.ask(`GET /v1/counter/products/${rows[0].id}`, { token });
  const theirs = (await phone({ buyer: await shop.newBuyer() })).page;
  await theirs.goto(body.data.plan.link);
  await theirs.getByText(name).first().waitFor();
  await theirs.getByRole('link', { name: 'Continuar mi apartado' }).click();
  await theirs.getByRole('img', { name: `Foto de ${name}` }).waitFor();
  await shop.query('update products set withdrawn_at = app_now() where name = $1', [name]);
});

test('A cashier adds a passkey, leaves, and comes back with it without typing; once it is removed, with the password alone', async ({
  shop,
  phone,
}) => {
  const { page } = await phone();
  await addAuthenticator(page);
  await openCounter(page, shop, STAFF.cashier, '/mi-cuenta');
  await page.getByRole('button', { name: 'Agregar llave de acceso' }).click();
  await page.getByText('Tu llave de acceso quedó agregada.').waitFor();
  await page.getByRole('button', { name: 'Salir' }).click();
  await page.getByRole('button', { name: 'Entrar con llave de acceso' }).click();
  await sees(page, 'Cobrar');
  await page.goto(`${shop.origin}/mostrador/mi-cuenta`);
  await page.getByText('usada el', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Quitar Mi computadora' }).click();
  await page.getByRole('button', { name: 'Quitar «Mi computadora»' }).click();
  await page.getByText('Mi computadora', { exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Salir' }).click();
  await page.getByRole('button', { name: 'Entrar con llave de acceso' }).click();
  await page.getByText('Esa llave de acceso no sirve aquí', { exact: false }).waitFor();
});
