import { sql } from 'kysely';
import { type Pruning, pruning } from '../../platform/db/pruning.ts';

export const STAFF_PRUNINGS: readonly Pruning[] = [
  pruning(
    'staff sessions',
    (rowsAtOnce) => sql`
      delete from staff_sessions where ctid = any (array(
        select ctid from staff_sessions where expires_at < app_now() limit ${rowsAtOnce}))`,
  ),
  pruning(
    'staff invitations',
    (rowsAtOnce) => sql`
      delete from staff_invitations where ctid = any (array(
        select ctid from staff_invitations where expires_at < app_now() - interval '7 days' limit ${rowsAtOnce}))`,
  ),
];
