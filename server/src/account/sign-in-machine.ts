import type { Db } from '../db/db.ts';
import type { Limiter } from '../limiter.ts';
import { guardSignIn } from './guard-sign-in.ts';
import type { AccountLimits } from './limits.ts';
import type { Passwords } from './passwords.ts';
import { openMachineSession } from './session.ts';
import { findMachine } from './store.ts';

interface Deps {
  readonly db: Db;
  readonly passwords: Passwords;
  readonly limiter: Limiter;
  readonly limits: AccountLimits;
}

/**
 * Signs a till or an integrator in, each only through its own call (decisions §2); returns its token, good for 12 hours. The
 * secret before the current one lets it in while it is good, and no longer.
 */
export async function signInMachine(
  deps: Deps,
  input: { kind: 'till' | 'integrator'; user: string; password: string; address: string },
): Promise<string> {
  const machine = await guardSignIn(deps, `${input.kind} ${input.user}`, input.address, async () => {
    const found = await findMachine(deps.db, input.kind, input.user);
    if (await deps.passwords.verify(found?.secret_hash, input.password)) return found && { id: found.id };
    const previous = found?.previous_secret_hash;
    if (!found || !previous || !(await deps.passwords.verify(previous, input.password))) return undefined;
    return { id: found.id, until: found.previous_until };
  });
  return openMachineSession(deps.db, machine.id, machine);
}
