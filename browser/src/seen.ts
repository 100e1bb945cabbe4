import {
  experimental_createQueryPersister as createPersister,
  type PersistedQuery,
} from '@tanstack/query-persist-client-core';
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import { del, entries, get, promisifyRequest, set, type UseStore } from 'idb-keyval';
import { isUnreachable, sayBroughtBack, type Seen } from './seen-at.ts';

/** As long is an answer awaited before what was seen last is shown. */
const PATIENCE_MS = 4_000;
const QUERIES = 'queries';

/** What an application keeps of what somebody sees. */
export interface Seeing extends Seen {
  /** An answer as it is kept. */
  readonly onlySeen: (answer: unknown, key: QueryKey) => unknown;
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
      sayBroughtBack(query, dataUpdatedAt);
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
