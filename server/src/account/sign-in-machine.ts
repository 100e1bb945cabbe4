import type { Db } from '../db/db.ts';
import type { Limiter } from '../limiter.ts';
import { guardSignIn } from './guard-sign-in.ts';
import type { AccountLimits } from './limits.ts';
import type { Passwords } from './passwords.ts';
import { isFromItsPlace, openMachineSession } from './session.ts';
import { findMachine, type MachineRow } from './store.ts';

interface Deps {
  readonly db: Db;
  readonly passwords: Passwords;
  readonly limiter: Limiter;
  readonly limits: AccountLimits;
}

/**
 * Signs a till or an integrator in, each only through its own call (decisions §2); returns its token, good for 12 hours. The
 * secret before the current one lets it in while it is good, and no longer. From an address that is not listed for it, a right
 * secret is answered like a wrong one, and rings.
 */
export async function signInMachine(
  deps: Deps,
  input: { kind: 'till' | 'integrator'; user: string; password: string; address: string },
): Promise<string> {
  const machine = await guardSignIn(deps, `${input.kind} ${input.user}`, input.address, async () => {
    const found = await findMachine(deps.db, input.kind, input.user);
    const until = await lastsUntil(deps.passwords, found, input.password);
    if (found === undefined || until === undefined) return undefined;
    const isHere = await isFromItsPlace(deps.db, found.id, found.addresses, input.address);
    return isHere ? { id: found.id, until } : undefined;
  });
  return openMachineSession(deps.db, machine.id, machine);
}

/** Until when what this secret opens is good: null for the usual time, undefined when it is not the machine's. */
async function lastsUntil(
  passwords: Passwords,
  machine: MachineRow | undefined,
  secret: string,
): Promise<Date | null | undefined> {
  if (await passwords.verify(machine?.secret_hash, secret)) return machine && null;
  const previous = machine?.previous_secret_hash;
  return previous && (await passwords.verify(previous, secret)) ? machine.previous_until : undefined;
}
