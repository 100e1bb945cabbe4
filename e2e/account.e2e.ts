import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { appHas, sees } from './card.ts';
import { test } from './journey.ts';
import { confirmationLink, emailsTo, newestResetLink, purchaseLink, resetLink } from './emails.ts';

const NEW_PASSWORD = 'otra-clave-larga-8';
const DEAD_LINK = 'Necesitas un enlace nuevo';

async function isAt(page: Page, path: string): Promise<void> {
  await expect.poll(() => new URL(page.url()).pathname).toBe(path);
}

async function choosePassword(page: Page, password = NEW_PASSWORD, again = password): Promise<void> {
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirmar Password').fill(again);
  await page.getByRole('button', { name: 'Enviar' }).click();
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Correo').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login' }).click();
}

test('A buyer who forgot their password gets an email, chooses a new one, and every session ends', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer();
  const stolen = (await phone({ buyer })).page;
  await stolen.goto(`${shop.origin}/clientEdit`);
  await stolen.getByText('Este dispositivo', { exact: true }).waitFor();

  const { page } = await phone();
  await page.goto(`${shop.origin}/login`);
  await appHas(page);
  await page.getByRole('link', { name: '¿Se te olvidó tu password?' }).click();
  await sees(page, 'Olvidaste tu password?');
  await page.getByLabel('Correo').fill(buyer.email);
  await page.getByRole('button', { name: 'Enviar' }).click();
  const alert = page.getByRole('alertdialog', { name: 'Correo enviado!' });
  await alert.getByText('Se envio el correo con el link de cambio de password!').waitFor();
  await alert.getByRole('button', { name: 'Aceptar' }).click();
  await isAt(page, '/login');

  const link = await newestResetLink(shop, buyer.email, 1);
  await page.goto(link);
  await sees(page, 'Bienvenido/a');
  await page.getByText(`Elige un password nuevo para ${buyer.email}.`).waitFor();
  // The e-mail and the code must not stay in the address: history, screenshots and bystanders see it.
  expect(page.url()).toBe(`${shop.origin}/changeyourpassword`);
  await choosePassword(page, NEW_PASSWORD, `${NEW_PASSWORD}x`);
  await page.getByText('Password Incorrecto!').waitFor();
  await page.getByRole('button', { name: 'Cerrar aviso' }).click();
  await choosePassword(page);
  await isAt(page, '/login');
  await page.getByText('Tu password cambió. Entra con el nuevo.').waitFor();
  expect(await page.evaluate(() => ({ ...sessionStorage }))).toEqual({});

  expect((await shop.ask('GET /v1/TokenBuyer/Sessions', { token: buyer.token })).status).toBe(401);
  await stolen.goto(`${shop.origin}/cxcList`);
  await isAt(stolen, '/login');

  await signIn(page, buyer.email, buyer.password);
  await page.getByText('Correo o Password Incorrecto!').waitFor();
  await signIn(page, buyer.email, NEW_PASSWORD);
  await sees(page, 'Hola, Ana Torres');
  await expect
    .poll(async () => (await emailsTo(shop, buyer.email)).map(({ subject }) => subject))
    .toEqual(['Cambia tu password de Aparta', 'Tu password de Aparta cambió']);

  // The same link again, from the email still in the mailbox.
  await page.goto(link);
  await page.getByText(DEAD_LINK).waitFor();
  await isAt(page, '/resetyourpassword');
});

test('A buyer whose scripts do not come reads the terms, signs up and asks for a new password by plain pages; once they come the app goes on', async ({
  shop,
  phone,
}) => {
  const { page, context } = await phone();
  const devtools = await context.newCDPSession(page);
  const scripts = (run: boolean) => devtools.send('Emulation.setScriptExecutionDisabled', { value: !run });
  const email = `sin-guion-${Date.now()}@example.mx`;
  const emailField = page.getByLabel('Correo');

  await scripts(false);
  await page.goto(`${shop.origin}/terminos`);
  await page.getByText(/^Versión/).waitFor();
  await page.goto(`${shop.origin}/login`);
  await page.getByRole('link', { name: '¿Todavía no tienes cuenta? Regístrate de forma gratuita' }).click();
  await emailField.fill(email);
  await page.getByLabel('Password', { exact: true }).fill('corta');
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Crear' }).click();
  await page
    .getByRole('alert')
    .getByText('El password es muy corto. Escribe al menos 8 caracteres.')
    .waitFor();
  expect([await emailField.inputValue(), await page.getByRole('checkbox').isChecked()]).toEqual([
    email,
    true,
  ]);
  await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Crear' }).click();
  await page.getByRole('alert').getByText('Registro exitoso!').waitFor();
  await isAt(page, '/login');

  await page.getByRole('link', { name: '¿Se te olvidó tu password?' }).click();
  await emailField.fill(email);
  await page.getByRole('button', { name: 'Enviar' }).click();
  await page.getByRole('alert').getByText('Se envio el correo con el link de cambio de password!').waitFor();
  await newestResetLink(shop, email, 1);

  // The page that says what is wrong is taken over as it is.
  await scripts(true);
  await signIn(page, email, 'no-es-esta-clave');
  await page.getByText('Correo o Password Incorrecto!').waitFor();
  const close = page.getByRole('button', { name: 'Cerrar aviso' });
  await expect
    .poll(async () => {
      await close.click({ timeout: 1_000 }).catch(() => {}); // until the app has it
      return close.count();
    })
    .toBe(0);
  expect(await emailField.inputValue()).toBe(email);

  await scripts(false);
  await page.goto(`${shop.origin}/login`);
  await emailField.fill(email);
  await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD);
  await page.getByRole('checkbox').check();
  await scripts(true);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.getByRole('heading', { name: /^Hola, / }).waitFor();
  // Who ticked it stays signed in, and what carried the session is gone.
  expect((await context.cookies()).map(({ name }) => name)).toEqual(['aparta-kept', 'aparta-stays']);
  expect(await page.evaluate(() => document.getElementById('aparta-entry'))).toBeNull();
});

test('A buyer who stays signed in opens an email’s link in a new tab and lands on the purchase; who does not is asked for the password', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer();
  await shop.newPurchase(buyer);
  const link = await purchaseLink(shop, buyer.email);
  const { pathname } = new URL(link);
  const { page, context } = await phone();
  const wasAsked = (tab: Page) => tab.evaluate(() => 'asked' in window);
  const keep = (tab: Page) => tab.getByRole('checkbox', { name: 'Mantener mi sesión en este teléfono' });
  const open = async (address: string) => {
    const tab = await context.newPage();
    // Whether the form was ever there, however short.
    await tab.addInitScript(() => {
      const note = () =>
        document.querySelector('input[name=password]') && Object.assign(window, { asked: true });
      new MutationObserver(note).observe(document, { childList: true, subtree: true });
    });
    await tab.goto(address);
    return tab;
  };
  const isThere = async (tab: Page) => {
    await tab.getByRole('button', { name: 'Logout' }).first().waitFor();
    await isAt(tab, pathname);
  };

  await page.goto(`${shop.origin}/login`);
  expect(await keep(page).isChecked()).toBe(false);
  await signIn(page, buyer.email, buyer.password);
  await sees(page, 'Hola, Ana Torres');
  expect(await context.cookies()).toEqual([]);
  const asked = await open(link);
  await sees(asked, 'Bienvenido/a');
  expect(await wasAsked(asked)).toBe(true);

  await keep(asked).check();
  await signIn(asked, buyer.email, buyer.password);
  await isThere(asked);
  expect(await context.cookies()).toEqual([
    expect.objectContaining({
      name: 'aparta-kept',
      path: '/v1/TokenBuyer/Kept',
      httpOnly: true,
      sameSite: 'Strict',
    }),
    expect.objectContaining({ name: 'aparta-stays', value: '1', path: '/' }),
  ]);

  const tabs = await Promise.all([open(link), open(link), open(`${shop.origin}/login`)]);
  await Promise.all(tabs.slice(0, 2).map(isThere));
  await sees(tabs[2]!, 'Hola, Ana Torres');
  expect(await Promise.all(tabs.map(wasAsked))).toEqual([false, false, false]);

  // The session is over, as after twelve hours.
  const [tab] = tabs as [Page, ...Page[]];
  await tab.evaluate(() => sessionStorage.setItem('token', `apb_${'A'.repeat(43)}`));
  await tab.goto(`${shop.origin}/clientEdit`);
  await tab.getByText('Se mantiene en este teléfono hasta que cierres sesión.').waitFor();
  expect(await wasAsked(tab)).toBe(false);

  // What a helper's link opens knows nothing of it.
  const helping = await (await fetch(`${shop.origin}/ayudar`)).text();
  const scripts = [...helping.matchAll(/\/assets\/[^"]+\.js/g)].map(async ([path]) =>
    (await fetch(`${shop.origin}${path}`)).text(),
  );
  expect(scripts.length).toBeGreaterThan(0);
  expect((await Promise.all(scripts)).join('')).not.toMatch(/TokenBuyer|aparta-stays/);

  await tab.getByRole('button', { name: 'Logout' }).click();
  await sees(tab, 'Bienvenido/a');
  await expect.poll(() => context.cookies()).toEqual([]);
  await sees(await open(link), 'Bienvenido/a');
  await asked.goto(link);
  await sees(asked, 'Bienvenido/a');
});

test('Who signs out where the network fails is signed out on the server too, as soon as somebody opens the app there', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer();
  const { page, context } = await phone({ buyer, hasWorker: true, mayComplain: [/net::ERR_FAILED/] });
  await page.goto(`${shop.origin}/home`);
  await sees(page, 'Hola, Ana Torres');
  const token = await page.evaluate(() => sessionStorage.getItem('token'));
  const isIn = async () =>
    (await fetch(`${shop.origin}/v1/TokenBuyer/Sessions`, { headers: { authorization: `Bearer ${token}` } }))
      .ok;
  await context.route('**/v1/TokenBuyer/Logout*', (route) => route.abort());
  await page.getByRole('button', { name: 'Logout' }).click();
  await sees(page, 'Bienvenido/a');
  const left = () => page.evaluate(() => ({ ...localStorage, ...sessionStorage }));
  await expect.poll(async () => 'salidas' in (await left())).toBe(true);
  expect(JSON.stringify(await left())).not.toContain(token);
  expect(await isIn()).toBe(true);

  await context.unroute('**/v1/TokenBuyer/Logout*');
  const next = await context.newPage();
  await next.goto(`${shop.origin}/login`);
  await sees(next, 'Bienvenido/a');
  await expect.poll(isIn).toBe(false);
  await expect.poll(async () => 'salidas' in (await left())).toBe(false);
});

test('A new buyer confirms their e-mail with the link of the welcome email, once', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer(undefined, { isConfirmed: false });
  const { page } = await phone({ buyer });
  await page.goto(`${shop.origin}/clientEdit`);
  await page.getByText(`Te enviamos un enlace a ${buyer.email}.`).waitFor();
  const link = await confirmationLink(shop, buyer.email);
  await page.goto(link);
  await sees(page, '¡Tu correo está confirmado!');
  expect([page.url(), await page.evaluate(() => sessionStorage.getItem('confirmCode'))]).toEqual([
    `${shop.origin}/confirmarCorreo`,
    null,
  ]);
  await page.goto(`${shop.origin}/clientEdit`);
  await page.getByText('Este dispositivo', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Enviar otra vez' }).count()).toBe(0);
  await page.goto(link);
  await sees(page, 'Este enlace ya no sirve');
});

test('What a buyer scanned is still there after they change their password', async ({ shop, phone }) => {
  const buyer = await shop.newBuyer();
  const { page } = await phone();
  await page.goto(`${shop.origin}/?ref=${encodeURIComponent('1|1|1|0|3000.00|3|600.00|0')}`);
  await isAt(page, '/login');
  await page.goto(await resetLink(shop, buyer.email));
  await choosePassword(page);
  await page.getByText('Tu password cambió. Entra con el nuevo.').waitFor();
  await signIn(page, buyer.email, NEW_PASSWORD);
  await page.getByRole('link', { name: 'Continuar mi apartado' }).waitFor();
});

test('A link with a guessed code, or none, leads to a new email and changes nothing', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer();
  const link = await resetLink(shop, buyer.email);
  const { page } = await phone();
  for (const [path] of [
    [link.replace(/#code=.*/, '#code=AAAAAAAAAAAAAAAAAAAAAA')],
    [link.split('#')[0]],
  ] as const) {
    await page.goto('about:blank');
    await page.goto(path!);
    await page.getByText(DEAD_LINK).waitFor();
    expect(page.url()).toBe(`${shop.origin}/resetyourpassword`);
  }
  await page.goto('about:blank');
  await page.goto(link);
  await page.getByText(buyer.email).waitFor();
  const body = { user: buyer.email, password: buyer.password };
  expect((await shop.ask('POST /v1/TokenBuyer/Authenticate', { body })).status).toBe(200);
});

test('A page reloaded half-way keeps the link, and works before and after', async ({ shop, phone }) => {
  const buyer = await shop.newBuyer();
  const { page } = await phone();
  await page.goto(await resetLink(shop, buyer.email));
  await page.getByText(buyer.email).waitFor();
  await page.reload();
  await page.getByText(buyer.email).waitFor();
  await choosePassword(page);
  await isAt(page, '/login');
});

test('A buyer corrects their phone and address, is asked to sign in again, and finds them saved', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer();
  const { page } = await phone({ buyer });
  await page.goto(shop.origin);
  await page.getByRole('link', { name: 'Perfil' }).click();
  await sees(page, 'Perfil');
  await expect.poll(() => page.getByLabel('Correo', { exact: true }).inputValue()).toBe(buyer.email);
  expect(await page.getByLabel('Nombre').isEditable()).toBe(false);
  await page.getByLabel('Teléfono').fill('222 184 9037');
  await page.getByLabel('Calle').fill('Av. Reforma <b>sur</b>');
  await page.getByLabel('Número').fill('512');
  await page.getByLabel('Código postal').fill('72000');
  await page.getByRole('button', { name: 'Actualizar información' }).click();
  const alert = page.getByRole('alertdialog', { name: 'Actualización exitosa!' });
  await alert.getByText('tu información ha sido actualizada!').waitFor();
  await alert.getByRole('button', { name: 'Aceptar' }).click();
  await isAt(page, '/login');
  await expect
    .poll(async () => (await shop.ask('GET /v1/TokenBuyer/Sessions', { token: buyer.token })).status)
    .toBe(401);

  await signIn(page, buyer.email, buyer.password);
  await sees(page, 'Hola, Ana Torres');
  await page.getByRole('link', { name: 'Perfil' }).click();
  await expect.poll(() => page.getByLabel('Calle').inputValue()).toBe('Av. Reforma <b>sur</b>');
  expect(await page.getByLabel('Código postal').inputValue()).toBe('72000');
  await page.getByRole('link', { name: 'Cancelar' }).click();
  await sees(page, 'Hola, Ana Torres');
});

test('A buyer sees where their account is open, and signs out the phone they lost', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer();
  const lost = (await phone()).page;
  await lost.goto(`${shop.origin}/login`);
  await signIn(lost, buyer.email, buyer.password);
  await sees(lost, 'Hola, Ana Torres');

  const { page } = await phone({ buyer });
  await page.goto(`${shop.origin}/clientEdit`);
  const section = page.getByRole('region', { name: 'Dispositivos con sesión abierta' });
  await section.getByRole('button', { name: /^Cerrar sesión de Chrome en / }).click();
  await expect.poll(() => section.getByRole('listitem').count()).toBe(1);
  await lost.getByRole('link', { name: 'Pagos pendientes' }).click();
  await isAt(lost, '/login');
});

test('A buyer’s calendar follows what they owe by an address, until they remove it; and they read that they did', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer();
  const [first] = await shop.newPurchase(buyer);
  const { page } = await phone({ buyer });
  await page.goto(`${shop.origin}/saleCxcList/${first?.ventaId}`);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Guardar fechas en mi calendario' }).click();
  expect((await saved).suggestedFilename()).toBe(`pagos-compra-${first?.ventaId}.ics`);

  await page.goto(`${shop.origin}/clientEdit`);
  await page.getByRole('button', { name: 'Crear mi dirección' }).click();
  const address = await page.getByLabel('Tu dirección privada').inputValue();
  const followed = await fetch(address);
  expect(followed.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  expect(await followed.text()).toContain('SUMMARY:Pago 2 de 3');
  await page.getByRole('button', { name: 'Quitar dirección' }).click();
  await page.getByRole('button', { name: 'Crear mi dirección' }).waitFor();
  expect((await fetch(address)).status).toBe(404);

  await page.getByRole('link', { name: 'Ver mi actividad' }).click();
  await sees(page, 'Actividad');
  await page.getByText('Quitaste la dirección de tu calendario').waitFor();
  await page
    .getByText(/Chrome en/)
    .first()
    .waitFor();
});

test('A screen that cannot load offline says so, keeps the navigation, and loads once there is a connection', async ({
  shop,
  phone,
}) => {
  const { page, context } = await phone({
    buyer: await shop.newBuyer(),
    isNew: true,
    mayComplain: [/ERR_INTERNET_DISCONNECTED/, /Unable to preload CSS/, /Failed to fetch dynamically/],
  });
  await page.goto(shop.origin);
  // The last part of home to come: without it home itself could not load. A worker would bring the other screens too.
  await page.getByRole('link', { name: /^Realizar Abono/ }).waitFor();
  await context.setOffline(true);
  const purchases = page.getByRole('link', { name: 'Pagos pendientes' });
  await purchases.click();
  await page.getByText('No pudimos abrir esta pantalla').waitFor();
  await page.getByRole('button', { name: 'Reintentar' }).click();
  await page.getByText('Esperando internet…').waitFor();
  await page.getByRole('link', { name: 'Inicio' }).click();
  await sees(page, /^Hola/);

  // Still styled: the stylesheet that failed is requested again.
  await context.setOffline(false);
  await purchases.click();
  await sees(page, 'Listado de compras en Aparta');
  // Reading the rules of a stylesheet that failed to load throws.
  const rules = await page.evaluate(() => [...document.styleSheets].map((sheet) => sheet.cssRules.length));
  expect(rules.length).toBeGreaterThan(1);
});

test('A document whose app is lost on the way opens by itself once it comes; a page that works without keeps what is typed', async ({
  shop,
  phone,
}) => {
  const mayComplain = [/ERR_CONNECTION_RESET/, /dynamically imported module/];
  const { page, newTab } = await phone({ isNew: true, buyer: await shop.newBuyer(), mayComplain });
  const losing = async (tab: Page, times: number) => {
    let lost = 0;
    await tab.route(/\/assets\/(main|index|ayudar)-[^/]*\.js$/, (route) =>
      (lost += 1) <= times ? route.abort('connectionreset') : route.continue(),
    );
  };
  const login = await newTab();
  await losing(login, Infinity);
  await login.goto(`${shop.origin}/login`);
  await login.getByLabel('Correo').fill('ana@example.mx');

  const opens = async (tab: Page, path: string, shows: string) => {
    await losing(tab, 1);
    await tab.goto(shop.origin + path);
    await tab.getByText(shows).first().waitFor();
  };
  await Promise.all([
    opens(page, '', 'Realizar Abono'),
    opens(await newTab(), '/ayudar#inventado', 'Este enlace ya no sirve'),
    opens(await newTab(), '/mostrador', 'Entrar'),
  ]);
  expect(await login.getByLabel('Correo').inputValue()).toBe('ana@example.mx');

  // What never comes is not asked for again for ever: the tab's name says how often it was.
  const lost = await newTab();
  await lost.goto(`${shop.origin}/terminos`);
  await lost.evaluate(() => (window.name = '.'.repeat(8)));
  await losing(lost, Infinity);
  let opened = 0;
  lost.on('load', () => (opened += 1));
  await lost.goto(shop.origin);
  await expect.poll(() => opened).toBe(2);
  await lost.waitForTimeout(4_000);
  expect(opened).toBe(2);
});

test('A browser too old for the build reads that it is, above whatever it opens; another one reads nothing of it', async ({
  shop,
  phone,
}) => {
  const said = 'Este navegador es muy antiguo';
  const { page, newTab } = await phone({ isNew: true });
  await page.addInitScript(() => Reflect.deleteProperty(HTMLScriptElement, 'supports'));
  const other = await newTab();
  for (const path of ['/login', '/cxcList', '/ayudar#inventado', '/mostrador']) {
    for (const tab of [page, other]) await tab.goto(shop.origin + path);
    await page.getByText(said).waitFor();
    expect(await other.getByText(said).count()).toBe(0);
  }
});

test('Help that cannot load offline says whom to ask, and leaves the screen as it is', async ({
  shop,
  phone,
}) => {
  const { page, context } = await phone({
    isNew: true,
    buyer: await shop.newBuyer(),
    mayComplain: [/ERR_INTERNET_DISCONNECTED/],
  });
  await page.goto(`${shop.origin}/clientEdit`);
  await page.getByLabel('Teléfono').fill('5598765432');
  await page.getByText('Este dispositivo', { exact: true }).waitFor(); // the screen is whole
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Ayuda' }).click();
  const alert = page.getByRole('alertdialog', { name: 'Ayuda' });
  await alert.getByText(/Teléfono: \d/).waitFor();
  await alert.getByRole('button').click();
  expect(await page.getByLabel('Teléfono').inputValue()).toBe('5598765432');
});
