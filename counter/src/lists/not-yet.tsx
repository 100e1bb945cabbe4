import { sentenceFor } from '@aparta/browser/copy.ts';
import { Failed } from '@aparta/ui/failed.tsx';
import { Skeleton, SkeletonBlock } from '@aparta/ui/skeleton.tsx';
import type { ReactNode } from 'react';
import { listsCopy } from './copy.ts';

/** What is not read yet, by the shape that it will have (rows, if nothing is said), or why it could not be and another try. */
export function NotYet({
  of: { error, isFetching, refetch },
  failed,
  loading,
  children,
}: {
  of: { readonly error: unknown; readonly isFetching: boolean; readonly refetch: () => unknown };
  failed: string;
  loading: string;
  children?: ReactNode;
}) {
  return error ? (
    <Failed
      title={failed}
      text={sentenceFor(error)}
      busy={isFetching ? listsCopy.loading : undefined}
      onRetry={() => void refetch()}
    />
  ) : (
    <Skeleton label={loading}>
      {children ?? (
        <>
          <SkeletonBlock shape="control" />
          <SkeletonBlock shape="control" />
        </>
      )}
    </Skeleton>
  );
}
