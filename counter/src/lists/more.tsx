import { Button } from '@aparta/ui/button.tsx';
import { listsCopy as copy } from './copy.ts';

/** Asks for the next page of a list, where there is one. */
export function More({
  of,
}: {
  of: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
}) {
  return (
    of.hasNextPage && (
      <Button
        wide
        busy={of.isFetchingNextPage ? copy.loading : undefined}
        onClick={() => void of.fetchNextPage()}
      >
        {copy.more}
      </Button>
    )
  );
}
