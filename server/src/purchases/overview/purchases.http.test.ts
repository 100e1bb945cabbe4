import { addDays, formatDate, mexicoCityDate } from '@aparta/domain/calendar';
import { centavos } from '@aparta/domain/money';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../../test/app.ts';
import {
  makeBuyer,
  makeMerchant,
  makeProduct,
  makeServiceAccount,
  type MadeBuyer,
} from '../../../test/make.ts';
import { type MadePurchase, makeManyPurchases, makePurchase, payPurchase } from '../../../test/purchases.ts';
import { type Db, openDb } from '../../platform/db/db.ts';
import { databaseNow, transaction } from '../../platform/db/transaction.ts';
import { findCurrentCredential } from '../../payments/card-keys/store.ts';
import { insertParts } from '../../payments/cards/parts-store.ts';
import { insertAttempt } from '../../payments/cards/store.ts';

let server: TestApp;
/** The same database 45 days ago: what is reserved there has its second instalment due 15 days ago. */
let past: Db;
let ana: MadeBuyer;
let merchantId: number;
let productId: number;
let today: string;

/** One of Ana's per state: 3,000.00 in 600.00, 1,200.00 and 1,200.00. */
const made = {} as Record<'late' | 'fresh' | 'partial' | 'paidOff' | 'cancelled', MadePurchase>;

beforeAll(async () => {
  server = await startTestApp();
  const { db, settings, ownerUrl } = server;
  past = openDb({ url: ownerUrl, role: 'none', clockOffset: '-45 days' });
  today = mexicoCityDate(await databaseNow(db));
  ana = await makeBuyer(db, { userName: 'Ana' });
  merchantId = await makeMerchant(db, { cards: { keyRing: settings.keyRing } });
  productId = await makeProduct(db, { merchantId });
  const given = { buyerId: ana.id, merchantId, productId };
  made.late = await makePurchase(past, given);
  made.fresh = await makePurchase(db, given);
  made.partial = await makePurchase(db, given);
  made.paidOff = await makePurchase(db, given);
  made.cancelled = await makePurchase(db, given);
  await payPurchase(db, made.partial.id, 50_000);
  await payPurchase(db, made.paidOff.id, 240_000);
  await db
    .updateTable('purchases')
    .set({ state: 'cancelled', cancelled_at: sql<Date>`app_now()`, cancel_notes: 'Me equivoqué' })
    .where('id', '=', made.cancelled.id)
    .execute();
});
afterAll(async () => {
  await past.destroy();
  await server.close();
});

const get = async (path: string, token = ana.token) => server.ask(`GET ${path}`, { token });
const listed = async (query = '', buyer = ana) =>
  (await get(`/v1/Cxc/ByBuyerIdH/${buyer.id}${query}`, buyer.token)).body;
const ids = (page: any): number[] => page.data.map(({ ventaId }: any) => ventaId);

describe('the list', () => {
  test('has every purchase, the late one first and then the newest, and says that there is no other page', async () => {
    const page = await listed();
    expect(ids(page)).toEqual(
      [made.late, made.cancelled, made.paidOff, made.partial, made.fresh].map(({ id }) => id),
    );
    expect(page).toMatchObject({ isSuccess: true, next: null, total: 5 });
  });

  test.each([
    [1, ['late', 'cancelled', 'paidOff', 'partial', 'fresh']],
    [2, ['late', 'partial', 'fresh']],
    [3, ['paidOff']],
    [4, ['cancelled']],
  ] as const)('filter %i lists only what it names', async (status, names) => {
    const page = await listed(`?status=${status}`);
    expect(ids(page)).toEqual(names.map((name) => made[name].id));
    expect(page.total).toBe(names.length);
  });

  test('carries every field that a purchase is shown with', async () => {
    const [, purchase] = (await listed('?status=2&limit=2')).data;
    const profile = (await get(`/v1/UserBuyerClient/GetByUserIdAsync/${ana.id}`)).body.data;
    expect(purchase).toMatchObject({
      ventaId: made.partial.id,
      nombreComercial: 'Muebles del Centro',
      nombre: profile.name,
      descripcion: 'Sala Nórdica',
      details: 'Tres plazas, gris',
      montoVenta: 3_000,
      montoAdelanto: 600,
      totalPagos: 1_100,
      estatusVentaId: 1,
      clienteId: ana.id,
      comercioId: merchantId,
      email: ana.email,
      telefono: '5512345678',
      productId,
      logofileName: expect.stringMatching(/^logo-.*\.jpg$/),
    });
    expect(mexicoCityDate(new Date(purchase.fechaVta))).toBe(today);
  });

  test('counts the deposit among the instalments and among the paid ones', async () => {
    const counts = Object.fromEntries(
      (await listed()).data.map((each: any) => [
        each.ventaId,
        [each.totalPagos, each.numCxcPagadas, each.numCxc],
      ]),
    );
    expect(counts).toEqual({
      [made.late.id]: [600, 1, 3],
      [made.fresh.id]: [600, 1, 3],
      [made.partial.id]: [1_100, 1, 3],
      [made.paidOff.id]: [3_000, 3, 3],
      [made.cancelled.id]: [600, 1, 3],
    });
  });

  test('names the one instalment to pay next, and whether it is late', async () => {
    const next = Object.fromEntries(
      (await listed()).data.map((each: any) => [each.ventaId, [each.nextInstalment, each.late]]),
    );
    const second = (purchase: MadePurchase, dueOn: string, balance: number, late: boolean) => [
      { id: purchase.instalmentIds[1], number: 2, dueOn, balance, late },
      late,
    ];
    expect(next).toEqual({
      [made.late.id]: second(made.late, addDays(today, -15), 1_200, true),
      [made.fresh.id]: second(made.fresh, addDays(today, 30), 1_200, false),
      [made.partial.id]: second(made.partial, addDays(today, 30), 700, false),
      [made.paidOff.id]: [null, false],
      [made.cancelled.id]: [null, false],
    });
  });

  test('brings the plan of each purchase by number, without its payments', async () => {
    const plan = (await listed('?status=2')).data[1].cxcList;
    const common = { ventaId: made.partial.id, numfactura: null, cashReferenceExpiresAt: null, late: false };
    const [first, second, third] = made.partial.instalmentIds;
    expect(plan).toEqual([
      {
        ...common,
        id: first,
        identificador: 1,
        paymentReference: `1${first}`,
        fechaVencimiento: today,
        valor: 600,
        pagos: 600,
        saldo: 0,
        notasCxc: '',
        visibleAlPago: false,
      },
      {
        ...common,
        id: second,
        identificador: 2,
        paymentReference: `2${second}`,
        fechaVencimiento: addDays(today, 30),
        valor: 1_200,
        pagos: 500,
        saldo: 700,
        notasCxc: `Pago parcial en caja ${formatDate(today).slice(0, -5)}`,
        visibleAlPago: true,
      },
      {
        ...common,
        id: third,
        identificador: 3,
        paymentReference: `3${third}`,
        fechaVencimiento: addDays(today, 60),
        valor: 1_200,
        pagos: 0,
        saldo: 1_200,
        notasCxc: '',
        visibleAlPago: false,
      },
    ]);
  });

  test('says where the buyer’s own card payment of a purchase stands, or of it and others, until it ends', async () => {
    const buyer = await makeBuyer(server.db);
    const given = { buyerId: buyer.id, merchantId, productId };
    const alone = await makePurchase(server.db, given);
    const first = await makePurchase(server.db, given);
    const second = await makePurchase(server.db, given);
    const helped = await makePurchase(server.db, given);
    const ended = await makePurchase(server.db, given);
    const credential = (await findCurrentCredential(server.db, merchantId))!;
    const linkId = crypto.randomUUID();
    await server.db
      .insertInto('help_links')
      .values({
        id: linkId,
        purchase_id: helped.id,
        buyer_id: buyer.id,
        merchant_id: merchantId,
        message: '',
        goal_centavos: null,
        expires_at: sql<Date>`app_now() + interval '1 day'`,
      })
      .execute();
    const pay = (
      { instalmentIds }: MadePurchase,
      about: Pick<Parameters<typeof insertAttempt>[1], 'state' | 'payer'>,
      beside: readonly MadePurchase[] = [],
    ) =>
      transaction(server.db, async (tx) => {
        const { id } = await insertAttempt(tx, {
          buyerId: buyer.id,
          merchantId,
          credentialId: credential.id,
          referenceId: instalmentIds[1]!,
          intentId: crypto.randomUUID(),
          intentHash: null,
          principalCentavos: centavos(120_000 * Math.max(beside.length, 1)),
          feeCentavos: centavos(0),
          sourceAddress: '',
          requestId: '',
          ofSeveral: beside.length > 0,
          ...about,
        });
        if (beside.length > 0)
          await insertParts(
            tx,
            id,
            beside.map((each) => ({
              purchaseId: each.id,
              instalmentId: each.instalmentIds[1]!,
              amountCentavos: centavos(120_000),
            })),
          );
      });
    await pay(alone, { state: 'pending_3ds' });
    await pay(first, { state: 'unknown' }, [first, second]);
    const payer = { helpLinkId: linkId, payerName: 'Marta', payerEmail: 'marta@example.mx' };
    await pay(helped, { state: 'unknown', payer });
    await pay(ended, { state: 'rejected' });
    const listing = (await listed('', buyer)).data.map((each: any) => [each.ventaId, each.openAttempt]);
    expect(Object.fromEntries(listing)).toEqual({
      [alone.id]: 'pending_3ds',
      [first.id]: 'unknown',
      [second.id]: 'unknown',
      [helped.id]: null,
      [ended.id]: null,
    });
    // Its own page says so too: there is no other call where there is no network.
    const page = await get(`/v1/Sales/GetAsync/${second.id}`, buyer.token);
    expect(page.body.data.openAttempt).toBe('unknown');
  });

  test('is an empty list for a buyer who has reserved nothing', async () => {
    const nobody = await makeBuyer(server.db);
    expect(await listed('', nobody)).toEqual({
      isSuccess: true,
      message: '',
      data: [],
      next: null,
      total: 0,
      waiting: [],
      unresolved: 0,
    });
  });

  test.each([
    'status=0',
    'status=5',
    'status=',
    'limit=0',
    'limit=101',
    'limit=x',
    'cursor=5',
    'cursor=1.late.0',
  ])('refuses ?%s and names the field', async (query) => {
    const { status, body } = await get(`/v1/Cxc/ByBuyerIdH/${ana.id}?${query}`);
    expect([status, body.code, Object.keys(body.fields)]).toEqual([
      422,
      'INVALID_INPUT',
      [query.split('=')[0]],
    ]);
  });
});

describe('late purchases', () => {
  let buyer: MadeBuyer;
  const late: number[] = [];
  beforeAll(async () => {
    buyer = await makeBuyer(server.db);
    for (let made = 0; made < 3; made += 1) {
      late.unshift((await makePurchase(past, { buyerId: buyer.id, merchantId, productId })).id);
    }
    const newer = { buyerIds: [buyer.id], merchantId, productId, purchases: 30, instalments: 3 };
    await makeManyPurchases(server.db, newer);
  });

  test.each([1, 2])(
    'lead the whole list of filter %i, and paging neither repeats nor drops any',
    async (status) => {
      const seen: number[] = [];
      let cursor = '';
      do {
        const page = await listed(`?status=${status}&limit=2${cursor}`, buyer);
        seen.push(...ids(page));
        cursor = page.next && `&cursor=${page.next}`;
      } while (cursor);
      expect(seen.slice(0, 3)).toEqual(late);
      const rest = seen.slice(3);
      expect(rest).toHaveLength(30);
      expect(rest).toEqual([...new Set(rest)].toSorted((one, other) => other - one));
    },
  );

  test('are late by the day of the first page on all pages, so that midnight hides none', async () => {
    const { next } = await listed('?limit=3', buyer);
    const [day, part] = next.split('.');
    expect(part).toBe('late');
    const inTime = await listed(`?limit=100&cursor=${day - 15}.rest.999999999`, buyer);
    expect(ids(inTime).slice(30)).toEqual(late);
  });

  test('go back among the others once what was late is paid', async () => {
    await payPurchase(server.db, late[0]!, 120_000);
    const all = ids(await listed('?limit=100', buyer));
    expect([all[0], all[1], all.at(-1)]).toEqual([late[1], late[2], late[0]]);
  });
});

describe('500 purchases', () => {
  let many: MadeBuyer;
  beforeAll(async () => {
    many = await makeBuyer(server.db);
    await add(500);
  });
  const add = (purchases: number) =>
    makeManyPurchases(server.db, { buyerIds: [many.id], merchantId, productId, purchases, instalments: 3 });

  test.each([undefined, 7, 100])(
    'paged by %s are each seen once, while new ones are made meanwhile',
    async (limit) => {
      const before = await server.db
        .selectFrom('purchases')
        .select('id')
        .where('buyer_id', '=', many.id)
        .orderBy('id', 'desc')
        .execute();
      const seen: number[] = [];
      const sizes = new Set<number>();
      let next: string | null = null;
      do {
        const query: string = [limit && `limit=${limit}`, next && `cursor=${next}`].filter(Boolean).join('&');
        const page: any = await listed(`?${query}`, many);
        expect(page.total).toBe(next === null ? before.length : null);
        sizes.add(page.data.length);
        seen.push(...ids(page));
        next = page.next;
        await add(1);
      } while (next !== null);
      expect(seen).toEqual(before.map(({ id }) => id));
      expect(Math.max(...sizes)).toBe(limit ?? 20);
    },
  );

  test('a last page that is just full has no next', async () => {
    const buyer = await makeBuyer(server.db);
    await makeManyPurchases(server.db, {
      buyerIds: [buyer.id],
      merchantId,
      productId,
      purchases: 4,
      instalments: 2,
    });
    const first = await listed('?limit=2', buyer);
    const second = await listed(`?limit=2&cursor=${first.next}`, buyer);
    expect([first.data.length, second.data.length, second.next]).toEqual([2, 2, null]);
  });
});

describe('the instalments of a purchase', () => {
  const instalmentsOf = async ({ id }: MadePurchase) =>
    (await get(`/v1/Cxc/ByBusinesidVentaidDateD/${id}`)).body.data;

  test('come by number, with the payments of each, their folio and their method', async () => {
    const purchase = await makePurchase(server.db, { buyerId: ana.id, merchantId, productId });
    const credential = (await findCurrentCredential(server.db, merchantId))!;
    const attempt = await transaction(server.db, (tx) =>
      insertAttempt(tx, {
        buyerId: ana.id,
        merchantId,
        credentialId: credential.id,
        referenceId: purchase.instalmentIds[1]!,
        intentId: crypto.randomUUID(),
        intentHash: null,
        state: 'applied',
        principalCentavos: centavos(100_000),
        feeCentavos: centavos(1_500),
        capturedCentavos: centavos(101_500),
        providerPaymentId: crypto.randomUUID(),
        sourceAddress: '',
        requestId: '',
      }),
    );
    await server.db
      .updateTable('card_attempts')
      .set({ card_last4: '4242' })
      .where('id', '=', attempt.id)
      .execute();
    const byCard = await payPurchase(server.db, purchase.id, 100_000, {
      channel: 'card',
      sourceId: attempt.id,
      feeCentavos: 1_500,
    });
    const inCash = await payPurchase(server.db, purchase.id, 50_000, { channel: 'cash' });

    const plan = await instalmentsOf(purchase);
    expect(plan.map(({ identificador, saldo }: any) => [identificador, saldo])).toEqual([
      [1, 0],
      [2, 0],
      [3, 900],
    ]);
    // With which of them a fee came that no invoice has.
    expect(plan.map(({ feePaid }: any) => feePaid)).toEqual([false, true, false]);
    const payments = plan.map(({ cxcPagos }: any) =>
      cxcPagos.map(({ monto, folio, method, last4 }: any) => ({ monto, folio, method, last4 })),
    );
    expect(payments).toEqual([
      [{ monto: 600, folio: expect.stringMatching(/^\w{10}$/), method: 'till', last4: null }],
      [
        { monto: 1_000, folio: byCard, method: 'card', last4: '4242' },
        { monto: 200, folio: inCash, method: 'cash', last4: null },
      ],
      [{ monto: 300, folio: inCash, method: 'cash', last4: null }],
    ]);
    expect(new Set(plan.flatMap((each: any) => each.cxcPagos.map((pago: any) => pago.cxcPagoId))).size).toBe(
      4,
    );
    expect(mexicoCityDate(new Date(plan[2].cxcPagos[0].fechaExpedicion))).toBe(today);
    expect(plan.map(({ notasCxc }: any) => notasCxc)).toEqual([
      '',
      '',
      `Pago parcial en tienda ${formatDate(today).slice(0, -5)}`,
    ]);
  });

  test('show the one that is past its day as late, and it alone can be paid', async () => {
    const plan = await instalmentsOf(made.late);
    expect(plan.map(({ late, visibleAlPago }: any) => [late, visibleAlPago])).toEqual([
      [false, false],
      [true, true],
      [false, false],
    ]);
  });

  test('cannot be paid and are not late once the purchase is cancelled or paid off', async () => {
    const cancelled = await makePurchase(past, { buyerId: ana.id, merchantId, productId });
    await server.db
      .updateTable('purchases')
      .set({ state: 'cancelled', cancelled_at: sql<Date>`app_now()` })
      .where('id', '=', cancelled.id)
      .execute();
    for (const purchase of [cancelled, made.paidOff]) {
      const plan = await instalmentsOf(purchase);
      expect(plan.filter(({ late, visibleAlPago }: any) => late || visibleAlPago)).toEqual([]);
    }
    // What was paid of it stays as history.
    expect((await instalmentsOf(cancelled))[0].cxcPagos).toHaveLength(1);
  });

  test('no longer show a payment that a till took back', async () => {
    const purchase = await makePurchase(server.db, { buyerId: ana.id, merchantId, productId });
    await payPurchase(server.db, purchase.id, 50_000);
    await transaction(server.db, async (tx) => {
      const instalmentId = purchase.instalmentIds[1]!;
      const allocation = await tx
        .selectFrom('allocations')
        .selectAll()
        .where('instalment_id', '=', instalmentId)
        .executeTakeFirstOrThrow();
      await tx
        .insertInto('allocations')
        .values({
          receipt_id: allocation.receipt_id,
          target: 'instalment',
          instalment_id: instalmentId,
          refund_id: null,
          amount_centavos: 0 - allocation.amount_centavos,
          reverses_id: allocation.id,
        })
        .execute();
      for (const statement of [
        sql`update receipts set withdrawn_centavos = amount_centavos where id = ${allocation.receipt_id}`,
        sql`update instalments set paid_centavos = 0 where id = ${instalmentId}`,
        sql`update purchases set paid_centavos = paid_centavos - 50000 where id = ${purchase.id}`,
      ]) {
        await statement.execute(tx);
      }
    });
    expect((await instalmentsOf(purchase))[1]).toMatchObject({ pagos: 0, cxcPagos: [], notasCxc: '' });
  });
});

describe('one instalment', () => {
  const instalment = async (id: number) => (await get(`/v1/Cxc/ByIdWithBalance/${id}`)).body.data;

  test('says what paying its balance takes, by card and in cash, with the fee that was frozen', async () => {
    await server.db
      .updateTable('merchants')
      .set({ service_fee_centavos: centavos(9_900), service_fee_methods: ['card', 'till', 'cash'] })
      .where('id', '=', merchantId)
      .execute();
    const id = made.partial.instalmentIds[1]!;
    expect(await instalment(id)).toMatchObject({
      id,
      ventaId: made.partial.id,
      identificador: 2,
      saldo: 700,
      pagos: 500,
      cxcPagos: [{ monto: 500 }],
      visibleAlPago: true,
      paymentReference: `2${id}`,
      estatusVentaId: 1,
      numCxc: 3,
      numCxcPagadas: 1,
      businessId: merchantId,
      productId,
      tradeName: 'Muebles del Centro',
      productName: 'Sala Nórdica',
      cardFee: 15,
      cardTotal: 715,
      cashFee: 0,
      cashTotal: 700,
      acceptsCards: true,
      attempt: null,
    });
  });

  test('names one number for the whole purchase, and what a till adds, where the shop has one', async () => {
    const id = made.fresh.instalmentIds[1]!;
    expect(await instalment(id)).toMatchObject({
      tillFee: null,
      planReference: `3${made.fresh.instalmentIds[2]!}`,
    });
    await makeServiceAccount(server.db, { kind: 'till', chain: 'NORTE', merchantIds: [merchantId] });
    expect(await instalment(id)).toMatchObject({ tillFee: 0 });
    // Without that call too: it is read where there is no network, and so is the number.
    const sale = await get(`/v1/Sales/GetAsync/${made.fresh.id}`);
    expect(sale.body.data.acceptsTills).toBe(true);
    const { cxcList, acceptsTills } = (await listed('?status=2')).data.at(-1);
    expect([acceptsTills, cxcList.at(-1).paymentReference]).toEqual([
      true,
      `3${made.fresh.instalmentIds[2]!}`,
    ]);
  });

  test('carries the newest card attempt at it, or the open one at another of its purchase', async () => {
    const id = made.fresh.instalmentIds[1]!;
    const credential = (await findCurrentCredential(server.db, merchantId))!;
    const intentId = crypto.randomUUID();
    await transaction(server.db, (tx) =>
      insertAttempt(tx, {
        buyerId: ana.id,
        merchantId,
        credentialId: credential.id,
        referenceId: id,
        intentId,
        intentHash: null,
        state: 'unknown',
        principalCentavos: centavos(120_000),
        feeCentavos: centavos(1_500),
        sourceAddress: '',
        requestId: '',
      }),
    );
    expect((await instalment(id)).attempt).toMatchObject({
      intentoId: intentId,
      state: 'unknown',
      referencia: `2${id}`,
      amount: 1_215,
    });
    expect((await instalment(made.fresh.instalmentIds[2]!)).attempt).toMatchObject({ intentoId: intentId });
    expect((await instalment(made.partial.instalmentIds[1]!)).attempt).toBeNull();
  });

  test('of a cancelled purchase says so', async () => {
    expect(await instalment(made.cancelled.instalmentIds[1]!)).toMatchObject({
      estatusVentaId: 2,
      visibleAlPago: false,
      late: false,
    });
  });
});

describe('one purchase', () => {
  const sale = async ({ id }: MadePurchase) => {
    const { status, body } = await get(`/v1/Sales/GetAsync/${id}`);
    const warned = () =>
      server
        .logged()
        .split('\n')
        .filter((line) => line.includes(body.requestId));
    if (status !== 200) expect.fail(`${status} ${body.code}: ${warned().join('\n')}`);
    return body.data;
  };

  test('is the sale with its terms, its dates and its reference', async () => {
    const reference = await server.db
      .selectFrom('purchases as p')
      .innerJoin('layaway_references as l', 'l.id', 'p.layaway_reference_id')
      .select(['l.id', 'l.expires_at', 'p.created_at'])
      .where('p.id', '=', made.late.id)
      .executeTakeFirstOrThrow();
    expect(await sale(made.late)).toMatchObject({
      id: made.late.id,
      businessId: merchantId,
      saleDate: reference.created_at.toISOString(),
      creationDate: reference.created_at.toISOString(),
      description: 'Sala Nórdica',
      details: 'Tres plazas, gris',
      clientId: ana.id,
      productId,
      sku: expect.stringMatching(/^SALA-/),
      ammount: 3_000,
      ammountPre: 600,
      limitDatePay: addDays(today, 15),
      vigencyDateToLC: reference.expires_at.toISOString(),
      apartReference: `1${reference.id}`,
      saleStatusId: 1,
      cancelDate: null,
      cancelNotes: '',
      SSOIdBuyerCancel: '',
      SSOIdBussineeCancel: '',
      numNotificationCancel: 0,
      tradeName: 'Muebles del Centro',
      totalPagos: 600,
      numCxc: 3,
      numCxcPagadas: 1,
      cardFee: 15,
      cashFee: 0,
      acceptsCards: true,
    });
  });

  test('says when it last changed: a payment, or its cancelling', async () => {
    const [fresh, partial, cancelled] = [
      await sale(made.fresh),
      await sale(made.partial),
      await sale(made.cancelled),
    ];
    expect(fresh.updateDate).toBe(fresh.creationDate);
    expect(partial.updateDate > partial.creationDate).toBe(true);
    expect(cancelled.updateDate).toBe(cancelled.cancelDate);
  });

  test('that was cancelled carries the reason and who did it', async () => {
    const profile = (await get(`/v1/UserBuyerClient/GetByUserIdAsync/${ana.id}`)).body.data;
    expect(await sale(made.cancelled)).toMatchObject({
      saleStatusId: 2,
      cancelNotes: 'Me equivoqué',
      SSOIdBuyerCancel: profile.ssoId,
      totalPagos: 600,
    });
  });
});

test("another buyer is told of Ana's purchases what they are told of none", async () => {
  const eva = await makeBuyer(server.db);
  const pairs = [
    [`/v1/Cxc/ByBuyerIdH/${ana.id}`, '/v1/Cxc/ByBuyerIdH/999999'],
    [`/v1/Cxc/ByBusinesidVentaidDateD/${made.fresh.id}`, '/v1/Cxc/ByBusinesidVentaidDateD/999999'],
    [`/v1/Cxc/ByIdWithBalance/${made.fresh.instalmentIds[1]}`, '/v1/Cxc/ByIdWithBalance/9999999998'],
    [`/v1/Sales/GetAsync/${made.fresh.id}`, '/v1/Sales/GetAsync/999999'],
  ] as const;
  for (const [hers, none] of pairs) {
    const [answer, nothing] = [await get(hers, eva.token), await get(none, eva.token)];
    expect([answer.status, answer.body.code]).toEqual([404, 'NOT_FOUND']);
    expect(answer.body).toEqual(nothing.body);
  }
  // A layaway's own reference is no instalment, not even its buyer's.
  const reference = (await get(`/v1/Sales/GetAsync/${made.fresh.id}`)).body.data.apartReference.slice(1);
  expect((await get(`/v1/Cxc/ByIdWithBalance/${reference}`)).status).toBe(404);
});
