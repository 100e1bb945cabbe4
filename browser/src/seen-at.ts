import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';

/** Which answers are kept to be read without network, and when they are brought back (`seen.ts`). */
export interface Seen {
  /** Whether an answer may be kept. */
  readonly maySee: (key: QueryKey) => boolean;
  /** Whether an error says that the network brought nothing, not even a refusal. */
  readonly isNetwork: (error: unknown) => boolean;
}

/** What was put into a cache, and of when it is. */
const broughtBack = new WeakMap<object, number>();

/** Notes that a query shows what was kept. */
export function sayBroughtBack(query: object, at: number): void {
  broughtBack.set(query, at);
}

/** When the oldest of what is on the screen was seen, while the network brings nothing newer; else undefined. */
export function seenAt(queries: QueryClient, seen: Seen): number | undefined {
  return oldestShown(queries, (query) => isOld(query, seen));
}

/** When the oldest of what is on the screen was read, of what `counts`; undefined where there is none. */
export function oldestShown(queries: QueryClient, counts: (query: Query) => boolean): number | undefined {
  const moments = queries
    .getQueryCache()
    .findAll({ type: 'active', predicate: counts })
    .map(({ state }) => state.dataUpdatedAt);
  return moments.length === 0 ? undefined : Math.min(...moments);
}

function isOld(query: Query, seen: Seen): boolean {
  const { data, dataUpdatedAt } = query.state;
  if (data === undefined || !seen.maySee(query.queryKey)) return false;
  return broughtBack.get(query) === dataUpdatedAt || isUnreachable(query, seen);
}

/** Whether the last try brought nothing. */
export function isUnreachable({ state: { error, fetchFailureReason } }: Query, { isNetwork }: Seen): boolean {
  return isNetwork(fetchFailureReason ?? error);
}
