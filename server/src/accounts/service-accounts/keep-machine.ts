import { randomBytes } from 'node:crypto';

import type { Tx } from '../../platform/db/db.ts';
import { databaseNow, refusedBy } from '../../platform/db/transaction.ts';
import { RefusedChange } from '../../platform/refused-change.ts';
import {
  capMachineSessions,
  endMachineSessions,
  insertMachine,
  lockMachine,
  type MachineRow,
  type NewMachine,
  setMachineAddresses,
  setMachineRevoked,
  setMachineSecret,
} from '../buyers/store.ts';

/** A till or an integrator by its name. */
export type MachineName = Pick<MachineRow, 'kind'> & { readonly userName: string };

/** A secret for a machine: 192 random bits, to be shown once. */
export function newMachineSecret(): string {
  return randomBytes(24).toString('base64url');
}

/** Makes a till's or an integrator's credential; of its secret only the hash is kept. Returns its id. */
export async function addMachine(tx: Tx, machine: NewMachine): Promise<string> {
  try {
    return await insertMachine(tx, machine);
  } catch (error) {
    const constraint = refusedBy(error);
    if (constraint === 'machine_credentials_user_name_once')
      throw new RefusedChange('machine_name_taken', { name: machine.userName });
    if (constraint === 'machine_credentials_merchant_id_fkey' && machine.kind === 'integrator')
      throw new RefusedChange('merchant_unknown', { id: machine.merchantId });
    throw error;
  }
}

/**
 * Gives a machine another secret. With `until` the one before it, and what was opened with it, stays good up to that
 * moment; without, it and every session end now. The credential stays the same, and with it what it has charged. Refuses a
 * second change while an earlier secret is still good: whoever uses that one would be locked out before he was told.
 */
export async function rotateMachine(
  tx: Tx,
  name: MachineName,
  { secretHash, until }: { secretHash: string; until: Date | undefined },
): Promise<string> {
  const machine = await demandMachine(tx, name);
  if (until === undefined) {
    await setMachineSecret(tx, machine.id, secretHash, null);
    await endMachineSessions(tx, machine.id);
    return machine.id;
  }
  if (until <= (await databaseNow(tx))) throw new RefusedChange('until_is_past');
  if (machine.previous_secret_hash !== null)
    throw new RefusedChange('machine_rotating', { name: name.userName });
  await setMachineSecret(tx, machine.id, secretHash, { hash: machine.secret_hash, until });
  await capMachineSessions(tx, machine.id, until);
  return machine.id;
}

/** Says from where a machine may call, from now on; nowhere listed: from everywhere. Its sessions elsewhere are over. */
export async function placeMachine(tx: Tx, name: MachineName, addresses: readonly string[]): Promise<string> {
  const { id } = await demandMachine(tx, name);
  await setMachineAddresses(tx, id, addresses);
  return id;
}

/** Ends a machine for good: it signs in no more, and its sessions are over. What it charged stays. */
export async function revokeMachine(tx: Tx, name: MachineName): Promise<string> {
  const { id } = await demandMachine(tx, name);
  await setMachineRevoked(tx, id);
  await endMachineSessions(tx, id);
  return id;
}

async function demandMachine(tx: Tx, { kind, userName }: MachineName): Promise<MachineRow> {
  const machine = await lockMachine(tx, kind, userName);
  if (machine === undefined) throw new RefusedChange('machine_unknown', { name: userName });
  return machine;
}
