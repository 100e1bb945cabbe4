import { randomBytes } from 'node:crypto';

import type { Db, Tx } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { sendEmailTo } from '../../platform/email/outbox.ts';
import { ipPrefixOf } from '../../platform/limiter.ts';
import type { Staff } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import { normaliseEmail } from '../buyers/email.ts';
import { passwordProblem } from '../buyers/password-rule.ts';
import { isOwnersDevice, rememberOwner } from '../credentials/guard-sign-in.ts';
import { tokenHash } from '../credentials/token.ts';
import {
  addStaffResetCode,
  deletePin,
  deleteStaffResetCodes,
  findStaffByResetCode,
  setStaffPassword,
  takeStaffResetCode,
} from './password-store.ts';
import { type Caller, provePassword } from './set-pin.ts';
import type { StaffDeps } from './sign-in-staff.ts';
import { confirmStaffEmail, recordStaffAct } from './store.ts';

export interface ResetDeps extends StaffDeps {
  /** Forgets a person's passkeys, with the sessions that they opened, and says how many there were. */
  readonly forgetPasskeys: (tx: Tx, staffId: string) => Promise<number>;
}

/** Asks for an email with a reset link, as a buyer does (rules/accounts#password-reset): the same answer for any address. */
export async function askForStaffReset(
  { db, limiter, limits }: StaffDeps,
  input: Caller & { readonly email: string },
): Promise<void> {
  const email = normaliseEmail(input.email);
  if (!(await isOwnersDevice(limiter, { ...input, kind: 'staff', name: email })))
    await limiter.take('reset-address', ipPrefixOf(input.address), limits.resetPerAddress);
  const { times } = await limiter.count('staff-reset-account', email, limits.resetPerAccount.seconds);
  if (times > limits.resetPerAccount.times) return;
  await transaction(db, (tx) => sendEmailTo(tx, 'staff_password_reset', email));
}

/** Makes a code of 256 random bits for the email that is being sent, and its link; undefined when nobody has the address. */
export async function issueStaffResetLink(
  { db, publicOrigin }: { db: Db; publicOrigin: string },
  email: string,
): Promise<string | undefined> {
  const code = randomBytes(32).toString('base64url');
  const isAccount = await transaction(db, (tx) => addStaffResetCode(tx, email, tokenHash(code)));
  return isAccount ? `${publicOrigin}/mostrador/contrasena#code=${code}` : undefined;
}

/**
 * Sets a new password by a live code, uses the code up, and ends every session; whoever knew the password may have set the PIN, so
 * that goes too. Passkeys go when the address had not been confirmed: until then anybody may have made the account. A weak password
 * leaves the code alive. Refuses with RESET_CODE_DEAD.
 */
export async function resetStaffPassword(
  deps: ResetDeps,
  { code, password, ...from }: Caller & { readonly code: string; readonly password: string },
): Promise<void> {
  const { db, limiter, limits } = deps;
  const found = await findStaffByResetCode(db, tokenHash(code));
  if (found === undefined) {
    await limiter.take('reset-code-address', ipPrefixOf(from.address), limits.resetCodePerAddress);
    throw new Refusal('RESET_CODE_DEAD');
  }
  const passwordHash = await chosenPassword(deps, password, found.email);
  await transaction(db, async (tx) => {
    if (!(await takeStaffResetCode(tx, found.id, tokenHash(code)))) throw new Refusal('RESET_CODE_DEAD');
    await setStaffPassword(tx, found.id, passwordHash);
    await deletePin(tx, found.id);
    const isFirst = await confirmStaffEmail(tx, found.id);
    const passkeysForgotten = isFirst ? await deps.forgetPasskeys(tx, found.id) : 0;
    await sendEmailTo(tx, 'staff_password_changed', found.email, { passkeysForgotten });
  });
  await rememberOwner(limiter, { ...from, kind: 'staff', name: found.email });
}

/** Sets the caller's password, who gives the one before; every other session of theirs ends, and the reset links that were mailed. */
export async function changeStaffPassword(
  deps: StaffDeps,
  caller: Staff,
  {
    token,
    current,
    password,
    ...from
  }: Caller & { readonly token: string; readonly current: string; readonly password: string },
): Promise<void> {
  const { email } = await provePassword(deps, caller.staffId, current, from);
  const passwordHash = await chosenPassword(deps, password, email);
  await transaction(deps.db, async (tx) => {
    await setStaffPassword(tx, caller.staffId, passwordHash, tokenHash(token));
    await deleteStaffResetCodes(tx, caller.staffId);
    await recordStaffAct(tx, { by: caller, act: 'change_password', subject: caller.positionId });
    await sendEmailTo(tx, 'staff_password_changed', email);
  });
}

/** The hash of a password that may be chosen. Refuses a weak one. */
export async function chosenPassword(
  { passwords }: Pick<StaffDeps, 'passwords'>,
  password: string,
  email: string,
): Promise<string> {
  const problem = await passwordProblem(password, email);
  if (problem !== undefined) throw new Refusal(problem, { fields: { password: problem } });
  return passwords.hash(password);
}
