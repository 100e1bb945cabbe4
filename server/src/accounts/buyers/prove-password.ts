import type { Db } from '../../platform/db/db.ts';
import type { Limiter } from '../../platform/limiter.ts';
import type { Buyer } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import { guardSignIn } from '../credentials/guard-sign-in.ts';
import type { AccountLimits } from '../credentials/limits.ts';
import type { Passwords } from '../credentials/passwords.ts';
import { findBuyer } from './store.ts';

/** Whether the signed-in buyer knows their password. Refuses with WRONG_PASSWORD, which ends no session, and TOO_MANY. */
export async function provePassword(
  deps: {
    readonly db: Db;
    readonly passwords: Passwords;
    readonly limiter: Limiter;
    readonly limits: AccountLimits;
  },
  caller: Buyer,
  password: string,
  from: { readonly address: string; readonly deviceId?: string | undefined },
): Promise<void> {
  const found = await findBuyer(deps.db, caller.id);
  await guardSignIn(deps, { kind: 'buyer', name: found?.email ?? '', ...from }, async () =>
    (await deps.passwords.verify(found?.password_hash, password)) ? found : undefined,
  ).catch((error: unknown) => {
    const isWrong = error instanceof Refusal && error.code === 'WRONG_CREDENTIALS';
    throw isWrong ? new Refusal('WRONG_PASSWORD') : error;
  });
}
