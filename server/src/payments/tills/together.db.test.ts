import { randomUUID } from 'node:crypto';
import { centavos } from '@aparta/domain/money';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import {
  makeBuyer,
  makeMerchant,
  makeProduct,
  makeReference,
  makeServiceAccount,
} from '../../../test/make.ts';
import { proveBooks } from '../../ledger/books/proofs.read-model.ts';
import { type Db, openDb } from '../../platform/db/db.ts';
import { createLimiter } from '../../platform/limiter.ts';
import { createLog } from '../../platform/logging.ts';
import { takeDeposit } from './take-deposit.ts';
import { takePayment } from './take-payment.ts';

const CALLS = 24;
/** They go before what is counted: with connections to open, a batch may last so long that the others go on without it. */
const FIRST = 2;
const CHAIN = 'NORTE';

let database: TestDatabase;
let db: Db;
let offer: { merchantId: number; productId: number };
let commits = 0;
beforeAll(async () => {
  database = await createTestDatabase();
  const onStatement = ({ text }: { text: string }) => void (commits += text === 'commit' ? 1 : 0);
  db = openDb({ url: database.url, role: 'none', max: 4, onStatement });
  const merchantId = await makeMerchant(db);
  offer = { merchantId, productId: await makeProduct(db, { merchantId }) };
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

/** The printed numbers of so many fresh references, each of another buyer. */
async function references(count: number): Promise<string[]> {
  const ids = [];
  for (let n = 0; n < count; n += 1)
    ids.push(await makeReference(db, { buyerId: (await makeBuyer(db)).id, ...offer }));
  const printed = await db
    .selectFrom('payment_references')
    .select('reference')
    .where('id', 'in', ids)
    .execute();
  return printed.map(({ reference }) => reference);
}

async function openTill(perBranchCentavos = 100_000_000, perAccountCentavos = 100_000_000) {
  const { id: serviceAccountId } = await makeServiceAccount(db, { kind: 'till', chain: CHAIN });
  const tillCaps = {
    perBranchCentavos: centavos(perBranchCentavos),
    perAccountCentavos: centavos(perAccountCentavos),
    unknownPerHour: 10,
  };
  return (
    take: typeof takeDeposit,
    reference: string,
    pesos: number,
    branch = '1',
    transactionId = randomUUID(),
  ) =>
    take(
      { db, limiter: createLimiter(db), tillCaps },
      { serviceAccountId, chain: CHAIN, merchantIds: [offer.merchantId] },
      { reference, amountCentavos: centavos(100 * pesos), chain: CHAIN, branch, transactionId },
      createLog('silent'),
    );
}
const errorsOf = (answers: { error: number }[]) =>
  answers.map(({ error }) => error).toSorted((a, b) => a - b);
const receipts = async () => (await db.selectFrom('receipts').select('id').execute()).length;

test('deposits, then instalments, that come at once are booked together: a receipt each, in fewer transactions', async () => {
  const numbers = await references(FIRST + CALLS);
  const ask = await openTill();
  const deposit = (number: string, n: number) => ask(takeDeposit, number, 600, String(n % 3));
  await Promise.all(numbers.splice(0, FIRST).map(deposit));
  commits = 0;
  const deposits = await Promise.all(numbers.map(deposit));
  expect(errorsOf(deposits)).toEqual(Array(CALLS).fill(0));
  expect(new Set(deposits.map(({ authorisation }) => authorisation)).size).toBe(CALLS);
  expect(commits).toBeLessThan(CALLS / 3);

  const seconds = await db
    .selectFrom('payment_references')
    .select('reference')
    .where('kind', '=', 'instalment')
    .where('prefix', '=', '2')
    .execute();
  const pay = ({ reference }: { reference: string }) => ask(takePayment, reference, 1_200);
  await Promise.all(seconds.splice(0, FIRST).map(pay));
  commits = 0;
  const paid = await Promise.all(seconds.map(pay));
  expect(paid.map(({ message }) => message)).toEqual(Array(CALLS).fill('Pago 2. Saldo $1,200.00.'));
  expect(commits).toBeLessThan(CALLS / 4);
  expect(await receipts()).toBe(2 * (FIRST + CALLS));
});

test('a cap of the day counts the calls that are decided together', async () => {
  for (const [ofBranch, ofAccount] of [
    [120_000, 100_000_000],
    [100_000_000, 120_000],
  ]) {
    const ask = await openTill(ofBranch, ofAccount);
    const answers = await Promise.all((await references(6)).map((number) => ask(takeDeposit, number, 600)));
    expect(errorsOf(answers)).toEqual([0, 0, 14, 14, 14, 14]);
  }
});

test('the same call twice among others is one receipt and one answer, and refusals are among them', async () => {
  const ask = await openTill();
  const [first = '', second = ''] = await references(2);
  const before = await receipts();
  const transactionId = randomUUID();
  const [one, again, twin, wrong, unknown] = await Promise.all([
    ask(takeDeposit, first, 600, '1', transactionId),
    ask(takeDeposit, first, 600, '1', transactionId),
    ask(takeDeposit, first, 600),
    ask(takeDeposit, second, 599),
    ask(takeDeposit, '12345', 600),
  ]);
  expect(one.error).toBe(0);
  expect(again).toMatchObject(one);
  expect([twin.error, wrong.error, unknown.error]).toEqual([3, 4, 1]);
  expect(await receipts()).toBe(before + 1);
});

test('payments of one purchase by several of its numbers take what it owes, and no more', async () => {
  const ask = await openTill();
  const [number = ''] = await references(1);
  const { authorisation } = await ask(takeDeposit, number, 600);
  const of = await db
    .selectFrom('receipts as r')
    .innerJoin('allocations as a', 'a.receipt_id', 'r.id')
    .innerJoin('instalments as i', 'i.id', 'a.instalment_id')
    .innerJoin('instalments as its', 'its.purchase_id', 'i.purchase_id')
    .innerJoin('payment_references as p', 'p.id', 'its.id')
    .where('r.folio', '=', authorisation)
    .select('p.reference')
    .execute();
  const answers = await Promise.all([...of, ...of].map(({ reference }) => ask(takePayment, reference, 800)));
  expect(errorsOf(answers)).toEqual([0, 0, 0, 3, 3, 3]);
});

test('the books of all of it hold', async () => {
  expect(await proveBooks(db)).toEqual([]);
});
