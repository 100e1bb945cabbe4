import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** False in HTML that was rendered at build and until scripts have taken it over; true ever after. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
