import { forgetHelperNumbers } from '../../purchases/cash-references/retention.ts';
import { forgetHelperCards } from '../../payments/cards/retention.ts';
import type { Tx } from '../../platform/db/db.ts';
import { forgetHelperEmails } from '../../platform/email/retention.ts';
import { type HelpersAttempt, paymentsOf, readHelpersAttempts } from './read-model.ts';

export type Forgetting =
  | { readonly kind: 'forgotten'; readonly attemptIds: readonly string[] }
  | { readonly kind: 'unknown' }
  /** Payments that are under way, or whose money is still to go back: their helper has to hear of it. */
  | { readonly kind: 'tied'; readonly attemptIds: readonly string[] };

/**
 * Forgets who helped by links, for good: name, email address, card, from where they paid, and emails to them. What they gave
 * stays in the books, and its purchase's buyer reads that somebody gave it.
 */
export async function forgetHelper(tx: Tx, email: string): Promise<Forgetting> {
  return forget(tx, await readHelpersAttempts(tx, { email }));
}

/** The same again, by the payments: a backup that was restored knows their helper. */
export async function forgetHelpersAttempt(tx: Tx, attemptId: string): Promise<Forgetting> {
  return forget(tx, await readHelpersAttempts(tx, { attemptId }));
}

async function forget(tx: Tx, attempts: readonly HelpersAttempt[]): Promise<Forgetting> {
  if (attempts.length === 0) return { kind: 'unknown' };
  const open = attempts.filter(({ isOpen }) => isOpen).map(({ id }) => id);
  if (open.length > 0) return { kind: 'tied', attemptIds: open };
  const attemptIds = attempts.map(({ id }) => id);
  await forgetHelperEmails(tx, paymentsOf(attempts));
  await forgetHelperCards(tx, attemptIds);
  await forgetHelperNumbers(tx, attemptIds);
  return { kind: 'forgotten', attemptIds };
}
