import { sql } from 'kysely';
import { type Pruning, pruning } from './db/pruning.ts';

export const PLATFORM_PRUNINGS: readonly Pruning[] = [
  pruning(
    'rate counters',
    (rowsAtOnce) => sql`
      delete from rate_counters where ctid = any (array(
        select ctid from rate_counters where expire < extract(epoch from app_now()) * 1000 limit ${rowsAtOnce}))`,
  ),
  {
    what: 'resolved alerts',
    // The application's role may delete no alert itself.
    async prune(db, rowsAtOnce) {
      const { rows } = await sql<{ gone: number }>`select prune_alerts(${rowsAtOnce}) as gone`.execute(db);
      return rows[0]?.gone ?? 0;
    },
  },
];
