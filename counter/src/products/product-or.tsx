import { isRefused } from '@aparta/browser/api-error.ts';
import { ButtonLink } from '@aparta/ui/button.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { PageHead } from '@aparta/ui/page.tsx';
import { SkeletonBlock } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import type { ReactNode } from 'react';
import { Arrival } from '../app/arrival.tsx';
import { paths } from '../app/paths.ts';
import type { Product } from '../data/products.ts';
import { NotYet } from '../lists/not-yet.tsx';
import { productsCopy } from './copy.ts';

/** A product once it is read; until then, or where it cannot be, what is the matter. */
export function ProductOr({
  query,
  product,
  title,
  children,
}: {
  query: { error: unknown; isFetching: boolean; refetch: () => unknown };
  product: Product | undefined;
  /** Of the screen; the product's name, if nothing is said. */
  title?: string;
  children: (product: Product) => ReactNode;
}) {
  if (product)
    return (
      <>
        <Arrival title={title ?? product.name} />
        {children(product)}
      </>
    );
  if (isRefused(query.error, 'NOT_FOUND', 'INVALID_INPUT'))
    return (
      <div className={text.stack}>
        <Arrival title={title ?? productsCopy.title} />
        <PageHead title={productsCopy.title} />
        <Notice tone="danger" title={productsCopy.product.missing} urgent />
        <ButtonLink to={paths.products}>{productsCopy.product.back}</ButtonLink>
      </div>
    );
  return (
    <NotYet of={query} failed={productsCopy.failed} loading={productsCopy.loading}>
      <SkeletonBlock shape="title" width="half" />
      <SkeletonBlock width="most" />
      <SkeletonBlock shape="sum" />
    </NotYet>
  );
}
