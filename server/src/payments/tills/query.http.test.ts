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
  const asked = [
    till.query({ idtransaccion, sucursal: '8' }),
    other.query({ idtransaccion }),
    till.query({}),
  ];
  for (const { body } of await Promise.all(asked)) expect(body.estado).toBe('desconocida');
});
