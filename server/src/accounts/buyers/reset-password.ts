import { createHash, randomBytes, randomUUID } from 'node:crypto';

import type { Db } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { ipPrefixOf, type Limiter } from '../../platform/limiter.ts';
import { sendEmail, sendEmailTo } from '../../platform/email/outbox.ts';
import { Refusal } from '../../platform/refusal.ts';
import { normaliseEmail } from './email.ts';
import { isOwnersDevice, rememberOwner } from '../credentials/guard-sign-in.ts';
import type { AccountLimits } from '../credentials/limits.ts';
import { passwordProblem } from './password-rule.ts';
import type { Passwords } from '../credentials/passwords.ts';
import {
  addResetCode,
  type BuyerRow,
  confirmEmailOf,
  findBuyer,
  findBuyerByEmail,
  isResetCode,
  setPassword,
  takeResetCode,
} from './store.ts';
import { recordAccountAct } from '../acts/store.ts';
import { deleteCalendarLinkOf } from '../calendar/store.ts';
import { deletePushesOf } from '../pushes/store.ts';
import { endAllKept } from '../sessions/kept-store.ts';
import { revokeAllSessions } from '../sessions/store.ts';

interface Deps {
  readonly db: Db;
  readonly limiter: Limiter;
  readonly limits: AccountLimits;
}

/**
 * Asks for an email with a reset link (rules/accounts#password-reset). The same work and the same answer, whether or not there
 * is an account; the same answer, too, when the mailbox has two already whose links are still good.
 */
export async function askForReset(
  deps: Deps,
  input: { email: string; address: string; deviceId?: string | undefined },
): Promise<void> {
  const email = normaliseEmail(input.email);
  const { limiter, limits } = deps;
  if (!(await isOwnersDevice(limiter, { ...input, kind: 'buyer', name: email })))
    await limiter.take('reset-address', ipPrefixOf(input.address), limits.resetPerAddress);
  const { times } = await limiter.count('reset-account', email, limits.resetPerAccount.seconds);
  if (times > limits.resetPerAccount.times) return;
  await transaction(deps.db, (tx) => sendEmailTo(tx, 'password_reset', email));
}

/**
 * Makes a new one-time code of 128 random bits, which lives 30 minutes, and the link that holds it, for the email that is being
 * sent: only its hash is kept. The codes of earlier emails live on: who asks for an email kills nobody's link. Undefined when the email address has no account.
 */
export async function issueResetLink(
  { db, publicOrigin }: { db: Db; publicOrigin: string },
  email: string,
): Promise<string | undefined> {
  const code = randomBytes(16).toString('base64url');
  const isAccount = await transaction(db, (tx) => addResetCode(tx, email, codeHash(code)));
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
  input: {
    buyerId: number;
    code: string;
    password: string;
    address: string;
    deviceId?: string | undefined;
    device: string;
  },
): Promise<void> {
  const buyer = await checkCode(deps, await findBuyer(deps.db, input.buyerId), input);
  const problem = await passwordProblem(input.password, buyer.email);
  if (problem !== undefined) throw new Refusal(problem, { fields: { password: problem } });
  const passwordHash = await deps.passwords.hash(input.password);
  await transaction(deps.db, async (tx) => {
    // Two at once with the same code: the row's lock lets one through.
    if (!(await takeResetCode(tx, buyer.id, codeHash(input.code)))) throw new Refusal('RESET_CODE_DEAD');
    await setPassword(tx, buyer.id, passwordHash);
    // Who has the code has read our email.
    await confirmEmailOf(tx, buyer.id);
    await endAllKept(tx, buyer.id);
    await revokeAllSessions(tx, buyer.id);
    await deletePushesOf(tx, buyer.id);
    await deleteCalendarLinkOf(tx, buyer.id);
    await recordAccountAct(tx, { buyerId: buyer.id, act: 'password_changed', device: input.device });
    const email = { topic: 'password_changed', buyerId: buyer.id, facts: {} } as const;
    await sendEmail(tx, { ...email, dedupeKey: randomUUID() });
  });
  await rememberOwner(deps.limiter, { ...input, kind: 'buyer', name: buyer.email });
}

/**
 * The buyer, if the code is a live one of theirs. Nobody guesses 128 bits, so wrong ones are counted only to spare the database,
 * and the right one passes however many others tried.
 */
async function checkCode(
  { db, limiter, limits }: Deps,
  buyer: BuyerRow | undefined,
  { code, address }: { code: string; address: string },
): Promise<BuyerRow> {
  // Nobody has the id 0: an unknown account costs as much as a wrong code.
  const isRight = await isResetCode(db, buyer?.id ?? 0, codeHash(code));
  if (buyer !== undefined && isRight) return buyer;
  await limiter.take('reset-code-address', ipPrefixOf(address), limits.resetCodePerAddress);
  throw new Refusal('RESET_CODE_DEAD');
}

function codeHash(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}
