import { createHash, randomBytes, randomUUID } from 'node:crypto';

import type { Db } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { ipPrefixOf, type Limiter } from '../../platform/limiter.ts';
import { sendEmail } from '../../platform/email/outbox.ts';
import type { Buyer } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { AccountLimits } from '../credentials/limits.ts';
import { confirmEmailOf, replaceConfirmationCode, takeConfirmationCode } from './store.ts';

interface Deps {
  readonly db: Db;
  readonly limiter: Limiter;
  readonly limits: AccountLimits;
}

/**
 * Makes a new one-time code of 128 random bits and the link that holds it, for the email that is being sent: only its hash is
 * kept, and the codes of earlier emails are dead. Undefined when the email address is confirmed already.
 */
export async function issueConfirmationLink(
  { db, publicOrigin }: { db: Db; publicOrigin: string },
  buyerId: number,
): Promise<string | undefined> {
  const code = randomBytes(16).toString('base64url');
  const isOpen = await transaction(db, (tx) => replaceConfirmationCode(tx, buyerId, codeHash(code)));
  return isOpen ? `${publicOrigin}/confirmarCorreo#code=${code}` : undefined;
}

/** Confirms an email address with the code of its email, and uses the code up. Refuses anything else with CONFIRMATION_DEAD. */
export async function confirmEmail(deps: Deps, input: { code: string; address: string }): Promise<void> {
  const isRight = await transaction(deps.db, async (tx) => {
    const buyerId = await takeConfirmationCode(tx, codeHash(input.code));
    if (buyerId !== undefined) await confirmEmailOf(tx, buyerId);
    return buyerId !== undefined;
  });
  if (isRight) return;
  // Nobody guesses 128 bits: only wrong ones are counted, so that a neighbour's keep nobody out.
  await deps.limiter.take('confirm-address', ipPrefixOf(input.address), deps.limits.confirmPerAddress);
  throw new Refusal('CONFIRMATION_DEAD');
}

/** Sends the caller another email with a link; one whose address is confirmed already is dropped when its turn comes. */
export async function askForConfirmation(deps: Deps, caller: Buyer): Promise<void> {
  await deps.limiter.take('confirm-email', String(caller.id), deps.limits.confirmationsPerBuyer);
  const email = { topic: 'confirm_email', buyerId: caller.id, facts: {} } as const;
  await transaction(deps.db, (tx) => sendEmail(tx, { ...email, dedupeKey: randomUUID() }));
}

function codeHash(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}
