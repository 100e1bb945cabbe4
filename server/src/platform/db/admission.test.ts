import { setTimeout as pause } from 'node:timers/promises';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { admissions, type Admissions, busy, elsewhere, forAll, inBatch, type Rank } from './admission.ts';

/** Work that ends when it is told to. */
function held(served: string[] = [], name = '') {
  const { promise, resolve: end } = Promise.withResolvers<void>();
  return { end, work: () => (served.push(name), promise) };
}

/** Takes every place; ends with what lets go. */
async function fill(server: Admissions, places: number): Promise<() => void> {
  const all = Array.from({ length: places }, () => held());
  for (const { work } of all) void server.admit('act').inPlace(work);
  await pause();
  return () => all.forEach(({ end }) => end());
}

test('payments go before lists, and what has begun before both', async () => {
  const server = admissions(1, 60_000);
  const served: string[] = [];
  const begun = server.admit('read');
  await begun.inPlace(async () => {});
  const letGo = await fill(server, 1);
  const waiting = [
    server.admit('read').inPlace(async () => void served.push('read')),
    server.admit('act').inPlace(async () => void served.push('act')),
    begun.inPlace(async () => void served.push('begun')),
  ];
  expect(server.waiting()).toBe(3);
  letGo();
  await Promise.all(waiting);
  expect(served).toEqual(['begun', 'act', 'read']);
});

test('a payment that waited for too long is told so, and the next one has its place', async () => {
  const server = admissions(1, 40);
  const letGo = await fill(server, 1);
  await expect(server.admit('act').inPlace(async () => {})).rejects.toThrow(busy);
  expect(server.waiting()).toBe(0);
  letGo();
  await pause();
  await server.admit('act').inPlace(async () => {});
});

test('what has begun waits for longer: it is not refused half-way', async () => {
  const server = admissions(1, 5);
  const payment = server.admit('act');
  await payment.inPlace(async () => {});
  const letGo = await fill(server, 1);
  const second = payment.inPlace(async () => 'paid');
  await expect(server.admit('act').inPlace(async () => {})).rejects.toThrow(busy);
  letGo();
  expect(await second).toBe('paid');
});

test('calls that wait for what one of them began keep no place that it needs', async () => {
  const server = admissions(1, 60_000);
  const provider = held();
  let signingIn: Promise<void> | undefined;
  const signIn = () => forAll(() => (signingIn ??= elsewhere(provider.work)));
  const calls = Array.from({ length: 3 }, () => server.admit('act').inPlace(signIn));
  await pause();
  expect(await server.admit('act').inPlace(async () => 'served meanwhile')).toBe('served meanwhile');
  provider.end();
  await Promise.all(calls);
  expect(server.waiting()).toBe(0);
});

test('lists that take long leave a place for money', async () => {
  const server = admissions(4, 60_000);
  const lists = Array.from({ length: 4 }, () => held());
  const reading = lists.map(({ work }) => server.admit('read').inPlace(work));
  for (const payment of ['first', 'second'])
    expect(await server.admit('act').inPlace(async () => payment)).toBe(payment);
  for (const { end } of lists) end();
  await Promise.all(reading);
});

test('lists run beside few payments, and leave processors to those that would fill all places', async () => {
  const server = admissions(4, 60_000);
  const batch = held();
  const pay = () => server.admit('act').inPlace(() => inBatch(batch.work));
  const lists = Array.from({ length: 4 }, () => held());
  const read = ({ work }: { work: () => Promise<unknown> }) => server.admit('read').inPlace(work);
  const [first, second, ...more] = lists as [ReturnType<typeof held>, ReturnType<typeof held>];
  const payments = Array.from({ length: 3 }, pay);
  const reading = [read(first), read(second)];
  await pause();
  expect(server.waiting()).toBe(0);
  payments.push(pay());
  first.end();
  second.end();
  await Promise.all(reading);
  reading.push(...[...more, held()].map(read));
  await pause();
  expect(server.waiting()).toBe(2);
  batch.end();
  await Promise.all(payments);
  expect(server.waiting()).toBe(0);
  for (const { end } of lists) end();
});

test('a burst waits its turn; once all places have been taken for a while, who would wait as long knows at once', async () => {
  const server = admissions(1, 180);
  const slow = held();
  const first = server.admit('act').inPlace(slow.work);
  await pause(300); // a place is held for about 40 ms, as far as it knows
  slow.end();
  await first;
  const [held1, held2] = [held(), held()];
  const one = server.admit('act').inPlace(held1.work);
  const burst = server.admit('act').inPlace(held2.work);
  held1.end();
  await one;
  await pause(110);
  const refused = server.admit('act').inPlace(async () => {});
  expect(server.waiting()).toBe(0);
  await expect(refused).rejects.toThrow(busy);
  held2.end();
  await burst;

  // A moment in which nobody waits begins no other burst; a calm does.
  const [again, afterCalm] = [held(), held()];
  const third = server.admit('act').inPlace(again.work);
  await expect(server.admit('act').inPlace(async () => {})).rejects.toThrow(busy);
  again.end();
  await third;
  await pause(1_010);
  const fourth = server.admit('act').inPlace(afterCalm.work);
  const waits = server.admit('act').inPlace(async () => 'in time');
  await pause();
  afterCalm.end();
  await fourth;
  expect(await waits).toBe('in time');
});

test.each([
  ['reader', 'read', 6], // at 10 ms each
  ['payment, unless few tills come at once,', 'act', 64],
] as const)('no %s joins a line that is longer than they would wait', async (_who, rank, most) => {
  const server = admissions(1, 180);
  const slow = held();
  const first = server.admit('act').inPlace(slow.work);
  const line = Array.from({ length: most + 1 }, () => server.admit(rank).inPlace(async () => {}));
  expect(server.waiting()).toBe(most);
  slow.end();
  await first;
  const ended = await Promise.allSettled(line);
  expect(ended.map(({ status }) => status)).toEqual([
    ...Array.from({ length: most }, () => 'fulfilled'),
    'rejected',
  ]);
});

describe('a call that waits for a provider', () => {
  test('leaves its place to others, and goes on before those who come new', async () => {
    const server = admissions(1, 60_000);
    const served: string[] = [];
    const provider = held();
    const charge = server.admit('act').inPlace(async () => {
      await elsewhere(provider.work);
      served.push('charged');
    });
    const letGo = await fill(server, 1);
    const next = server.admit('act').inPlace(async () => void served.push('next'));
    provider.end();
    await pause();
    letGo();
    await Promise.all([charge, next]);
    expect(served).toEqual(['charged', 'next']);
  });

  test('never takes a place with it, whatever its parts do and in which order they end', async () => {
    const part = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 });
    const call = fc.record({
      rank: fc.constantFrom<Rank>('act', 'read'),
      comesAfter: fc.nat(6),
      parts: fc.array(part, { maxLength: 3 }),
      isLeftAlone: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(call, { maxLength: 8 }),
        fc.integer({ min: 1, max: 3 }),
        async (calls, places) => {
          const server = admissions(places, 60_000);
          const turns = async (count: number) => {
            for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
          };
          const loose: Promise<unknown>[] = [];
          await Promise.all(
            calls.map(async ({ rank, comesAfter, parts, isLeftAlone }) => {
              await turns(comesAfter);
              await server.admit(rank).inPlace(async () => {
                const away = parts.map((waits) => async () => {
                  for (const wait of waits) await elsewhere(() => turns(wait));
                });
                const all = Promise.all(away.map((go) => go()));
                loose.push(all);
                if (!isLeftAlone) await all;
              });
            }),
          );
          await Promise.all(loose);
          await turns(20);
          expect(server.waiting()).toBe(0);
          // Every place is there again, and no more than every one.
          const [ends, served]: [(() => void)[], string[]] = [[], []];
          const last = Array.from({ length: places + 1 }, () => {
            const { end, work } = held(served, 'served');
            ends.push(end);
            return server.admit('act').inPlace(work);
          });
          await turns(5);
          expect(served).toHaveLength(places);
          for (const end of ends) end();
          await Promise.all(last);
        },
      ),
      { numRuns: 300 },
    );
  });
});
