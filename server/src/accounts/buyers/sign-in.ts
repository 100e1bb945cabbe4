import type { Db } from '../../platform/db/db.ts';
import type { Limiter } from '../../platform/limiter.ts';
import { normaliseEmail } from './email.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { recordFailedSignIn } from '../acts/store.ts';
import { guardSignIn } from '../credentials/guard-sign-in.ts';
import type { AccountLimits } from '../credentials/limits.ts';
import type { Passwords } from '../credentials/passwords.ts';
import { type KeptCookie, openKeptSession } from '../sessions/kept-session.ts';
import { openSession } from '../sessions/session.ts';
import { findBuyerByEmail, type BuyerRow } from './store.ts';

interface Deps {
  readonly db: Db;
  readonly passwords: Passwords;
  readonly limiter: Limiter;
  readonly limits: AccountLimits;
  /** What nobody waits for: else an account that exists would answer later than one that does not. */
  readonly inBackground: (work: Promise<unknown>) => void;
}

/**
 * Signs a buyer in (spec §4, rules/accounts#sign-in), with `keep` so that their browser stays signed in. An unknown account is
 * refused in the same words and the same time.
 */
export async function signIn(
  deps: Deps,
  input: {
    user: string;
    password: string;
    keep?: boolean;
    address: string;
    deviceId?: string | undefined;
    device?: string;
  },
): Promise<{ buyer: BuyerRow; token: string; kept?: KeptCookie }> {
  const email = normaliseEmail(input.user);
  const { address, deviceId } = input;
  const buyer = await guardSignIn(deps, { kind: 'buyer', name: email, address, deviceId }, async () => {
    const found = await findBuyerByEmail(deps.db, email);
    const isRight = await deps.passwords.verify(found?.password_hash, input.password);
    if (found !== undefined && !isRight)
      deps.inBackground(transaction(deps.db, (tx) => recordFailedSignIn(tx, found.id, input.device ?? '')));
    return isRight ? found : undefined;
  });
  const session = { device: input.device ?? '', passwordHash: buyer.password_hash };
  if (input.keep) return { buyer, ...(await openKeptSession(deps.db, buyer.id, session)) };
  return { buyer, token: await openSession(deps.db, buyer.id, session) };
}
