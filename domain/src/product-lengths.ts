/** The least and most characters of what is said of a product: in a file, at the counter, by the operator. */
export const PRODUCT_LENGTHS = {
  sku: [0, 60],
  name: [1, 120],
  description: [0, 1000],
  invoicingProductUuid: [0, 100],
} as const;
