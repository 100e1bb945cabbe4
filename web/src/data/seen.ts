import { ApiError } from '@aparta/browser/api-error.ts';
import { isNetworkFailure } from '@aparta/browser/network-failure.ts';
import * as kept from '@aparta/browser/seen.ts';
import * as shown from '@aparta/browser/seen-at.ts';
import type { BuyerProfile } from '@aparta/contract/sign-in';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { claimDevice, isStillClaimed } from '../session/claim.ts';
import { SEEN } from '../session/seen.ts';
import { session } from '../session/session.ts';
import { PURCHASES } from './purchases-key.ts';

const DAY_MS = 24 * 60 * 60_000;

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

const SEEING: kept.Seeing = {
  maySee,
  onlySeen,
  // Who only visits is refused everything.
  isNetwork: (error) =>
    isNetworkFailure(error) || (error instanceof ApiError && session.token() === undefined),
  database: SEEN,
  mostMs: 30 * DAY_MS,
  most: 60,
};

/** Keeps on the device what a buyer sees, unless it is another's. The function that ends it. */
export function keepSeen(queries: QueryClient, buyer: BuyerProfile): () => void {
  const since = claimDevice(buyer);
  if (since === undefined) return () => {};
  return kept.keepSeen(queries, SEEING, {
    name: `${String(import.meta.env.SEEN_SHAPE)} ${since}`,
    isStill: () => isStillClaimed(since),
  });
}

/** When the oldest of what is on the screen was seen, while the network brings nothing newer; else undefined. */
export const seenAt = (queries: QueryClient) => shown.seenAt(queries, SEEING);
