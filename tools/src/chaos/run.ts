import { dice } from '@aparta/server/test/dice';
import { strike } from './blows.ts';
import { live, type Seen } from './load.ts';
import { judge, settle } from './verdict.read-model.ts';
import { openWorld } from './world.ts';

interface Chaos {
  /** Sentences; none when all is well. */
  readonly problems: string[];
  readonly figures: Readonly<Record<string, number | string>>;
}

/**
 * Buyers, tills and stores use the product for `ms` while something is done to it every two seconds: database, servers, disk,
 * mail, provider, connections. Then everything may end, and what everybody was told is compared with what is true. The same
 * seed makes the same choices; when they meet is the machine's affair.
 */
export async function runChaos(given: {
  seed: number;
  ms: number;
  buyers?: number;
  servers?: number;
  /** How long from one blow to the next. */
  everyMs?: number;
  /** How long the database or a provider is silent at most. */
  longestMs?: number;
  said?: (line: string) => void;
}): Promise<Chaos> {
  const { seed, ms, buyers = 8, servers = 2, everyMs = 2_000, longestMs = 40_000, said = () => {} } = given;
  const world = await openWorld({ servers });
  try {
    const until = Date.now() + ms;
    const [seen, blows] = await Promise.all([
      live(world, { seed, ms, buyers }),
      strike(world, { roll: dice(seed), until, everyMs, longestMs, said }),
    ]);
    said('settling');
    const settled = await settle(world, ms);
    const problems = [...settled.problems, ...(await judge(world, seen))];
    return { problems, figures: figuresOf(seen, blows, settled.ms) };
  } finally {
    await world.close();
  }
}

function figuresOf(seen: Seen, blows: Record<string, number>, settledMs: number): Chaos['figures'] {
  const sorted = seen.tookMs.toSorted((one, other) => one - other);
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
  const paid = (kind: string, said: string) =>
    new Set(seen.heard.filter((one) => one.kind === kind && one.said === said).map(({ id }) => id)).size;
  const [byCard, atTills, back] = [paid('card', 'applied'), paid('till', '0'), paid('reversal', '0')];
  return {
    blows: Object.entries(blows)
      .map(([name, count]) => `${count} × ${name}`)
      .join(', '),
    answers: Object.entries(seen.answers)
      .toSorted(([, one], [, other]) => other - one)
      .map(([name, count]) => `${count} × ${name}`)
      .join(', '),
    'told paid': byCard + atTills,
    'by card': byCard,
    'at a till': atTills,
    'taken back at a till': back,
    'slips of stores': seen.slips.length,
    'median ms': at(0.5),
    'p99 ms': at(0.99),
    'longest ms': at(1),
    'settled after ms': settledMs,
  };
}
