import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type Shop } from '../../../test/shop.ts';
import { buy, openTill, type Till } from '../../../test/store-acts.ts';

let shop: Shop;
let till: Till;
beforeAll(async () => {
  shop = await openShop();
  till = await openTill(shop);
});
afterAll(() => shop.close());

/** A till that timed out asks before it charges again. */
test('one that took money is answered with its folio, reference and amount; once it is reversed, with no folio and no error 0', async () => {
  const { numbers } = await buy(shop);
  const ticket = { referencia: numbers[2]!, importe: 450.25, idtransaccion: randomUUID() };
  const { body } = await till.pay(ticket);
  const received = { referencia: numbers[2]!, importe: 450.25 };
  expect((await till.query({ idtransaccion: ticket.idtransaccion })).body).toMatchObject({
    ...received,
    error: 0,
    autorizacion: body.autorizacion,
    mensaje: body.mensaje,
    estado: 'autorizada',
  });
  await till.reverse({ idtransaccion: ticket.idtransaccion });
  expect((await till.query({ idtransaccion: ticket.idtransaccion })).body).toMatchObject({
    ...received,
    error: 7,
    autorizacion: '',
    mensaje: 'Esa operación ya se revirtió. No cobres; usa otro idtransaccion.',
    estado: 'revertida',
  });
});

test('a refused one is not mistaken for one that never came', async () => {
  const refused = { referencia: '11000000009', importe: 100, idtransaccion: randomUUID() };
  expect((await till.pay(refused)).body.error).toBe(1);
  expect((await till.query({ idtransaccion: refused.idtransaccion })).body).toMatchObject({
    error: 1,
    estado: 'rechazada',
    autorizacion: '',
    importe: 100,
  });
  const { body } = await till.query({});
  expect(body).toMatchObject({ error: 16, estado: 'desconocida', autorizacion: '' });
  expect(body).not.toHaveProperty('referencia');
  expect(body).not.toHaveProperty('importe');
});

test('one that was blocked before it came is answered as reversed', async () => {
  const idtransaccion = randomUUID();
  await till.reverse({ idtransaccion });
  const { body } = await till.query({ idtransaccion });
  expect(body).toMatchObject({ error: 7, estado: 'revertida', autorizacion: '' });
  expect(body).not.toHaveProperty('importe');
});

test('it is asked by the whole key: another branch, another till and another number know nothing of it', async () => {
  const { numbers } = await buy(shop);
  const idtransaccion = randomUUID();
  await till.pay({ referencia: numbers[2]!, importe: 100, idtransaccion });
  const other = await openTill(shop);
  const answers = [
    till.query({ idtransaccion, sucursal: '8' }),
    other.query({ idtransaccion }),
    till.query({}),
  ];
  for (const { body } of await Promise.all(answers)) expect(body.estado).toBe('desconocida');
});

/** As a till sends it, with nothing added. */
const asked = (body: object, { token }: Till = till) =>
  shop.ask('POST /PosOperations/query', { token, body });

/** Before it charges, a till asks what a number stands for. */
test('by its reference alone a till reads product, buyer and the sums that can be taken, and takes nothing', async () => {
  const { numbers } = await buy(shop);
  const ask = (referencia: string) => asked({ referencia });
  expect((await asked({})).body.mensaje).toBe('Solicitud incorrecta: revise idtransaccion');
  const before = (await ask(numbers[2]!)).body;
  expect(before).toMatchObject({
    error: 0,
    autorizacion: '',
    estado: 'por_cobrar',
    operacion: 'payment',
    producto: 'Sala Nórdica',
    comprador: 'Ana',
    atrasada: false,
  });
  expect(before.importe).toBe(before.siguiente);
  expect(before.saldo).toBe(before.todo);
  // What it says can be taken is taken, and is what error 4 says too.
  const tooMuch = await till.pay({ referencia: numbers[2]!, importe: before.todo + 0.01 });
  expect(tooMuch.body).toMatchObject({
    error: 4,
    importe: before.importe,
    siguiente: before.siguiente,
    minimo: before.minimo,
    todo: before.todo,
  });
  expect((await till.pay({ referencia: before.referencia, importe: before.minimo })).body.error).toBe(0);
  const left = (await ask(numbers[2]!)).body.todo;
  expect(left).toBeCloseTo(before.todo - before.minimo, 2);
  expect((await till.pay({ referencia: numbers[2]!, importe: left })).body.error).toBe(0);
  const paid = (await ask(numbers[2]!)).body;
  expect(paid).toMatchObject({ error: 3, estado: 'pagada', saldo: 0 });
  expect(paid).not.toHaveProperty('todo');
});

test('a number of nobody, and of a merchant that is not the till’s, are answered alike and counted; the second alerts', async () => {
  const { numbers } = await buy(shop);
  const strangers = await openTill(shop, 'OTRA', []);
  const alerts = () =>
    shop.db.selectFrom('alerts').select('kind').where('kind', '=', 'till_foreign_merchant').execute();
  const before = (await alerts()).length;
  const foreign = await asked({ referencia: numbers[2]! }, strangers);
  const none = await asked({ referencia: '11000000009' }, strangers);
  expect(foreign.body).toMatchObject({ error: 1, estado: 'desconocida' });
  expect(none.body).toEqual(foreign.body);
  expect((await alerts()).length).toBe(before + 1);
});

test('a query without a reference needs the whole key', async () => {
  const { body } = await asked({ idtransaccion: 'T-1' });
  expect(body.error).toBe(12);
});
