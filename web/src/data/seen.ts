import {
  experimental_createQueryPersister as createPersister,
  type PersistedQuery,
} from '@tanstack/query-persist-client-core';
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import { del, entries, get, promisifyRequest, set, type UseStore } from 'idb-keyval';
import { ApiError } from '@aparta/browser/api-error.ts';
import { isNetworkFailure } from '@aparta/browser/network-failure.ts';
import type { BuyerProfile } from '@aparta/contract/sign-in';
import { claimDevice, isStillClaimed } from '../session/claim.ts';
import { SEEN } from '../session/seen.ts';
import { session } from '../session/session.ts';
import { PURCHASES } from './purchases-key.ts';

const DAY_MS = 24 * 60 * 60_000;
const MOST_DAYS = 30;
/** More answers are not kept: what was seen the longest ago goes. */
const MOST = 60;
/** As long is an answer awaited before what was seen last is shown. */
const PATIENCE_MS = 4_000;
const QUERIES = 'queries';

/** What a buyer looks at: purchases with what belongs to them. Never what something costs now; of a payment that is open only that it is. */
const OF_PURCHASES: readonly unknown[] = ['owed', 'list', 'one', 'pickup', 'receipt', 'refunds'];

/** Whether an answer may be kept to be seen without internet. */
export function maySee([what, which]: QueryKey): boolean {
  return what === PURCHASES[0] && OF_PURCHASES.includes(which);
}

/** What answers carry beside what a screen shows: how to reach the buyer, what names them elsewhere, and what paying costs now. */
const UNSEEN = new Set(
  ['email', 'telefono', 'ssoId', 'SSOId', 'SSOIdBuyerCancel', 'SSOIdBussineeCancel'].concat([
    'fGebusinessuuid',
    'fGeproductuuid',
    'cardFee',
    'cashFee',
  ]),
);

/** An answer as it is kept. */
export function onlySeen(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(onlySeen);
  if (typeof answer !== 'object' || answer === null || answer instanceof Date) return answer;
  const seen = Object.entries(answer).filter(([name]) => !UNSEEN.has(name));
  return Object.fromEntries(seen.map(([name, value]) => [name, onlySeen(value)]));
}

/** What `keepSeen` put into a cache, and of when it is. */
const broughtBack = new WeakMap<object, number>();

/**
 * Keeps on the device what a buyer sees, and puts it into their cache where the network fails. Nothing is kept where storage is
 * forbidden or full, nor once somebody signs out in any tab. The function that ends it.
 */
export function keepSeen(queries: QueryClient, buyer: BuyerProfile): () => void {
  const since = claimDevice(buyer);
  if (since === undefined) return () => {};
  const store = openStore();
  const persister = createPersister<PersistedQuery>({
    storage: {
      getItem: (key) => get<PersistedQuery>(key, store),
      setItem: async (key, value) => {
        if (isStillClaimed(since)) await set(key, value, store);
      },
      removeItem: (key) => del(key, store),
      entries: () => entries<string, PersistedQuery>(store),
    },
    // Another build may not read what this one kept.
    buster: `${String(import.meta.env.SEEN_SHAPE)} ${since}`,
    maxAge: MOST_DAYS * DAY_MS,
    prefix: SEEN,
    serialize: ({ state: { data, dataUpdatedAt }, ...of }) =>
      ({ ...of, state: { data: onlySeen(data), dataUpdatedAt } }) as PersistedQuery,
    deserialize: (kept) => kept,
  });

  const keep = (query: Query) => void persister.persistQuery(query).catch(() => {});
  const bringBack = (query: Query) => {
    if (query.state.data !== undefined || !isStillClaimed(since)) return;
    const show = ({ state: { data, dataUpdatedAt } }: PersistedQuery) => {
      if (query.state.data !== undefined || !isStillClaimed(since)) return;
      broughtBack.set(query, dataUpdatedAt);
      const { status } = query.state;
      query.setState({ data, dataUpdatedAt, status: status === 'pending' ? 'success' : status });
    };
    void persister.retrieveQuery(query.queryHash, show).catch(() => {});
  };
  const meet = (query: Query) => {
    if (isUnreachable(query)) bringBack(query);
    else if (query.state.fetchStatus === 'fetching' && query.state.data === undefined)
      setTimeout(() => query.state.fetchStatus === 'fetching' && bringBack(query), PATIENCE_MS);
  };

  const cache = queries.getQueryCache();
  for (const query of cache.findAll({ predicate: ({ queryKey }) => maySee(queryKey) }) as Query[]) {
    if (query.state.data === undefined) meet(query);
    else keep(query);
  }
  void prune(persister, store).catch(() => {});
  return cache.subscribe((event) => {
    const query = event.query as Query;
    if (event.type !== 'updated' || !maySee(query.queryKey)) return;
    if (event.action.type === 'success') keep(query);
    else if (event.action.type !== 'setState') meet(query);
  });
}

/** When the oldest of what is on the screen was seen, while the network brings nothing newer; else undefined. */
export function seenAt(queries: QueryClient): number | undefined {
  const moments = queries
    .getQueryCache()
    .findAll({ type: 'active', predicate: isOld })
    .map(({ state }) => state.dataUpdatedAt);
  return moments.length === 0 ? undefined : Math.min(...moments);
}

function isOld(query: Query): boolean {
  const { data, dataUpdatedAt } = query.state;
  if (data === undefined || !maySee(query.queryKey)) return false;
  return broughtBack.get(query) === dataUpdatedAt || isUnreachable(query);
}

/** Whether the last try brought nothing, not even a refusal; who only visits is refused everything. */
function isUnreachable({ state: { error, fetchFailureReason } }: Query): boolean {
  const failed: unknown = fetchFailureReason ?? error;
  return isNetworkFailure(failed) || (failed instanceof ApiError && session.token() === undefined);
}

/** It closes as soon as `forgetSeen` wants all of it gone. */
function openStore(): UseStore {
  const opened = open();
  opened.catch(() => {});
  return async (mode, use) => use((await opened).transaction(QUERIES, mode).objectStore(QUERIES));
}

async function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(SEEN);
  request.onupgradeneeded = () => request.result.createObjectStore(QUERIES);
  const database = await promisifyRequest(request);
  database.onversionchange = () => database.close();
  return database;
}

async function prune(persister: { persisterGc(): Promise<void> }, store: UseStore): Promise<void> {
  await persister.persisterGc();
  const kept = await entries<string, PersistedQuery>(store);
  const tooMany = kept
    .toSorted(([, one], [, other]) => other.state.dataUpdatedAt - one.state.dataUpdatedAt)
    .slice(MOST);
  await Promise.all(tooMany.map(([key]) => del(key, store)));
}
