import { SkeletonBlock, Skeleton } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { purchasesCopy as copy } from './copy.ts';

/** A purchase's detail until it is known, and its code here. */
export function Loading() {
  return (
    <Skeleton label={copy.loadingOne}>
      <SkeletonBlock shape="tile" />
      <SkeletonBlock width="most" />
      <div className={text.card}>
        <div className={text.stack}>
          <SkeletonBlock width="half" />
          <SkeletonBlock shape="sum" width="half" />
          <SkeletonBlock shape="control" />
        </div>
      </div>
      <SkeletonBlock shape="segments" />
      <SkeletonBlock width="most" />
      <SkeletonBlock width="half" />
    </Skeleton>
  );
}
