import { sql } from 'kysely';
import { type Pruning, pruning } from '../../platform/db/pruning.ts';

export const SERVICE_ACCOUNT_PRUNINGS: readonly Pruning[] = [
  pruning(
    'service account sessions',
    (rowsAtOnce) => sql`
      delete from service_account_sessions where ctid = any (array(
        select ctid from service_account_sessions where expires_at < app_now() - interval '7 days' limit ${rowsAtOnce}))`,
  ),
];
