import { setTimeout as sleep } from 'node:timers/promises';
import type { Shop } from './shop.ts';

export interface Email {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

/** Emails in the sandbox's inbox for an address, oldest first. */
export async function emailsTo(shop: Shop, email: string): Promise<Email[]> {
  const { emails } = (await shop.control('GET /control/emails')) as { emails: Email[] };
  return emails.filter(({ to }) => to.includes(email));
}

/** Requests a password reset through the API and returns the link from the email. */
export async function resetLink(shop: Shop, email: string): Promise<string> {
  await shop.ask('POST /v1/Notifications/SendResetPasswordBuyerEmail', { body: { email } });
  return newestResetLink(shop, email, 1);
}

/** The link of the newest reset email, once `count` have arrived. */
export const newestResetLink = (shop: Shop, email: string, count: number) =>
  newestLink(shop, email, /\S+refChangePass\S+/, count);

/** The link of the welcome email, once it has arrived. */
export const confirmationLink = (shop: Shop, email: string) =>
  newestLink(shop, email, /\S+\/confirmarCorreo#\S+/, 1);

/** The link to a purchase of the newest email that has one, once it has arrived. */
export const purchaseLink = (shop: Shop, email: string) =>
  newestLink(shop, email, /\S+\/(?:saleCxcList|recibo)\/\S+/, 1);

async function newestLink(shop: Shop, email: string, form: RegExp, count: number): Promise<string> {
  for (let tries = 150; tries > 0; tries -= 1) {
    const links = (await emailsTo(shop, email)).flatMap(({ text }) => form.exec(text)?.[0] ?? []);
    if (links.length >= count) return links.at(-1) ?? '';
    await sleep(100);
  }
  throw new Error(`no email with a link for ${email}`);
}
