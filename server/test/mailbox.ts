import { deliverEmail } from '../src/platform/email/deliver-email.ts';
import type { Shop } from './shop.ts';

/** Sends every email that waits, in the order in which they were queued. */
export async function deliverEmails(shop: Shop): Promise<void> {
  const waiting = await shop.db
    .selectFrom('outbox')
    .select('id')
    .where('state', '=', 'waiting')
    .orderBy('id')
    .execute();
  for (const { id } of waiting) await deliverEmail(shop.jobs, id);
}

/** Sends what waits, and gives what came to an address, the oldest first. */
export async function mailsTo(shop: Shop, email: string): Promise<any[]> {
  await deliverEmails(shop);
  const { emails } = await shop.control('GET /control/emails');
  return emails.filter(({ to }: { to: string[] }) => to.includes(email));
}
