import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** False in prerendered HTML until React has hydrated it; true from then on. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
