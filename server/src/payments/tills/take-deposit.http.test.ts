import { randomUUID } from 'node:crypto';
import { dammCheckDigit, isPaymentReferenceId } from '@aparta/domain/payment-reference';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { assignTill } from '../../accounts/service-accounts/save-service-account.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { makeBuyer, makeServiceAccount, makeMerchant, makeProduct } from '../../../test/make.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';

const CHAIN = 'ELEKTRA';

let shop: Shop;
let till: { id: string; token: string };
beforeEach(async () => {
  await open();
});
afterEach(() => shop.close());

async function open(given: Parameters<typeof openShop>[0] = {}): Promise<void> {
  shop = await openShop(given);
  till = await makeServiceAccount(shop.db, { kind: 'till', chain: CHAIN });
}

/** Closes the shop of `beforeEach`, proving its books, and opens another. */
async function reopen(given: Parameters<typeof openShop>[0]): Promise<void> {
  await shop.close();
  await open(given);
}

type Ticket = Partial<
  Record<'referencia' | 'importe' | 'compañia' | 'sucursal' | 'idtransaccion', string | number>
>;

async function take(ticket: Ticket, token = till.token) {
  return shop.ask('POST /PosOperations/OnLayaway', {
    token,
    body: { importe: 600, compañia: CHAIN, sucursal: '7', idtransaccion: randomUUID(), ...ticket },
  });
}

async function errorOf(ticket: Ticket, token?: string): Promise<number> {
  const { status, body } = await take(ticket, token);
  expect(status).toBe(200);
  if (body.error !== 0) expect(body.autorizacion).toBe('');
  return body.error;
}

/** A fresh reference of a product of its own. */
async function anotherReference(token?: string): Promise<any> {
  const productId = await makeProduct(shop.db, { merchantId: shop.merchantId });
  return shop.reference({ productId, ...(token === undefined ? {} : { token }) });
}

const receipts = async () => shop.db.selectFrom('receipts').selectAll().execute();
const purchases = async () => shop.db.selectFrom('purchases').select('id').execute();
const alerts = async () => shop.db.selectFrom('alerts').select(['kind', 'subject', 'times']).execute();

/** Lets a reference's life end an hour ago. */
const expire = (id: number) =>
  sql`update layaway_references set created_at = created_at - interval '4 days',
    expires_at = now() - interval '1 hour' where id = ${id}`.execute(shop.db);

describe('a till that takes a deposit', () => {
  test('the exact deposit makes the purchase, and the ticket carries its folio', async () => {
    const reference = await shop.reference();
    const { status, body } = await take({ referencia: reference.paymentReference });
    expect(status).toBe(200);
    expect(body).toMatchObject({ error: 0, mensaje: 'Operación autorizada' });
    const [receipt] = await receipts();
    expect(receipt).toMatchObject({ channel: 'till', amount_centavos: 60_000, folio: body.autorizacion });
    const after = await shop.ask(`GET /v1/PullApartReference/${reference.id}`, { token: shop.buyer.token });
    expect(after.body.data).toMatchObject({ Estatus: 2, ventaId: expect.any(Number) });
    const transfers = await shop.db.selectFrom('ledger_transfers').selectAll().execute();
    expect(transfers.map((leg) => [leg.debit, leg.credit, leg.amount_centavos])).toEqual([
      ['till_clearing', 'layaway_deposits', 60_000],
    ]);
  });

  test('numbers may come as numbers, and a reference as it is printed, in groups', async () => {
    const first = await shop.reference();
    const ticket = { referencia: Number(first.paymentReference), sucursal: 7, idtransaccion: 1 };
    expect(await errorOf(ticket)).toBe(0);
    expect(await errorOf({ ...ticket, sucursal: '7', idtransaccion: '1' })).toBe(0); // the same call
    const second = (await anotherReference()).paymentReference as string;
    expect(await errorOf({ referencia: second.replace(/(.{4})/g, '$1 ') })).toBe(0);
    expect(await purchases()).toHaveLength(2);
  });

  test('where the merchant charges its fee at tills, the deposit comes with it and the fee is booked apart', async () => {
    await reopen({ merchant: { feeMethods: ['card', 'till'] } });
    const reference = await shop.reference();
    expect(reference.tillTotal).toBe(615);
    expect(await errorOf({ referencia: reference.paymentReference, importe: 600 })).toBe(4);
    expect(await errorOf({ referencia: reference.paymentReference, importe: 615 })).toBe(0);
    const fees = await shop.db
      .selectFrom('balances')
      .selectAll()
      .where('account', '=', 'service_fee')
      .execute();
    expect(fees.map(({ balance }) => Number(balance))).toEqual([1_500]);
  });

  test('the same call again gets the same answer and takes nothing', async () => {
    const { paymentReference } = await shop.reference();
    const ticket = { referencia: paymentReference, idtransaccion: 'ticket-1' };
    const first = await take(ticket);
    expect((await take(ticket)).body).toEqual(first.body);
    expect(first.body.error).toBe(0);
    expect(await receipts()).toHaveLength(1);
  });

  test('the same transaction with another body is error 6, and the first answer stays', async () => {
    const { paymentReference } = await shop.reference();
    const ticket = { referencia: paymentReference, idtransaccion: 'ticket-1' };
    const first = await take(ticket);
    expect(await errorOf({ ...ticket, importe: 601 })).toBe(6);
    expect(await errorOf({ ...ticket, referencia: (await anotherReference()).paymentReference })).toBe(6);
    expect((await take(ticket)).body).toEqual(first.body);
    expect(await receipts()).toHaveLength(1);
  });

  test('the same transaction number in another branch, or of another account, is another transaction', async () => {
    const ticket = { idtransaccion: 'ticket-1' };
    const [first, second, third] = [
      await anotherReference(),
      await anotherReference(),
      await anotherReference(),
    ].map((each) => each.paymentReference);
    expect(await errorOf({ ...ticket, referencia: first })).toBe(0);
    expect(await errorOf({ ...ticket, referencia: second, sucursal: '8' })).toBe(0);
    const other = await makeServiceAccount(shop.db, { kind: 'till', chain: CHAIN });
    expect(await errorOf({ ...ticket, referencia: third }, other.token)).toBe(0);
  });
});

describe('a till is refused', () => {
  test('another amount than the deposit: 4, and the buyer can still pay', async () => {
    const { paymentReference } = await shop.reference();
    for (const importe of [599.99, 600.01, 0.01, 1, 615, 1_200, 60_000, 3_000, 999_999_999.99]) {
      expect([importe, await errorOf({ referencia: paymentReference, importe })]).toEqual([importe, 4]);
    }
    expect(await receipts()).toEqual([]);
    expect(await errorOf({ referencia: paymentReference })).toBe(0);
  });

  test('an expired reference: 2, whether the job has come by or not', async () => {
    const reference = await shop.reference();
    await expire(reference.id);
    expect(await errorOf({ referencia: reference.paymentReference })).toBe(2);
    await shop.job.expire_references({}, shop.jobs.log);
    expect(await errorOf({ referencia: reference.paymentReference })).toBe(2);
  });

  test('one that is bought already: 3, by till or by card', async () => {
    const atTill = await anotherReference();
    expect(await errorOf({ referencia: atTill.paymentReference })).toBe(0);
    expect(await errorOf({ referencia: atTill.paymentReference })).toBe(3);
    const byCard = await anotherReference();
    await shop.pay(byCard, CARDS.approved);
    expect(await errorOf({ referencia: byCard.paymentReference })).toBe(3);
    expect(await receipts()).toHaveLength(2);
  });

  test('a cancelled reference: 5', async () => {
    const reference = await shop.reference();
    await sql`update layaway_references set state = 'cancelled', closed_at = now()`.execute(shop.db);
    expect(await errorOf({ referencia: reference.paymentReference })).toBe(5);
  });

  test('a refusal is kept: the same call stays refused when it would now be good', async () => {
    const { paymentReference } = await shop.reference();
    const early = { referencia: paymentReference, idtransaccion: 'ticket-1' };
    await sql`update layaway_references set state = 'cancelled', closed_at = now()`.execute(shop.db);
    const refused = await take(early);
    expect(refused.body.error).toBe(5);
    await sql`update layaway_references set state = 'open', closed_at = null`.execute(shop.db);
    expect((await take(early)).body).toEqual(refused.body);
    expect(await errorOf({ ...early, idtransaccion: 'ticket-2' })).toBe(0);
  });
});

describe('a mistyped reference pays nothing', () => {
  test('every wrong digit and every swap of neighbours is unknown, error 1', async () => {
    const { paymentReference } = await shop.reference();
    const digits = [...(paymentReference as string)];
    const wrong = new Set<string>();
    for (let at = 0; at < digits.length; at += 1) {
      for (const digit of '0123456789') wrong.add(digits.with(at, digit).join(''));
      if (at > 0)
        wrong.add(
          digits
            .with(at - 1, digits[at]!)
            .with(at, digits[at - 1]!)
            .join(''),
        );
    }
    wrong.delete(paymentReference);
    expect(wrong.size).toBeGreaterThan(99);
    for (const referencia of wrong)
      expect([referencia, await errorOf({ referencia })]).toEqual([referencia, 1]);
    expect(await receipts()).toEqual([]);
  });

  test('neither does one with another prefix, one too long or short, or one that was never issued', async () => {
    const { paymentReference } = await shop.reference();
    const id = (paymentReference as string).slice(1);
    const stranger = '98765432' + '1';
    const unknown = `1${stranger}${dammCheckDigit(stranger)}`;
    expect(isPaymentReferenceId(unknown.slice(1))).toBe(true);
    for (const referencia of [
      `2${id}`,
      `11${id}`,
      id,
      `${paymentReference}0`,
      `0${id}`,
      unknown,
      'x',
      '1|1|1|0||||0',
    ]) {
      expect([referencia, await errorOf({ referencia })]).toEqual([referencia, 1]);
    }
  });

  test('an instalment’s number is not a deposit’s', async () => {
    const { paymentReference } = await shop.reference();
    await take({ referencia: paymentReference });
    const { reference } = await shop.db
      .selectFrom('payment_references')
      .select('reference')
      .where('kind', '=', 'instalment')
      .where('prefix', '=', '1')
      .executeTakeFirstOrThrow();
    expect(await errorOf({ referencia: reference })).toBe(1);
    expect(await receipts()).toHaveLength(1);
  });
});

describe('at the same moment', () => {
  test('an open card attempt does not stop the till, and the card’s money goes back whole', async () => {
    const reference = await shop.reference();
    const intentId = randomUUID();
    const { body } = await shop.pay(reference, CARDS.threeDs, { intentId });
    expect(body.data.state).toBe('pending_3ds');
    expect(await errorOf({ referencia: reference.paymentReference })).toBe(0);
    await fetch(body.data.pending_action.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: shop.sandbox.threeDsOrigin },
      body: JSON.stringify({ answer: 'approve' }),
    });
    await shop.poll(intentId);
    expect(await shop.attempt(intentId)).toMatchObject({ state: 'returned', captured_centavos: 61_500 });
    const refund = await shop.db.selectFrom('refunds').selectAll().executeTakeFirstOrThrow();
    await shop.job.refund_card({ refundId: refund.id }, shop.jobs.log);
    expect(await shop.attempt(intentId)).toMatchObject({ refunded_centavos: 61_500 });
    expect(await purchases()).toHaveLength(1);
  });

  test('two tills on one reference: one takes the money, the other reads that it is paid', async () => {
    const { paymentReference } = await shop.reference();
    const other = await makeServiceAccount(shop.db, { kind: 'till', chain: 'SORIANA' });
    const errors = await Promise.all([
      errorOf({ referencia: paymentReference }),
      errorOf({ referencia: paymentReference, compañia: 'SORIANA' }, other.token),
    ]);
    expect(errors.toSorted()).toEqual([0, 3]);
    expect(await receipts()).toHaveLength(1);
  });

  test('eight identical calls: one receipt, and one answer for all', async () => {
    const { paymentReference } = await shop.reference();
    const ticket = { referencia: paymentReference, idtransaccion: 'ticket-1' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => take(ticket)));
    expect(answers[0]?.body.error).toBe(0);
    for (const { body } of answers) expect(body).toEqual(answers[0]?.body);
    expect(await receipts()).toHaveLength(1);
  });

  test('forty tills at once, far more than there are connections: each is answered, and one is paid', async () => {
    const { paymentReference } = await shop.reference();
    const errors = await Promise.all(
      Array.from({ length: 40 }, () => errorOf({ referencia: paymentReference })),
    );
    expect(errors.toSorted()).toEqual([0, ...Array<number>(39).fill(3)]);
    expect((await shop.ask('GET /healthz')).status).toBe(200);
  });

  test('eight identical calls with an unknown reference: one answer for all', async () => {
    const ticket = { referencia: '11000000009', idtransaccion: 'ticket-1' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => errorOf(ticket)));
    expect(answers).toEqual(Array(8).fill(1));
    const kept = await shop.db.selectFrom('till_operations').select('error').execute();
    expect(kept).toEqual([{ error: 1 }]);
  });

  test('one transaction number for two references: one is taken, the other is error 6', async () => {
    const [one, other] = [await anotherReference(), await anotherReference()];
    const errors = await Promise.all(
      [one, other].map((each) => errorOf({ referencia: each.paymentReference, idtransaccion: 'ticket-1' })),
    );
    expect(errors.toSorted()).toEqual([0, 6]);
    expect(await receipts()).toHaveLength(1);
  });

  test('card and till on one reference: one purchase, and no money is lost', async () => {
    const reference = await shop.reference();
    const intentId = randomUUID();
    const [card, error] = await Promise.all([
      shop.pay(reference, CARDS.approved, { intentId }),
      errorOf({ referencia: reference.paymentReference }),
    ]);
    expect(await purchases()).toHaveLength(1);
    if (error === 0) {
      const refused = card.status === 409 && card.body.code === 'REFERENCE_PAID';
      expect(refused || (await shop.attempt(intentId)).state === 'returned').toBe(true);
    } else {
      expect([error, card.body.data.state]).toEqual([3, 'applied']);
    }
  });
});

describe('a stolen till prints no money', () => {
  test('it takes nothing for another chain, and an alert is raised', async () => {
    const { paymentReference } = await shop.reference();
    expect(await errorOf({ referencia: paymentReference, compañia: 'SORIANA' })).toBe(13);
    expect(await errorOf({ referencia: paymentReference, compañia: 'elektra' })).toBe(13);
    expect(await receipts()).toEqual([]);
    expect(await alerts()).toEqual([{ kind: 'till_foreign_chain', subject: till.id, times: 2 }]);
  });

  test('of a merchant that it does not collect for, every reference is one that is nobody’s, and an alert is raised', async () => {
    const other = await makeServiceAccount(shop.db, { kind: 'till', chain: CHAIN, merchantIds: [] });
    const { paymentReference } = await shop.reference();
    const nobodys = await take({ referencia: `1${'0'.repeat(10)}` }, other.token);
    const foreign = await take({ referencia: paymentReference }, other.token);
    expect([foreign.status, foreign.body]).toEqual([nobodys.status, nobodys.body]);
    expect(foreign.body.error).toBe(1);
    expect(await receipts()).toEqual([]);
    expect(await alerts()).toEqual([{ kind: 'till_foreign_merchant', subject: other.id, times: 1 }]);

    const assign = (merchantIds: number[]) =>
      transaction(shop.db, (tx) => assignTill(tx, other.userName, merchantIds));
    await assign([shop.merchantId]);
    expect(await errorOf({ referencia: paymentReference }, other.token)).toBe(0);
    await assign([]);
    expect(await errorOf({ referencia: (await anotherReference()).paymentReference }, other.token)).toBe(1);
  });

  test('revoked, it is out at its next call', async () => {
    const { paymentReference } = await shop.reference();
    await sql`update service_accounts set revoked_at = now() where id = ${till.id}`.execute(shop.db);
    const { status, body } = await take({ referencia: paymentReference });
    expect([status, body.error]).toEqual([401, 12]);
    expect(await receipts()).toEqual([]);
  });

  test('over the cap of the day its branch takes nothing, an alert is raised, and other branches go on', async () => {
    await reopen({ env: { TILL_CAP_PER_BRANCH_DAY: '1300.00' } });
    const take600 = async (sucursal: string) =>
      errorOf({ referencia: (await anotherReference()).paymentReference, sucursal });
    expect(await take600('7')).toBe(0);
    expect(await take600('7')).toBe(0);
    expect(await take600('7')).toBe(14);
    expect(await alerts()).toEqual([{ kind: 'till_over_cap', subject: `${till.id} 7`, times: 1 }]);
    expect(await take600('8')).toBe(0);
    // What was taken yesterday, Mexico City, is not of today.
    const owner = new pg.Client({ connectionString: shop.ownerUrl });
    await owner.connect();
    await owner.query(`update till_operations set created_at = created_at - interval '1 day'`);
    await owner.query('update till_days set day = day - 1');
    await owner.end();
    expect(await take600('7')).toBe(0);
    expect(await receipts()).toHaveLength(4);
  });

  test('over the cap of its account it takes nothing, whatever branches it invents; what is reversed counts no more', async () => {
    await reopen({ env: { TILL_CAP_PER_ACCOUNT_DAY: '1300.00' } });
    const take600 = async (sucursal: string, idtransaccion: string = randomUUID()) =>
      take({ referencia: (await anotherReference()).paymentReference, sucursal, idtransaccion });
    await take600('invented-1', 'first');
    await take600('invented-2');
    const { status, body } = await take600('invented-3');
    expect([status, body.error, body.mensaje]).toEqual([
      200,
      14,
      'Esta cuenta de caja llegó a su tope del día. Llama a soporte.',
    ]);
    expect(await alerts()).toEqual([{ kind: 'till_over_cap', subject: till.id, times: 1 }]);
    const other = await makeServiceAccount(shop.db, { kind: 'till', chain: CHAIN });
    expect(await errorOf({ referencia: (await anotherReference()).paymentReference }, other.token)).toBe(0);
    await shop.ask('POST /PosOperations/reverse', {
      token: till.token,
      body: { compañia: CHAIN, sucursal: 'invented-1', idtransaccion: 'first' },
    });
    expect((await take600('invented-4')).body.error).toBe(0);
    expect(await receipts()).toHaveLength(4);
  });

  test('enumerating references, it learns nothing more for an hour, not even about existing ones', async () => {
    await reopen({ env: { TILL_UNKNOWN_PER_HOUR: '3' } });
    const { paymentReference } = await shop.reference();
    const unknown = { referencia: `1${'0'.repeat(10)}` };
    const wrongSum = { referencia: paymentReference, importe: 1, idtransaccion: 'first' };
    expect([await errorOf(wrongSum), await errorOf(unknown), await errorOf(unknown)]).toEqual([4, 1, 1]);
    expect([await errorOf(unknown), await errorOf(unknown)]).toEqual([1, 15]);
    expect(await errorOf({ referencia: paymentReference, importe: 1 })).toBe(15);
    expect(await errorOf({ referencia: paymentReference })).toBe(15);
    // What was answered before is answered the same; another account goes on.
    expect(await errorOf(wrongSum)).toBe(4);
    expect(await alerts()).toEqual([{ kind: 'till_unknown_references', subject: till.id, times: 3 }]);
    const other = await makeServiceAccount(shop.db, { kind: 'till', chain: CHAIN });
    expect(await errorOf({ referencia: paymentReference }, other.token)).toBe(0);
  });

  test('the cap holds against many calls at once', async () => {
    await reopen({ env: { TILL_CAP_PER_BRANCH_DAY: '1300.00' } });
    const references = [];
    for (let n = 0; n < 6; n += 1) references.push(await anotherReference());
    const errors = await Promise.all(
      references.map((each) => errorOf({ referencia: each.paymentReference })),
    );
    expect(errors.toSorted()).toEqual([0, 0, 14, 14, 14, 14]);
  });
});

test('a malformed call is error 12 with HTTP 200, names the field, and takes nothing', async () => {
  const whole = {
    referencia: '11000000009',
    importe: 600,
    compañia: CHAIN,
    sucursal: '7',
    idtransaccion: 'a',
  };
  /** What was sent, and the field that the cashier's vendor reads about. */
  const bodies: [string, unknown, string?][] = [
    ['nothing', undefined],
    ['not JSON', '{"referencia":', 'body'],
    ['an amount beyond all numbers', JSON.stringify(whole).replace('600', '1e309')],
    ['a very deep one', '['.repeat(30_000)],
    ['ten megabytes', JSON.stringify({ ...whole, sucursal: 'x'.repeat(10 * 2 ** 20) })],
    ['a list', [whole]],
    ['null', null],
    ['a text', '"hola"'],
    ...Object.keys(whole).map((field): [string, unknown, string] => [
      `no ${field}`,
      { ...whole, [field]: undefined },
      field,
    ]),
    ...[-600, 0, 0.001, 600.004, '600', null, [600], 1e15].map((importe): [string, unknown, string] => [
      `importe ${JSON.stringify(importe) ?? ''}`,
      { ...whole, importe },
      'importe',
    ]),
    ['an endless reference', { ...whole, referencia: '1'.repeat(5_000) }, 'referencia'],
    ['an endless transaction', { ...whole, idtransaccion: 'x'.repeat(61) }, 'idtransaccion'],
    ['a branch of objects', { ...whole, sucursal: { toString: 'x' } }, 'sucursal'],
    ['line breaks', { ...whole, idtransaccion: 'a\r\nb' }],
    ['NUL', { ...whole, sucursal: 'a\u0000b' }],
    ['a number too large', { ...whole, idtransaccion: 2 ** 60 }],
  ];
  for (const [name, body, field] of bodies) {
    const { status, body: reply } = await shop.ask('POST /PosOperations/OnLayaway', {
      token: till.token,
      ...(body === undefined ? {} : { body }),
    });
    const mensaje =
      field === undefined
        ? expect.stringMatching(/^Solicitud incorrecta/)
        : `Solicitud incorrecta: ${field === 'body' ? 'el cuerpo no se entiende' : `revise ${field}`}`;
    expect([name, status, reply]).toEqual([name, 200, { error: 12, mensaje, autorizacion: '' }]);
  }
  expect(await receipts()).toEqual([]);
  expect(await shop.db.selectFrom('till_operations').select('id').execute()).toEqual([]);
  expect(shop.logged()).not.toContain('call failed');
});

describe('each credential has its own reach', () => {
  test('a buyer’s token books no money, whatever the body says', async () => {
    const reference = await shop.reference();
    const rejected = (await shop.pay(reference, CARDS.insufficientFunds)).body.data;
    const stranger = await makeBuyer(shop.db);
    const strangers = await anotherReference(stranger.token);
    const paid = (await shop.pay(strangers, CARDS.approved, { token: stranger.token })).body.data;
    const before = await receipts();
    for (const referencia of [reference.paymentReference, strangers.paymentReference, '1', 'x']) {
      for (const idtransaccion of [rejected.id, paid.id, randomUUID(), 'ticket-1']) {
        for (const more of [
          {},
          { importe: 0.01 },
          { compañia: 'SORIANA' },
          { Estatus: 2, error: 0, state: 'applied' },
        ]) {
          const ticket = { referencia, idtransaccion, ...more } as Ticket;
          expect(await errorOf(ticket, shop.buyer.token)).toBe(9);
        }
      }
    }
    expect(await receipts()).toEqual(before);
    expect(await shop.db.selectFrom('till_operations').select('id').execute()).toEqual([]);
  });

  test('a buyer’s own approved payment is answered with its folio, however often', async () => {
    const reference = await shop.reference();
    const { data } = (await shop.pay(reference, CARDS.approved)).body;
    const ticket = { referencia: reference.paymentReference, idtransaccion: data.id, importe: 1 };
    const received = await take(ticket, shop.buyer.token);
    expect(received.body).toMatchObject({
      error: 0,
      ventaId: data.ventaId,
      autorizacion: expect.stringMatching(/^\w{10}$/),
    });
    expect((await take(ticket, shop.buyer.token)).body).toEqual(received.body);
    expect(await receipts()).toHaveLength(1);
    const stranger = await makeBuyer(shop.db);
    expect(await errorOf(ticket, stranger.token)).toBe(9);
  });

  test('a till’s token opens nothing of a buyer', async () => {
    const reference = await shop.reference();
    const calls: [string, unknown?][] = [
      ['POST /v1/PullApartReference', { Referencia: reference.Referencia }],
      [`GET /v1/PullApartReference/${reference.id}`],
      ['POST /v1/Clib/CreatePaymentsAsync', {}],
      [`GET /v1/Clib/GetAttemptAsync/${randomUUID()}`],
      [`GET /v1/UserBuyerClient/GetByUserIdAsync/${shop.buyer.id}`],
    ];
    for (const [call, body] of calls) {
      const { status, body: reply } = await shop.ask(call, {
        token: till.token,
        ...(body === undefined ? {} : { body }),
      });
      expect([call, status, reply.code]).toEqual([call, 403, 'NOT_ALLOWED']);
    }
  });

  test('an integrator takes no deposit', async () => {
    const integrator = await makeServiceAccount(shop.db, {
      kind: 'integrator',
      merchantId: await makeMerchant(shop.db),
    });
    const { status, body } = await take({ referencia: '1' }, integrator.token);
    expect([status, body.error]).toEqual([403, 12]);
  });
});
