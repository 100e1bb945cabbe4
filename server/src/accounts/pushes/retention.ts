import { sql } from 'kysely';

import { type Pruning, pruning } from '../../platform/db/pruning.ts';

export const PUSH_PRUNINGS: readonly Pruning[] = [
  pruning(
    'browsers that are told',
    (rowsAtOnce) => sql`
      delete from push_subscriptions where id = any (array(
        select id from push_subscriptions where saved_at < app_now() - interval '400 days' limit ${rowsAtOnce}))`,
  ),
];
