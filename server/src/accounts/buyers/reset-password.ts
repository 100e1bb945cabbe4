import { createHash, randomBytes, randomUUID } from 'node:crypto';

import type { Db } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { ipPrefixOf, type Limiter } from '../../platform/limiter.ts';
import { sendEmail, sendResetEmail } from '../../platform/email/outbox.ts';
import { Refusal } from '../../platform/refusal.ts';
import { normaliseEmail } from './email.ts';
import { rememberOwner } from '../credentials/guard-sign-in.ts';
import type { AccountLimits } from '../credentials/limits.ts';
import { passwordProblem } from './password-rule.ts';
import type { Passwords } from '../credentials/passwords.ts';
import {
  type BuyerRow,
  confirmEmailOf,
  findBuyer,
  findBuyerByEmail,
  replaceResetCode,
  setPassword,
  takeResetCode,
  tryResetCode,
} from './store.ts';
import { revokeAllSessions } from '../sessions/store.ts';

interface Deps {
  readonly db: Db;
  readonly limiter: Limiter;
  readonly limits: AccountLimits;
}

/**
 * Asks for an email with a reset link (rules/accounts#password-reset). The same work and the same answer, whether or not there
 * is an account.
 */
export async function askForReset(deps: Deps, input: { email: string; address: string }): Promise<void> {
  const email = normaliseEmail(input.email);
  await deps.limiter.take('reset-address', ipPrefixOf(input.address), deps.limits.resetPerAddress);
  await deps.limiter.take('reset-account', email, deps.limits.resetPerAccount);
  await transaction(deps.db, (tx) => sendResetEmail(tx, email));
}

/**
 * Makes a new one-time code of 128 random bits, which lives 30 minutes, and the link that holds it, for the email that is being
 * sent: only its hash is kept, and the codes of earlier emails are dead. Undefined when the email address has no account.
 */
export async function issueResetLink(
  { db, publicOrigin }: { db: Db; publicOrigin: string },
  email: string,
): Promise<string | undefined> {
  const code = randomBytes(16).toString('base64url');
  const isAccount = await transaction(db, (tx) => replaceResetCode(tx, email, codeHash(code)));
  const emailInLink = encodeURIComponent(Buffer.from(email).toString('base64'));
  return isAccount ? `${publicOrigin}/?refChangePass=${emailInLink}#code=${code}` : undefined;
}

/** Whose account the email address is, for who holds its live code; using it changes nothing. Refuses with RESET_CODE_DEAD. */
export async function ownerByResetCode(
  deps: Deps,
  input: { email: string; code: string; address: string },
): Promise<BuyerRow> {
  const buyer = await findBuyerByEmail(deps.db, normaliseEmail(input.email));
  return checkCode(deps, buyer, input);
}

/**
 * Sets a new password with a live one-time code, uses the code up, confirms the email address, and ends every session. Refuses a weak password,
 * which leaves the code alive, and with RESET_CODE_DEAD anything but this buyer's live code.
 */
export async function changePassword(
  deps: Deps & { readonly passwords: Passwords },
  input: { buyerId: number; code: string; password: string; address: string },
): Promise<void> {
  const buyer = await checkCode(deps, await findBuyer(deps.db, input.buyerId), input);
  const problem = passwordProblem(input.password, buyer.email);
  if (problem !== undefined) throw new Refusal(problem, { fields: { password: problem } });
  const passwordHash = await deps.passwords.hash(input.password);
  await transaction(deps.db, async (tx) => {
    // Two at once with the same code: the row's lock lets one through.
    if (!(await takeResetCode(tx, buyer.id, codeHash(input.code)))) throw new Refusal('RESET_CODE_DEAD');
    await setPassword(tx, buyer.id, passwordHash);
    // Who has the code has read our email.
    await confirmEmailOf(tx, buyer.id);
    await revokeAllSessions(tx, buyer.id);
    const email = { topic: 'password_changed', buyerId: buyer.id, facts: {} } as const;
    await sendEmail(tx, { ...email, dedupeKey: randomUUID() });
  });
  await rememberOwner(deps.limiter, `buyer ${buyer.email}`, input.address);
}

/** The buyer, if the code is their live one. Each try is counted before it is checked; a right one is given back. */
async function checkCode(
  { db, limiter, limits }: Deps,
  buyer: BuyerRow | undefined,
  { code, address }: { code: string; address: string },
): Promise<BuyerRow> {
  const ipPrefix = ipPrefixOf(address);
  await limiter.take('reset-code-address', ipPrefix, limits.resetCodePerAddress);
  // Nobody has the id 0: an unknown account costs as much as a wrong code.
  const isRight = await transaction(db, (tx) => tryResetCode(tx, buyer?.id ?? 0, codeHash(code)));
  if (buyer === undefined || !isRight) throw new Refusal('RESET_CODE_DEAD');
  await limiter.giveBack('reset-code-address', ipPrefix);
  return buyer;
}

function codeHash(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}
