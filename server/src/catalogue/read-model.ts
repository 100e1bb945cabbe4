import { type RawBuilder, sql } from 'kysely';

/** What names a product's picture, by a column that has the product's id; null without one. */
export const pictureOf = (productId: string): RawBuilder<string | null> =>
  sql<string | null>`(select content from product_pictures where product_id = ${sql.ref(productId)})`;
