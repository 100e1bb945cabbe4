import type { Db } from '../platform/db/db.ts';
import type { Principal } from '../platform/principal.ts';
import { tokenHash, tokenKind } from './credentials/token.ts';
import { isFromItsPlace } from './service-accounts/session.ts';
import { findServiceAccountSession } from './service-accounts/store.ts';
import { buyerOf } from './sessions/session.ts';
import { identifyStaff } from './staff/session.ts';

/** Whose token this is; undefined when it is nobody's, its session has ended, a service account calls from an
 * address not its own, or a shared device's session without the device. */
export async function identify(
  db: Db,
  token: string,
  address: string,
  deviceSecret?: string,
): Promise<Principal | undefined> {
  switch (tokenKind(token)) {
    case 'buyer':
      return buyerOf(db, token);
    case 'service_account': {
      const found = await findServiceAccountSession(db, tokenHash(token));
      return found &&
        (await isFromItsPlace(db, found.serviceAccount.serviceAccountId, found.addresses, address))
        ? found.serviceAccount
        : undefined;
    }
    case 'staff':
      return identifyStaff(db, token, deviceSecret);
    case undefined:
      return undefined;
  }
}
