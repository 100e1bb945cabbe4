import { find, openCounter, STAFF } from './counter.ts';
import type { Screen } from './screens.ts';

/** Every screen of the counter in every state worth checking. */
const screens: readonly Screen[] = [
  {
    name: 'counter: sign-in, refused',
    open: async ({ shop, page }) => {
      await page.goto(`${shop.origin}/mostrador`);
      await page.getByLabel('Correo').fill('nadie@example.mx');
      await page.getByLabel('Contraseña').fill('una clave cualquiera');
      await page.getByRole('button', { name: 'Entrar' }).click();
      await page.getByText('El correo o la contraseña no coinciden').waitFor();
    },
  },
  {
    name: 'counter: find',
    open: async ({ shop, page }) => {
      await openCounter(page, shop);
      await page.getByRole('button', { name: 'Buscar' }).waitFor();
    },
  },
  {
    name: 'counter: find, with a wrong digit',
    open: async ({ shop, page }) => {
      await openCounter(page, shop, STAFF.manager);
      await page.getByLabel('Número o folio').pressSequentially('1234567');
      await page.getByRole('button', { name: 'Buscar' }).click();
      await page.getByText('Este número no existe', { exact: false }).waitFor();
    },
  },
  {
    name: 'counter: a number of nobody',
    open: async ({ shop, page }) => {
      await openCounter(page, shop);
      await find(page, 'ZZZZZZZZZZ');
      await page.getByText('Ese número no es de esta tienda', { exact: false }).waitFor();
    },
  },
  {
    name: 'counter: what is owed late, another sum, change',
    open: async ({ shop, page }) => {
      await openCounter(page, shop);
      await find(page, await lateNumber(shop));
      await page.getByLabel('Otro monto').check();
      await page.getByLabel('Monto', { exact: true }).fill('37.50');
      await page.getByLabel('Recibes').fill('50');
      await page.getByText('Cambio: $12.50').waitFor();
    },
  },
  {
    name: 'counter: by terminal, without its slip',
    open: async ({ shop, page }) => {
      await openCounter(page, shop);
      await find(page, await lateNumber(shop));
      await page.getByLabel('Tu terminal').check();
      await page.getByRole('button', { name: /^Cobrar \$/ }).click();
      await page.getByText('Escribe el número de autorización', { exact: false }).waitFor();
    },
  },
  {
    name: 'counter: no answer',
    open: async ({ shop, page, buyer }) => {
      await openCounter(page, shop);
      await find(page, (await shop.newReference(buyer)).paymentReference);
      await page.route('**/v1/counter/payments', (route) => route.fulfill({ body: 'no' }));
      await page.getByRole('button', { name: /^Cobrar \$/ }).click();
      await page.getByText('¿Se registró el cobro', { exact: false }).waitFor();
    },
  },
  {
    name: 'counter: products',
    open: async ({ shop, page }) => {
      await openCounter(page, shop, STAFF.owner);
      await page.getByRole('link', { name: 'Productos' }).click();
      await page.getByText('Horno de microondas 1.4 pies').waitFor();
    },
  },
  {
    name: 'counter: product with its label',
    open: async ({ shop, page }) => {
      await openCounter(page, shop);
      await page.goto(`${shop.origin}/mostrador/productos/1`);
      await page.getByRole('img', { name: 'Código QR de Horno' }).waitFor();
    },
  },
  {
    name: 'counter: receipt',
    open: takeDeposit,
  },
  {
    name: 'counter: receipt, and taking it back',
    open: async (stage) => {
      await takeDeposit(stage);
      const { page } = stage;
      await page.getByRole('button', { name: 'Devolver este cobro' }).click();
      await page.getByLabel('Motivo').waitFor();
    },
  },
];

/** No buyer is signed in there. */
export const COUNTER_SCREENS = screens.map((screen): Screen => ({ ...screen, signedInAs: 'nobody' }));

async function takeDeposit({ shop, page, buyer }: Parameters<Screen['open']>[0]): Promise<void> {
  await openCounter(page, shop, STAFF.manager);
  await find(page, (await shop.newReference(buyer)).paymentReference);
  await page.getByLabel('Recibes').fill('1000');
  await page.getByRole('button', { name: /^Cobrar \$/ }).click();
  await page.getByText('Cambio que entregas').waitFor();
}

/** The number of an instalment that the demo buyer pays late. */
async function lateNumber(shop: Parameters<Screen['open']>[0]['shop']): Promise<string> {
  const [row] = await shop.query<{ reference: string }>(
    `select r.reference from instalments i join payment_references r on r.id = i.id
       join purchases p on p.id = i.purchase_id join products on products.id = p.product_id
       where products.sku = 'LB-REF-14' and i.paid_centavos < i.amount_centavos order by i.number limit 1`,
  );
  return row?.reference ?? '';
}
