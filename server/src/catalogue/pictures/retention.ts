import { sql } from 'kysely';
import { type Pruning, pruning } from '../../platform/db/pruning.ts';

export const PICTURE_PRUNINGS: readonly Pruning[] = [
  pruning(
    'pictures of products long off sale',
    (rowsAtOnce) => sql`
      delete from product_pictures where product_id = any (array(
        select i.product_id from product_pictures i join products p on p.id = i.product_id
        where p.withdrawn_at < app_now() - interval '180 days' limit ${rowsAtOnce}))`,
  ),
];
