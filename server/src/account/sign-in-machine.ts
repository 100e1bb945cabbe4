import type { Db } from '../db/db.ts';
import { transaction } from '../db/transaction.ts';
import type { Limiter } from '../limiter.ts';
import { guardSignIn } from './guard-sign-in.ts';
import type { AccountLimits } from './limits.ts';
import type { Passwords } from './passwords.ts';
import { openMachineSession } from './session.ts';
import { findMachine, insertMachine, type NewMachine } from './store.ts';

interface Deps {
  readonly db: Db;
  readonly passwords: Passwords;
  readonly limiter: Limiter;
  readonly limits: AccountLimits;
}

/** Signs a till or an integrator in, each only through its own call (decisions §2); returns its token, good for 12 hours. */
export async function signInMachine(
  deps: Deps,
  input: { kind: 'till' | 'integrator'; user: string; password: string; address: string },
): Promise<string> {
  const machine = await guardSignIn(deps, `${input.kind} ${input.user}`, input.address, async () => {
    const found = await findMachine(deps.db, input.kind, input.user);
    return (await deps.passwords.verify(found?.secret_hash, input.password)) ? found : undefined;
  });
  return openMachineSession(deps.db, machine.id);
}

type Unhashed<M> = M extends unknown ? Omit<M, 'secretHash'> & { readonly password: string } : never;

/** The operator makes a machine's credential; of its password only the hash is kept. Returns its id. */
export async function addMachine(
  deps: Pick<Deps, 'db' | 'passwords'>,
  { password, ...machine }: Unhashed<NewMachine>,
): Promise<string> {
  const secretHash = await deps.passwords.hash(password);
  return transaction(deps.db, (tx) => insertMachine(tx, { ...machine, secretHash }));
}
