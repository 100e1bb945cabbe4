import { SkeletonBlock, Skeleton } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { Ticket } from '@aparta/ui/ticket.tsx';
import { cashCopy as copy } from './copy.ts';

/** A reference that is being asked for. */
export function Loading() {
  return (
    <Ticket
      label={copy.ticket}
      thing={
        <Skeleton label={copy.loading}>
          <SkeletonBlock width="third" />
          <SkeletonBlock shape="sum" width="most" />
          <SkeletonBlock width="full" />
          <SkeletonBlock width="full" />
        </Skeleton>
      }
      act={
        <div aria-hidden="true" className={text.stack}>
          <SkeletonBlock shape="control" />
          <SkeletonBlock shape="control" />
          <SkeletonBlock shape="title" width="most" />
        </div>
      }
    />
  );
}
