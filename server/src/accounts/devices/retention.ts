import { sql } from 'kysely';

import { type Pruning, pruning } from '../../platform/db/pruning.ts';

export const DEVICE_PRUNINGS: readonly Pruning[] = [
  pruning(
    'device enrolments',
    (rowsAtOnce) => sql`
      delete from device_enrolments where ctid = any (array(
        select ctid from device_enrolments where expires_at < app_now() limit ${rowsAtOnce}))`,
  ),
];
