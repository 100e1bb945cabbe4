import * as v from 'valibot';

/** Where a product's picture is, on a list and on a page; null where it has none. They may be kept for ever. */
export const productPictures = v.nullable(v.object({ small: v.string(), large: v.string() }));
export type ProductPictures = v.InferOutput<typeof productPictures>;
