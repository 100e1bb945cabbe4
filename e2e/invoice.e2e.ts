import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { payWith, sees } from './card.ts';
import { hurry, takeClock } from './hurry.ts';
import { test } from './journey.ts';
import { CARDS, type Buyer, type Instalment, type Shop } from './shop.ts';

/** From SAT's test certificates. */
const PERSON = { rfc: 'CACX7605101P8', name: 'Xochilt Casas Chavez', regime: '612', zip: '36257' };
const COMPANY = { rfc: 'EKU9003173C9', name: 'Escuela Kemper Urgate', regime: '601', zip: '42501' };

async function accept(page: Page, title: string, text: string): Promise<void> {
  const alert = page.getByRole('alertdialog', { name: title, exact: true });
  await alert.getByText(text).waitFor();
  await alert.getByRole('button', { name: 'Aceptar' }).click();
}

/** Fills in the fiscal form in lower case, as on a phone, and submits it. */
async function register(page: Page, { rfc, name, regime, zip }: typeof PERSON): Promise<void> {
  await page.getByLabel('RFC', { exact: true }).fill(rfc.toLowerCase());
  await page.getByLabel('Nombre', { exact: true }).fill(name);
  await page.getByLabel('Régimen fiscal').selectOption(regime);
  await page.getByLabel('Código postal').fill(zip);
  await page.getByRole('button', { name: 'Alta de Facturación' }).click();
  await accept(page, 'Alta exitosa!', 'tu información fiscal ha sido dada de alta!');
}

const emit = (page: Page) => page.getByRole('button', { name: 'Emite factura' }).click();
const invoiceAlert = (page: Page) => accept(page, 'Emision de factura!', 'factura creada con exito!');

const openInvoice = (shop: Shop, page: Page, { ventaId, id }: Instalment) =>
  page.goto(`${shop.origin}/saleCxcList/${ventaId}?facturar=${id}`);

/** A paid instalment of a buyer whose fiscal data are already registered. */
async function readyToInvoice(
  shop: Shop,
  zip = PERSON.zip,
): Promise<{ buyer: Buyer; paid: Instalment; clientId: number }> {
  const buyer = await shop.newBuyer();
  const body = { ...PERSON, zip, email: buyer.email, cfdiUse: 'G03' };
  const client = await shop.ask('POST /v1/ClientSat/InsertAsync', { token: buyer.token, body });
  const [paid] = await shop.newPurchase(buyer);
  return { buyer, paid: paid!, clientId: client.body.data.id };
}

/** The invoices that the provider stamped for a buyer. */
async function stampedInvoices(
  shop: Shop,
  { email }: Buyer,
): Promise<{ rfc: string; form: string; total: number }[]> {
  const { invoices } = await shop.control('GET /control/invoicing');
  return invoices
    .filter((one: any) => one.receiver.email === email)
    .map((one: any) => ({ rfc: one.receiver.taxid, form: one.form, total: one.totalCentavos }));
}

test('A buyer who pays at a till is led to register their fiscal data, comes back to the invoice, and gets its files', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer();
  const [deposit] = await shop.newPurchase(buyer);
  const { page } = await phone({ buyer });
  await page.goto(`${shop.origin}/saleCxcList/${deposit!.ventaId}`);
  await page.getByRole('button', { name: 'Facturar pago 1' }).click();
  await page.getByRole('link', { name: 'Registrar mis datos' }).click();
  await page.getByLabel('RFC', { exact: true }).fill(PERSON.rfc);
  await page.reload();
  await expect.poll(() => page.getByLabel('RFC', { exact: true }).inputValue()).toBe(PERSON.rfc);
  await expect.poll(() => page.getByLabel('Física').isChecked()).toBe(true);
  await register(page, PERSON);
  await emit(page);
  await invoiceAlert(page);
  await page.getByText('A nombre de XOCHILT CASAS CHAVEZ, CACX7605101P8').waitFor();
  for (const kind of ['PDF', 'XML']) {
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: `${kind} de la factura` }).click();
    expect((await saved).suggestedFilename()).toMatch(new RegExp(`^factura-.+\\.${kind.toLowerCase()}$`));
  }
  expect(await stampedInvoices(shop, buyer)).toEqual([{ rfc: PERSON.rfc, form: '01', total: 60_000 }]);
});

test('A company invoices what was paid by credit and by debit card, each with its own form', async ({
  shop,
  phone,
}) => {
  const buyer = await shop.newBuyer();
  const { page } = await phone({ buyer });
  const { id } = await shop.newReference(buyer);
  await page.goto(`${shop.origin}/pullapartByClip/${id}`);
  await payWith(page, CARDS.approved);
  await sees(page, 'Transacción realizada!');
  const [made] = await shop.query('select max(id) as id from purchases where buyer_id = $1', [buyer.id]);
  const [deposit, second] = await shop.planOf(buyer, Number(made.id));
  await page.goto(`${shop.origin}/paymentByClib/${made.id}/${second!.id}`);
  await payWith(page, CARDS.debit);
  await sees(page, 'Transacción realizada!');

  await page.goto(`${shop.origin}/clientEdit?parte=fiscal`);
  await register(page, COMPANY);
  await page.getByRole('rowheader', { name: 'ESCUELA KEMPER URGATE' }).waitFor();
  for (const instalment of [deposit!, second!]) {
    await openInvoice(shop, page, instalment);
    await emit(page);
    await invoiceAlert(page);
  }
  expect(await stampedInvoices(shop, buyer)).toEqual([
    { rfc: COMPANY.rfc, form: '04', total: 60_000 },
    { rfc: COMPANY.rfc, form: '28', total: 120_000 },
  ]);
});

test('While the provider is down the invoice is in process, and the buyer is told once it is issued', async ({
  shop,
  phone,
}) => {
  const { buyer, paid, clientId } = await readyToInvoice(shop);
  const { page } = await phone({ buyer });
  await shop.control('POST /control/invoicing/service', { down: true });
  try {
    await openInvoice(shop, page, paid);
    await emit(page);
    await page.getByText('Tu factura está en proceso.').waitFor();
  } finally {
    await shop.control('POST /control/invoicing/service', { down: false });
  }
  await takeClock(page);
  await page.reload();
  await page.getByText('Tu factura está en proceso.').waitFor();
  // Another tab asks again and gets the same invoice, which is issued while the first one watches.
  const body = { cxcId: paid.id, clientSatId: clientId };
  await shop.ask('POST /v1/FacturaGreen/cfdiemmitAsync', { token: buyer.token, body });
  await hurry(page, () => page.getByRole('alertdialog', { name: 'Emision de factura!' }).isVisible(), 1_000);
  await invoiceAlert(page);
  await page.getByText('A nombre de XOCHILT CASAS CHAVEZ, CACX7605101P8').waitFor();
  expect(await stampedInvoices(shop, buyer)).toHaveLength(1);
});

test('A refusal leads to the field that SAT names, and from there back to an invoice', async ({
  shop,
  phone,
}) => {
  const { buyer, paid } = await readyToInvoice(shop, '99999');
  const { page } = await phone({ buyer });
  await openInvoice(shop, page, paid);
  await emit(page);
  await accept(page, 'Emision de factura no exitosa!', 'la factura no fue creada!');
  await page.getByRole('link', { name: 'Corregir el código postal' }).click();
  const zip = page.getByLabel('Código postal');
  await expect.poll(() => zip.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.keyboard.type(PERSON.zip);
  await page.keyboard.press('Enter');
  await accept(page, 'Actualización exitosa!', 'tu información ha sido actualizada!');
  await emit(page);
  await invoiceAlert(page);
  expect(await stampedInvoices(shop, buyer)).toEqual([{ rfc: PERSON.rfc, form: '01', total: 60_000 }]);
});

test('Two tabs that ask for one invoice at once get the same one', async ({ shop, phone }) => {
  const { buyer, paid } = await readyToInvoice(shop);
  const { page, newTab } = await phone({ buyer });
  const tabs = [page, await newTab()];
  await Promise.all(tabs.map((tab) => openInvoice(shop, tab, paid)));
  await Promise.all(tabs.map(emit));
  await Promise.all(tabs.map(invoiceAlert));
  expect(await stampedInvoices(shop, buyer)).toHaveLength(1);
});
