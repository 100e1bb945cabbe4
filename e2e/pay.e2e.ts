import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { bankWindow, cardFrame, fillCard, payWith, sees } from './card.ts';
import { hurry, takeClock } from './hurry.ts';
import { test } from './journey.ts';
import type { Phone, PhoneOptions } from './phone.ts';
import { CARDS, type Buyer, type Shop } from './shop.ts';

interface AtTheCardForm {
  buyer: Buyer;
  id: number;
  page: Page;
  phone: Phone;
}

/** A buyer at the card form with a reference of their own. */
async function atTheCardForm(
  shop: Shop,
  open: (options?: PhoneOptions) => Promise<Phone>,
  options: PhoneOptions = {},
): Promise<AtTheCardForm> {
  const buyer = await shop.newBuyer();
  const { id } = await shop.newReference(buyer);
  const phone = await open({ ...options, buyer });
  await phone.page.goto(`${shop.origin}/pullapartByClip/${id}`);
  await sees(phone.page, 'Pago con tarjeta');
  return { buyer, id, page: phone.page, phone };
}

const once = { charged: 1, purchases: 1 };
const never = { charged: 0, purchases: 0 };
const OFFLINE = { hasWorker: true, mayComplain: [/net::ERR_/] };

/** The attempt's state in the database. */
async function stateOf(shop: Shop, buyer: Buyer): Promise<string[]> {
  const rows = await shop.query('select state from card_attempts where buyer_id = $1 order by created_at', [
    buyer.id,
  ]);
  return rows.map(({ state }) => state as string);
}

describe('3DS', () => {
  test('A payment that needs 3DS is done once the buyer approves it', async ({ shop, phone }) => {
    const { buyer, id, page } = await atTheCardForm(shop, phone);
    await payWith(page, CARDS.threeDs);
    await sees(page, 'Autenticación 3DS');
    expect(new URL(page.url()).pathname).toBe(`/threeDSByclipPA/${id}/1/600.00`);
    await expect
      .poll(() => page.getByRole('main').innerText())
      .toMatch(/Vencimiento[^]*Valor[^]*\$600\.00[^]*Pagos[^]*\$0\.00[^]*Saldo[^]*\$600\.00/);
    await bankWindow(page).getByRole('button', { name: 'Aprobar' }).click();
    await sees(page, 'Transacción exitosa!');
    await shop.settle(buyer, once);
  });

  test('A payment that the buyer rejects at the bank shows as rejected, and another card pays', async ({
    shop,
    phone,
  }) => {
    const { buyer, page } = await atTheCardForm(shop, phone);
    await payWith(page, CARDS.threeDs);
    await bankWindow(page).getByRole('button', { name: 'Rechazar' }).click();
    await sees(page, 'Validación rechazada!');
    await page.getByText('No salió dinero de tu cuenta').waitFor();
    await page.getByRole('button', { name: 'Reintentar pago' }).click();
    await sees(page, 'Pago con tarjeta');
    await payWith(page, CARDS.approved);
    // After a rejection 3DS is required again, whatever the card.
    await bankWindow(page).getByRole('button', { name: 'Aprobar' }).click();
    await sees(page, 'Transacción exitosa!');
    await shop.settle(buyer, once);
  });

  test('A bank that approves after the buyer closed everything: the job resolves it, and they find it paid', async ({
    shop,
    phone,
  }) => {
    const { buyer, id, page, phone: first } = await atTheCardForm(shop, phone);
    await shop.control('POST /control/webhooks', { drop: true });
    await payWith(page, CARDS.threeDsApprovedAlone);
    await sees(page, 'Autenticación 3DS');
    await first.context.close();
    await shop.control('POST /control/clock', { advanceMs: 30_000 });
    await shop.settle(buyer, once);
    const emails = () => shop.control(`GET /control/emails?to=${encodeURIComponent(buyer.email)}`);
    // The receipt.
    await expect.poll(async () => (await emails()).emails.length, { timeout: 20_000 }).toBe(1);

    const { page: later } = await phone({ buyer });
    await later.goto(`${shop.origin}/pullapartByClip/${id}`);
    await sees(later, 'Transacción realizada!');
    expect((await shop.providerRecord(buyer)).calls).toBe(1);
  });

  test('A 3DS that nobody finishes expires after its half hour, and what the bank still does is honoured', async ({
    shop,
    phone,
  }) => {
    const { buyer, id, page } = await atTheCardForm(shop, phone);
    await payWith(page, CARDS.threeDs);
    await sees(page, 'Autenticación 3DS');
    await page.getByRole('button', { name: 'Cerrar esta ventana' }).click();
    // Closing the window does not cancel the payment, so no second one is offered.
    await page.getByText('No vuelvas a pagar.').waitFor();
    await page.goto(`${shop.origin}/pullapartByClip/${id}`);
    await sees(page, 'Termina la autenticación');
    expect(await page.getByRole('button', { name: /^Pagar/ }).count()).toBe(0);

    await shop.age(buyer, 31 * 60_000);
    await sees(page, 'Transaccion rechazada!');
    expect(await stateOf(shop, buyer)).toEqual(['abandoned']);
    await page.getByText('Si tu banco llegara a cobrarlo').waitFor();
    await page.getByRole('button', { name: 'Reintentar pago' }).click();
    await payWith(page, CARDS.approved);
    await sees(page, 'Transacción realizada!');
    await shop.settle(buyer, once);

    // The first payment is approved after all and is refunded in full.
    const { payments } = await shop.providerRecord(buyer);
    const late = payments.find(({ status }) => status === 'pending');
    await shop.control(`POST /control/payments/${late?.id}`, { move: 'approve' });
    await expect.poll(() => stateOf(shop, buyer), { timeout: 20_000 }).toEqual(['returned', 'applied']);
    await expect
      .poll(async () => (await shop.providerRecord(buyer)).payments.map(({ status }) => status).toSorted(), {
        timeout: 20_000,
      })
      .toEqual(['approved', 'refunded']);
    await shop.settle(buyer, once);
  });

  test('A till is quicker than the bank: the card payment is refunded, and the buyer reads it', async ({
    shop,
    phone,
  }) => {
    const { buyer, id, page } = await atTheCardForm(shop, phone);
    await payWith(page, CARDS.threeDs);
    await sees(page, 'Autenticación 3DS');
    const { body } = await shop.ask(`GET /v1/PullApartReference/${id}`, { token: buyer.token });
    await shop.payAtTill(body.data);
    await bankWindow(page).getByRole('button', { name: 'Aprobar' }).click();
    await sees(page, 'Abono no aplicado en Aparta!');
    await page.getByText(/^Te (devolvemos|devolvimos) \$615\.00$/).waitFor();
    await expect
      .poll(async () => (await shop.providerRecord(buyer)).payments.map(({ status }) => status), {
        timeout: 20_000,
      })
      .toEqual(['refunded']);
    await shop.settle(buyer, { charged: 0, purchases: 1 });
  });
});

describe('What the provider does', () => {
  test('Its reply is lost: the buyer waits without paying again, and it is found', async ({
    shop,
    phone,
  }) => {
    const { buyer, page } = await atTheCardForm(shop, phone);
    await payWith(page, CARDS.replyLost);
    await sees(page, 'Transacción realizada!');
    expect((await shop.providerRecord(buyer)).calls).toBe(1);
    await shop.settle(buyer, once);
  });

  test('It does not answer in time: the buyer reads that it is being confirmed, then that it is paid', async ({
    shop,
    phone,
  }) => {
    const { buyer, page } = await atTheCardForm(shop, phone);
    await shop.hideProvider();
    await payWith(page, CARDS.answersLate);
    await sees(page, 'Estamos confirmando tu pago');
    await page.getByText('No vuelvas a pagar.').waitFor();
    await shop.restoreProvider();
    await sees(page, 'Transacción realizada!');
    expect((await shop.providerRecord(buyer)).calls).toBe(1);
    await shop.settle(buyer, once);
  });

  test('It never charged: the buyer is told once that is certain, and may pay again', async ({
    shop,
    phone,
  }) => {
    const { buyer, page } = await atTheCardForm(shop, phone);
    await shop.hideProvider();
    await payWith(page, CARDS.nothingHappened);
    await sees(page, 'Estamos confirmando tu pago');
    await shop.restoreProvider();
    await sees(page, 'Transaccion rechazada!');
    await page.getByText('El cobro no llegó a tu banco').waitFor();
    await shop.settle(buyer, never);
    await page.getByRole('button', { name: 'Reintentar pago' }).click();
    await payWith(page, CARDS.approved);
    await sees(page, 'Transacción realizada!');
    await shop.settle(buyer, once);
  });

  test('It rejects the card: the buyer reads what they can do, and another card pays', async ({
    shop,
    phone,
  }) => {
    const { buyer, page } = await atTheCardForm(shop, phone);
    await payWith(page, CARDS.insufficientFunds);
    await sees(page, 'Transacción rechazada!');
    await page.getByText('Intenta con otra tarjeta.').first().waitFor();
    await page.getByText('No salió dinero de tu cuenta').waitFor();
    await page.getByRole('button', { name: 'Reintentar pago' }).click();
    await payWith(page, CARDS.callTheBank);
    await page.getByText('Llama a tu banco').waitFor();
    await page.getByRole('button', { name: 'Reintentar pago' }).click();
    await payWith(page, CARDS.approved);
    await bankWindow(page).getByRole('button', { name: 'Aprobar' }).click();
    await sees(page, 'Transacción exitosa!');
    expect(await stateOf(shop, buyer)).toEqual(['rejected', 'rejected', 'applied']);
    await shop.settle(buyer, once);
  });

  test('It charges more than agreed: nothing is applied, and the buyer reads that it is in review', async ({
    shop,
    phone,
  }) => {
    const { buyer, page } = await atTheCardForm(shop, phone);
    await payWith(page, CARDS.oneMore);
    await sees(page, 'Tu pago está en revisión');
    await page.getByText('No vuelvas a pagar.').waitFor();
    await page.reload();
    await sees(page, 'Tu pago está en revisión');
    await shop.settle(buyer, { charged: 1, purchases: 0 });
  });

  test('Wrong card data are marked in the card form, and nothing is sent', async ({ shop, phone }) => {
    const { buyer, page } = await atTheCardForm(shop, phone);
    await fillCard(page, CARDS.approved);
    await cardFrame(page).getByLabel('Vencimiento').fill('01/20');
    await page.getByRole('button', { name: 'Pagar $615.00' }).click();
    await page.getByText('Revisa los datos de tu tarjeta.').waitFor();
    await cardFrame(page).getByText('Esta tarjeta ya venció.').waitFor();
    expect((await shop.providerRecord(buyer)).calls).toBe(0);
    await shop.settle(buyer, never);
  });
});

describe('What a buyer does at the wrong moment', () => {
  test('A nervous double tap pays once', async ({ shop, phone }) => {
    const { buyer, page } = await atTheCardForm(shop, phone);
    await fillCard(page, CARDS.approved);
    await page.getByRole('button', { name: 'Pagar $615.00' }).dblclick();
    await sees(page, 'Transacción realizada!');
    expect((await shop.providerRecord(buyer)).calls).toBe(1);
    await shop.settle(buyer, once);
  });

  test('The reference expires while the buyer types: nothing is charged, and they see what to do next', async ({
    shop,
    phone,
  }) => {
    const { buyer, id, page } = await atTheCardForm(shop, phone);
    await fillCard(page, CARDS.approved);
    await shop.expire(id);
    await page.getByRole('button', { name: 'Pagar $615.00' }).click();
    await sees(page, 'Tu referencia venció');
    await page.getByText('Ya no se puede pagar.', { exact: false }).waitFor();
    expect((await shop.providerRecord(buyer)).calls).toBe(0);
    await shop.settle(buyer, never);
  });

  test('Two tabs that pay at once charge once, and both show the true state', async ({ shop, phone }) => {
    const {
      buyer,
      id,
      page,
      phone: { newTab },
    } = await atTheCardForm(shop, phone);
    const other = await newTab();
    await other.goto(`${shop.origin}/pullapartByClip/${id}`);
    await fillCard(page, CARDS.approved);
    await fillCard(other, CARDS.approved);
    await Promise.all([page, other].map((tab) => tab.getByRole('button', { name: 'Pagar $615.00' }).click()));
    await Promise.all([page, other].map((tab) => sees(tab, 'Transacción realizada!')));
    expect((await shop.providerRecord(buyer)).calls).toBe(1);
    await shop.settle(buyer, once);
  });

  test('A second tab while the first one pays is told to wait, and sees the outcome without a reload', async ({
    shop,
    phone,
  }) => {
    const {
      buyer,
      id,
      page,
      phone: { newTab },
    } = await atTheCardForm(shop, phone);
    const other = await newTab();
    await other.goto(`${shop.origin}/pullapartByClip/${id}`);
    await fillCard(other, CARDS.approved);
    await shop.hideProvider();
    await shop.control('POST /control/faults', { call: 'createPayment', kind: 'hold' });
    await payWith(page, CARDS.approved);
    await page.getByText('Estamos haciendo el cobro. No cierres esta pantalla.').waitFor();
    await expect.poll(async () => (await shop.providerRecord(buyer)).payments.length).toBe(1);
    await other.getByRole('button', { name: 'Pagar $615.00' }).click();
    await sees(other, 'Estamos confirmando tu pago');
    await other.getByText('No vuelvas a pagar.').waitFor();
    await shop.restoreProvider();
    await shop.control('POST /control/release');
    await Promise.all([page, other].map((tab) => sees(tab, 'Transacción realizada!')));
    expect((await shop.providerRecord(buyer)).calls).toBe(1);
    await shop.settle(buyer, once);
  });

  test('Eight payments at once from one page: exactly one is accepted', async ({ shop, phone }) => {
    const { buyer, id, page } = await atTheCardForm(shop, phone);
    const { body: reference } = await shop.ask(`GET /v1/PullApartReference/${id}`, { token: buyer.token });
    const tokens = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const { id: token } = await shop.control('POST /control/tokens', { number: CARDS.approved });
        return token as string;
      }),
    );
    const bodies = tokens.map((token) => ({
      amount: 615,
      currency: 'MXN',
      description: 'Apartado',
      payment_method: { token },
      customer: { email: buyer.email, phone: '5512345678' },
      apartaBusinnessId: 1,
      referencia: reference.data.paymentReference,
      intentoId: randomUUID(),
    }));
    const statuses = await payAll(page, buyer, bodies);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(new Set(statuses)).toEqual(new Set([200, 409]));
    expect((await shop.providerRecord(buyer)).calls).toBe(1);
    await shop.settle(buyer, once);
  });

  test('The same payment sent eight times at once is one payment', async ({ shop, phone }) => {
    const { buyer, id, page } = await atTheCardForm(shop, phone);
    const { body: reference } = await shop.ask(`GET /v1/PullApartReference/${id}`, { token: buyer.token });
    const { id: token } = await shop.control('POST /control/tokens', { number: CARDS.approved });
    const body = {
      amount: 615,
      currency: 'MXN',
      payment_method: { token },
      apartaBusinnessId: 1,
      referencia: reference.data.paymentReference,
      intentoId: randomUUID(),
    };
    const statuses = await payAll(
      page,
      buyer,
      Array.from({ length: 8 }, () => body),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect((await shop.providerRecord(buyer)).calls).toBe(1);
    await page.reload();
    await sees(page, 'Transacción realizada!');
    await shop.settle(buyer, once);
  });

  test('Reload and Back at every step show the current state, and never pay twice', async ({
    shop,
    phone,
  }) => {
    const buyer = await shop.newBuyer();
    const { page } = await phone({ buyer, hasWorker: true });
    const reloadsTo = async (heading: string) => {
      await sees(page, heading);
      await page.reload();
      await sees(page, heading);
    };
    const { id } = await shop.newReference(buyer);
    await page.goto(`${shop.origin}/apartado`);
    await reloadsTo('Aparta un producto');
    await page.goto(`${shop.origin}/?ref=${encodeURIComponent('1|1|1|0|3000.00|3|600.00|0')}`);
    await page.getByRole('link', { name: 'Continuar mi apartado' }).click();
    await reloadsTo('Información para realizar el apartado');
    await page.getByRole('button', { name: 'Ir al paso siguiente' }).click();
    await reloadsTo('Paga tu apartado');
    expect(page.url()).toContain(`id=${id}`); // the one that was alive
    await page.getByRole('button', { name: 'Pago con Clip' }).click();
    await reloadsTo('Pago con tarjeta');
    await page.goBack();
    await reloadsTo('Paga tu apartado');
    await page.goForward();
    await sees(page, 'Pago con tarjeta');
    await payWith(page, CARDS.threeDs);
    await reloadsTo('Autenticación 3DS');
    await page.goBack();
    await sees(page, 'Termina la autenticación');
    await page.getByRole('link', { name: 'Terminar la autenticación' }).click();
    await bankWindow(page).getByRole('button', { name: 'Aprobar' }).click();
    await reloadsTo('Transacción exitosa!');
    await page.goBack();
    await sees(page, 'Transacción realizada!');
    await page.goto(`${shop.origin}/apartado?paso=3&id=${id}`);
    await sees(page, 'Apartado pagado');
    expect((await shop.providerRecord(buyer)).calls).toBe(1);
    await shop.settle(buyer, once);
  });

  test('Reloading while the payment is in progress shows that it is being confirmed', async ({
    shop,
    phone,
  }) => {
    const { buyer, id, page } = await atTheCardForm(shop, phone);
    await shop.hideProvider();
    await shop.control('POST /control/faults', { call: 'createPayment', kind: 'hold' });
    await payWith(page, CARDS.approved);
    await expect.poll(async () => (await shop.providerRecord(buyer)).payments.length).toBe(1);
    await page.reload();
    await sees(page, 'Estamos confirmando tu pago');
    await page.reload();
    await sees(page, 'Estamos confirmando tu pago');
    await page.goto(`${shop.origin}/apartado?paso=3&id=${id}`);
    await sees(page, 'Hay un pago con tarjeta en curso');
    await page.goBack();
    await sees(page, 'Estamos confirmando tu pago');
    await shop.restoreProvider();
    await sees(page, 'Transacción realizada!');
    expect((await shop.providerRecord(buyer)).calls).toBe(1);
    await shop.settle(buyer, once);
  });

  test('Closing the browser while the payment is in progress changes nothing', async ({ shop, phone }) => {
    const { buyer, id, page, phone: first } = await atTheCardForm(shop, phone);
    await shop.control('POST /control/faults', { call: 'createPayment', kind: 'hold' });
    await payWith(page, CARDS.approved);
    await expect.poll(async () => (await shop.providerRecord(buyer)).payments.length).toBe(1);
    await first.context.close();
    await shop.control('POST /control/release');
    await shop.settle(buyer, once);
    const { page: later } = await phone({ buyer });
    await later.goto(`${shop.origin}/apartado?paso=3&id=${id}`);
    await sees(later, 'Apartado pagado');
  });

  const CREATE = '**/v1/Clib/CreatePaymentsAsync';
  const ATTEMPT = '**/v1/Clib/GetAttemptAsync/*';

  test('The network is lost before the payment is sent: it is sent once it is back', async ({
    shop,
    phone,
  }) => {
    const { buyer, page } = await atTheCardForm(shop, phone, OFFLINE);
    await page.route(CREATE, (route) => route.abort('internetdisconnected'), { times: 1 });
    await payWith(page, CARDS.approved);
    await sees(page, 'Transacción realizada!');
    expect((await shop.providerRecord(buyer)).calls).toBe(1);
    await shop.settle(buyer, once);
  });

  test('The network is lost after the payment is sent: it is found, not sent again', async ({
    shop,
    phone,
  }) => {
    const {
      buyer,
      page,
      phone: { context },
    } = await atTheCardForm(shop, phone, OFFLINE);
    await page.route(
      CREATE,
      async (route) => {
        await route.fetch();
        await context.setOffline(true);
        await route.abort('internetdisconnected');
      },
      { times: 1 },
    );
    await payWith(page, CARDS.approved);
    await sees(page, 'Estamos confirmando tu pago');
    await page.getByText('No vuelvas a pagar.').waitFor();
    await context.setOffline(false);
    await sees(page, 'Transacción realizada!');
    expect((await shop.providerRecord(buyer)).calls).toBe(1);
    await shop.settle(buyer, once);
  });

  test('The network is lost for good before the payment is sent: after a reload the buyer pays again, once', async ({
    shop,
    phone,
  }) => {
    const { buyer, page } = await atTheCardForm(shop, phone, OFFLINE);
    await page.route(CREATE, (route) => route.abort('internetdisconnected'));
    // Nor can the screen ask: eight seconds after an answer it would let the buyer pay again, before a slow reload.
    await page.route(ATTEMPT, (route) => route.abort('internetdisconnected'));
    await payWith(page, CARDS.approved);
    await sees(page, 'Estamos confirmando tu pago');
    // A reload loses the body that the screen would have sent again.
    await takeClock(page);
    await page.reload();
    await sees(page, 'Estamos confirmando tu pago');
    await page.unroute(CREATE);
    await page.unroute(ATTEMPT);
    await hurry(page, () => page.getByText('Tu pago no nos llegó.').isVisible(), 3_000);
    await payWith(page, CARDS.approved);
    await sees(page, 'Transacción realizada!');
    expect((await shop.providerRecord(buyer)).calls).toBe(1);
    await shop.settle(buyer, once);
  });
});

test('A server that is killed between the bank’s yes and our books is made good by the job', async ({
  shop,
  phone,
}) => {
  const { buyer, page } = await atTheCardForm(shop, phone, OFFLINE);
  await shop.hideProvider();
  await shop.control('POST /control/faults', { call: 'createPayment', kind: 'hold' });
  await payWith(page, CARDS.approved);
  await expect
    .poll(async () => (await shop.providerRecord(buyer)).payments.map(({ status }) => status))
    .toEqual(['approved']);
  await shop.server.kill();
  await shop.restoreProvider();
  await sees(page, 'Estamos confirmando tu pago');
  expect(['submitting', 'unknown']).toContain((await stateOf(shop, buyer)).join());
  await shop.server.start();
  await shop.settle(buyer, once);
  await page.reload();
  await sees(page, 'Transacción realizada!');
  expect((await shop.providerRecord(buyer)).calls).toBe(1);
});

/** Sends payments from the page, all at once. */
function payAll(page: Page, buyer: Buyer, bodies: object[]): Promise<number[]> {
  return page.evaluate(
    ({ token, each }) =>
      Promise.all(
        each.map(async (body) => {
          const response = await fetch('/v1/Clib/CreatePaymentsAsync', {
            method: 'POST',
            headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
            body: JSON.stringify(body),
          });
          return response.status;
        }),
      ),
    { token: buyer.token, each: bodies },
  );
}
