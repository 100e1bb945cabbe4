import { type RawBuilder, sql } from 'kysely';

/**
 * Whether stores still take a cash reference, by its `valid` in a statement. Not whether that contains the moment: one that was asked
 * for since the transaction began is live too.
 */
export const isLive = (valid: string): RawBuilder<boolean> =>
  sql<boolean>`upper(${sql.ref(valid)}) > app_now()`;
