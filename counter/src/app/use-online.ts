import { useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { seenAt } from '../data/seen.ts';
import { network } from '../session/network.ts';

/** Whether there is a network, as far as the device and the document know. */
export function useNetwork(): boolean {
  return useSyncExternalStore(network.subscribe, network.isThere);
}

/** Whether there is a network, and what is on the screen came by it: else nothing is pressed. */
export function useOnline(): boolean {
  const isThere = useNetwork();
  const queries = useQueryClient();
  const at = useSyncExternalStore(
    (hear) => queries.getQueryCache().subscribe(hear),
    () => seenAt(queries),
  );
  return isThere && at === undefined;
}
