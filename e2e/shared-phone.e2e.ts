import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { sees } from './card.ts';
import { find, newStaff } from './counter.ts';
import { takeClock } from './hurry.ts';
import { test } from './journey.ts';
import { DEMO_PASSWORD } from './shop.ts';

const [IRMA, BETO] = ['482913', '907214'];

/** Once the pad is there: keys that nobody listens to are lost. */
async function typePin(page: Page, pin: string): Promise<void> {
  await page.getByLabel('0 de 6 dígitos').waitFor();
  await page.keyboard.type(pin);
}

/** Chooses a name, and a PIN by password. */
async function choosePin(page: Page, name: string, pin: string): Promise<void> {
  await page.getByRole('button', { name }).click();
  await sees(page, `Pon tu NIP, ${name}`);
  await page.getByLabel('Tu contraseña').fill(DEMO_PASSWORD);
  await page.getByLabel('NIP nuevo').fill(pin);
  await page.getByRole('button', { name: 'Guardar y entrar' }).click();
  await sees(page, 'Cobrar');
}

test('A shared phone changes hands, locks itself when nobody touches it, and locks out who guesses a PIN', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer('Marisol Reyes');
  const { paymentReference } = await shop.newReference(buyer);
  await newStaff(shop, 'cashier', 'Irma Soto');
  const token = await newStaff(shop, 'manager', 'Beto Gil');
  const [branch] = (await shop.ask('GET /v1/counter/branches', { token })).body.data;
  const body = { branchId: branch.id, name: 'Azul' };
  const { link } = (await shop.ask('POST /v1/counter/devices/enrolments', { token, body })).body.data;

  const { page } = await phone();
  await takeClock(page);
  await page.goto(shop.origin + new URL(link).pathname + new URL(link).hash);
  await page.getByRole('button', { name: 'Dar de alta' }).click();
  await sees(page, 'Elige tu nombre');
  expect(await page.evaluate(() => location.href)).not.toContain('code');
  await choosePin(page, 'Irma S.', IRMA);
  await find(page, paymentReference);
  await page.getByRole('button', { name: 'Cobrar $600.00' }).waitFor();

  // Nobody touches it: the screen asks for the PIN, and comes back to where it was.
  await page.clock.fastForward('02:10');
  await sees(page, 'Hola, Irma S.');
  await typePin(page, IRMA);
  await sees(page, 'Cobro');
  await page.getByRole('button', { name: 'Cobrar $600.00' }).click();
  await sees(page, 'Recibo');

  await page.getByRole('button', { name: 'Salir' }).click();
  await page.getByRole('button', { name: 'No soy yo' }).click();
  await choosePin(page, 'Beto G.', BETO);
  await page.getByRole('button', { name: 'Salir' }).click();
  await page.getByRole('button', { name: 'No soy yo' }).click();
  await page.getByRole('button', { name: 'Irma S.' }).click();
  for (const left of [4, 3, 2, 1]) {
    await typePin(page, BETO);
    await page.getByText(`Intentos que te quedan: ${left}`, { exact: false }).waitFor();
  }
  await typePin(page, BETO);
  await page.getByText('Tu NIP está bloqueado', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'No soy yo' }).click();
  await page.getByText('NIP bloqueado').waitFor();

  // The manager lifts it on the phone itself.
  await page.getByRole('button', { name: 'Beto G.' }).click();
  await typePin(page, BETO);
  await page.getByRole('link', { name: 'Más' }).click();
  await page.getByRole('link', { name: 'Equipos' }).click();
  await page.getByRole('button', { name: 'Desbloquear' }).click();
  await page.getByText('Irma Soto: NIP bloqueado').waitFor({ state: 'detached' });
});
