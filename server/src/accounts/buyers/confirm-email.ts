import { createHash, randomBytes, randomUUID } from 'node:crypto';

import type { Db } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { householdOf, type Limiter } from '../../platform/limiter.ts';
import { sendEmail } from '../../platform/email/outbox.ts';
import type { Buyer } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { AccountLimits } from './limits.ts';
import { confirmEmailOf, replaceConfirmationCode, takeConfirmationCode } from './store.ts';

interface Deps {
  readonly db: Db;
  readonly limiter: Limiter;
  readonly limits: AccountLimits;
}

/**
 * Makes a new one-time code of 128 random bits and the link that holds it, for the letter that is being sent: only its hash is
 * kept, and the codes of earlier letters are dead. Undefined when the e-mail is confirmed already.
 */
export async function issueConfirmationLink(
  { db, publicOrigin }: { db: Db; publicOrigin: string },
  buyerId: number,
): Promise<string | undefined> {
  const code = randomBytes(16).toString('base64url');
  const isOpen = await transaction(db, (tx) => replaceConfirmationCode(tx, buyerId, codeHash(code)));
  return isOpen ? `${publicOrigin}/confirmarCorreo#code=${code}` : undefined;
}

/** Confirms an e-mail with the code of its letter, and uses the code up. Refuses anything else with CONFIRMATION_DEAD. */
export async function confirmEmail(deps: Deps, input: { code: string; address: string }): Promise<void> {
  const household = householdOf(input.address);
  await deps.limiter.take('confirm-address', household, deps.limits.confirmPerAddress);
  const isRight = await transaction(deps.db, async (tx) => {
    const buyerId = await takeConfirmationCode(tx, codeHash(input.code));
    if (buyerId !== undefined) await confirmEmailOf(tx, buyerId);
    return buyerId !== undefined;
  });
  if (!isRight) throw new Refusal('CONFIRMATION_DEAD');
  await deps.limiter.giveBack('confirm-address', household);
}

/** Sends the caller another letter with a link; when he is confirmed already, the letter is dropped when its turn comes. */
export async function askForConfirmation(deps: Deps, caller: Buyer): Promise<void> {
  await deps.limiter.take('confirm-letter', String(caller.id), deps.limits.confirmationsPerBuyer);
  const mail = { topic: 'confirm_email', buyerId: caller.id, facts: {} } as const;
  await transaction(deps.db, (tx) => sendEmail(tx, { ...mail, dedupeKey: randomUUID() }));
}

function codeHash(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}
