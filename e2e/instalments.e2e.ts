import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { bankWindow, fillCard, isUncovered, payWith, sees } from './card.ts';
import { fillHelp, openHelp, takeHelpNumber } from './helping.ts';
import { test } from './journey.ts';
import { later } from './moving.ts';
import type { Phone, PhoneOptions } from './phone.ts';
import { CARDS, type Buyer, type Instalment, type Shop } from './shop.ts';

/** A buyer with a purchase whose deposit was paid at a till. */
async function withPurchase(shop: Shop): Promise<{ buyer: Buyer; second: Instalment; third: Instalment }> {
  const buyer = await shop.newBuyer();
  const [, second, third] = await shop.newPurchase(buyer);
  if (!second || !third) throw new Error('the demo’s plan has three instalments');
  return { buyer, second, third };
}

const addressOf = (shop: Shop, { ventaId, id }: Instalment) =>
  `${shop.origin}/paymentByClib/${ventaId}/${id}`;

interface AtTheCardForm {
  buyer: Buyer;
  second: Instalment;
  page: Page;
  phone: Phone;
}

/** The buyer is at the card form of instalment 2. */
async function atTheCardForm(
  shop: Shop,
  open: (options?: PhoneOptions) => Promise<Phone>,
): Promise<AtTheCardForm> {
  const { buyer, second } = await withPurchase(shop);
  const phone = await open({ buyer });
  await phone.page.goto(addressOf(shop, second));
  await sees(phone.page, 'Pago con tarjeta');
  return { buyer, second, page: phone.page, phone };
}

/** From the purchase to the card form. */
async function chooseCard(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Realizar pago' }).click();
  await page.getByRole('button', { name: /^Pago con clip/ }).click();
  await sees(page, 'Pago con tarjeta');
}

const once = { charged: 1, purchases: 1 };

test('A buyer reserves and pays every instalment by card, one of them with 3DS, until the purchase is paid off', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer();
  const { page } = await phone({ buyer, hasWorker: true });
  const { id } = await shop.newReference(buyer);
  await page.goto(`${shop.origin}/pullapartByClip/${id}`);
  await payWith(page, CARDS.approved);
  await sees(page, 'Transacción realizada!');
  await page.getByText('Pagados 1 de 3').waitFor();

  await page.getByRole('link', { name: 'Ver mi compra' }).click();
  await chooseCard(page);
  await page.getByText(/^Pago\s2\sde\s3\s· vence el /).waitFor();
  await payWith(page, CARDS.approved);
  await sees(page, 'Transacción realizada!');
  await page.getByText('Pagados 2 de 3').waitFor();
  expect(await page.getByRole('region', { name: 'Recibo' }).innerText()).toMatch(
    /\$1,215\.00[^]*Folio[^]*Te falta[^]*\$1,200\.00[^]*Siguiente pago/,
  );
  await page.getByRole('link', { name: 'Ver recibo' }).click();
  await page.getByText('Pago 2 de 3').waitFor();

  await page.getByRole('link', { name: 'Ver mi compra' }).click();
  await chooseCard(page);
  await payWith(page, CARDS.threeDs);
  await sees(page, 'Autenticación 3DS');
  expect(new URL(page.url()).pathname).toMatch(/^\/threeDSByclib\/\d+\/\d+\/1\/1200\.00$/);
  await expect
    .poll(() => page.getByRole('main').innerText())
    .toMatch(/Vencimiento[^]*Valor[^]*\$1,200\.00[^]*Pagos[^]*\$0\.00[^]*Saldo[^]*\$1,200\.00/);
  await bankWindow(page).getByRole('button', { name: 'Aprobar' }).click();
  await sees(page, 'Transacción exitosa!');
  await page.getByText('Liquidaste tu compra.').waitFor();

  await page.getByRole('link', { name: 'Ver mi compra' }).click();
  await page.getByText('Liquidada').first().waitFor();
  expect(await page.getByRole('button', { name: 'Realizar pago' }).count()).toBe(0);
  expect((await shop.providerRecord(buyer)).calls).toBe(3);
  await shop.settle(buyer, { charged: 3, purchases: 1 });
});

test('What is late of several purchases is paid with one card, one fee and one receipt, and none is paid twice', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer();
  const ids = await shop.newLatePurchases(buyer, 3);
  const { page } = await phone({ buyer });
  await page.goto(`${shop.origin}/saleCxcList/${ids[1]}`);
  await page.getByRole('button', { name: 'Pagar lo atrasado de 3 compras' }).click();
  const sheet = page.getByRole('dialog', { name: 'Ponerte al corriente' });
  await sheet.getByRole('button', { name: 'Pagar $3,615.00 con tarjeta' }).waitFor();
  await sheet.getByRole('checkbox').nth(2).uncheck();
  await sheet.getByRole('button', { name: 'Pagar $2,415.00 con tarjeta' }).click();
  await sees(page, 'Pago con tarjeta');
  expect(await page.getByRole('region', { name: 'Lo que pagas' }).innerText()).toMatch(
    /2\scompras[^]*\$1,200\.00[^]*\$1,200\.00[^]*Cargo por servicio[^]*\$15\.00/,
  );
  await payWith(page, CARDS.threeDs);
  await sees(page, 'Autenticación 3DS');
  await page.reload();
  await sees(page, 'Autenticación 3DS');
  // Their other phone is told of that payment, and takes none beside it.
  const { page: second } = await phone({ buyer });
  await second.goto(`${shop.origin}/saleCxcList/${ids[0]}`);
  await second.getByText('Falta que autorices tu pago').waitFor();
  await bankWindow(page).getByRole('button', { name: 'Aprobar' }).click();
  await sees(page, 'Transacción exitosa!');
  expect(await page.getByRole('region', { name: 'Recibo' }).innerText()).toMatch(
    /\$2,415\.00[^]*2\scompras[^]*\$1,200\.00[^]*\$1,200\.00[^]*\$15\.00/,
  );
  await page.getByRole('link', { name: 'Ver recibo' }).click();
  await page.getByText('Pago 2 de 3').waitFor();
  await page.getByText(/^Abono a /).waitFor();
  await page.goto(`${shop.origin}/saleCxcList/${ids[2]}`);
  await page.getByRole('button', { name: 'Realizar pago' }).waitFor();
  expect(await page.getByRole('button', { name: /Pagar lo atrasado/ }).count()).toBe(0);
  await shop.settle(buyer, { charged: 1, purchases: 3 });
});

test('A buyer chooses the sum: what it fills is shown before, at the store’s number and at the bank, and is booked', async ({
  shop,
  phone,
}) => {
  const { buyer, second } = await withPurchase(shop);
  const { page } = await phone({ buyer });
  const choose = async (sum: string) => {
    await page.goto(`${shop.origin}/saleCxcList/${second.ventaId}`);
    await page.getByRole('button', { name: 'Realizar pago' }).click();
    await page.getByLabel('Otro monto').check();
    // Whoever touches it types at once, as on their phone's own keypad.
    await page.locator('[name=amount]:focus').fill(sum);
  };
  await choose('12');
  await page.getByRole('button', { name: /^Pago presencial/ }).click();
  await page.getByText('Escribe un monto de $50.00 a $2,400.00.').waitFor();
  await page.getByLabel('Monto en pesos').fill('$1,300');
  await page.getByText('Termina el pago 2 y abona $100.00 al 3. Quedarían $1,100.00.').waitFor();
  await page.getByRole('button', { name: /^Pago presencial/ }).click();
  await page.getByText('$1,300.00').first().waitFor();

  await choose('1340.20');
  await page.getByRole('button', { name: /^Pago con clip/ }).click();
  await page.getByRole('button', { name: 'Pagar $1,355.20' }).waitFor();
  await page.getByText('Termina el pago 2 y abona $140.20 al 3. Quedarían $1,059.80.').waitFor();
  await payWith(page, CARDS.threeDs);
  await sees(page, 'Autenticación 3DS');
  await page.reload();
  await bankWindow(page).getByRole('button', { name: 'Aprobar' }).click();
  await sees(page, 'Transacción exitosa!');
  await page.reload();
  await sees(page, 'Transacción exitosa!');
  await page.getByRole('link', { name: 'Ver recibo' }).click();
  await page.getByText('Abono al pago 3 de 3').waitFor();

  await page.goto(`${shop.origin}/saleCxcList/${second.ventaId}`);
  await page.getByText('Faltan $1,059.80').waitFor();
  await page.getByRole('button', { name: 'Realizar pago' }).click();
  await page.getByText('Con esto liquidas tu compra.').waitFor();
  await page.getByLabel('Otro monto').check();
  await page.getByLabel('Monto en pesos').fill('59.80');
  await page.getByRole('button', { name: /^Pago con clip/ }).click();
  await payWith(page, CARDS.approved);
  await sees(page, 'Transacción realizada!');
  // More of the same instalment may be paid, by the same path.
  await page.getByRole('link', { name: 'Ver mi compra' }).click();
  await chooseCard(page);
  await payWith(page, CARDS.approved);
  await page.getByText('Liquidaste tu compra.').waitFor();
  await shop.settle(buyer, { charged: 3, purchases: 1 });
});

describe('One charge for an instalment', () => {
  test('of two tabs that pay at once, and both show the true state', async ({ shop, phone }) => {
    const {
      buyer,
      second,
      page,
      phone: { newTab },
    } = await atTheCardForm(shop, phone);
    const other = await newTab();
    await other.goto(addressOf(shop, second));
    await fillCard(page, CARDS.approved);
    await fillCard(other, CARDS.approved);
    await Promise.all(
      [page, other].map((tab) => tab.getByRole('button', { name: 'Pagar $1,215.00' }).click()),
    );
    await Promise.all([page, other].map((tab) => sees(tab, 'Transacción realizada!')));
    expect((await shop.providerRecord(buyer)).calls).toBe(1);
    await shop.settle(buyer, once);
  });

  test('reloaded while the payment is in progress, and in the middle of 3DS', async ({ shop, phone }) => {
    const { buyer, second, page } = await atTheCardForm(shop, phone);
    await shop.hideProvider();
    await shop.control('POST /control/faults', { call: 'createPayment', kind: 'hold' });
    await payWith(page, CARDS.threeDsApprovedAlone);
    await expect.poll(async () => (await shop.providerRecord(buyer)).payments.length).toBe(1);
    await page.reload();
    await sees(page, 'Estamos confirmando tu pago');
    await page.getByText('No vuelvas a pagar.').waitFor();
    await shop.restoreProvider();
    await sees(page, 'Termina la autenticación');
    await page.getByRole('link', { name: 'Terminar la autenticación' }).click();
    await sees(page, 'Autenticación 3DS');
    await page.reload();
    await sees(page, 'Autenticación 3DS');
    await page.goto(`${shop.origin}/saleCxcList/${second.ventaId}`);
    await page.getByText('Falta que autorices tu pago').waitFor();
    expect(await page.getByRole('button', { name: 'Realizar pago' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Continuar mi pago' }).click();
    await shop.control('POST /control/clock', { advanceMs: 30_000 });
    await sees(page, 'Transacción realizada!');
    expect((await shop.providerRecord(buyer)).calls).toBe(1);
    await shop.settle(buyer, once);
  });

  test('whose reply was lost: the buyer waits without paying again, and it is found', async ({
    shop,
    phone,
  }) => {
    const { buyer, page } = await atTheCardForm(shop, phone);
    await shop.hideProvider();
    await payWith(page, CARDS.replyLost);
    await sees(page, 'Estamos confirmando tu pago');
    await page.getByText('No vuelvas a pagar.').waitFor();
    await shop.restoreProvider();
    await sees(page, 'Transacción realizada!');
    expect((await shop.providerRecord(buyer)).calls).toBe(1);
    await shop.settle(buyer, once);
  });

  test('that a till took first: the card payment is refunded, and the buyer reads it', async ({
    shop,
    phone,
  }) => {
    const { buyer, second, page } = await atTheCardForm(shop, phone);
    await payWith(page, CARDS.threeDs);
    await sees(page, 'Autenticación 3DS');
    await shop.payAtTill({ paymentReference: second.paymentReference, tillTotal: second.saldo });
    await bankWindow(page).getByRole('button', { name: 'Aprobar' }).click();
    await sees(page, 'Abono no aplicado en Aparta!');
    await page.getByText(/^Te (devolvemos|devolvimos) \$1,215\.00$/).waitFor();
    await expect
      .poll(async () => (await shop.providerRecord(buyer)).payments.map(({ status }) => status), {
        timeout: 20_000,
      })
      .toEqual(['refunded']);
    await shop.settle(buyer, { charged: 0, purchases: 1 });
  });
});

describe('Nothing is charged', () => {
  const never = { charged: 0, purchases: 1 };

  test('by a card that was rejected, until another one pays', async ({ shop, phone }) => {
    const { buyer, page } = await atTheCardForm(shop, phone);
    await payWith(page, CARDS.insufficientFunds);
    await sees(page, 'Transacción rechazada!');
    await page.getByRole('link', { name: /^Pago presencial/ }).waitFor();
    await shop.settle(buyer, never);
    await page.getByRole('button', { name: 'Reintentar pago' }).click();
    await payWith(page, CARDS.approved);
    await bankWindow(page).getByRole('button', { name: 'Aprobar' }).click();
    await sees(page, 'Transacción exitosa!');
    await shop.settle(buyer, once);
  });

  test('for an instalment before its turn, of a cancelled purchase, or of somebody else', async ({
    shop,
    phone,
  }) => {
    const { buyer, second, third } = await withPurchase(shop);
    const stranger = await withPurchase(shop);
    const { page } = await phone({ buyer });
    await page.goto(addressOf(shop, third));
    await sees(page, 'Primero paga el abono anterior');
    for (const foreign of [stranger.second, { ...second, ventaId: stranger.second.ventaId }]) {
      await page.goto(addressOf(shop, foreign));
      await sees(page, 'No encontramos este pago');
    }
    const { body: quote } = await shop.ask(`GET /v1/Sales/CancelQuoteAsync/${second.ventaId}`, {
      token: buyer.token,
    });
    await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${second.ventaId}`, {
      token: buyer.token,
      body: { refundShown: quote.data.refund },
    });
    await page.goto(addressOf(shop, second));
    await sees(page, 'Esta compra se canceló');
    await shop.settle(buyer, never);
  });
});

test('Somebody without an account helps by a link, by card and at a store, pays once each, and is told nothing of its buyer but their first name', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer('Julia Escamilla');
  const [, second] = await shop.newPurchase(buyer);
  if (!second) throw new Error('the demo’s plan has three instalments');
  const secret = await shop.newProduct(3_000, 1, 'Cuna secreta');
  await shop.payAtTill(await shop.newReference(buyer, { productId: secret }));
  await shop.query("update buyers set address_street = 'Calle Escondida' where id = $1", [buyer.id]);
  const viewport = { width: 360, height: 640 };
  const mine = await phone({ buyer, viewport, permissions: ['clipboard-read', 'clipboard-write'] });
  await mine.page.goto(`${shop.origin}/saleCxcList/${second.ventaId}`);
  await mine.page.getByRole('button', { name: 'Que me ayuden' }).click();
  await mine.page.getByLabel('Tu mensaje').fill('Para mi horno');
  await mine.page.getByLabel('Meta en pesos').fill('800');
  await mine.page.getByRole('button', { name: 'Crear enlace' }).click();
  await mine.page.getByRole('button', { name: 'Copiar enlace' }).click();
  await mine.page.getByRole('button', { name: 'Enlace copiado' }).waitFor();
  const address = await mine.page.evaluate(() => navigator.clipboard.readText());
  const code = address.split('#')[1] ?? '';
  expect(code.length).toBeGreaterThan(20);

  const { page, context } = await phone({ viewport });
  const addresses: string[] = [];
  const said: Promise<string>[] = [];
  page.on('request', (request) => {
    addresses.push(request.url());
    said.push(request.allHeaders().then((headers) => JSON.stringify(headers) + (request.postData() ?? '')));
  });
  page.on('response', (response) => {
    if (response.url().startsWith(shop.origin)) said.push(response.text().catch(() => ''));
  });
  await openHelp(page, address);
  await page.getByText('Para mi horno').waitFor();
  await fillHelp(page, CARDS.threeDs, '500');
  await page.getByRole('button', { name: 'Pagar $515.00' }).dblclick();
  await sees(page, 'Autenticación 3DS');
  // A reload in the middle finds it, and offers no other.
  await page.reload();
  await sees(page, 'Autenticación 3DS');
  await bankWindow(page).getByRole('button', { name: 'Aprobar' }).click();
  await sees(page, '¡Gracias!');
  expect(await page.getByRole('region', { name: 'Tu recibo' }).innerText()).toMatch(/\$515\.00[^]*Folio/);
  await page.reload();
  await sees(page, '¡Gracias!');
  // Once more, in cash: the number is found again in a tab that was closed, and says by itself that it was paid.
  await page.getByRole('button', { name: 'Ayudar otra vez' }).click();
  const reference = await takeHelpNumber(page, '100');
  const reopened = await context.newPage();
  await reopened.goto(address);
  await sees(reopened, 'Paga en una tienda');
  await reopened.close();
  await shop.control('POST /control/cash/pay', { reference });
  await page.getByText('Tu pago en tienda ya se abonó a la compra de Julia.').waitFor();

  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  const bytes = [...(await Promise.all(said)), ...addresses, kept, await page.content()].join('\n');
  expect(bytes).toContain('Julia');
  const due = await shop.query(
    'select due_on::text as on from instalments where purchase_id = $1 and number > 1',
    [second.ventaId],
  );
  const secrets = ['Escamilla', buyer.email, '5512345678', 'Calle Escondida', 'Cuna secreta', buyer.token];
  for (const each of [...secrets, ...due.map(({ on }) => String(on))])
    expect(bytes.includes(each), each).toBe(false);
  // What stands behind the # is in no address that was asked for.
  expect(addresses.filter((each) => each.includes(code) && each !== address)).toEqual([]);

  await mine.page.reload();
  await mine.page.getByRole('button', { name: 'Que me ayuden' }).click();
  await mine.page.getByText('Tía Marta dio $500.00').waitFor();
  await mine.page.getByText('Tía Marta dio $100.00').waitFor();
  await mine.page.getByText('Llevas $600.00 de $800.00').waitFor();
  await mine.page.getByRole('button', { name: /^Terminar enlace/ }).click();
  await mine.page.getByRole('button', { name: 'Sí, terminar' }).click();
  await mine.page.getByText('Lo terminaste').waitFor();
  await page.getByRole('button', { name: 'Ayudar otra vez' }).click();
  await sees(page, 'Este enlace ya no sirve');
  const later = await context.newPage();
  await later.goto(address);
  await sees(later, 'Este enlace ya no sirve');
  expect((await shop.providerRecord(buyer)).calls).toBe(1);
  await shop.settle(buyer, { charged: 1, purchases: 2 });
});

test('A buyer moves a date, splits the same instalment, pays the first part, and the plan keeps what it was', async ({
  shop,
  phone,
}) => {
  const { buyer, second } = await withPurchase(shop);
  const small = { isNew: true, viewport: { width: 360, height: 640 }, mayComplain: [/net::ERR_/] };
  const { page, context } = await phone({ buyer, ...small });
  await page.goto(`${shop.origin}/saleCxcList/${second.ventaId}`);
  await page.getByRole('button', { name: 'Cambiar fecha del pago 2' }).click();
  const sheet = page.getByRole('dialog', { name: 'Cambiar el pago 2' });
  await sheet.getByText('Te quedan 2 cambios en esta compra.').waitFor();
  await sheet.getByRole('radio', { name: /, 7 días después$/ }).check();
  await sheet.getByText(/^Así queda: \$1,200\.00 el /).waitFor();
  await context.setOffline(true);
  await sheet.getByRole('button', { name: /^Cambiar al / }).click();
  await isUncovered(sheet.getByRole('alert').filter({ hasText: /^No hay conexión/ }));
  await context.setOffline(false);
  // Pressed twice, it is one change.
  await sheet.getByRole('button', { name: /^Cambiar al / }).dblclick();
  await page.getByRole('heading', { name: 'Listo, cambiamos la fecha' }).waitFor();
  await page.getByRole('button', { name: 'Aceptar' }).click();
  await page.getByText(/^Antes: /).waitFor();
  await page.getByText('Te queda 1 cambio.').waitFor();

  await page.getByRole('button', { name: 'Cambiar fecha del pago 2' }).click();
  await sheet.getByRole('radio', { name: 'En 2 pagos' }).check();
  await sheet.getByLabel(/^¿Cuánto pagas el /).fill('500');
  await sheet.getByRole('radio', { name: 'Otro día' }).check();
  await sheet.getByLabel('Día', { exact: true }).fill(later(second, 20));
  await sheet.getByRole('button', { name: 'Partir en dos pagos' }).click();
  await page.getByRole('heading', { name: 'Listo, partimos tu pago' }).waitFor();
  await page.getByRole('button', { name: 'Aceptar' }).click();
  await page.getByText('No te quedan cambios en esta compra.').waitFor();
  expect(await page.getByRole('button', { name: /^Cambiar fecha/ }).count()).toBe(0);
  const items = page.getByRole('list', { name: 'Tus pagos' }).getByRole('listitem');
  expect((await items.allInnerTexts()).map((said) => /\$[\d,.]+/.exec(said)?.[0])).toEqual([
    '$600.00',
    '$500.00',
    '$700.00',
    '$1,200.00',
  ]);

  await chooseCard(page);
  await payWith(page, CARDS.approved);
  await sees(page, 'Transacción realizada!');
  await page.getByText('Pagados 2 de 4').waitFor();
  await shop.settle(buyer, once);
});
