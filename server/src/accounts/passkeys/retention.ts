import { sql } from 'kysely';

import { type Pruning, pruning } from '../../platform/db/pruning.ts';

export const PASSKEY_PRUNINGS: readonly Pruning[] = [
  pruning(
    'passkey challenges',
    (rowsAtOnce) => sql`
      delete from passkey_challenges where ctid = any (array(
        select ctid from passkey_challenges where expires_at < app_now() limit ${rowsAtOnce}))`,
  ),
  pruning(
    'passkeys of who left',
    (rowsAtOnce) => sql`
      delete from staff_passkeys where id = any (array(
        select id from staff_passkeys k where not exists (
          select from staff_positions p where p.staff_id = k.staff_id and p.revoked_at is null)
        limit ${rowsAtOnce}))`,
  ),
];
