import { isRefused } from '@aparta/browser/api-error.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { ButtonLink } from '@aparta/ui/button.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { PageHead } from '@aparta/ui/page.tsx';
import { SkeletonBlock, Skeleton } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import type { ReactNode } from 'react';
import { paths } from '../app/paths.ts';
import type { Product } from '../data/products.ts';
import { productsCopy } from './copy.ts';

/** A product once it is read; until then, or where it cannot be, what is the matter. */
export function ProductOr({
  query: { error, isFetching, refetch },
  product,
  children,
}: {
  query: { error: unknown; isFetching: boolean; refetch: () => unknown };
  product: Product | undefined;
  children: (product: Product) => ReactNode;
}) {
  if (product) return children(product);
  if (isRefused(error, 'NOT_FOUND', 'INVALID_INPUT'))
    return (
      <div className={text.stack}>
        <PageHead title={productsCopy.title} />
        <Notice tone="danger" title={productsCopy.product.missing} urgent />
        <ButtonLink to={paths.products}>{productsCopy.product.back}</ButtonLink>
      </div>
    );
  if (error)
    return (
      <Failed
        title={productsCopy.failed}
        text={sentenceFor(error)}
        busy={isFetching ? productsCopy.retrying : undefined}
        onRetry={() => void refetch()}
      />
    );
  return (
    <Skeleton label={productsCopy.loading}>
      <SkeletonBlock shape="title" width="half" />
      <SkeletonBlock width="most" />
      <SkeletonBlock shape="sum" />
    </Skeleton>
  );
}
