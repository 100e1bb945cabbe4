import { randomUUID } from 'node:crypto';

import { addDays, formatDateLong, mexicoCityDate } from '@aparta/domain/calendar';
import { centavos, type Centavos } from '@aparta/domain/money';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { makeBuyer, type MadeBuyer, makeMerchant, makeProduct } from '../../../test/make.ts';
import { makePurchase, payPurchase } from '../../../test/purchases.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';
import { buy, openTill } from '../../../test/store-acts.ts';
import { jobHandlers } from '../../worker.ts';
import { createLog } from '../../platform/logging.ts';
import { openDb } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { mxn } from '../../platform/email/email-body.ts';
import { PUSHED_TOPICS } from '../../platform/email/pushed-topics.ts';
import { sendEmail } from '../../platform/email/outbox.ts';
import { linksFrom } from '../../platform/email/links.ts';
import { reminderEmail } from '../../platform/email/reminder-copy.ts';
import { prune } from '../../back-office/retention/prune.ts';
import { endLatePlans } from '../../purchases/ending/end-late-plans.ts';
import { composePush } from './copy.ts';
import { readPushKey } from './push-keys.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const log = createLog('silent');

interface Device {
  readonly id: string;
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** A browser of the sandbox's push service, registered with our key. */
async function makeDevice(token: string): Promise<Device> {
  const { body } = await shop.ask('GET /v1/Push', { token });
  return shop.control('POST /control/push/devices', body.data);
}
const save = ({ endpoint, p256dh, auth }: Device, token: string) =>
  shop.ask('PUT /v1/Push', { token, body: { endpoint, p256dh, auth } });

/** A buyer with one browser that is told. */
async function withPhone(): Promise<{ buyer: MadeBuyer; device: Device }> {
  const buyer = await makeBuyer(shop.db);
  const device = await makeDevice(buyer.token);
  expect((await save(device, buyer.token)).status).toBe(200);
  return { buyer, device };
}

/** The jobs that wait to push to a buyer's browsers. */
async function waiting(buyerId: number): Promise<{ outboxId: number; subscriptionId: string }[]> {
  const { rows } = await sql<{ payload: { outboxId: number; subscriptionId: string } }>`
    select j.payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    join outbox o on o.id = (j.payload ->> 'outboxId')::bigint
    where t.identifier = 'send_push' and o.buyer_id = ${buyerId} order by j.id`.execute(shop.db);
  return rows.map(({ payload }) => payload);
}
async function push(buyerId: number): Promise<void> {
  for (const each of await waiting(buyerId)) await shop.job.send_push(each, log);
}
const shown = async ({ id }: Device): Promise<any[]> =>
  (await shop.control(`GET /control/push/devices/${id}`)).pushed.map((each: any) => each.message);

/** Tells a buyer that a refund was done. */
const tellOfRefund = (buyerId: number, dedupeKey: string) =>
  transaction(shop.db, (tx) =>
    sendEmail(tx, {
      topic: 'refund_done',
      dedupeKey,
      buyerId,
      facts: { amountCentavos: 120_000, purchaseId: 7 },
    }),
  );
const count = async (buyerId: number) =>
  (await shop.db.selectFrom('push_subscriptions').select('id').where('buyer_id', '=', buyerId).execute())
    .length;

test('a deposit that is paid is told to the buyer’s phone, encrypted for it and signed by us', async () => {
  const { buyer, device } = await withPhone();
  const reference = await shop.reference({ token: buyer.token });
  expect((await shop.pay(reference, CARDS.approved, { token: buyer.token })).status).toBe(200);
  await push(buyer.id);
  const { pushed } = await shop.control(`GET /control/push/devices/${device.id}`);
  expect(pushed).toMatchObject([
    {
      ttl: 86_400,
      contact: `mailto:${shop.settings.help.email}`,
      message: { title: '¡Ya quedó apartado!', body: 'Recibimos tu pago de $615.00 MXN.' },
    },
  ]);
  expect(pushed[0].message.url).toMatch(/\/saleCxcList\/\d+$/);
});

test('each payment says what is left, and the last one that it can be collected', async () => {
  const { buyer, device } = await withPhone();
  const bought = await buy(shop, { buyer });
  const till = await openTill(shop, 'EMPUJADA');
  for (const importe of [1_200, 1_200]) await till.pay({ referencia: bought.numbers.at(-1) ?? '', importe });
  await push(buyer.id);
  const texts = await shown(device);
  expect(texts.slice(-2)).toMatchObject([
    { title: 'Recibimos tu pago de $1,200.00 MXN', body: 'Te faltan $1,200.00 MXN.' },
    { title: '¡Listo para recoger!', url: `${shop.settings.publicOrigin}/saleCxcList/${bought.id}` },
  ]);
});

test('one payment of several purchases is told to the buyer’s phone too, and leads to them', async () => {
  const { buyer, device } = await withPhone();
  const past = openDb({ url: shop.ownerUrl, role: 'none', max: 1, clockOffset: '-40 days' });
  for (let n = 0; n < 2; n += 1) {
    const productId = await makeProduct(shop.db, { merchantId: shop.merchantId });
    await makePurchase(past, { buyerId: buyer.id, merchantId: shop.merchantId, productId });
  }
  await past.destroy();
  const [first] = await shop.db
    .selectFrom('purchases')
    .select('id')
    .where('buyer_id', '=', buyer.id)
    .execute();
  const { body: late } = await shop.ask(`GET /v1/Cxc/GetLateWithAsync/${first?.id}`, { token: buyer.token });
  const paid = await shop.ask('POST /v1/Clib/CreatePaymentsAsync', {
    token: buyer.token,
    body: {
      amount: 2415,
      currency: 'MXN',
      payment_method: { token: await shop.cardToken(CARDS.approved) },
      apartaBusinnessId: shop.merchantId,
      intentoId: randomUUID(),
      compras: late.data.map(({ referencia, abonos }: any) => ({ referencia, abonos })),
    },
  });
  expect(paid.body.data).toMatchObject({ applied: true });
  await push(buyer.id);
  expect((await shown(device)).slice(-1)).toMatchObject([
    {
      title: 'Recibimos tu pago de $2,415.00 MXN',
      body: 'Es para 2 compras. Toca para verlas.',
      url: `${shop.settings.publicOrigin}/cxcList`,
    },
  ]);
});

test('a date that is due is told with its sum and leads to its payment, and not once it is paid', async () => {
  const { buyer, device } = await withPhone();
  const due = { purchaseId: 9, kind: 'eve', dueOn: '2031-01-31' };
  await transaction(shop.db, (tx) =>
    sendEmail(tx, { topic: 'payment_due', dedupeKey: `due ${buyer.id}`, buyerId: buyer.id, facts: due }),
  );
  const [job] = await waiting(buyer.id);
  if (job === undefined) throw new Error('no job');
  let isPaid = true;
  const jobs = jobHandlers({
    ...shop.jobs,
    reminder: async ({ purchaseId, kind, dueOn }) => (isPaid ? undefined : { purchaseId, kind, dueOn }),
  });
  await jobs.send_push(job, log);
  expect(await shown(device)).toEqual([]);
  isPaid = false;
  await jobs.send_push(job, log);
  expect(await shown(device)).toEqual([
    {
      title: 'Mañana vence tu pago',
      body: 'Toca para pagar.',
      url: `${shop.settings.publicOrigin}/saleCxcList/9?pagar`,
      tag: 'payment_due.9',
    },
  ]);
});

test.each([
  [
    'nothing but it is due',
    0,
    { card: 121_500, cash: 120_000, till: 120_000 },
    'Con tarjeta $1,215.00 MXN; en tiendas o en caja $1,200.00 MXN. Toca para pagar.',
  ],
  ['all cost the same', 0, { card: 120_000, till: 120_000 }, '$1,200.00 MXN. Toca para pagar.'],
  [
    'more was due before',
    120_000,
    { card: 241_500, cash: 240_000 },
    'Con lo que venció antes, con tarjeta $2,415.00 MXN; en tiendas $2,400.00 MXN. Toca para pagar.',
  ],
  ['nothing takes it here', 120_000, {}, 'Con lo que venció antes, $2,400.00 MXN. Toca para pagar.'],
])(
  'a date that is due is told with the sums that pay it, which its email names too, where %s',
  (_where, late, totals, body) => {
    const reminder = {
      purchaseId: 9,
      kind: 'eve',
      dueOn: '2031-03-02',
      due: {
        productName: 'Sala',
        tradeName: 'Muebles',
        number: 3,
        of: 3,
        owedCentavos: centavos(120_000),
        lateCentavos: centavos(late),
        totals: totals as { card?: Centavos; cash?: Centavos; till?: Centavos },
        planReference: '31',
      },
    } as const;
    const links = linksFrom('https://aparta.example');
    expect(composePush({ topic: 'payment_due', reminder }, links).body).toBe(body);
    const email = JSON.stringify(reminderEmail(reminder, { links, product: 'Aparta' }));
    for (const total of Object.values(totals)) expect(email).toContain(mxn(centavos(total)));
  },
);

test('a late plan that is about to end is told with its day and the sum that stops it, for the last time once more, and not once that is paid', async () => {
  const { buyer, device } = await withPhone();
  const past = openDb({ url: shop.ownerUrl, role: 'none', max: 1, clockOffset: '-80 days' });
  const merchantId = await makeMerchant(shop.db, { endDaysLate: 45 });
  const productId = await makeProduct(shop.db, { merchantId });
  const { id } = await makePurchase(past, { buyerId: buyer.id, merchantId, productId });
  await past.destroy();
  const warn = async () => {
    await endLatePlans({ db: shop.db }, log);
    await sql`update outbox set state = 'sent', sent_at = app_now() where topic = 'end_warned' and state = 'waiting'`.execute(
      shop.db,
    );
  };
  await warn();
  await push(buyer.id);
  await sql`update outbox set sent_at = sent_at - interval '11 days' where topic = 'end_warned'`.execute(
    shop.db,
  );
  await warn();
  const last = (await waiting(buyer.id)).at(-1)!;
  await shop.job.send_push(last, log);
  const day = (days: number) => formatDateLong(addDays(mexicoCityDate(new Date()), days));
  const url = `${shop.settings.publicOrigin}/saleCxcList/${id}`;
  const body = 'Si antes pagas $1,200.00 MXN, sigue. Al pagar se suma el cargo por servicio, si lo hay.';
  expect(await shown(device)).toEqual([
    { title: `Tu compra se cancela el ${day(14)}`, body, url, tag: `end_warned.${id}..120000` },
    {
      title: `Último aviso: tu compra se cancela el ${day(3)}`,
      body,
      url,
      tag: `end_warned.${id}..120000.last`,
    },
  ]);
  await payPurchase(shop.db, id, 120_000);
  await shop.job.send_push(last, log);
  expect(await shown(device)).toHaveLength(2);
});

test('time that the shop gives a late plan, and its end, are told with the day and what comes back', async () => {
  const { buyer, device } = await withPhone();
  const tell = (topic: 'more_time' | 'purchase_ended', key: string, facts: Record<string, string | number>) =>
    transaction(shop.db, (tx) =>
      sendEmail(tx, {
        topic,
        dedupeKey: `${key} ${buyer.id}`,
        buyerId: buyer.id,
        facts: { amountCentavos: 120_000, purchaseId: 7, ...facts },
      }),
    );
  await tell('more_time', 'time', { dueOn: '2031-01-31', endsOn: '2031-03-25' });
  await tell('purchase_ended', 'rule', { endedBy: 'rule' });
  await tell('purchase_ended', 'shop', { endedBy: 'merchant', helpCentavos: 20_000 });
  await tell('purchase_ended', 'nothing', { endedBy: 'rule', amountCentavos: 0 });
  await push(buyer.id);
  expect((await shown(device)).map(({ title, body }) => `${title}. ${body}`)).toEqual([
    'Tienes más tiempo: hasta el 25 de marzo de 2031. Si para entonces pagas $1,200.00 MXN, tu compra sigue. Al pagar se suma el cargo por servicio, si lo hay.',
    'Tu compra se canceló por atraso. Te devolvemos $1,200.00 MXN. Toca para ver cómo.',
    'La tienda terminó tu compra. Te devolvemos $1,000.00 MXN. Toca para ver cómo.',
    'Tu compra se canceló por atraso. No queda nada por devolverte. Toca para ver por qué.',
  ]);
});

test('the same news are queued once for each browser, however often they are said', async () => {
  const { buyer, device } = await withPhone();
  const second = await makeDevice(buyer.token);
  await save(second, buyer.token);
  await tellOfRefund(buyer.id, `once ${buyer.id}`);
  await tellOfRefund(buyer.id, `once ${buyer.id}`);
  await push(buyer.id);
  expect([(await shown(device)).length, (await shown(second)).length]).toEqual([1, 1]);
});

test('what is not about money or dates is not pushed, nor what is a day old, nor what was dropped', async () => {
  const { buyer, device } = await withPhone();
  await transaction(shop.db, (tx) =>
    sendEmail(tx, { topic: 'password_changed', dedupeKey: `${buyer.id}`, buyerId: buyer.id, facts: {} }),
  );
  expect(await waiting(buyer.id)).toEqual([]);
  await tellOfRefund(buyer.id, `old ${buyer.id}`);
  await tellOfRefund(buyer.id, `dropped ${buyer.id}`);
  const [old, dropped] = await waiting(buyer.id);
  await sql`update outbox set created_at = app_now() - interval '25 hours' where id = ${old?.outboxId}`.execute(
    shop.db,
  );
  await sql`update outbox set state = 'dropped' where id = ${dropped?.outboxId}`.execute(shop.db);
  await push(buyer.id);
  expect(await shown(device)).toEqual([]);
});

test('a browser that its push service does not know any more is forgotten', async () => {
  const { buyer, device } = await withPhone();
  await shop.control(`POST /control/push/devices/${device.id}/gone`, {});
  await tellOfRefund(buyer.id, `gone ${buyer.id}`);
  await push(buyer.id);
  expect(await count(buyer.id)).toBe(0);
});

test('a push service that is away is tried again, and what it refuses for good is not', async () => {
  const { buyer, device } = await withPhone();
  await tellOfRefund(buyer.id, `away ${buyer.id}`);
  await shop.control('POST /control/faults', { call: 'push', kind: 'status', status: 503 });
  await expect(push(buyer.id)).rejects.toThrow('503');
  await shop.control('POST /control/faults', { call: 'push', kind: 'unreachable' });
  await expect(push(buyer.id)).rejects.toThrow('did not take it');
  await shop.control('POST /control/faults', { call: 'push', kind: 'status', status: 403 });
  await push(buyer.id);
  expect(await shown(device)).toEqual([]);
  await push(buyer.id);
  expect(await shown(device)).toHaveLength(1);
  expect(await count(buyer.id)).toBe(1);
});

test('whoever signs in on a phone later has its news alone, and nobody ends what is another’s', async () => {
  const { buyer, device } = await withPhone();
  const other = await makeBuyer(shop.db);
  await tellOfRefund(buyer.id, `moved ${buyer.id}`);
  await save(device, other.token);
  await push(buyer.id);
  expect(await shown(device)).toEqual([]);
  const { endpoint } = device;
  expect((await shop.ask('POST /v1/Push/End', { token: buyer.token, body: { endpoint } })).status).toBe(200);
  expect(await count(other.id)).toBe(1);
  await shop.ask('POST /v1/Push/End', { token: other.token, body: { endpoint } });
  expect(await count(other.id)).toBe(0);
});

test('logging out ends what that browser is told', async () => {
  const { buyer } = await withPhone();
  await shop.ask('POST /v1/TokenBuyer/Logout', { token: buyer.token });
  expect(await count(buyer.id)).toBe(0);
});

test('closing a session from elsewhere ends what its browser is told', async () => {
  const { buyer } = await withPhone();
  const { body } = await shop.ask('GET /v1/TokenBuyer/Sessions', { token: buyer.token });
  await shop.ask(`POST /v1/TokenBuyer/Sessions/${body.data[0].id}/Close`, { token: buyer.token });
  expect(await count(buyer.id)).toBe(0);
});

test('of a buyer’s browsers the ten newest are told, and one of which nobody heard for 400 days is forgotten', async () => {
  const { buyer, device } = await withPhone();
  for (let more = 0; more < 10; more += 1) await save(await makeDevice(buyer.token), buyer.token);
  expect(await count(buyer.id)).toBe(10);
  const left = await shop.db
    .selectFrom('push_subscriptions')
    .select('id')
    .where('endpoint', '=', device.endpoint)
    .execute();
  expect(left).toEqual([]);
  await sql`update push_subscriptions set saved_at = app_now() - interval '401 days' where buyer_id = ${buyer.id}`.execute(
    shop.db,
  );
  await prune(shop.jobs.db, log);
  expect(await count(buyer.id)).toBe(0);
});

test('an address that is of no push service, or a key that is none, is refused: we would call it', async () => {
  const buyer = await makeBuyer(shop.db);
  const device = await makeDevice(buyer.token);
  for (const wrong of [
    { endpoint: 'https://evil.example/push' },
    { endpoint: 'https://fcm.googleapis.com.evil.example/push' },
    { endpoint: 'https://evilpush.apple.com/push' },
    { endpoint: 'https://user:word@fcm.googleapis.com/push' },
    { p256dh: `B${'A'.repeat(86)}` },
  ]) {
    const { status, body } = await save({ ...device, ...wrong }, buyer.token);
    expect({ wrong, status, code: body.code }).toEqual({ wrong, status: 422, code: 'PUSH_NOT_TAKEN' });
  }
  expect((await save({ ...device, endpoint: 'https://web.push.apple.com/x' }, buyer.token)).status).toBe(200);
});

test('everything that is pushed has its words, with no name of anybody in them', () => {
  const links = linksFrom('https://aparta.example');
  for (const topic of PUSHED_TOPICS) {
    if (topic === 'payment_due') continue;
    const text = composePush({ topic, facts: { amountCentavos: 100 as never } }, links);
    expect(text.url).toBe('https://aparta.example/cxcList');
    expect(text.title.length + text.body.length).toBeLessThan(160);
  }
});

test('what a helper gave is not pushed as the buyer’s own payment', () => {
  const facts = { amountCentavos: 51_500 as never, balanceCentavos: 100_000 as never, purchaseId: 7 };
  const links = linksFrom('https://aparta.example');
  const text = composePush({ topic: 'instalment_paid', facts: { ...facts, isHelp: 1 } }, links);
  expect(text).toMatchObject({
    title: 'Te ayudaron con $515.00 MXN',
    body: 'Te faltan $1,000.00 MXN.',
  });
});

test('the key of what is pushed is 32 bytes, and its public half is a point', () => {
  expect(readPushKey(Buffer.alloc(32, 7).toString('base64')).publicKey).toMatch(/^B[\w-]{86}$/);
  for (const wrong of [
    '',
    'short',
    Buffer.alloc(33, 7).toString('base64'),
    Buffer.alloc(32).toString('base64'),
  ])
    expect(() => readPushKey(wrong)).toThrow(/32 bytes|[Pp]rivate key/);
});
