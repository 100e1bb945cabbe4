import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { makeMerchant, makeServiceAccount } from '../../../test/make.ts';
import { openShop, type Shop } from '../../../test/shop.ts';
import { asOwner, buy, meet, mustBalance, openTill, standing, type Till } from '../../../test/store-acts.ts';
import { revokeServiceAccount } from '../../accounts/service-accounts/save-service-account.ts';
import { transaction } from '../../platform/db/transaction.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterEach(() => mustBalance(shop));
afterAll(() => shop.close());

const revoke = (userName: string) =>
  transaction(shop.db, (tx) => revokeServiceAccount(tx, { kind: 'till', userName }));

let chains = 0;
/** A chain's till with an account that can be revoked, and another account of the chain when it is asked for. */
async function openChain() {
  const chain = `CADENA ${(chains += 1)}`;
  const { token, userName } = await makeServiceAccount(shop.db, { kind: 'till', chain });
  const till = await openTill(shop, chain);
  const ofOld = (path: string, ticket: object) => till.call(path, ticket, token);
  return {
    old: {
      pay: (ticket: object) => ofOld('payment', ticket),
      reverse: (ticket: object) => ofOld('reverse', ticket),
    },
    /** Another one, which stands while the old one does. */
    till,
    chain,
    userName,
    revoke: () => revoke(userName),
    another: (merchantIds?: number[]): Promise<Till> => openTill(shop, chain, merchantIds),
  };
}

const charge = (referencia: string | undefined, importe = 500) => ({
  referencia: referencia!,
  importe,
  idtransaccion: randomUUID(),
});

describe('a chain that gets a new account in place of one that was revoked', () => {
  test('repeats what it sent with the old one, and no money is taken twice', async () => {
    const { old, revoke, another } = await openChain();
    const { id, numbers } = await buy(shop);
    const ticket = charge(numbers[2]);
    const first = await old.pay(ticket);
    expect(first.body.error).toBe(0);
    await revoke();
    const till = await another();
    expect((await till.pay(ticket)).body).toEqual(first.body);
    expect((await till.query({ idtransaccion: ticket.idtransaccion })).body).toMatchObject({
      error: 0,
      estado: 'autorizada',
      autorizacion: first.body.autorizacion,
    });
    expect((await standing(shop, id)).paid).toBe(110_000);
    expect((await till.pay({ ...ticket, importe: 501 })).body.error).toBe(6);
    expect((await till.pay(charge(numbers[2]))).body.error).toBe(0);
    expect((await standing(shop, id)).paid).toBe(160_000);
  });

  test('takes back what it took with the old one: the money is out, once, and its repeat takes nothing', async () => {
    const { old, revoke, another } = await openChain();
    const { id, numbers } = await buy(shop);
    const ticket = charge(numbers[2]);
    expect((await old.pay(ticket)).body.error).toBe(0);
    await revoke();
    const till = await another();
    expect((await till.reverse({ ...ticket, importe: 499 })).body.error).toBe(6);
    const answers = await Promise.all(Array.from({ length: 4 }, () => till.reverse(ticket)));
    expect(answers.map(({ body }) => body.error)).toEqual([0, 0, 0, 0]);
    expect((await standing(shop, id)).paid).toBe(60_000);
    expect((await till.pay(ticket)).body.error).toBe(7);
    expect((await standing(shop, id)).paid).toBe(60_000);
  });

  test('does not charge what it gave up with the old one before it came', async () => {
    const { old, revoke, another } = await openChain();
    const { id, numbers } = await buy(shop);
    const ticket = charge(numbers[2]);
    expect((await old.reverse(ticket)).body.error).toBe(0);
    await revoke();
    expect((await (await another()).pay(ticket)).body.error).toBe(7);
    expect((await standing(shop, id)).paid).toBe(60_000);
  });

  test('that revoked two: of one number with both, the newer operation counts', async () => {
    const { old, till: second, revoke, another } = await openChain();
    const { id, numbers } = await buy(shop);
    const ticket = charge(numbers[2], 100);
    expect((await old.pay(ticket)).body.error).toBe(0);
    const again = { ...ticket, importe: 200 };
    expect((await second.pay(again)).body.error).toBe(0);
    await revoke();
    await asOwner(shop, 'update service_accounts set revoked_at = now() where id = $1', [second.id]);
    const third = await another();
    expect((await third.pay(ticket)).body.error).toBe(6);
    expect((await third.reverse(again)).body.error).toBe(0);
    expect((await standing(shop, id)).paid).toBe(70_000);
  });
});

describe('operations of others stay another’s', () => {
  test('of an account that stands beside it: the same number is another operation, until that account is revoked', async () => {
    const { old, till, revoke } = await openChain();
    const { id, numbers } = await buy(shop);
    const [ticket, other] = [charge(numbers[2], 100), charge(numbers[2], 100)];
    for (const each of [ticket, other]) expect((await old.pay(each)).body.error).toBe(0);
    expect((await till.pay(ticket)).body.error).toBe(0);
    expect((await standing(shop, id)).paid).toBe(90_000);
    await revoke();
    expect((await till.pay(other)).body.error).toBe(0);
    // Its own comes first.
    expect((await till.reverse(ticket)).body.error).toBe(0);
    expect((await standing(shop, id)).paid).toBe(80_000);
    expect((await till.reverse(ticket)).body.error).toBe(0);
    expect((await standing(shop, id)).paid).toBe(80_000);
  });

  test('of a shop that it does not collect for, and of another chain: it learns nothing of them', async () => {
    const { old, revoke, another } = await openChain();
    const { id, numbers } = await buy(shop);
    const ticket = charge(numbers[2]);
    expect((await old.pay(ticket)).body.error).toBe(0);
    await revoke();
    const ofAnotherShop = await another([await makeMerchant(shop.db)]);
    const ofAnotherChain = (await openChain()).till;
    for (const till of [ofAnotherShop, ofAnotherChain]) {
      expect((await till.query({ idtransaccion: ticket.idtransaccion })).body.error).toBe(16);
      expect((await till.reverse({ idtransaccion: ticket.idtransaccion })).body.error).toBe(0);
    }
    expect((await standing(shop, id)).paid).toBe(110_000);
  });
});

test('an account that is revoked while its charge is under way, and the repeat with a new one: the money is taken once', async () => {
  const seen = new Set<string>();
  for (let round = 0; round < 20; round += 1) {
    const { old, revoke, another } = await openChain();
    const { id, numbers } = await buy(shop);
    const ticket = charge(numbers[2]);
    const [first, repeat] = await meet(
      round,
      () => old.pay(ticket),
      async () => {
        await revoke();
        return (await another()).pay(ticket);
      },
    );
    expect(['0', '12']).toContain(String(first.body.error));
    expect(repeat.body.error).toBe(0);
    if (first.body.error === 0) expect(repeat.body).toEqual(first.body);
    expect((await standing(shop, id)).paid).toBe(110_000);
    seen.add(String(first.body.error));
  }
  expect([...seen].toSorted()).toEqual(['0', '12']);
}, 60_000);

test('a charge that waits while its account is revoked takes nothing: its till may have repeated it already', async () => {
  const { old, revoke, another } = await openChain();
  const { id, numbers } = await buy(shop);
  const ticket = charge(numbers[2]);
  const owner = new pg.Client({ connectionString: shop.ownerUrl });
  await owner.connect();
  await owner.query('begin');
  await owner.query('select from purchases where id = $1 for update', [id]);
  const late = old.pay(ticket);
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await owner.query(waiting)).rowCount, { timeout: 20_000 }).toBe(1);
  await revoke();
  const repeat = (await another()).pay(ticket);
  await owner.end();
  const answers = await Promise.all([late, repeat]);
  expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
    [401, 12],
    [200, 0],
  ]);
  expect((await standing(shop, id)).paid).toBe(110_000);
}, 30_000);

test('a charge that is written while its account is being revoked: one waits for the other, and nothing is taken afterwards', async () => {
  const { chain, old, userName } = await openChain();
  const { id, numbers } = await buy(shop);
  const owner = new pg.Client({ connectionString: shop.ownerUrl });
  await owner.connect();
  await owner.query('begin');
  await owner.query('select from service_accounts where user_name = $1 for update', [userName]);
  await owner.query('update service_accounts set revoked_at = now() where user_name = $1', [userName]);
  const late = old.pay(charge(numbers[2]));
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await owner.query(waiting)).rowCount, { timeout: 20_000 }).toBe(1);
  await owner.query('commit');
  expect((await late).body.error).toBe(12);
  expect((await standing(shop, id)).paid).toBe(60_000);

  const till = await openTill(shop, chain);
  await owner.query('begin');
  await owner.query(
    `insert into till_operations (service_account_id, chain, branch, transaction_id, body_hash, operation, reference, state, error, message)
     values ($1, $2, '7', 'written', '', 'payment', '', 'reversed_first', 7, '')`,
    [till.id, chain],
  );
  let isRevoked = false;
  const revoked = shop.db
    .selectFrom('service_accounts')
    .select('user_name')
    .where('id', '=', till.id)
    .executeTakeFirstOrThrow()
    .then(({ user_name }) => revoke(user_name))
    .then(() => (isRevoked = true));
  await expect.poll(async () => (await owner.query(waiting)).rowCount, { timeout: 20_000 }).toBe(1);
  expect(isRevoked).toBe(false);
  await owner.query('commit');
  await revoked;
  await owner.end();
  const ticket = { ...charge(numbers[2]), idtransaccion: 'written' };
  expect((await (await openTill(shop, chain)).pay(ticket)).body.error).toBe(7);
}, 30_000);
