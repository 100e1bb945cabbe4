import { setTimeout as pause } from 'node:timers/promises';
import { type Dice, oneOf } from './dice.ts';
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

/** `longestMs` bounds how long one lasts. */
function blowsOf(longestMs: number): Readonly<Record<string, Blow>> {
  const some = (roll: Dice, leastMs: number, mostMs: number) =>
    leastMs + roll(Math.max(Math.min(mostMs, longestMs) - leastMs, 1));
  // One at a time: with all of them down nobody could be told anything.
  const aServer = ({ servers }: World, roll: Dice) =>
    servers.every(({ hasServed }) => hasServed) ? servers[roll(servers.length)] : undefined;
  let databaseRestsUntil = 0;
  const hitDatabase = (hit: () => Promise<void> | void, restMs: number) => {
    if (Date.now() < databaseRestsUntil) return false;
    databaseRestsUntil = Date.now() + restMs;
    return hit();
  };
  return {
    'database silent'({ database }, roll) {
      const ms = some(roll, 5_000, 40_000);
      const silence = async () => {
        const goOn = database.silence();
        await pause(ms);
        goOn();
      };
      return hitDatabase(silence, 2 * ms);
    },
    'database process killed': ({ database }) => hitDatabase(() => database.crash(), 10_000),
    'database killed': ({ database }) => hitDatabase(() => database.restart(), 10_000),
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
      email.mute();
      await pause(some(roll, 3_000, 20_000));
      email.pass();
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
      providers.mute();
      await pause(some(roll, 1_000, 6_000));
      providers.pass();
    },
    async 'provider’s clock'({ control }, roll) {
      const advanceMs = oneOf(roll, [TEN_MINUTES_MS, -TEN_MINUTES_MS]);
      await control('POST', 'clock', { advanceMs });
      await pause(some(roll, 2_000, 20_000));
      await control('POST', 'clock', { advanceMs: -advanceMs });
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

/** One of them every two seconds until it is over; returns how often each. */
export async function strike(
  world: World,
  {
    roll,
    until,
    longestMs,
    said,
  }: { roll: Dice; until: number; longestMs: number; said: (line: string) => void },
): Promise<Record<string, number>> {
  const blows = Object.entries(blowsOf(longestMs));
  const counts: Record<string, number> = {};
  const underWay = new Set<Promise<void>>();
  while (Date.now() < until) {
    const [name, blow] = oneOf(roll, blows);
    const struck = blow(world, roll);
    if (struck === false) continue;
    said(name);
    counts[name] = (counts[name] ?? 0) + 1;
    const ended: Promise<void> = Promise.resolve(struck)
      .catch((error: unknown) => said(`${name}: ${String(error)}`))
      .then(() => void underWay.delete(ended));
    underWay.add(ended);
    await pause(2_000);
  }
  await Promise.all(underWay);
  return counts;
}
