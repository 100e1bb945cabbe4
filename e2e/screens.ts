import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { LIVE } from '@aparta/tools/tab';
import { appHas, bankWindow, cardFrame, payWith, sees } from './card.ts';
import { claimed, endedByRule, notHandedOver, readyToHandOver, STAFF, tokenOf, warnedOf } from './counter.ts';
import { confirmationLink, resetLink } from './emails.ts';
import { endHelpLink, fillHelp, newHelpLink, openHelp, takeHelpNumber } from './helping.ts';
import { changePlan, later } from './moving.ts';
import type { Phone } from './phone.ts';
import { CARDS, qrLink, type Buyer, type Instalment, type Shop } from './shop.ts';

interface Stage {
  readonly shop: Shop;
  readonly phone: Phone;
  readonly page: Page;
  readonly buyer: Buyer;
}

/** A screen and how a buyer gets there. */
export interface Screen {
  readonly name: string;
  /** Who is signed in; a new buyer by default. */
  readonly signedInAs?: 'nobody' | 'demo buyer';
  /** What its buyer allowed, beside what all did. */
  readonly permissions?: readonly string[];
  /** People print it. */
  readonly isPrinted?: true;
  open(stage: Stage): Promise<void>;
}

/** The demo buyer's purchases, by product reference (tools/demo/history.ts). */
const PURCHASES = {
  late: 'LB-REF-14',
  partial: 'MV-COL-MA',
  waitsAtStore: 'EZ-PAN-55',
  paidOff: 'LB-LIC-10',
  cancelled: 'EZ-LAP-14',
} as const;

/** What the browsers of all screens allow. */
export const ALLOWED = ['clipboard-read', 'clipboard-write', 'camera'];

/** Every screen of the buyer's app in every state worth checking. Add new screens here; the shop's are in counter-screens.ts. */
export const SCREENS: readonly Screen[] = [
  {
    name: 'login',
    signedInAs: 'nobody',
    open: async ({ shop, page }) => {
      await page.goto(`${shop.origin}/login`);
      await appHas(page);
      await page.getByRole('checkbox').check();
      await page.getByRole('button', { name: 'Login' }).click();
      await page.getByText('Correo o Password Incorrecto!').waitFor();
    },
  },
  {
    name: 'a link without internet, where its buyer stays signed in',
    signedInAs: 'nobody',
    open: async ({ shop, page }) => {
      await page.context().addCookies([{ name: 'aparta-stays', value: '1', url: shop.origin }]);
      await page.route('**/Kept/Renew', (route) => route.abort('blockedbyclient'));
      await page.goto(`${shop.origin}/cxcList`);
      await page.getByText('No pudimos abrir tu sesión').waitFor();
    },
  },
  {
    name: 'sign-up',
    signedInAs: 'nobody',
    open: async ({ shop, page }) => {
      await page.goto(`${shop.origin}/buyerRegister`);
      await appHas(page);
      await page.getByLabel('Correo').fill('abc');
      await page.getByRole('button', { name: 'Crear' }).click();
      await page.getByText('El nombre no puede ser menor a 4 caracteres').waitFor();
    },
  },
  {
    name: 'forgotten password, with a dead link',
    signedInAs: 'nobody',
    open: async ({ shop, page }) => {
      await page.goto(`${shop.origin}/changeyourpassword`);
      await page.getByText('Necesitas un enlace nuevo').waitFor();
    },
  },
  {
    name: 'forgotten password, perhaps changed',
    signedInAs: 'nobody',
    open: async ({ shop, page, buyer }) => {
      const isChange = '**/v1/SecurityBuyer/UpdateAsync/*';
      await page.route(isChange, async (route) => {
        await route.fetch();
        await route.abort('blockedbyclient');
      });
      await page.goto(await resetLink(shop, buyer.email));
      for (const label of ['Password', 'Confirmar Password'])
        await page.getByLabel(label, { exact: true }).fill('clave-nueva-1');
      await page.getByRole('button', { name: 'Enviar' }).click();
      await page.getByText('No hay conexión').waitFor();
      await page.unroute(isChange);
      await page.reload();
      await page.getByText('Puede que tu password ya haya cambiado').waitFor();
    },
  },
  {
    name: 'new password',
    signedInAs: 'nobody',
    open: async ({ shop, page, buyer }) => {
      await page.goto(await resetLink(shop, buyer.email));
      await page.getByLabel('Password', { exact: true }).fill('clave-nueva-1');
      await page.getByLabel('Confirmar Password').fill('clave-nueva-2');
      await page.getByRole('button', { name: 'Enviar' }).click();
      await page.getByText('Password Incorrecto!').waitFor();
    },
  },
  {
    name: 'e-mail confirmed',
    signedInAs: 'nobody',
    open: async ({ shop, page, buyer }) => {
      await page.goto(await confirmationLink(shop, buyer.email));
      await page.getByText('¡Tu correo está confirmado!').waitFor();
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
    name: 'home, the next payment',
    signedInAs: 'demo buyer',
    open: async ({ shop, page }) => {
      await page.goto(shop.origin);
      await page.getByRole('region', { name: 'Tu próximo pago' }).waitFor();
    },
  },
  {
    name: 'dashboard',
    signedInAs: 'demo buyer',
    open: async ({ shop, page }) => {
      await page.goto(`${shop.origin}/dashboard`);
      await page.getByText('Cómo va cada compra').waitFor();
    },
  },
  {
    name: 'purchases',
    signedInAs: 'demo buyer',
    open: async ({ shop, page }) => {
      await page.goto(`${shop.origin}/cxcList?filtro=todas`);
      await page.getByRole('article').first().waitFor();
    },
  },
  {
    name: 'purchases, the filter',
    signedInAs: 'demo buyer',
    open: async ({ shop, page }) => {
      await page.goto(`${shop.origin}/cxcList`);
      await page.getByRole('button', { name: /^Filtrar compras:/ }).click();
      await page.getByRole('menuitemradio', { name: /Cancelada\s*1/ }).waitFor();
    },
  },
  {
    name: 'statement, empty',
    open: async ({ shop, page }) => {
      await page.goto(`${shop.origin}/cxcList?cuenta=mes-pasado`);
      await page.getByText('No hubo movimientos en estos días, y no debes nada.').waitFor();
    },
  },
  {
    name: 'statement',
    isPrinted: true,
    signedInAs: 'demo buyer',
    open: async ({ shop, page }) => {
      await page.goto(`${shop.origin}/cxcList`);
      await page.getByRole('link', { name: 'Estado de cuenta' }).click();
      await page.getByRole('link', { name: 'Este año' }).click();
      await page.getByRole('list', { name: 'Movimientos' }).waitFor();
    },
  },
  {
    name: 'statement, many lines and what was due',
    signedInAs: 'demo buyer',
    open: async ({ shop, page }) => {
      await page.route('**/v1/Statements/GetAsync?*', async (route) => {
        const response = await route.fetch();
        const body = (await response.json()) as { data: { lines: object[] } };
        const [line] = body.data.lines;
        const payerName = 'Rosa María de los Ángeles Luna';
        const productName = 'Refrigerador de dos puertas con despachador, 18 pies';
        body.data.lines = Array.from({ length: 60 }, () => ({ ...line, payerName, productName }));
        await route.fulfill({ response, json: body });
      });
      await page.goto(`${shop.origin}/cxcList?cuenta=este-anio`);
      await page.getByText(/^Venc(en|ían) \d+ pagos en estos días/).click();
      await page.getByText('Como está hoy.').waitFor();
    },
  },
  {
    name: 'purchase, late',
    signedInAs: 'demo buyer',
    open: async (stage) => {
      await openPurchase(stage, 'late');
      await stage.page.getByRole('button', { name: 'Realizar pago' }).waitFor();
      await stage.page.getByRole('button', { name: 'Guardar fechas en mi calendario' }).waitFor();
    },
  },
  {
    name: 'what is late of several purchases',
    open: async ({ shop, page, buyer }) => {
      const [first] = await shop.newLatePurchases(buyer, 3);
      await page.goto(`${shop.origin}/saleCxcList/${first}`);
      await page.getByRole('button', { name: 'Pagar lo atrasado de 3 compras' }).click();
      await page.getByRole('dialog', { name: 'Ponerte al corriente' }).getByText('Total').waitFor();
    },
  },
  {
    name: 'purchase, offering to tell',
    permissions: ['notifications'],
    open: async ({ shop, page, buyer }) => {
      const [made] = await shop.newPurchase(buyer);
      await page.goto(`${shop.origin}/saleCxcList/${made?.ventaId}`);
      await page.getByRole('button', { name: 'Avisarme aquí' }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'purchase, paid in part',
    signedInAs: 'demo buyer',
    open: async (stage) => {
      await openPurchase(stage, 'partial');
      await stage.page.getByText('Pago parcial').waitFor();
    },
  },
  {
    name: 'purchase being paid, for which a store took the deposit twice',
    open: async (stage) => {
      const { shop, page, buyer } = stage;
      const { paymentReference } = await shop.newReference(buyer);
      const body = { generationData: [{ identifierValue: paymentReference }] };
      const made = await shop.ask('POST /v1/Tapi/GenerateReference', { token: buyer.token, body });
      const reference = made.body.data.references[0].value;
      await payAtStore(stage, reference, 2);
      const [purchase] = await shop.query('select id from purchases where buyer_id = $1', [buyer.id]);
      await page.goto(`${shop.origin}/saleCxcList/${purchase.id}`);
      await page.getByRole('heading', { name: 'Tu devolución' }).waitFor();
    },
  },
  {
    name: 'purchase, stamped by the counter',
    open: async ({ shop, page, buyer }) => {
      const token = await tokenOf(shop, STAFF.cashier);
      const [{ id: branchId }] = (await shop.ask('GET /v1/counter/branches', { token })).body.data;
      const take = async (reference: string, amount: number) => {
        const body = { id: crypto.randomUUID(), branchId, reference, amount, method: 'cash' };
        await shop.ask('POST /v1/counter/payments', { token, body });
      };
      const { paymentReference, tillTotal } = await shop.newReference(buyer);
      await take(paymentReference, tillTotal);
      const [made] = await shop.query('select id from purchases where buyer_id = $1', [buyer.id]);
      const [, second] = await shop.planOf(buyer, Number(made.id));
      const isStreaming = page.waitForResponse((answer) => answer.url().endsWith('/v1/Changes/Stream'));
      await page.goto(`${shop.origin}/saleCxcList/${made.id}`);
      await isStreaming;
      // Only what comes to a screen that is shown is stamped.
      await page.getByRole('button', { name: 'Realizar pago' }).waitFor();
      await take(second?.paymentReference ?? '', 500);
      await page.getByRole('dialog', { name: 'Pago recibido' }).waitFor();
    },
  },
  {
    name: 'purchase, awaited at a store',
    signedInAs: 'demo buyer',
    open: async (stage) => {
      await openPurchase(stage, 'waitsAtStore');
      await stage.page.getByRole('link', { name: 'Ver referencia' }).waitFor();
    },
  },
  {
    name: 'purchase, paid off',
    signedInAs: 'demo buyer',
    open: async (stage) => {
      await openPurchase(stage, 'paidOff');
      await stage.page.getByText('¡Ya es tuyo!').waitFor();
      await stage.page.getByText('Tel. ').first().waitFor();
      await stage.page.getByRole('img', { name: 'Código QR de entrega' }).waitFor();
    },
  },
  {
    name: 'purchase, naming who collects it',
    open: async ({ shop, page, buyer }) => {
      const { purchaseId } = await readyToHandOver(shop, buyer);
      await page.goto(`${shop.origin}/saleCxcList/${purchaseId}`);
      await page.getByRole('button', { name: 'Cambiar quién lo recoge' }).click();
      await page.getByLabel('Nombre de quien lo recoge').fill('Y');
      await page.getByRole('button', { name: 'Guardar' }).click();
      await page.getByText('Escribe su nombre completo.').waitFor();
    },
  },
  {
    name: 'purchase, whose code is locked',
    open: async ({ shop, page, buyer }) => {
      const { purchaseId, printed, digits } = await readyToHandOver(shop, buyer);
      const token = await tokenOf(shop, STAFF.cashier);
      const body = { code: printed, digits: digits === '000000' ? '111111' : '000000' };
      for (let tried = 0; tried < 5; tried += 1)
        await shop.ask('POST /v1/counter/hand-overs/find', { token, body });
      await page.goto(`${shop.origin}/saleCxcList/${purchaseId}`);
      await page.getByText('Tu código se bloqueó').waitFor();
    },
  },
  {
    name: 'purchase, handed over',
    open: async ({ shop, page, buyer }) => {
      const { purchaseId, digits } = await readyToHandOver(shop, buyer);
      const token = await tokenOf(shop, STAFF.cashier);
      const [{ id: branchId }] = (await shop.ask('GET /v1/counter/branches', { token })).body.data;
      const body = { id: crypto.randomUUID(), branchId, purchaseId, digits };
      await shop.ask('POST /v1/counter/hand-overs', { token, body });
      await page.goto(`${shop.origin}/saleCxcList/${purchaseId}`);
      await page.getByRole('region', { name: 'Entregado' }).waitFor();
    },
  },
  {
    name: 'purchase, not handed over in time',
    open: async ({ shop, page, buyer }) => {
      const { purchaseId } = await notHandedOver(shop, buyer);
      await page.goto(`${shop.origin}/saleCxcList/${purchaseId}`);
      await page.getByRole('button', { name: 'Reclamar mi entrega' }).click();
      await page.getByLabel('Qué pasó').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'purchase, claimed and answered',
    open: async ({ shop, page, buyer }) => {
      const { purchaseId, claimFolio } = await claimed(shop, buyer);
      const token = await tokenOf(shop, STAFF.owner);
      await shop.ask(`POST /v1/counter/purchases/${purchaseId}/claim/answer`, {
        token,
        body: { claimFolio, answer: 'Ya viene en camino desde Puebla, te guardamos el tuyo' },
      });
      await page.goto(`${shop.origin}/saleCxcList/${purchaseId}`);
      await page.getByRole('button', { name: 'Retirar mi reclamo' }).click();
      await page.getByRole('button', { name: 'Sí, retirarlo' }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'purchase, cancelled',
    signedInAs: 'demo buyer',
    open: async (stage) => {
      await openPurchase(stage, 'cancelled');
      await stage.page.getByText(/^Devuelta el/).waitFor();
    },
  },
  {
    name: 'purchase, about to end by its rule',
    open: async ({ shop, page, buyer }) => {
      const { purchaseId } = await warnedOf(shop, buyer);
      await page.goto(`${shop.origin}/saleCxcList/${purchaseId}`);
      await page.getByText(/^Se cancela el .+ si antes no se paga$/).waitFor();
    },
  },
  {
    name: 'purchase, ended by its rule',
    open: async ({ shop, page, buyer }) => {
      const { purchaseId } = await endedByRule(shop, buyer);
      await page.goto(`${shop.origin}/saleCxcList/${purchaseId}`);
      await page.getByText('por la regla de atraso', { exact: false }).waitFor();
      await page.getByText('Por entregar.', { exact: false }).waitFor();
    },
  },
  {
    name: 'purchase, ended by the shop',
    signedInAs: 'demo buyer',
    open: async (stage) => {
      await stage.page.route('**/v1/Sales/GetAsync/*', async (route) => {
        const answer = await route.fetch();
        const body = await answer.json();
        const { paid } = body.data.cancelBill;
        const cancelBill = { paid, penalty: 0, feesKept: 0, refund: paid };
        const ended = { endedBy: 'merchant', cancelNotes: 'La pieza llegó rota', cancelBill };
        await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, ...ended } } });
      });
      await openPurchase(stage, 'cancelled');
      await stage.page.getByText('La tienda terminó esta compra', { exact: false }).waitFor();
    },
  },
  {
    name: 'purchase, how to pay',
    signedInAs: 'demo buyer',
    open: async (stage) => {
      await openPurchase(stage, 'late');
      await stage.page.getByRole('button', { name: 'Realizar pago' }).click();
      await stage.page.getByRole('button', { name: /^Pago con clip/ }).waitFor();
    },
  },
  {
    name: 'purchase, how to pay a sum of one’s own',
    signedInAs: 'demo buyer',
    open: async (stage) => {
      const { page } = stage;
      await openPurchase(stage, 'late');
      await page.getByRole('button', { name: 'Realizar pago' }).click();
      await page.getByLabel('Otro monto').check();
      await page.getByLabel('Monto en pesos').fill('3,100');
      await page.getByText('Quedarían', { exact: false }).waitFor();
    },
  },
  {
    name: 'purchase, paying a sum of one’s own by card',
    signedInAs: 'demo buyer',
    open: async (stage) => {
      const { shop, page } = stage;
      const { ventaId, id } = await demoInstalment(stage, 'late', 2);
      await page.goto(`${shop.origin}/paymentByClib/${ventaId}/${id}?monto=50.00`);
      await page.getByText('Quedarían', { exact: false }).waitFor();
    },
  },
  {
    name: 'purchase, what cancelling costs',
    signedInAs: 'demo buyer',
    open: async (stage) => {
      await openPurchase(stage, 'late');
      const detail = stage.page.getByRole('main').getByRole('button', { name: 'Canc.Compra', exact: true });
      await detail.click();
      await stage.page.getByRole('button', { name: 'Cancelar Venta' }).waitFor();
    },
  },
  {
    name: 'receipt',
    isPrinted: true,
    signedInAs: 'demo buyer',
    open: (stage) => openReceipt(stage, 'late'),
  },
  {
    name: 'receipt of a cancelled purchase',
    signedInAs: 'demo buyer',
    open: (stage) => openReceipt(stage, 'cancelled'),
  },
  {
    name: 'in person',
    signedInAs: 'demo buyer',
    open: async (stage) => {
      await openInPerson(stage, await demoInstalment(stage, 'waitsAtStore', 2));
      await stage.page.getByRole('img', { name: /^Código de barras/ }).waitFor();
    },
  },
  {
    name: 'in person, paid in part',
    open: async (stage) => {
      const { shop, page } = stage;
      const { second } = await newPlan(stage);
      await shop.payAtTill({ paymentReference: second.paymentReference, tillTotal: 500 });
      await openInPerson(stage, second);
      await page.getByText(/^Ya recibimos/).waitFor();
    },
  },
  {
    name: 'in person, paid',
    signedInAs: 'demo buyer',
    open: async (stage) => {
      await openInPerson(stage, await demoInstalment(stage, 'paidOff', 3));
      await stage.page.getByText('No te falta ningún pago.').waitFor();
    },
  },
  {
    name: 'in person, of nothing',
    open: async ({ shop, page }) => {
      await page.goto(`${shop.origin}/onSitePaymentByTapi`);
      await page.getByRole('main').getByRole('link', { name: 'Ver mis compras' }).waitFor();
    },
  },
  {
    name: 'in person, a deposit',
    open: async (place) => void (await openDepositInPerson(place)),
  },
  {
    name: 'in person, a deposit that expired',
    open: async (place) => {
      await place.shop.expire(await openDepositInPerson(place));
      await place.page.reload();
      await sees(place.page, 'Este apartado ya venció');
    },
  },
  {
    name: 'profile',
    open: async ({ shop, page, buyer }) => {
      const { email: user, password } = buyer;
      await shop.ask('POST /v1/TokenBuyer/Authenticate', { body: { user, password, keep: true } });
      await page.goto(`${shop.origin}/clientEdit`);
      await page.getByRole('button', { name: 'Actualizar información' }).waitFor();
      await page.getByText('Este dispositivo', { exact: true }).waitFor();
      await page
        .getByRole('button', { name: /^Cerrar/ })
        .first()
        .waitFor();
    },
  },
  {
    name: 'profile, the calendar’s address',
    open: async ({ shop, page }) => {
      await page.goto(`${shop.origin}/clientEdit`);
      await page.getByRole('button', { name: 'Crear mi dirección' }).click();
      await page.getByRole('button', { name: 'Cambiar dirección' }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'profile, downloading one’s data',
    open: async ({ shop, page }) => {
      await page.goto(`${shop.origin}/clientEdit`);
      await page.getByRole('button', { name: 'Descargar mis datos' }).click();
      await page.getByLabel('Tu contraseña').fill('otra-clave-larga-9');
      await page.getByRole('button', { name: 'Descargar', exact: true }).click();
      await page.getByText('Esa no es tu contraseña').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'activity, of a new account',
    open: async ({ shop, page }) => {
      await page.goto(`${shop.origin}/actividad`);
      await page.getByText('Creaste tu cuenta').waitFor();
    },
  },
  {
    name: 'activity',
    signedInAs: 'demo buyer',
    open: async ({ shop, page }) => {
      await page.goto(`${shop.origin}/clientEdit`);
      await page.getByRole('link', { name: 'Ver mi actividad' }).click();
      await page
        .getByText(/^Pagaste/)
        .first()
        .waitFor();
    },
  },
  {
    name: 'profile, fiscal',
    signedInAs: 'demo buyer',
    open: async ({ shop, page }) => {
      await page.goto(`${shop.origin}/clientEdit?parte=fiscal`);
      await page.getByRole('table').waitFor();
      await page.getByLabel('RFC', { exact: true }).fill('EKU9003173C8');
      await page.getByLabel('Nombre', { exact: true }).fill('Escuela Kemper Urgate S.A. de C.V.');
      await page.getByRole('button', { name: 'Alta de Facturación' }).click();
      await page.getByText('Elige el régimen de tu Constancia.').waitFor();
    },
  },
  {
    name: 'invoice, whose',
    signedInAs: 'demo buyer',
    open: async (stage) => {
      await openInvoice(stage, 'late');
      await stage.page.getByRole('button', { name: 'Emite factura' }).waitFor();
    },
  },
  {
    name: 'terms',
    signedInAs: 'nobody',
    open: async ({ shop, page }) => {
      await page.goto(`${shop.origin}/terminos`);
      await page.getByText(/^Versión/).waitFor();
    },
  },
  {
    name: 'wizard 1',
    open: async ({ shop, page }) => {
      await page.goto(`${shop.origin}/apartado`);
      await sees(page, 'Aparta un producto');
      await page.locator(LIVE).waitFor();
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
    name: 'wizard 2, not read',
    open: async ({ shop, page }) => {
      await page.goto(qrLink(shop.origin, '1|1|1|0|2500.00|3|500.00|0'));
      await page.getByRole('link', { name: 'Continuar mi apartado' }).waitFor();
      await page.route('**/v1/BusinessProduct/GetAsync/*', (route) => route.abort('blockedbyclient'));
      await page.goto(`${shop.origin}/apartado`);
      await page.getByText('No pudimos cargar este producto').waitFor();
    },
  },
  {
    name: 'wizard 2, sold out',
    open: async ({ shop, page }) => {
      await page.route('**/v1/BusinessProduct/GetAsync/*', async (route) => {
        const response = await route.fetch();
        const json = await response.json();
        await route.fulfill({ response, json: { ...json, data: { ...json.data, soldOut: true } } });
      });
      await page.goto(qrLink(shop.origin, '1|1|1|0|3000.00|3|600.00|0'));
      await page.getByRole('link', { name: 'Continuar mi apartado' }).click();
      await page.getByText('Agotado').waitFor();
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
    name: 'home of another phone, a payment under way',
    open: async ({ shop, page, buyer }) => {
      await waitForBank({ shop, page, buyer });
      await page.evaluate(() => localStorage.clear());
      // What is owed comes last, and nothing moves for it.
      await page.route('**/Cxc/ByBuyerIdH/**', async (route) => {
        await setTimeout(500);
        await route.continue();
      });
      await page.goto(shop.origin);
      await page.getByRole('link', { name: 'Continuar mi pago' }).waitFor();
      await page.getByText('Realizar Abono').first().waitFor();
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
    name: '3DS, left',
    open: async ({ shop, page, buyer }) => {
      const id = await waitForBank({ shop, page, buyer });
      await page.goto(`${shop.origin}/pullapartByClip/${id}`);
      await page.getByRole('link', { name: 'Terminar la autenticación' }).waitFor();
    },
  },
  {
    name: '3DS, abandoned',
    open: async ({ shop, page, buyer }) => {
      await waitForBank({ shop, page, buyer });
      await shop.age(buyer, 31 * 60_000);
      await page.getByRole('button', { name: 'Terminar la autenticación' }).waitFor();
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
  {
    name: 'instalment, card form',
    open: async (stage) => {
      await openInstalmentForm(stage);
    },
  },
  {
    name: 'instalment, done',
    open: async (stage) => {
      await openInstalmentForm(stage);
      await payWith(stage.page, CARDS.approved);
      await sees(stage.page, 'Transacción realizada!');
    },
  },
  {
    name: 'instalment, not done',
    open: async (stage) => {
      await openInstalmentForm(stage);
      await payWith(stage.page, CARDS.insufficientFunds);
      await sees(stage.page, 'Transacción rechazada!');
    },
  },
  {
    name: 'instalment, not yet',
    open: async (stage) => {
      await openByCard(stage, (await newPlan(stage)).third);
      await sees(stage.page, 'Primero paga el abono anterior');
    },
  },
  {
    name: 'instalment, cancelled',
    signedInAs: 'demo buyer',
    open: async (stage) => {
      await openByCard(stage, await demoInstalment(stage, 'cancelled', 2));
      await sees(stage.page, 'Esta compra se canceló');
    },
  },
  {
    name: 'purchase, moving a date',
    open: async (stage) => {
      await openMoveSheet(stage, (await newPlan(stage)).second);
      await stage.page.getByLabel('Otro día', { exact: true }).check();
      await stage.page.getByRole('button', { name: 'Cambiar la fecha' }).click();
      await stage.page.getByText(/^Elige un día/).waitFor();
    },
  },
  {
    name: 'purchase, splitting an instalment',
    open: async (stage) => {
      await openMoveSheet(stage, (await newPlan(stage)).second);
      await stage.page.getByLabel('En 2 pagos').check();
      await stage.page.getByText(/^Así queda: \$600\.00 el /).waitFor();
    },
  },
  {
    name: 'purchase, what was changed of its plan',
    open: async (stage) => {
      const { shop, buyer, page } = stage;
      const { second } = await newPlan(stage);
      await changePlan(shop, buyer, second, { toDay: later(second, 7) });
      const moved = { ...second, fechaVencimiento: later(second, 7) };
      await changePlan(shop, buyer, moved, { changeNumber: 2, toDay: later(second, 15), firstPart: 500 });
      await page.goto(`${shop.origin}/saleCxcList/${second.ventaId}`);
      await page.getByText('No te quedan cambios en esta compra.').waitFor();
    },
  },
  {
    name: 'asking for help',
    open: async (stage) => {
      await openHelpSheet(stage, (await newPlan(stage)).second);
      await stage.page.getByLabel('Meta en pesos').fill('9000');
      await stage.page.getByRole('button', { name: 'Crear enlace' }).click();
      await stage.page.getByText('Escribe una cantidad de').waitFor();
    },
  },
  {
    name: 'asking for help, what came',
    open: async (stage) => {
      const { shop, page, buyer } = stage;
      const { second } = await newPlan(stage);
      const ended = await newHelpLink(shop, buyer, second, { helpMessage: 'Para la escuela' });
      await endHelpLink(shop, buyer, second.ventaId, ended.linkId);
      await newHelpLink(shop, buyer, second);
      await newHelpLink(shop, buyer, second);
      const asked = { helpMessage: '¿Me echan la mano con mi horno?', goal: 800 };
      const { address } = await newHelpLink(shop, buyer, second, asked);
      await payHelp(page, address, CARDS.threeDs, '500');
      await sees(page, '¡Gracias!');
      await openHelpSheet(stage, second);
      await page.getByText('Llevas $500.00 de $800.00').waitFor();
    },
  },
  {
    name: 'help link',
    signedInAs: 'nobody',
    open: async (stage) => {
      await openHelp(stage.page, await helpAddress(stage));
    },
  },
  {
    name: 'help link, wrong',
    signedInAs: 'nobody',
    open: async (stage) => {
      const { page } = stage;
      await openHelp(page, await helpAddress(stage, {}));
      await page.getByLabel('Cantidad en pesos').fill('20');
      await page.getByRole('button', { name: 'Pagar' }).click();
      await page.getByText('Escribe un correo completo').waitFor();
    },
  },
  {
    name: 'help link, at the bank',
    signedInAs: 'nobody',
    open: async (stage) => {
      const { page } = stage;
      await openHelp(page, await helpAddress(stage));
      await fillHelp(page, CARDS.threeDs);
      await page.getByRole('button', { name: /^Pagar \$/ }).click();
      await sees(page, 'Autenticación 3DS');
      await bankWindow(page).getByRole('button', { name: 'Aprobar' }).waitFor();
    },
  },
  {
    name: 'help link, window closed',
    signedInAs: 'nobody',
    open: async (stage) => {
      const { page } = stage;
      await openHelp(page, await helpAddress(stage));
      await fillHelp(page, CARDS.threeDs);
      await page.getByRole('button', { name: /^Pagar \$/ }).click();
      await page.getByRole('button', { name: 'Cerrar esta ventana' }).click();
      await sees(page, 'Cerraste la ventana de tu banco');
    },
  },
  {
    name: 'help link, thanks',
    signedInAs: 'nobody',
    open: async (stage) => {
      await payHelp(stage.page, await helpAddress(stage), CARDS.threeDs);
      await sees(stage.page, '¡Gracias!');
    },
  },
  {
    name: 'help link, not paid',
    signedInAs: 'nobody',
    open: async (stage) => {
      const { page } = stage;
      await openHelp(page, await helpAddress(stage));
      await fillHelp(page, CARDS.insufficientFunds);
      await page.getByRole('button', { name: /^Pagar \$/ }).click();
      await sees(page, 'No se pudo cobrar');
    },
  },
  {
    name: 'help link, under confirmation',
    signedInAs: 'nobody',
    open: openHelpUnderConfirmation,
  },
  {
    name: 'help link, sent, and then nothing answers',
    signedInAs: 'nobody',
    open: async (stage) => {
      const { page } = stage;
      await openHelpUnderConfirmation(stage);
      await page.route('**/v1/Help/*', (route) => route.abort('blockedbyclient'));
      await page.reload();
      await sees(page, 'Estamos siguiendo tu pago');
    },
  },
  {
    name: 'help link, all paid',
    signedInAs: 'nobody',
    open: async (stage) => {
      const { shop, page, buyer } = stage;
      const { second, third } = await newPlan(stage);
      const { address } = await newHelpLink(shop, buyer, second);
      for (const { paymentReference } of [second, third])
        await shop.payAtTill({ paymentReference, tillTotal: 1_200 });
      await page.goto(address);
      await sees(page, '¡Ya está pagada!');
    },
  },
  {
    name: 'help link, at a store',
    signedInAs: 'nobody',
    open: async (stage) => {
      const { page } = stage;
      await openHelp(page, await helpAddress(stage));
      await takeHelpNumber(page);
    },
  },
  {
    name: 'help link, paid three times at a store',
    signedInAs: 'nobody',
    open: async (stage) => {
      const { page } = stage;
      await openHelp(page, await helpAddress(stage));
      const reference = await takeHelpNumber(page, '1000');
      await payAtStore(stage, reference, 3);
      // What comes after the page shows at its next question, ten seconds later.
      await page.reload();
      await page.getByText('se pagó 3 veces').waitFor();
      // As whoever comes back reads it.
      await page.reload();
      await page.getByRole('heading', { name: /^Tienes .+ por recoger$/, level: 1 }).waitFor();
    },
  },
  {
    name: 'help link, ended',
    signedInAs: 'nobody',
    open: async ({ shop, page }) => {
      await page.goto(`${shop.origin}/ayudar#inventado`);
      await sees(page, 'Este enlace ya no sirve');
    },
  },
];

/** So many payments of a store's number, until all of them are booked. */
async function payAtStore({ shop, page }: Stage, reference: string, times: number): Promise<void> {
  for (let paid = 0; paid < times; paid += 1) await shop.control('POST /control/cash/pay', { reference });
  const booked = () =>
    shop.query(
      `select from cash_notices n join cash_references c on c.id = n.cash_reference_id where c.provider_reference = $1`,
      [reference],
    );
  for (let tries = 150; tries > 0 && (await booked()).length < times; tries -= 1)
    await page.waitForTimeout(100);
}

type Place = Pick<Stage, 'shop' | 'page' | 'buyer'>;

async function purchaseOf({ shop, buyer }: Place, which: keyof typeof PURCHASES): Promise<number> {
  const [row] = await shop.query(
    `select p.id from purchases p join products on products.id = p.product_id
       where p.buyer_id = $1 and products.sku = $2`,
    [buyer.id, PURCHASES[which]],
  );
  return Number(row.id);
}

async function openPurchase(place: Place, which: keyof typeof PURCHASES): Promise<void> {
  const { shop, page } = place;
  await page.goto(`${shop.origin}/saleCxcList/${await purchaseOf(place, which)}`);
  await page.getByRole('heading', { name: 'Tus pagos' }).waitFor();
}

async function openInvoice(place: Place, which: keyof typeof PURCHASES): Promise<void> {
  const { shop, page } = place;
  const { ventaId, id } = await demoInstalment(place, which, 1);
  await page.goto(`${shop.origin}/saleCxcList/${ventaId}?facturar=${id}`);
}

async function openReceipt(place: Place, which: keyof typeof PURCHASES): Promise<void> {
  const { page } = place;
  await openPurchase(place, which);
  await page
    .getByRole('link', { name: /^Ver recibo/ })
    .first()
    .click();
  await page.getByText('Descargar PDF').waitFor();
}

async function demoInstalment(
  place: Place,
  which: keyof typeof PURCHASES,
  number: number,
): Promise<Instalment> {
  const plan = await place.shop.planOf(place.buyer, await purchaseOf(place, which));
  const instalment = plan[number - 1];
  if (!instalment) throw new Error(`the demo's ${which} purchase has no instalment ${number}`);
  return instalment;
}

async function newPlan({ shop, buyer }: Place): Promise<{ second: Instalment; third: Instalment }> {
  const [, second, third] = await shop.newPurchase(buyer);
  if (!second || !third) throw new Error('the demo’s plan has three instalments');
  return { second, third };
}

/** The address of a link to a new purchase, with a goal of 800.00. */
async function helpAddress(
  stage: Place,
  given: Parameters<typeof newHelpLink>[3] = { helpMessage: '¿Me echan la mano con mi horno?', goal: 800 },
): Promise<string> {
  const { second } = await newPlan(stage);
  return (await newHelpLink(stage.shop, stage.buyer, second, given)).address;
}

/** A help link whose payment was charged, while its reply is lost. */
async function openHelpUnderConfirmation(stage: Stage): Promise<void> {
  const { shop, page } = stage;
  await shop.hideProvider();
  await openHelp(page, await helpAddress(stage));
  await fillHelp(page, CARDS.replyLost);
  await page.getByRole('button', { name: /^Pagar \$/ }).click();
  await sees(page, 'Estamos confirmando tu pago');
}

/** Helps by a link, and approves it at the bank. */
async function payHelp(page: Page, address: string, card: string, pesos?: string): Promise<void> {
  await openHelp(page, address);
  await fillHelp(page, card, pesos);
  await page.getByRole('button', { name: /^Pagar \$/ }).click();
  await bankWindow(page).getByRole('button', { name: 'Aprobar' }).click();
}

async function openHelpSheet({ shop, page }: Place, { ventaId }: Instalment): Promise<void> {
  await page.goto(`${shop.origin}/saleCxcList/${ventaId}`);
  await page.getByRole('button', { name: 'Que me ayuden' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^(Crear enlace|Terminar enlace)/ })
    .first()
    .waitFor();
}

async function openMoveSheet({ shop, page }: Place, { ventaId }: Instalment): Promise<void> {
  await page.goto(`${shop.origin}/saleCxcList/${ventaId}`);
  await page.getByRole('button', { name: 'Cambiar fecha del pago 2' }).click();
  await page.getByRole('dialog', { name: 'Cambiar el pago 2' }).waitFor();
}

const openInPerson = ({ shop, page }: Place, { ventaId, id }: Instalment) =>
  page.goto(`${shop.origin}/onSitePaymentByTapi/${ventaId}/${id}`);

async function openDepositInPerson({ shop, page, buyer }: Place): Promise<number> {
  const { id } = await shop.newReference(buyer);
  await page.goto(`${shop.origin}/onSitePaymentByTapi/apartado/${id}`);
  await page
    .getByRole('img', { name: /^Código de barras/ })
    .locator('path')
    .waitFor({ state: 'attached' });
  return id;
}

const openByCard = ({ shop, page }: Place, { ventaId, id }: Instalment) =>
  page.goto(`${shop.origin}/paymentByClib/${ventaId}/${id}`);

async function openInstalmentForm(place: Place): Promise<void> {
  const { page } = place;
  await openByCard(place, (await newPlan(place)).second);
  await cardFrame(page).getByLabel('Número de tarjeta').waitFor();
  await page.getByRole('button', { name: /^Pagar \$/ }).waitFor();
}

/** The buyer of a screen. Where nobody is signed in they may still have an e-mail to confirm. */
export const buyerOf = ({ signedInAs }: Screen, shop: Shop): Promise<Buyer> =>
  signedInAs === 'demo buyer'
    ? shop.demoBuyer()
    : shop.newBuyer(undefined, { isConfirmed: signedInAs !== 'nobody' });

async function openCardForm({ shop, page, buyer }: Place): Promise<number> {
  const { id } = await shop.newReference(buyer);
  await page.goto(`${shop.origin}/pullapartByClip/${id}`);
  await cardFrame(page).getByLabel('Número de tarjeta').waitFor();
  await page.getByRole('button', { name: /^Pagar \$/ }).waitFor();
  return id;
}

async function waitForBank(stage: Place): Promise<number> {
  const id = await openCardForm(stage);
  await payWith(stage.page, CARDS.threeDs);
  await sees(stage.page, 'Autenticación 3DS');
  return id;
}
