import type { Db } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import type { Limiter } from '../../platform/limiter.ts';
import { Refusal } from '../../platform/refusal.ts';
import { normaliseEmail } from '../buyers/email.ts';
import { guardSignIn } from '../credentials/guard-sign-in.ts';
import type { AccountLimits } from '../credentials/limits.ts';
import type { Passwords } from '../credentials/passwords.ts';
import { listPositionsOf, type PositionRow } from './read-model.ts';
import { openStaffSession } from './session.ts';
import { findStaffByEmail } from './store.ts';

export interface StaffDeps {
  readonly db: Db;
  readonly passwords: Passwords;
  readonly limiter: Limiter;
  readonly limits: AccountLimits;
  readonly publicOrigin: string;
}

/** A session that was just opened. */
export interface OpenedSession {
  readonly token: string;
  readonly expiresAt: Date;
  readonly position: PositionRow;
  readonly lacksPasskey: boolean;
  /** On a shared device. */
  readonly isShared?: boolean;
}

/**
 * Signs somebody of a shop in (rules/accounts#staff). With positions at several merchants, and none of them named, no session
 * opens: they choose. Who has none is refused like a wrong password.
 */
export async function signInStaff(
  deps: StaffDeps,
  input: {
    email: string;
    password: string;
    merchantId: number | undefined;
    address: string;
    deviceId: string | undefined;
    browser?: string;
  },
): Promise<{ readonly session: OpenedSession | undefined; readonly positions: readonly PositionRow[] }> {
  const email = normaliseEmail(input.email);
  const { address, deviceId, merchantId } = input;
  const { passwordHash, positions } = await guardSignIn(
    deps,
    { kind: 'staff', name: email, address, deviceId },
    async () => {
      const found = await findStaffByEmail(deps.db, email);
      const isRight = await deps.passwords.verify(found?.passwordHash, input.password);
      const all = found !== undefined && isRight ? await listPositionsOf(deps.db, found.id) : [];
      return found === undefined || all.length === 0
        ? undefined
        : { passwordHash: found.passwordHash, positions: all };
    },
  );
  const position = chosenPosition(positions, merchantId);
  if (position === 'several') return { session: undefined, positions };
  if (position === undefined) throw new Refusal('WRONG_CREDENTIALS');
  const opened = await transaction(deps.db, (tx) =>
    openStaffSession(tx, position.positionId, { passwordHash, browser: input.browser ?? '' }),
  );
  return { session: { ...opened, position }, positions };
}

/** Of a person's positions the one at a merchant, or the only one; 'several' when they have to choose. */
export function chosenPosition(
  positions: readonly PositionRow[],
  merchantId: number | undefined,
): PositionRow | 'several' | undefined {
  if (merchantId !== undefined) return positions.find((each) => each.merchantId === merchantId);
  return positions.length > 1 ? 'several' : positions[0];
}
