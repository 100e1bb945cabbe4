import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { centavos } from '@aparta/domain/money';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeMerchant, makeProduct, makeServiceAccount, PASSWORD } from '../../../test/make.ts';
import { runCollection } from '../../../test/run-collection.ts';
import { openShop, type Shop } from '../../../test/shop.ts';
import { booksAreFinal, buy, mustBalance, openTill, type Till } from '../../../test/store-acts.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { recordReceipt } from '../../ledger/receipts/record-receipt.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

interface Page {
  readonly ids: string[];
  readonly next: string;
  readonly more: boolean;
}

async function readNow(till: Till, query = ''): Promise<Page> {
  const { status, body } = await shop.ask(`GET /v1/tills/operations${query}`, { token: till.token });
  if (status !== 200) throw new Error(JSON.stringify(body));
  const ids = body.data.map(
    ({ idtransaccion, estado }: Record<string, string>) => `${idtransaccion} ${estado}`,
  );
  return { ids, next: body.next, more: body.more };
}

/** The same, once all that is booked can be read. */
async function read(till: Till, query = ''): Promise<Page> {
  await booksAreFinal(shop);
  return readNow(till, query);
}

async function pay(till: Till, referencia: string, idtransaccion: string) {
  expect((await till.pay({ referencia, importe: 100, idtransaccion })).body.error).toBe(0);
}

test('a back office reads what its tills took and gave back, page by page, each once and in order', async () => {
  const till = await openTill(shop, 'FEED');
  const { id, numbers } = await buy(shop);
  const start = await read(till);
  expect(start).toMatchObject({ ids: [], more: false });
  for (const idtransaccion of ['T-1', 'T-2', 'T-3']) await pay(till, numbers[2]!, idtransaccion);
  expect((await till.pay({ referencia: '11000000009', importe: 100 })).body.error).toBe(1);
  expect((await till.reverse({ idtransaccion: 'T-2' })).body.error).toBe(0);
  const all = ['T-1 autorizada', 'T-2 autorizada', 'T-3 autorizada', 'T-2 revertida'];
  expect(await read(till, `?cursor=${start.next}`)).toMatchObject({ ids: all, more: false });
  const first = await read(till, '?limit=3');
  expect(first).toMatchObject({ ids: all.slice(0, 3), more: true });
  const second = await read(till, `?cursor=${first.next}`);
  expect(second).toMatchObject({ ids: all.slice(3), more: false });
  expect((await read(till, `?cursor=${second.next}`)).ids).toEqual([]);
  const { body } = await shop.ask('GET /v1/tills/operations?limit=1', { token: till.token });
  expect(body.data[0]).toMatchObject({
    operacion: 'payment',
    compañia: 'FEED',
    sucursal: '7',
    referencia: numbers[2],
    importe: 100,
    comercioId: shop.merchantId,
    ventaId: id,
  });
});

test('it reads its own chain and the merchants that it collects for, and nobody else’s', async () => {
  const other = await makeMerchant(shop.db);
  const productId = await makeProduct(shop.db, { merchantId: other });
  const both = await openTill(shop, 'AMBOS', [shop.merchantId, other]);
  const one = await openTill(shop, 'AMBOS', [other]);
  const elsewhere = await openTill(shop, 'OTRA', [shop.merchantId, other]);
  await pay(both, (await buy(shop)).numbers[2]!, 'A-1');
  const { numbers } = await buy({ ...shop, merchantId: other, productId });
  await pay(both, numbers[2]!, 'A-2');
  expect((await read(both)).ids).toEqual(['A-1 autorizada', 'A-2 autorizada']);
  expect((await read(one)).ids).toEqual(['A-2 autorizada']);
  expect((await read(elsewhere)).ids).toEqual([]);
  const { status, body } = await shop.ask('GET /v1/tills/operations?cursor=20468', { token: both.token });
  expect([status, body.code]).toEqual([422, 'INVALID_INPUT']);
});

test('what is booked first and commits last is not passed over, and one that is given up holds up nobody', async () => {
  const till = await openTill(shop, 'LENTA');
  const { id, instalmentIds, buyer, numbers } = await buy(shop);
  const { next } = await read(till);
  await pay(till, numbers[2]!, 'L-1');
  // The money of a call that takes long: numbered before that of the next ones.
  const [booked, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const operationId = randomUUID();
  const slow = transaction(shop.db, async (tx) => {
    await recordReceipt(
      tx,
      { channel: 'till', sourceId: operationId, merchantId: shop.merchantId, buyerId: buyer.id },
      {
        to: 'purchase',
        purchaseId: id,
        parts: [{ instalmentId: instalmentIds[2]!, amountCentavos: centavos(100) }],
        feeCentavos: centavos(0),
      },
    );
    await tx
      .insertInto('till_operations')
      .values({
        id: operationId,
        service_account_id: till.id,
        chain: 'LENTA',
        branch: '8', // a branch takes one call at a time
        transaction_id: 'L-2',
        body_hash: Buffer.alloc(0),
        operation: 'payment',
        reference: numbers[3]!,
        amount_centavos: centavos(100),
        state: 'authorised',
        error: 0,
        message: '',
      })
      .execute();
    booked.resolve();
    await mayCommit.promise;
    await tx
      .updateTable('instalments')
      .set({ paid_centavos: centavos(100) })
      .where('id', '=', instalmentIds[2]!)
      .execute();
    await tx
      .updateTable('purchases')
      .set((purchase) => ({ paid_centavos: purchase('paid_centavos', '+', centavos(100)) }))
      .where('id', '=', id)
      .execute();
  });
  await booked.promise;
  const early = await pay(till, (await buy(shop)).numbers[2]!, 'L-3')
    .then(() => readNow(till, `?cursor=${next}`))
    .finally(mayCommit.resolve);
  await slow;
  expect(early.ids).toEqual(['L-1 autorizada']);
  expect((await read(till, `?cursor=${early.next}`)).ids).toEqual(['L-2 autorizada', 'L-3 autorizada']);

  const failed = transaction(shop.db, async (tx) => {
    await tx
      .insertInto('ledger_events')
      .values({ merchant_id: shop.merchantId, kind: 'till_receipt', source_id: randomUUID(), legs: 1 })
      .execute();
    throw new Error('given up');
  });
  await expect(failed).rejects.toThrow('given up');
  expect((await read(till, `?cursor=${next}`)).ids).toHaveLength(3);
  await mustBalance(shop);
});

test('the vendor of a POS imports the collection, runs it from top to bottom, and gets what it promises', async () => {
  await shop.app.listen({ host: '127.0.0.1', port: 0 });
  const origin = `http://127.0.0.1:${(shop.app.server.address() as AddressInfo).port}`;
  const { userName } = await makeServiceAccount(shop.db, { kind: 'till', chain: 'VENDOR' });
  const { body: collection } = await shop.ask('GET /api/pos.postman.json');
  const given = {
    origin,
    buyer: shop.buyer.email,
    buyerPassword: PASSWORD,
    label: `1|${shop.merchantId}|${shop.productId}|0||||0`,
    User: userName,
    Password: PASSWORD,
    compañia: 'VENDOR',
  };
  // Its last requests read what was booked before them.
  const answers = await runCollection(collection, given, () => booksAreFinal(shop));
  expect(answers.filter(({ status, body }) => status !== 200 || (body.error ?? 0) !== 0)).toEqual([]);
  const [, , , asked, taken, again, known, , , next, part, back, first, since] = answers.map(
    ({ body }) => body,
  );
  expect([asked.operacion, next.operacion]).toEqual(['OnLayaway', 'payment']);
  expect(again).toEqual(taken);
  expect(known).toMatchObject({ estado: 'autorizada', autorizacion: taken.autorizacion });
  expect([part.mensaje, back.mensaje]).toEqual([
    expect.stringContaining('Pago 2'),
    'Operación revertida en caja',
  ]);
  expect(first.data.map(({ operacion, estado }: any) => `${operacion} ${estado}`)).toEqual([
    'OnLayaway autorizada',
    'payment autorizada',
    'payment revertida',
  ]);
  expect(since.data).toEqual([]);
});
