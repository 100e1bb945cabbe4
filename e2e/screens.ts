import type { Page } from 'playwright-core';
import { bankWindow, cardFrame, payWith, sees } from './card.ts';
import { resetLink } from './letters.ts';
import type { Phone } from './phone.ts';
import { CARDS, qrLink, type Buyer, type Shop } from './shop.ts';

interface Stage {
  readonly shop: Shop;
  readonly phone: Phone;
  readonly page: Page;
  readonly buyer: Buyer;
}

/** A screen, how a buyer gets there. */
export interface Screen {
  readonly name: string;
  /** Nobody is signed in there. */
  readonly isPublic?: true;
  open(stage: Stage): Promise<void>;
}

/** Every screen of the app in every face that matters; what is built later is added here. */
export const SCREENS: readonly Screen[] = [
  {
    name: 'login',
    isPublic: true,
    open: async ({ shop, page }) => {
      await page.goto(`${shop.origin}/login`);
      await page.getByRole('button', { name: 'Login' }).click();
      await page.getByText('Correo o Password Incorrecto!').waitFor();
    },
  },
  {
    name: 'sign-up',
    isPublic: true,
    open: async ({ shop, page }) => {
      await page.goto(`${shop.origin}/buyerRegister`);
      await page.getByLabel('Correo').fill('abc');
      await page.getByRole('button', { name: 'Crear' }).click();
      await page.getByText('El nombre no puede ser menor a 4 caracteres').waitFor();
    },
  },
  {
    name: 'forgotten password, with a dead link',
    isPublic: true,
    open: async ({ shop, page }) => {
      await page.goto(`${shop.origin}/changeyourpassword`);
      await page.getByText('Necesitas un enlace nuevo').waitFor();
    },
  },
  {
    name: 'new password',
    isPublic: true,
    open: async ({ shop, page, buyer }) => {
      await page.goto(await resetLink(shop, buyer.email));
      await page.getByLabel('Password', { exact: true }).fill('clave-nueva-1');
      await page.getByLabel('Confirmar Password').fill('clave-nueva-2');
      await page.getByRole('button', { name: 'Enviar' }).click();
      await page.getByText('Password Incorrecto!').waitFor();
    },
  },
  {
    name: 'home',
    open: async ({ shop, page }) => {
      await page.goto(qrLink(shop.origin));
      await page.getByRole('link', { name: 'Continuar mi apartado' }).waitFor();
    },
  },
  {
    name: 'purchases, none yet',
    open: async ({ shop, page }) => {
      await page.goto(`${shop.origin}/cxcList`);
      await page.getByRole('main').getByRole('link').first().waitFor();
    },
  },
  {
    name: 'profile',
    open: async ({ shop, page }) => {
      await page.goto(`${shop.origin}/clientEdit`);
      await page.getByRole('button', { name: 'Actualizar información' }).waitFor();
      await page.getByText('Aquí mismo').waitFor();
    },
  },
  {
    name: 'profile, fiscal',
    open: async ({ shop, page }) => {
      await page.goto(`${shop.origin}/clientEdit?parte=fiscal`);
      await page.getByRole('tabpanel').getByRole('link').waitFor();
    },
  },
  {
    name: 'wizard 1',
    open: async ({ shop, page }) => {
      await page.goto(`${shop.origin}/apartado`);
      await sees(page, 'Aparta un producto');
    },
  },
  {
    name: 'wizard 1, an alert',
    open: async ({ shop, page }) => {
      await page.goto(`${shop.origin}/apartado`);
      await sees(page, 'Aparta un producto');
      await page.evaluate(() => navigator.clipboard.writeText('9|1'));
      await page.getByRole('button', { name: 'Pegar' }).click();
      await page.getByRole('button', { name: 'Ir al paso siguiente' }).click();
      await page.getByRole('alertdialog', { name: 'Oops...' }).waitFor();
    },
  },
  {
    name: 'wizard 1, the scanner',
    open: async ({ shop, page }) => {
      await page.goto(`${shop.origin}/apartado`);
      await page.getByRole('button', { name: 'Escanear QR' }).click();
      await page.getByRole('dialog', { name: 'Escanear QR' }).getByRole('alert').waitFor();
    },
  },
  {
    name: 'wizard 2',
    open: async ({ shop, page }) => {
      await page.goto(qrLink(shop.origin, '1|1|1|0|2500.00|3|500.00|0'));
      await page.getByRole('link', { name: 'Continuar mi apartado' }).click();
      await page.getByText('Monto total').waitFor();
    },
  },
  {
    name: 'wizard 3',
    open: async ({ shop, page, buyer }) => {
      const { id } = await shop.newReference(buyer);
      await page.goto(`${shop.origin}/apartado?paso=3&id=${id}`);
      await page.getByRole('button', { name: 'Pago con Clip' }).waitFor();
    },
  },
  {
    name: 'wizard 3, a payment under way',
    open: async ({ shop, page, buyer }) => {
      const id = await waitForBank({ shop, page, buyer });
      await page.goto(`${shop.origin}/apartado?paso=3&id=${id}`);
      await sees(page, 'Hay un pago con tarjeta en curso');
    },
  },
  {
    name: 'wizard 3, paid',
    open: async ({ shop, page, buyer }) => {
      const reference = await shop.newReference(buyer);
      await shop.payAtTill(reference);
      await page.goto(`${shop.origin}/apartado?paso=3&id=${reference.id}`);
      await sees(page, 'Apartado pagado');
    },
  },
  {
    name: 'wizard 3, expired',
    open: async ({ shop, page, buyer }) => {
      const { id } = await shop.newReference(buyer);
      await shop.expire(id);
      await page.goto(`${shop.origin}/apartado?paso=3&id=${id}`);
      await sees(page, 'Tu referencia venció');
    },
  },
  {
    name: 'bar code',
    open: async ({ shop, page, buyer }) => {
      const { paymentReference } = await shop.newReference(buyer);
      await page.goto(`${shop.origin}/codigo/${paymentReference}`);
      await sees(page, 'Código de barras');
    },
  },
  {
    name: 'card form',
    open: async ({ shop, page, buyer }) => void (await openCardForm({ shop, page, buyer })),
  },
  {
    name: 'card form, the provider is blocked',
    open: async ({ shop, page, buyer }) => {
      await page.route('**/js/clip-sdk.js', (route) => route.abort('blockedbyclient'));
      const { id } = await shop.newReference(buyer);
      await page.goto(`${shop.origin}/pullapartByClip/${id}`);
      await page.getByText('Tu navegador no cargó el formulario de Clip').waitFor();
    },
  },
  {
    name: 'pending',
    open: async ({ shop, page, buyer }) => {
      await shop.hideProvider();
      await openCardForm({ shop, page, buyer });
      await payWith(page, CARDS.replyLost);
      await sees(page, 'Estamos confirmando tu pago');
    },
  },
  {
    name: '3DS',
    open: async ({ shop, page, buyer }) => {
      await waitForBank({ shop, page, buyer });
      await bankWindow(page).getByRole('button', { name: 'Aprobar' }).waitFor();
    },
  },
  {
    name: 'done',
    open: async ({ shop, page, buyer }) => {
      await openCardForm({ shop, page, buyer });
      await payWith(page, CARDS.approved);
      await sees(page, 'Transacción realizada!');
    },
  },
  {
    name: 'not done',
    open: async ({ shop, page, buyer }) => {
      await openCardForm({ shop, page, buyer });
      await payWith(page, CARDS.insufficientFunds);
      await sees(page, 'Transacción rechazada!');
    },
  },
  {
    name: 'in review',
    open: async ({ shop, page, buyer }) => {
      await openCardForm({ shop, page, buyer });
      await payWith(page, CARDS.oneMore);
      await sees(page, 'Tu pago está en revisión');
    },
  },
  {
    name: 'money goes back',
    open: async ({ shop, page, buyer }) => {
      const id = await waitForBank({ shop, page, buyer });
      const { body } = await shop.ask(`GET /v1/PullApartReference/${id}`, { token: buyer.token });
      await shop.payAtTill(body.data);
      await bankWindow(page).getByRole('button', { name: 'Aprobar' }).click();
      await sees(page, 'Abono no aplicado en Aparta!');
    },
  },
];

async function openCardForm({ shop, page, buyer }: Pick<Stage, 'shop' | 'page' | 'buyer'>): Promise<number> {
  const { id } = await shop.newReference(buyer);
  await page.goto(`${shop.origin}/pullapartByClip/${id}`);
  await cardFrame(page).getByLabel('Número de tarjeta').waitFor();
  await page.getByRole('button', { name: /^Pagar \$/ }).waitFor();
  return id;
}

async function waitForBank(stage: Pick<Stage, 'shop' | 'page' | 'buyer'>): Promise<number> {
  const id = await openCardForm(stage);
  await payWith(stage.page, CARDS.threeDs);
  await sees(stage.page, 'Autenticación 3DS');
  return id;
}
