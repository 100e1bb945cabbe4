import { setTimeout as pause } from 'node:timers/promises';
import { type Dice, oneOf } from '@aparta/server/test/dice';
import type { Relay } from '@aparta/server/test/relay';
import type { World } from './world.ts';

/** What is done to the product, at once or for a while; false when it would hit what is down already. */
type Blow = (world: World, roll: Dice) => Promise<void> | void | false;

const FAULTS = [
  { kind: 'slowWork', delayMs: 1_000 },
  { kind: 'slowReply', delayMs: 2_500 },
  { kind: 'malformed' },
  { kind: 'lost' },
  { kind: 'unreachable' },
  { kind: 'status', status: 503 },
] as const;
const CALLS = [
  'createPayment',
  'getPayment',
  'listPayments',
  'createRefund',
  'getRefund',
  'createReference',
  'findOperation',
] as const;
const TEN_MINUTES_MS = 10 * 60_000;

/** Takes what comes and loses it, for a while; what is waiting then is told. */
async function silence(relay: Relay, ms: number): Promise<void> {
  relay.setSilent(true);
  await pause(ms);
  relay.setSilent(false);
  relay.cut();
}

/** `longestMs` bounds how long one lasts. */
function blowsOf(longestMs: number): Readonly<Record<string, Blow>> {
  const some = (roll: Dice, leastMs: number, mostMs: number) =>
    leastMs + roll(Math.max(Math.min(mostMs, longestMs) - leastMs, 1));
  // One at a time: with all of them down nobody could be told anything.
  const aServer = ({ servers }: World, roll: Dice) =>
    servers.every(({ hasServed }) => hasServed) ? servers[roll(servers.length)] : undefined;
  let isClockMoved = false;
  let databaseRestsUntil = 0;
  const hitDatabase = (hit: () => Promise<void> | void, ms: number) => {
    if (Date.now() < databaseRestsUntil) return false;
    databaseRestsUntil = Infinity;
    return Promise.resolve(hit()).finally(() => (databaseRestsUntil = Date.now() + ms));
  };
  const restMs = longestMs / 4;
  return {
    'database silent'({ database }, roll) {
      const ms = some(roll, 5_000, 40_000);
      const stop = async () => {
        const goOn = database.silence();
        await pause(ms);
        goOn();
      };
      return hitDatabase(stop, restMs);
    },
    'database process killed': ({ database }) => hitDatabase(() => database.crash(), restMs),
    'database killed': ({ database }) => hitDatabase(() => database.restart(), restMs),
    'server killed': (world, roll) => {
      const server = aServer(world, roll);
      return server === undefined ? false : server.kill();
    },
    'disk full'(world, roll) {
      const server = aServer(world, roll);
      if (server === undefined) return false;
      server.diskIsFull = !server.diskIsFull;
      return server.kill();
    },
    async 'email hangs'({ email }, roll) {
      await silence(email, some(roll, 3_000, 20_000));
    },
    async 'provider fails'({ control }, roll) {
      for (let faults = 1 + roll(3); faults > 0; faults -= 1)
        await control('POST', 'faults', {
          ...oneOf(roll, FAULTS),
          call: oneOf(roll, CALLS),
          times: 1 + roll(3),
        });
    },
    async 'provider silent'({ providers }, roll) {
      await silence(providers, some(roll, 1_000, 6_000));
    },
    'provider’s clock'({ control }, roll) {
      if (isClockMoved) return false; // two moves would add up
      isClockMoved = true;
      const advanceMs = oneOf(roll, [TEN_MINUTES_MS, -TEN_MINUTES_MS]);
      const move = async () => {
        await control('POST', 'clock', { advanceMs });
        await pause(some(roll, 2_000, 20_000));
        await control('POST', 'clock', { advanceMs: -advanceMs });
      };
      return move().finally(() => (isClockMoved = false));
    },
    'connections cut'({ providers, email, database }) {
      providers.cut();
      email.cut();
      return hitDatabase(() => database.cut(), 0);
    },
    async 'notices lost'({ control }, roll) {
      await control(
        'POST',
        'webhooks',
        oneOf<object>(roll, [{ drop: true }, { copies: 3 }, { delayMs: 1_500 }]),
      );
      await pause(some(roll, 2_000, 10_000));
      await control('POST', 'webhooks', {});
    },
  };
}

interface Beating {
  readonly roll: Dice;
  readonly until: number;
  readonly everyMs: number;
  readonly longestMs: number;
  readonly said: (line: string) => void;
}

/** One at a time until it is over, each once before any comes again if it can; returns how often each. */
export async function strike(
  world: World,
  { roll, until, everyMs, longestMs, said }: Beating,
): Promise<Record<string, number>> {
  const blows = Object.entries(blowsOf(longestMs));
  let hand = [...blows];
  const counts: Record<string, number> = {};
  const underWay = new Set<Promise<void>>();
  /** Strikes with one of these, unless all of them would hit what is down. */
  const strikeWith = (some: typeof blows) => {
    const left = [...some];
    while (left.length > 0) {
      const [card] = left.splice(roll(left.length), 1) as typeof blows;
      const struck = card?.[1](world, roll);
      if (card !== undefined && struck !== false) return { card, struck };
    }
    return undefined;
  };
  while (Date.now() < until) {
    // While those that are left must wait, the others come again.
    const dealt = strikeWith(hand) ?? strikeWith(blows);
    if (dealt === undefined) {
      await pause(50);
      continue;
    }
    const { card, struck } = dealt;
    const [name] = card;
    hand = hand.filter((one) => one !== card);
    if (hand.length === 0) hand = [...blows];
    said(name);
    counts[name] = (counts[name] ?? 0) + 1;
    const ended: Promise<void> = Promise.resolve(struck)
      .catch((error: unknown) => said(`${name}: ${String(error)}`))
      .then(() => void underWay.delete(ended));
    underWay.add(ended);
    await pause(everyMs);
  }
  await Promise.all(underWay);
  return counts;
}
