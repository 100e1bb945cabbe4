import { sql } from 'kysely';
import { type Pruning, pruning } from '../../platform/db/pruning.ts';

export const WEBHOOK_PRUNINGS: readonly Pruning[] = [
  pruning(
    'webhook deliveries',
    (rowsAtOnce) => sql`
      delete from webhook_deliveries where ctid = any (array(
        select ctid from webhook_deliveries where due_at is null and created_at < app_now() - interval '30 days' limit ${rowsAtOnce}))`,
  ),
];
