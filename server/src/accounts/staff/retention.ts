import { sql } from 'kysely';
import { type Pruning, pruning } from '../../platform/db/pruning.ts';

export const STAFF_PRUNINGS: readonly Pruning[] = [
  pruning(
    'staff sessions',
    (rowsAtOnce) => sql`
      delete from staff_sessions where ctid = any (array(
        select ctid from staff_sessions where expires_at < app_now() limit ${rowsAtOnce}))`,
  ),
  // Their name and address stay with what they did.
  pruning(
    'PINs of who left',
    (rowsAtOnce) => sql`
      delete from staff_pins where staff_id = any (array(
        select staff_id from staff_pins n where not exists (
          select from staff_positions p where p.staff_id = n.staff_id and p.revoked_at is null)
        limit ${rowsAtOnce}))`,
  ),
  pruning(
    'staff reset codes',
    (rowsAtOnce) => sql`
      delete from staff_password_resets where ctid = any (array(
        select ctid from staff_password_resets where expires_at < app_now() limit ${rowsAtOnce}))`,
  ),
  pruning(
    'staff invitations',
    (rowsAtOnce) => sql`
      delete from staff_invitations where ctid = any (array(
        select ctid from staff_invitations where expires_at < app_now() - interval '7 days' limit ${rowsAtOnce}))`,
  ),
];
