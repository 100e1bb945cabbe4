import { randomUUID } from 'node:crypto';
import type { Db } from '@aparta/server/platform/db/db';
import { together } from '@aparta/server/platform/db/together';
import { transaction } from '@aparta/server/platform/db/transaction';
import { newReferenceIds } from '@aparta/server/purchases/references/reference-ids';
import { reserve } from '@aparta/server/purchases/layaways/reserve';
import { lockReference } from '@aparta/server/purchases/layaways/store';
import { zero } from '@aparta/domain/money';
import { type Apply, benchAgainstRaw, callTill, type Given } from './against-raw.ts';
import { FIRST_MADE } from './raw-transaction.ts';
import { openReferences } from './shop.ts';

/** Prints how many deposits are applied per second, by a till's call and by the reserving transaction alone. */
export async function benchDeposits(log: (line: string) => void, given?: Given): Promise<void> {
  await benchAgainstRaw(
    {
      name: 'Deposits',
      ways: [
        { name: 'till call', apply: payDeposit },
        { name: 'reserve alone', apply: reserveAlone },
      ],
      chooseIds: drawIds,
      make: openReferences,
      count: 'select count(*) from purchases',
    },
    log,
    given,
  );
}

/** As the product draws them, since it goes on drawing; above what pgbench counts, which are the lowest. */
export async function drawIds(db: Db, count: number): Promise<number[]> {
  const drawn = await transaction(db, (tx) => newReferenceIds(tx, 2 * count));
  return drawn.filter((id) => id > 1.1 * FIRST_MADE).slice(0, count);
}

const payDeposit: Apply = async (counter, id, slot) =>
  callTill(counter, '/PosOperations/OnLayaway', { reference: `1${id}`, pesos: 600, slot });

const reserveAlone: Apply = async ({ db }, id) => {
  await together(db, { keys: [`reference ${id}`] }, async (tx) => {
    const reference = await lockReference(tx, id);
    if (reference === undefined) throw new Error(`no reference ${id}`);
    return reserve(tx, reference, {
      channel: 'till',
      sourceId: randomUUID(),
      feeCentavos: zero,
      unit: { take: undefined },
    });
  });
};
