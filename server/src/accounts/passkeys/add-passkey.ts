import type { Db, Tx } from '../../platform/db/db.ts';
import { refusedBy, transaction } from '../../platform/db/transaction.ts';
import { sendEmailTo } from '../../platform/email/outbox.ts';
import type { Staff } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import { tokenHash } from '../credentials/token.ts';
import { isFresh, setSessionPasskey } from '../staff/session-store.ts';
import { type Caller, provePassword } from '../staff/set-pin.ts';
import { findStaff, recordStaffAct } from '../staff/store.ts';
import { demandShownPasskey } from './demand-shown-passkey.ts';
import { insertChallenge, insertPasskey, lockPasskeysOf, listPasskeysOf, takeChallenge } from './store.ts';
import { challengeHash, newPasskeyOptions, type PasskeyDeps, readMadePasskey } from './webauthn.ts';

const MOST = 20;

/**
 * What the browser of a signed-in person is to make (rules/accounts#passkeys). Who signed in a while ago gives their password;
 * refuses with PASSWORD_NEEDED or WRONG_PASSWORD, and with PASSKEY_NEEDED who should have signed in with the one that they have.
 */
export async function startPasskey(
  deps: PasskeyDeps,
  caller: Staff,
  { token, password, ...from }: Caller & { readonly token: string; readonly password: string | undefined },
): Promise<Awaited<ReturnType<typeof newPasskeyOptions>>> {
  const { db } = deps;
  const known = await listPasskeysOf(db, caller.staffId);
  await refuseAnother(db, caller, known.length);
  if (password !== undefined) await provePassword(deps, caller.staffId, password, from);
  else if (!(await isFresh(db, tokenHash(token)))) throw new Refusal('PASSWORD_NEEDED');
  const person = await findStaff(db, caller.staffId);
  if (person === undefined) throw new Refusal('SESSION_DEAD');
  const options = await newPasskeyOptions(deps, person, known);
  await transaction(db, (tx) => insertChallenge(tx, challengeHash(options.challenge), person.id));
  return options;
}

/** Adds what the browser made, tells its person by email, and counts their session as opened by it. */
export async function addPasskey(
  deps: PasskeyDeps,
  caller: Staff,
  input: {
    readonly token: string;
    readonly name: string;
    readonly credential: Parameters<typeof readMadePasskey>[1];
    readonly transports: readonly string[];
  },
): Promise<string> {
  const made = await readMadePasskey(deps, input.credential);
  if (made === undefined) throw new Refusal('PASSKEY_REFUSED');
  const { challenge, ...passkey } = made;
  const { staffId } = caller;
  const { name, transports } = input;
  try {
    return await transaction(deps.db, async (tx) => {
      if (!(await takeChallenge(tx, challengeHash(challenge), staffId))) throw new Refusal('PASSKEY_REFUSED');
      await refuseAnother(tx, caller, (await lockPasskeysOf(tx, staffId)).length);
      const person = await findStaff(tx, staffId);
      const id = await insertPasskey(tx, { ...passkey, staffId, name, transports });
      // A reset that forgets passkeys ends the sessions first: no passkey slips in behind it.
      if (!(await setSessionPasskey(tx, tokenHash(input.token), id))) throw new Refusal('SESSION_DEAD');
      await recordStaffAct(tx, { by: caller, act: 'add_passkey', subject: id, detail: { name } });
      if (person !== undefined) await sendEmailTo(tx, 'staff_passkey_added', person.email);
      return id;
    });
  } catch (error) {
    if (refusedBy(error) === 'staff_passkeys_credential_once') throw new Refusal('PASSKEY_REFUSED');
    throw error;
  }
}

async function refuseAnother(db: Db | Tx, caller: Staff, known: number): Promise<void> {
  // The first one replaces nothing.
  if (known > 0) await demandShownPasskey(db, caller);
  if (known >= MOST) throw new Refusal('PASSKEYS_FULL');
}
