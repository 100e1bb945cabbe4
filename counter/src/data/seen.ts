import { isNetworkFailure } from '@aparta/browser/network-failure.ts';
import { oldestShown, seenAt as seenAtOf, type Seen } from '@aparta/browser/seen-at.ts';
import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** What whoever stands at a counter is asked about: what a code is of, a purchase, what is kept and to be handed over, the day's figures. */
const KINDS: readonly unknown[] = ['owed', 'purchase', 'purchases', 'shelf', 'today'];

/** Whether an answer may be kept to be read without network; what was searched for may be somebody's whole name. */
export function maySee([what, , search = '']: QueryKey): boolean {
  return KINDS.includes(what) && search === '';
}

export const seen: Seen = { maySee, isNetwork: isNetworkFailure };

/** When the oldest of what is on the screen was seen, while the network brings nothing newer; else undefined. */
export const seenAt = (queries: QueryClient) => seenAtOf(queries, seen);

/** The same of all that is on the screen, for a device that says itself that it has no network. */
export const shownAt = (queries: QueryClient) =>
  oldestShown(queries, ({ queryKey, state }) => maySee(queryKey) && state.data !== undefined);

/** Asks again for what is on the screen; never for a code, of which a wrong one counts. */
export const askAgain = (queries: QueryClient) =>
  queries.refetchQueries({ type: 'active', predicate: ({ queryKey }) => maySee(queryKey) });
