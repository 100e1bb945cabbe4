import { transaction } from '../../platform/db/transaction.ts';
import { ipPrefixOf } from '../../platform/limiter.ts';
import { Refusal } from '../../platform/refusal.ts';
import { guardSignIn, rememberOwner } from '../credentials/guard-sign-in.ts';
import { listPositionsOf, type PositionRow } from '../staff/read-model.ts';
import { openStaffSession } from '../staff/session.ts';
import { chosenPosition, type OpenedSession } from '../staff/sign-in-staff.ts';
import { findPasskey, insertChallenge, notePasskeyUse, takeChallenge } from './store.ts';
import { challengeHash, type PasskeyDeps, readUsedPasskey, signInOptions } from './webauthn.ts';

/** What a passkey is to sign, by nobody who is known yet. */
export async function startPasskeySignIn(
  deps: PasskeyDeps,
  address: string,
): Promise<Awaited<ReturnType<typeof signInOptions>>> {
  await deps.limiter.take('passkey-address', ipPrefixOf(address), deps.limits.passkeyStartsPerAddress);
  const options = await signInOptions(deps);
  await transaction(deps.db, (tx) => insertChallenge(tx, challengeHash(options.challenge), undefined));
  return options;
}

/**
 * Signs somebody of a shop in by what their passkey signed (rules/accounts#passkeys). Each challenge opens one session: who works
 * for several merchants says with the same signature for which. A passkey's tries are counted apart from the account's
 * passwords, so that who guesses those keeps nobody from it. Refuses with PASSKEY_REFUSED, whatever is wrong.
 */
export async function signInByPasskey(
  deps: PasskeyDeps,
  input: {
    credential: Parameters<typeof readUsedPasskey>[2];
    merchantId: number | undefined;
    address: string;
    deviceId: string | undefined;
    browser: string;
  },
): Promise<{ readonly session: OpenedSession | undefined; readonly positions: readonly PositionRow[] }> {
  const { credential, merchantId, address, deviceId, browser } = input;
  const claim = { kind: 'staff', name: `passkey ${credential.rawId}`, address, deviceId } as const;
  const { passkeyId, used, positions } = await guardSignIn(deps, claim, async () => {
    const passkey = await findPasskey(deps.db, credential.rawId);
    const proven = passkey && (await readUsedPasskey(deps, passkey, credential));
    const held = passkey && proven ? await listPositionsOf(deps.db, passkey.staffId) : [];
    return passkey && proven && held.length > 0
      ? { passkeyId: passkey.id, used: proven, positions: held }
      : undefined;
  }).catch(asRefused);
  const position = chosenPosition(positions, merchantId);
  if (position === 'several') return { session: undefined, positions };
  if (position === undefined) throw new Refusal('PASSKEY_REFUSED');
  const opened = await transaction(deps.db, async (tx) => {
    const isAsked = await takeChallenge(tx, challengeHash(used.challenge), undefined);
    if (!isAsked || !(await notePasskeyUse(tx, passkeyId, used))) throw new Refusal('PASSKEY_REFUSED');
    return openStaffSession(tx, position.positionId, { passkeyId, browser });
  }).catch(asRefused);
  await rememberOwner(deps.limiter, { ...claim, name: position.email });
  return { session: { ...opened, position }, positions };
}

function asRefused(error: unknown): never {
  const isWrong = error instanceof Refusal && error.code === 'WRONG_CREDENTIALS';
  throw isWrong ? new Refusal('PASSKEY_REFUSED') : error;
}
