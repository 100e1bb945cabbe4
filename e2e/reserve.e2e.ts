import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { appHas, bankWindow, cardFrame, fillCard, heading, payWith, sees } from './card.ts';
import { hurry, takeClock } from './hurry.ts';
import { test } from './journey.ts';
import { tabbing } from './keyboard.ts';
import { CARDS, layawayReference, qrLink, WITHOUT_CARDS } from './shop.ts';

const NEXT = { name: 'Ir al paso siguiente' };

test('A buyer who scans a QR signs in, sees what it costs, pays by card and owns the purchase', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer();
  const { page } = await phone({ hasWorker: true });
  await page.goto(qrLink(shop.origin));
  await sees(page, 'Bienvenido/a');
  await page.getByLabel('Correo').fill(buyer.email);
  await page.getByLabel('Password', { exact: true }).fill(buyer.password);
  await page.getByRole('button', { name: 'Login' }).click();

  await sees(page, 'Hola, Ana Torres');
  await page.getByRole('link', { name: 'Continuar mi apartado' }).click();
  await sees(page, 'Información para realizar el apartado');
  await page.getByText('Monto total').waitFor();
  await expect
    .poll(() => page.getByRole('main').innerText())
    .toMatch(/Precio de venta[^]*\$3,000\.00[^]*Apartado \(20 %\)[^]*\$600\.00[^]*\$15\.00[^]*\$615\.00/);
  await page.getByRole('button', NEXT).click();
  await sees(page, 'Paga tu apartado');
  await expect
    .poll(() => page.getByRole('main').innerText())
    .toMatch(/En caja[^]*\$600\.00[^]*Con tarjeta[^]*\$615\.00/);
  await page.getByRole('button', { name: 'Pago con Clip' }).click();
  await sees(page, 'Pago con tarjeta');
  await fillCard(page, CARDS.approved);
  await page.getByRole('button', { name: 'Pagar $615.00' }).click();

  await sees(page, 'Transacción realizada!');
  await page.getByText('Gracias por su pago!').waitFor();
  await expect.poll(() => page.getByRole('main').innerText()).toMatch(/\$615\.00[^]*Te falta[^]*\$2,400\.00/);
  // rules/layaways#kept-reference: once the purchase exists, the saved reference is cleared.
  await expect
    .poll(() =>
      page.evaluate(() => [localStorage.getItem('refApartado'), sessionStorage.getItem('refApartado')]),
    )
    .toEqual([null, null]);
  await page.getByRole('link', { name: 'Ir a Inicio' }).click();
  await sees(page, 'Hola, Ana Torres');
  expect(await page.getByRole('link', { name: 'Continuar mi apartado' }).count()).toBe(0);
  await shop.settle(buyer, { charged: 1, purchases: 1 });
});

test('A buyer without an account signs up on the way and reserves, then pays all the rest, and is asked for little', async ({
  shop,
  phone,
}) => {
  const { page } = await phone();
  /** Touches of the screen, and keys of the keyboard: what is typed, 'next' and 'go' among it. */
  let asked = { taps: 0, characters: 0 };
  const tap = async (place: Locator) => {
    asked.taps += 1;
    await place.click();
  };
  const type = async (text: string) => {
    asked.characters += text.length;
    await page.keyboard.type(text);
  };
  const key = async (name: 'Tab' | 'Enter') => {
    asked.characters += 1;
    await page.keyboard.press(name);
  };
  const email = `luz${randomUUID().slice(0, 5)}@correo.mx`;
  const password = 'mi gato 7 ya';
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const card = async (number: string) => {
    await tap(cardFrame(page).getByLabel('Número de tarjeta'));
    // The form writes the slash.
    for (const text of [number, '1240', '123']) {
      await type(text);
      await key('Tab');
    }
    await type('Luz Mena');
    await tap(button(/^Pagar \$/));
  };

  await page.goto(qrLink(shop.origin));
  await tap(page.getByRole('link', { name: '¿Todavía no tienes cuenta? Regístrate de forma gratuita' }));
  await sees(page, 'Crear mi cuenta');
  await tap(page.getByLabel('Correo'));
  await type(email);
  await key('Tab');
  await type(password);
  await key('Enter');
  const alert = page.getByRole('alertdialog', { name: 'Registro exitoso!' });
  await alert.getByText('Cuenta creada!').waitFor();
  await tap(alert.getByRole('button'));

  // Only the password is missing, and has the focus.
  await sees(page, 'Bienvenido/a');
  expect(await page.getByLabel('Correo').inputValue()).toBe(email);
  await type(password);
  await key('Enter');
  await tap(page.getByRole('link', { name: 'Continuar mi apartado' }));
  await sees(page, 'Información para realizar el apartado');
  await tap(button(NEXT.name));
  await sees(page, 'Paga tu apartado');
  await tap(button('Pago con Clip'));
  await card(CARDS.approved);
  // The e-mail is not confirmed yet, so 3DS is required.
  await tap(bankWindow(page).getByRole('button', { name: 'Aprobar' }));
  await sees(page, 'Transacción exitosa!');
  // At most 14 and 80.
  expect(asked).toEqual({ taps: 9, characters: 79 });

  await page.getByRole('link', { name: 'Ir a Inicio' }).click();
  asked = { taps: 0, characters: 0 };
  await tap(button('Realizar pago'));
  await tap(page.getByLabel('Todo lo que falta'));
  await tap(button(/^Pago con clip/));
  await card(CARDS.threeDs);
  await tap(bankWindow(page).getByRole('button', { name: 'Aprobar' }));
  await page.getByText('Liquidaste tu compra.').waitFor();
  // At most 8.
  expect(asked).toEqual({ taps: 6, characters: 34 });
  const [{ id }] = await shop.query('select id from buyers where email = $1', [email]);
  await shop.settle({ id: Number(id) }, { charged: 2, purchases: 1 });
});

test('A link of an email that is opened signed out leads to its purchase after login', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer();
  const { page } = await phone();
  await page.goto(`${shop.origin}/cxcList?estado=3`);
  await sees(page, 'Bienvenido/a');
  await page.getByLabel('Correo').fill(buyer.email);
  await page.getByLabel('Password', { exact: true }).fill(buyer.password);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.waitForURL('**/cxcList?estado=3');
});

test("A wrong password and a taken e-mail show the spec's texts", async ({ shop, phone }) => {
  const buyer = await shop.newBuyer();
  const { page } = await phone();
  await page.goto(`${shop.origin}/login`);
  await appHas(page);
  await page.getByLabel('Correo').fill(buyer.email);
  await page.getByLabel('Password', { exact: true }).fill('otra-clave-larga');
  await page.getByRole('button', { name: 'Login' }).click();
  await page.getByText('Correo o Password Incorrecto!').waitFor();

  await page.goto(`${shop.origin}/buyerRegister`);
  await appHas(page);
  await page.getByLabel('Correo').fill(buyer.email);
  await page.getByLabel('Password', { exact: true }).focus();
  const alert = page.getByRole('alertdialog', { name: 'Busqueda de informacion!' });
  await alert.getByText('El Email ya existe!').waitFor();
});

test('A price that changes while the buyer reads it is shown before they pay, and the new one is charged', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer();
  const productId = await shop.newProduct(3_000);
  const { page } = await phone({ buyer });
  await page.goto(qrLink(shop.origin, layawayReference({ productId, printed: '2500.00|3|500.00' })));
  await page.getByRole('link', { name: 'Continuar mi apartado' }).click();
  // The QR was printed with an older deposit.
  await page.getByText('El apartado cambió de $500.00 a $600.00').waitFor();

  await shop.query('update products set sale_price_centavos = 350000 where id = $1', [productId]);
  await page.getByRole('button', NEXT).click();
  await sees(page, 'Paga tu apartado');
  const notice = page.getByRole('alert').filter({ hasText: 'Las condiciones no son las del paso anterior' });
  expect(await notice.innerText()).toContain('El precio de venta cambió de $3,000.00 a $3,500.00.');
  expect(await notice.innerText()).toContain('El apartado cambió de $600.00 a $700.00.');
  await page.getByRole('button', { name: 'Pago con Clip' }).click();
  await fillCard(page, CARDS.approved);

  // From here on the terms are frozen (rules/layaways#frozen-terms), whatever the shop charges later.
  await shop.query('update products set sale_price_centavos = 990000 where id = $1', [productId]);
  await page.getByRole('button', { name: 'Pagar $715.00' }).click();
  await sees(page, 'Transacción realizada!');
  const { payments } = await shop.providerRecord(buyer);
  expect(payments.map(({ amount }) => amount)).toEqual([715]);
  await shop.settle(buyer, { charged: 1, purchases: 1 });
});

test('A screen that shows another sum than the server is refused, corrected, and asks again', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer();
  const { id } = await shop.newReference(buyer);
  const { page } = await phone({ buyer });
  await page.route(
    `**/v1/PullApartReference/${id}`,
    async (route) => {
      const response = await route.fetch();
      const reply = await response.json();
      await route.fulfill({
        response,
        json: { ...reply, data: { ...reply.data, cardTotal: 515, deposit: 500 } },
      });
    },
    { times: 1 },
  );
  await page.goto(`${shop.origin}/pullapartByClip/${id}`);
  await fillCard(page, CARDS.approved);
  await page.getByRole('button', { name: 'Pagar $515.00' }).click();
  await page.getByText('El monto cambió de $515.00 a $615.00.').waitFor();
  await page.getByText('No se hizo ningún cobro.', { exact: false }).first().waitFor();
  expect((await shop.providerRecord(buyer)).calls).toBe(0);

  // What was typed is still there.
  await page.getByRole('button', { name: 'Pagar $615.00' }).click();
  await sees(page, 'Transacción realizada!');
  await shop.settle(buyer, { charged: 1, purchases: 1 });
});

test('A merchant without cards says so and leads home, and the reference stays for its till', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer();
  const productId = await shop.newProduct(5_000, WITHOUT_CARDS);
  const { page } = await phone({ buyer });
  await page.goto(qrLink(shop.origin, layawayReference({ merchantId: WITHOUT_CARDS, productId })));
  await page.getByRole('link', { name: 'Continuar mi apartado' }).click();
  await sees(page, 'Información para realizar el apartado');
  await page.getByRole('button', NEXT).click();
  await sees(page, 'Paga tu apartado');
  const id = new URL(page.url()).searchParams.get('id');
  await page.getByRole('button', { name: 'Pago con Clip' }).click();
  const alert = page.getByRole('alertdialog', { name: 'Falta de configuración!' });
  await alert.getByText('No se pueden realizar pagos con tarjeta!').waitFor();
  await alert.getByRole('button').click();
  await page.getByRole('link', { name: 'Continuar mi apartado' }).waitFor();

  await page.goto(`${shop.origin}/pullapartByClip/${id}`);
  await alert.getByRole('button').click();
  await sees(page, 'Hola, Ana Torres');
  await shop.settle(buyer, { charged: 0, purchases: 0 });
});

test('A deposit paid at the till shows by itself, and the card screen then takes no money', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer();
  const reference = await shop.newReference(buyer);
  const { page, newTab } = await phone({ buyer });
  const cardTab = await newTab();
  await cardTab.goto(`${shop.origin}/pullapartByClip/${reference.id}`);
  await fillCard(cardTab, CARDS.approved);

  await takeClock(page);
  await page.goto(`${shop.origin}/apartado?paso=3&id=${reference.id}`);
  await sees(page, 'Paga tu apartado');
  await page.getByText('Cuando pagues en caja, esta pantalla se actualizará sola.').waitFor();
  await shop.payAtTill(reference);
  await hurry(page, () => heading(page, 'Apartado pagado').isVisible());

  await cardTab.getByRole('button', { name: 'Pagar $615.00' }).click();
  await sees(cardTab, 'Ya está pagado');
  await cardTab.reload();
  await sees(cardTab, 'Ya está pagado');
  expect((await shop.providerRecord(buyer)).calls).toBe(0);
  await shop.settle(buyer, { charged: 0, purchases: 1 });
});

test('What a cashier takes is stamped on the open screens of its buyer, with who took it and where', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer();
  const reference = await shop.newReference(buyer);
  const { page: wizard } = await phone({ buyer });
  const { page: detail } = await phone({ buyer });
  // Where nobody tells them, screens ask every few seconds: these are told.
  const opened = (page: Page, path: string) =>
    Promise.all([
      page.waitForResponse((answer) => answer.url().endsWith('/v1/Changes/Stream') && answer.ok()),
      page.goto(shop.origin + path),
    ]);
  const cashier = { email: 'caja@aparta.mx', password: 'aparta-demo-2026' };
  const { session } = (await shop.ask('POST /v1/counter/sign-in', { body: cashier })).body.data;
  const take = async (paymentReference: string, amount: number) => {
    const branchId = session.branches[0].id;
    const press = {
      id: randomUUID(),
      branchId,
      reference: paymentReference,
      amount,
      method: 'cash',
      tendered: amount,
    };
    const { status } = await shop.ask('POST /v1/counter/payments', { token: session.token, body: press });
    expect(status).toBe(200);
  };

  await opened(wizard, `/apartado?paso=3&id=${reference.id}`);
  await take(reference.paymentReference, reference.tillTotal);
  await sees(wizard, 'Apartado pagado');
  await wizard.getByText('Laura P. en Sucursal Centro').waitFor();

  const [made] = await shop.query('select id from purchases where buyer_id = $1', [buyer.id]);
  const [, second] = await shop.planOf(buyer, Number(made.id));
  await opened(detail, `/saleCxcList/${made.id}`);
  // Only what comes to a screen that is shown is stamped.
  await detail.getByRole('button', { name: 'Realizar pago' }).waitFor();
  await take(second!.paymentReference, 500);
  const stamp = detail.getByRole('dialog', { name: 'Pago recibido' });
  await stamp.getByText('$500.00').waitFor();
  await stamp.getByText('Laura P. en Sucursal Centro').waitFor();
  await stamp.getByRole('link', { name: 'Ver recibo' }).click();
  await detail.getByText('Laura P. en Sucursal Centro').waitFor();
  await shop.settle(buyer, { charged: 0, purchases: 1 });
});

test('A session that expires on the way leads to login and back, with the reference kept', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer();
  const { page } = await phone({ buyer });
  await page.goto(qrLink(shop.origin));
  await page.getByRole('link', { name: 'Continuar mi apartado' }).click();
  await page.getByText('Monto total').waitFor();
  const die = () => shop.query('update sessions set revoked_at = now() where buyer_id = $1', [buyer.id]);
  const signInAgain = async () => {
    await sees(page, 'Bienvenido/a');
    await page.getByLabel('Correo').fill(buyer.email);
    await page.getByLabel('Password', { exact: true }).fill(buyer.password);
    await page.getByRole('button', { name: 'Login' }).click();
  };

  await die();
  await page.getByRole('button', NEXT).click();
  await signInAgain();
  await sees(page, 'Información para realizar el apartado');
  await page.getByRole('button', NEXT).click();
  await page.getByRole('button', { name: 'Pago con Clip' }).click();
  await fillCard(page, CARDS.approved);

  await die();
  await page.getByRole('button', { name: 'Pagar $615.00' }).click();
  await signInAgain();
  await sees(page, 'Pago con tarjeta');
  expect((await shop.providerRecord(buyer)).calls).toBe(0);
  await payWith(page, CARDS.approved);
  await sees(page, 'Transacción realizada!');
  await shop.settle(buyer, { charged: 1, purchases: 1 });
});

test('Logging out forgets the session and both copies of the reference', async ({ shop, phone }) => {
  const buyer = await shop.newBuyer();
  const { page } = await phone({ buyer });
  await page.goto(qrLink(shop.origin));
  await page.getByRole('link', { name: 'Continuar mi apartado' }).waitFor();
  await page.getByRole('button', { name: 'Logout' }).click();
  await sees(page, 'Bienvenido/a');
  // Logging out does not wait for the server: until it has heard, the session's hash stays.
  await expect
    .poll(() => page.evaluate(() => [{ ...localStorage }, { ...sessionStorage }]))
    .toEqual([{}, {}]);
  const ownProfile = `GET /v1/UserBuyerClient/GetByUserIdAsync/${buyer.id}`;
  await expect.poll(async () => (await shop.ask(ownProfile, { token: buyer.token })).status).toBe(401);
});

test('With the keyboard alone a buyer gets from login to the receipt', async ({ shop, phone }) => {
  const buyer = await shop.newBuyer();
  const { page } = await phone();
  const { keyboard } = page;
  const tabTo = tabbing(page);

  await page.goto(qrLink(shop.origin));
  await sees(page, 'Bienvenido/a');
  await tabTo('Correo');
  await keyboard.type(buyer.email);
  await tabTo('Password');
  await keyboard.type(buyer.password);
  await keyboard.press('Enter');
  await sees(page, 'Hola, Ana Torres');
  await page.getByRole('link', { name: 'Continuar mi apartado' }).waitFor();
  await tabTo('Continuar mi apartado');
  await keyboard.press('Enter');
  await page.getByText('Monto total').waitFor();
  await tabTo('Ir al paso siguiente');
  await keyboard.press('Enter');
  await sees(page, 'Paga tu apartado');
  await tabTo('Pago con Clip');
  await keyboard.press('Enter');
  await page.getByRole('button', { name: 'Pagar $615.00' }).waitFor();
  await cardFrame(page).getByLabel('Número de tarjeta').waitFor();
  for (const [field, text] of [
    ['Número de tarjeta', CARDS.approved],
    ['Vencimiento', '1240'],
    ['CVV', '123'],
    ['Nombre del titular', 'Ana Torres'],
  ] as const) {
    await tabTo(field);
    await keyboard.type(text);
  }
  await tabTo('Pagar $615.00');
  await keyboard.press('Enter');
  await sees(page, 'Transacción realizada!');
  await shop.settle(buyer, { charged: 1, purchases: 1 });
});
