import type { Page } from 'playwright-core';
import { cardFrame, fillCard } from './card.ts';
import type { Buyer, Instalment, Shop } from './shop.ts';

/** A help link to a purchase of the buyer's, made through the API: what is behind its `#`, and the address that is shared. */
export async function newHelpLink(
  shop: Shop,
  buyer: Buyer,
  { ventaId }: Pick<Instalment, 'ventaId'>,
  given: { helpMessage?: string; goal?: number } = {},
): Promise<{ linkId: string; address: string }> {
  const { body } = await shop.ask(`POST /v1/Sales/HelpLinkAsync/${ventaId}`, {
    token: buyer.token,
    body: given,
  });
  const [{ linkId, helpCode }] = body.data;
  return { linkId, address: `${shop.origin}/ayudar#${helpCode}` };
}

/** Ends a link as its buyer does. */
export async function endHelpLink(shop: Shop, buyer: Buyer, ventaId: number, linkId: string): Promise<void> {
  const call = `PUT /v1/Sales/HelpLinkRevokeAsync/${ventaId}`;
  await shop.ask(call, { token: buyer.token, body: { linkId } });
}

/** Opens a help link, until its card can be typed. */
export async function openHelp(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await cardFrame(page).getByLabel('Número de tarjeta').waitFor();
  await page.getByRole('button', { name: /^Pagar/ }).waitFor();
}

/** Fills in who helps, with how much, and with which card; all but the press. */
export async function fillHelp(page: Page, number: string, pesos?: string): Promise<void> {
  if (pesos !== undefined) {
    await page.getByRole('radio', { name: 'Otra cantidad' }).check();
    await page.getByLabel('Cantidad en pesos').fill(pesos);
  }
  await page.getByLabel('Tu nombre').fill('Tía Marta');
  await page.getByLabel('Tu correo').fill('marta@example.mx');
  await fillCard(page, number);
}

/** Takes a number for stores, by the link that is open; answers it. */
export async function takeHelpNumber(page: Page, pesos?: string): Promise<string> {
  if (pesos !== undefined) {
    await page.getByRole('radio', { name: 'Otra cantidad' }).check();
    await page.getByLabel('Cantidad en pesos').fill(pesos);
  }
  await page.getByRole('radio', { name: /^En efectivo en una tienda/ }).check();
  await page.getByLabel('Tu nombre').fill('Tía Marta');
  await page.getByLabel('Tu correo').fill('marta@example.mx');
  await page.getByRole('button', { name: /^Obtener referencia de/ }).click();
  await page.getByRole('heading', { name: 'Paga en una tienda' }).waitFor();
  const number = page.getByText(/^\d{4} \d{4}/).first();
  return (await number.innerText()).replaceAll(/\D/g, '');
}
