import { isTrivialPin } from '@aparta/domain/pin';

import { transaction } from '../../platform/db/transaction.ts';
import type { Staff } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import { guardSignIn } from '../credentials/guard-sign-in.ts';
import { replacePin } from './pin-store.ts';
import type { StaffDeps } from './sign-in-staff.ts';
import { findStaff, recordStaffAct, type StaffRow } from './store.ts';

/** Where a call comes from, as guesses are counted. */
export interface Caller {
  readonly address: string;
  readonly deviceId: string | undefined;
}

/** Somebody of the staff whose password this is. Refuses with WRONG_PASSWORD, which ends no session, and TOO_MANY. */
export async function provePassword(
  deps: Pick<StaffDeps, 'db' | 'passwords' | 'limiter' | 'limits'>,
  staffId: string,
  password: string,
  caller: Caller,
): Promise<StaffRow> {
  const found = await findStaff(deps.db, staffId);
  return guardSignIn(deps, { kind: 'staff', name: found?.email ?? '', ...caller }, async () =>
    (await deps.passwords.verify(found?.passwordHash, password)) ? found : undefined,
  ).catch((error: unknown) => {
    const isWrong = error instanceof Refusal && error.code === 'WRONG_CREDENTIALS';
    throw isWrong ? new Refusal('WRONG_PASSWORD') : error;
  });
}

/** The hash of a PIN that may be chosen. Refuses with PIN_TOO_EASY what everybody tries first. */
export async function chosenPin({ passwords }: Pick<StaffDeps, 'passwords'>, pin: string): Promise<string> {
  if (isTrivialPin(pin)) throw new Refusal('PIN_TOO_EASY', { fields: { pin: 'PIN_TOO_EASY' } });
  return passwords.hash(pin);
}

/** Sets the caller's PIN, with their password. */
export async function setPin(
  deps: StaffDeps,
  caller: Staff,
  input: Caller & { readonly password: string; readonly pin: string },
): Promise<void> {
  const { password, pin, ...from } = input;
  await provePassword(deps, caller.staffId, password, from);
  const pinHash = await chosenPin(deps, pin);
  await transaction(deps.db, async (tx) => {
    await replacePin(tx, caller.staffId, pinHash);
    await recordStaffAct(tx, { by: caller, act: 'set_pin', subject: caller.positionId });
  });
}
