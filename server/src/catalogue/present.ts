import type { ProductPictures } from '@aparta/contract/pictures';

/** Where a picture is, by its product and what names it; `pictureNamed` reads the names. */
export function presentPictures(productId: number, picture: string | null): ProductPictures {
  if (picture === null) return null;
  const address = (size: 'small' | 'large') => `/pictures/${productId}-${picture}-${size}.webp`;
  return { small: address('small'), large: address('large') };
}
