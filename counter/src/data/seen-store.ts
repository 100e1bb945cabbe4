import { keepSeen as keep, type Seeing } from '@aparta/browser/seen.ts';
import { shortName } from '@aparta/domain/short-name';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { SEEN } from '../session/seen.ts';
import { session } from '../session/session.ts';
import type { PurchaseStory } from './purchases.ts';
import { seen } from './seen.ts';

/** A shift: what is seen is other people's. */
const MOST_MS = 12 * 60 * 60_000;

/** An answer as it is kept: of people a short name alone, and nothing in a buyer's words. */
export function onlySeen(answer: unknown, [what]: QueryKey): unknown {
  return what === 'purchase' ? onlySeenOf(answer as PurchaseStory) : answer;
}

function onlySeenOf(story: PurchaseStory): PurchaseStory {
  const { handedOver, claim, refunds } = story;
  const short = (name: string | null) => (name === null ? null : shortName(name));
  return {
    ...story,
    contact: null,
    handedOver: handedOver && { ...handedOver, collector: short(handedOver.collector) },
    claim: claim && { ...claim, notes: '' },
    refunds: refunds.map((refund) => ({ ...refund, payerName: short(refund.payerName) })),
  };
}

const SEEING: Seeing = { ...seen, onlySeen, database: SEEN, mostMs: MOST_MS, most: 40 };

/** Keeps on the device what whoever is signed in sees, until they are so no more. The function that ends it. */
export function keepSeen(queries: QueryClient): () => void {
  const opened = session.current();
  if (!opened) return () => {};
  const { token, position, isShared, expiresAt } = opened;
  // A shared device puts its end off with each touch, and locks itself.
  const isOver = () => !isShared && Date.now() > Date.parse(expiresAt);
  return keep(queries, SEEING, {
    name: `${String(import.meta.env.SEEN_SHAPE)} ${position.positionId}`,
    isStill: () => session.token() === token && !isOver(),
  });
}
