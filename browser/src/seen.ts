import {
  experimental_createQueryPersister as createPersister,
  type PersistedQuery,
} from '@tanstack/query-persist-client-core';
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import { del, entries, get, promisifyRequest, set, type UseStore } from 'idb-keyval';

/** As long is an answer awaited before what was seen last is shown. */
const PATIENCE_MS = 4_000;
const QUERIES = 'queries';

/** What an application keeps of what somebody sees, to be read without network. */
export interface Seeing {
  /** Whether an answer may be kept. */
  readonly maySee: (key: QueryKey) => boolean;
  /** An answer as it is kept. */
  readonly onlySeen: (answer: unknown, key: QueryKey) => unknown;
  /** Whether an error says that the network brought nothing, not even a refusal. */
  readonly isNetwork: (error: unknown) => boolean;
  /** The database of the browser. */
  readonly database: string;
  readonly mostMs: number;
  /** More answers are not kept: what was seen the longest ago goes. */
  readonly most: number;
}

/** Whose it is: what was kept under another `name` is not read, and `isStill` says whether they are the one still. */
export interface Seer {
  readonly name: string;
  readonly isStill: () => boolean;
}

/** What `keepSeen` put into a cache, and of when it is. */
const broughtBack = new WeakMap<object, number>();

/**
 * Keeps on the device what somebody sees, and puts it into their cache where the network fails. Nothing is kept where storage is
 * forbidden or full, nor once somebody signs out in any tab. The function that ends it.
 */
export function keepSeen(queries: QueryClient, seeing: Seeing, { name, isStill }: Seer): () => void {
  const { maySee, onlySeen, database, mostMs, most } = seeing;
  const store = openStore(database);
  const persister = createPersister<PersistedQuery>({
    storage: {
      getItem: (key) => get<PersistedQuery>(key, store),
      setItem: async (key, value) => {
        if (isStill()) await set(key, value, store);
      },
      removeItem: (key) => del(key, store),
      entries: () => entries<string, PersistedQuery>(store),
    },
    // Another build may not read what this one kept.
    buster: name,
    maxAge: mostMs,
    prefix: database,
    serialize: ({ state: { data, dataUpdatedAt }, ...of }) =>
      ({ ...of, state: { data: onlySeen(data, of.queryKey), dataUpdatedAt } }) as PersistedQuery,
    deserialize: (kept) => kept,
  });

  const keep = (query: Query) => void persister.persistQuery(query).catch(() => {});
  const bringBack = (query: Query) => {
    if (query.state.data !== undefined || !isStill()) return;
    const show = ({ state: { data, dataUpdatedAt } }: PersistedQuery) => {
      if (query.state.data !== undefined || !isStill()) return;
      broughtBack.set(query, dataUpdatedAt);
      const { status } = query.state;
      query.setState({ data, dataUpdatedAt, status: status === 'pending' ? 'success' : status });
    };
    void persister.retrieveQuery(query.queryHash, show).catch(() => {});
  };
  const meet = (query: Query) => {
    if (isUnreachable(query, seeing)) bringBack(query);
    else if (query.state.fetchStatus === 'fetching' && query.state.data === undefined)
      setTimeout(() => query.state.fetchStatus === 'fetching' && bringBack(query), PATIENCE_MS);
  };

  const cache = queries.getQueryCache();
  for (const query of cache.findAll({ predicate: ({ queryKey }) => maySee(queryKey) }) as Query[]) {
    if (query.state.data === undefined) meet(query);
    else keep(query);
  }
  void prune(persister, store, most).catch(() => {});
  return cache.subscribe((event) => {
    const query = event.query as Query;
    if (event.type !== 'updated' || !maySee(query.queryKey)) return;
    if (event.action.type === 'success') keep(query);
    else if (event.action.type !== 'setState') meet(query);
  });
}

/** When the oldest of what is on the screen was seen, while the network brings nothing newer; else undefined. */
export function seenAt(
  queries: QueryClient,
  seeing: Pick<Seeing, 'maySee' | 'isNetwork'>,
): number | undefined {
  const moments = queries
    .getQueryCache()
    .findAll({ type: 'active', predicate: (query) => isOld(query, seeing) })
    .map(({ state }) => state.dataUpdatedAt);
  return moments.length === 0 ? undefined : Math.min(...moments);
}

function isOld(query: Query, seeing: Pick<Seeing, 'maySee' | 'isNetwork'>): boolean {
  const { data, dataUpdatedAt } = query.state;
  if (data === undefined || !seeing.maySee(query.queryKey)) return false;
  return broughtBack.get(query) === dataUpdatedAt || isUnreachable(query, seeing);
}

/** Whether the last try brought nothing. */
const isUnreachable = (
  { state: { error, fetchFailureReason } }: Query,
  { isNetwork }: Pick<Seeing, 'isNetwork'>,
) => isNetwork(fetchFailureReason ?? error);

/** It closes as soon as somebody deletes it. */
function openStore(name: string): UseStore {
  const opened = open(name);
  opened.catch(() => {});
  return async (mode, use) => use((await opened).transaction(QUERIES, mode).objectStore(QUERIES));
}

async function open(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name);
  request.onupgradeneeded = () => request.result.createObjectStore(QUERIES);
  const database = await promisifyRequest(request);
  database.onversionchange = () => database.close();
  return database;
}

async function prune(
  persister: { persisterGc(): Promise<void> },
  store: UseStore,
  most: number,
): Promise<void> {
  await persister.persisterGc();
  const kept = await entries<string, PersistedQuery>(store);
  const tooMany = kept
    .toSorted(([, one], [, other]) => other.state.dataUpdatedAt - one.state.dataUpdatedAt)
    .slice(most);
  await Promise.all(tooMany.map(([key]) => del(key, store)));
}
