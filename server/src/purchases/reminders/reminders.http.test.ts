import fs from 'node:fs';
import { env } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { addDays, type DateOnly } from '@aparta/domain/calendar';
import { centavos } from '@aparta/domain/money';
import { remindersAt } from '@aparta/domain/reminders';
import { sql } from 'kysely';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { addressNamed } from '../../../test/database.ts';
import { dice, oneOf } from '../../../test/dice.ts';
import { makeBuyer, makeMerchant, makeProduct, type MadeBuyer } from '../../../test/make.ts';
import { makePurchase, payByCard, payPurchase } from '../../../test/purchases.ts';
import { openShop, type Shop } from '../../../test/shop.ts';
import { openTill } from '../../../test/store-acts.ts';
import { type Db, openDb } from '../../platform/db/db.ts';
import { deliverEmail } from '../../platform/email/deliver-email.ts';
import { changePlan } from '../moving/change-plan.ts';
import { queueReminders } from './queue-reminders.ts';
import { readReminder } from './read-reminder.ts';

/** Purchases that live through sixty days, and the choice of what happens to them. */
const RUNS = Number(env['RUNS'] ?? 15);
const SEED = Number(env['RUNS_SEED'] ?? 15);

let shop: Shop;
const opened: Db[] = [];
beforeAll(async () => {
  const wasm = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'));
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(fs.readFileSync(wasm)).buffer } });
  shop = await openShop();
});
afterAll(async () => {
  for (const db of opened) await db.destroy();
  await shop.close();
});

const offsetAt = (day: DateOnly, hour: string) =>
  `${Date.parse(`${day}T${hour}:00-06:00`) - Date.now()} milliseconds`;

/** The shop's database at a moment of Mexico City's clock. */
function at(day: DateOnly, hour: string, name = 'alive'): Db {
  const clockOffset = offsetAt(day, hour);
  const url = addressNamed(shop.ownerUrl, name);
  const db = openDb({ url, role: 'none', max: 2, clockOffset });
  opened.push(db);
  return db;
}
/** Both connections of such a database to another moment: a new one has everything to plan again. */
const moveTo = (db: Db, day: DateOnly, hour: string) =>
  db.connection().execute((one) =>
    db.connection().execute(async (other) => {
      for (const each of [one, other])
        await sql`select set_config('aparta.clock_offset', ${offsetAt(day, hour)}, false)`.execute(each);
    }),
  );
const jobsAt = (db: Db) => ({
  ...shop.jobs,
  db,
  reminder: (of: Parameters<typeof readReminder>[1]) =>
    readReminder({ db, cardKeyOf: async () => 'a public key' }, of),
});

/** Both servers' job, and then both servers' mail. */
async function remind(db: Db): Promise<void> {
  await Promise.all([queueReminders(db), queueReminders(db)]);
  await deliver(db);
}
/** The job of a server that is killed before it has written what it began; false when it had nothing to write. */
async function remindAndDie(doomed: Db): Promise<boolean> {
  const held = new AbortController();
  const job = queueReminders(doomed)
    .then(
      () => false,
      () => true,
    )
    .finally(() => held.abort());
  const ofDoomed = sql`from pg_stat_activity where datname = current_database() and application_name = 'doomed'`;
  await shop.db.transaction().execute(async (tx) => {
    await sql`lock table outbox in share mode`.execute(tx);
    while (!held.signal.aborted) {
      const ended = sql`select pg_terminate_backend(pid, 1000) ${ofDoomed} and wait_event_type = 'Lock'`;
      // Not in the transaction, which would see the activity of its beginning for ever.
      if ((await ended.execute(shop.db)).rows.length > 0) {
        void doomed.destroy();
        break;
      }
      await sleep(5);
    }
  });
  return job;
}
async function deliver(db: Db): Promise<void> {
  const waiting = await shop.db
    .selectFrom('outbox')
    .select('id')
    .where('topic', '=', 'payment_due')
    .where('state', '=', 'waiting')
    .execute();
  for (const { id } of waiting) await deliverEmail(jobsAt(db), id);
}
async function mails({ email }: { email: string }): Promise<any[]> {
  const { emails } = await shop.control('GET /control/emails');
  return emails.filter(({ to }: { to: string[] }) => to.includes(email));
}
const subjects = async (buyer: MadeBuyer) =>
  (await mails(buyer)).map(({ subject }: { subject: string }) => subject);

/** Reserved on 1 January 2031: 1,200.00 a month, due on 31 January and 2 March. */
async function reserved(buyer: MadeBuyer) {
  return makePurchase(at('2031-01-01', '12:00'), { ...shop, buyerId: buyer.id });
}

test('a date is reminded of three times by day, each once, with what is owed, how to pay it and the bars for the till', async () => {
  const till = await openTill(shop, 'RECORDADA');
  expect(till).toBeDefined();
  const buyer = await makeBuyer(shop.db);
  const { id, instalmentIds } = await reserved(buyer);
  for (const [day, hour] of [
    ['2031-01-26', '09:40'],
    ['2031-01-26', '10:20'],
    ['2031-01-26', '18:40'],
    ['2031-01-30', '10:20'],
    ['2031-01-30', '17:00'],
    ['2031-01-30', '19:40'],
    ['2031-01-31', '12:00'],
    ['2031-02-01', '10:00'],
    ['2031-02-02', '10:00'],
  ] as const)
    await remind(at(day, hour));
  expect(await subjects(buyer)).toEqual([
    'Tu pago vence el 31 de enero de 2031: $1,200.00 MXN',
    'Mañana vence tu pago, el 31 de enero de 2031: $1,200.00 MXN',
    'Tu pago venció ayer, el 31 de enero de 2031: $1,200.00 MXN',
  ]);
  const [mail] = await mails(buyer);
  const origin = shop.settings.publicOrigin;
  for (const said of [
    'POR VENCER',
    'Pago 2 de 3',
    `${origin}/saleCxcList/${id}?pagar`,
    'Con tarjeta: $1,215.00 MXN',
    'Tu número en la caja de',
  ])
    expect(mail.text).toContain(said);
  // No wider than the smallest phone.
  expect(mail.html).toMatch(/<img[^>]*width: 100%; max-width: 316px/);
  const [, picture = ''] = /<img\s+src="data:image\/png;base64,([^"]*)"/.exec(mail.html) ?? [];
  const [bars] = await readBarcodes(new Uint8Array(Buffer.from(picture, 'base64')), { formats: ['Code128'] });
  expect(bars?.text).toBe(`3${instalmentIds.at(-1)}`);
});

test('what was late before is said beside what is due next, and who pays the sum that is named is reminded no more', async () => {
  await openTill(shop, 'ATRASADA');
  const buyer = await makeBuyer(shop.db);
  const { id } = await reserved(buyer);
  const db = at('2031-02-25', '11:00');
  await remind(db);
  const [mail] = await mails(buyer);
  expect(mail.subject).toBe('Tu pago vence el 2 de marzo de 2031: $1,200.00 MXN');
  for (const said of [
    'Además debes $1,200.00 MXN de pagos que vencieron antes: lo que pagues va primero a esos. Con el botón eliges cuánto.',
    'Para ponerte al corriente, con su cargo por servicio',
    'Con tarjeta: $2,415.00 MXN',
    'En tiendas de tu colonia: $2,400.00 MXN',
  ])
    expect(mail.text).toContain(said);
  const [, named = ''] = /En la caja de [^:]*: \$([\d,]+)\.00 MXN/.exec(mail.text) ?? [];
  await payPurchase(db, id, Number(named.replace(',', '')) * 100);
  await remind(at('2031-03-01', '18:00'));
  expect(await subjects(buyer)).toHaveLength(1);
});

test('stores are named only for a sum that one of them takes', async () => {
  const buyer = await makeBuyer(shop.db);
  const plans = await Promise.all(
    // With a deposit of 20 % and two instalments: what stores take at most of each, and a peso more.
    [2_500_000, 2_500_250].map(async (price) => {
      const merchantId = await makeMerchant(shop.db);
      return {
        merchantId,
        productId: await makeProduct(shop.db, { merchantId, priceCentavos: centavos(price) }),
      };
    }),
  );
  for (const plan of plans) await makePurchase(at('2031-01-01', '12:00'), { buyerId: buyer.id, ...plan });
  await remind(at('2031-01-26', '11:00'));
  const said = (await mails(buyer)).map(({ text }) => text);
  expect(said).toHaveLength(2);
  const offers = said.map((text) => [
    /Con tarjeta: (\S+)/.exec(text)?.[1],
    /En tiendas de tu colonia: (\S+)/.exec(text)?.[1],
  ]);
  expect(offers.toSorted()).toEqual([
    ['$10,015.00', '$10,000.00'],
    ['$10,016.00', undefined],
  ]);
});

test('nothing comes once it is paid, also between queue and mail, nor for a purchase that was cancelled or is claimed', async () => {
  const buyer = await makeBuyer(shop.db);
  const paid = await reserved(buyer);
  const meanwhile = await reserved(buyer);
  const cancelled = await reserved(buyer);
  const quote = await shop.ask(`GET /v1/Sales/CancelQuoteAsync/${cancelled.id}`, buyer);
  const done = await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${cancelled.id}`, {
    token: buyer.token,
    body: { refundShown: quote.body.data.refund },
  });
  expect(done.status).toBe(200);
  await payPurchase(at('2031-01-20', '12:00'), paid.id, 120_000);
  const claimed = await reserved(buyer);
  await sql`insert into claims (purchase_id, buyer_id, merchant_id, folio, notes, due_at)
    values (${claimed.id}, ${buyer.id}, ${shop.merchantId}, 'ABCDEFGH12', '', app_now() + interval '1 day')`.execute(
    shop.db,
  );
  const db = at('2031-01-26', '11:00');
  await queueReminders(db);
  await payPurchase(db, meanwhile.id, 120_000);
  await deliver(db);
  expect(await subjects(buyer)).toEqual([]);
  const states = await shop.db
    .selectFrom('outbox')
    .select('state')
    .where('topic', '=', 'payment_due')
    .where('buyer_id', '=', buyer.id)
    .execute();
  expect(states).toEqual([{ state: 'dropped' }]);
});

test('who is told not to pay again is not told to pay: nothing comes while their card payment is under way, also one begun between queue and mail', async () => {
  const buyer = await makeBuyer(shop.db);
  const helped = await makeBuyer(shop.db);
  const before = await reserved(buyer);
  const meanwhile = await reserved(buyer);
  const byHelper = await reserved(helped);
  const db = at('2031-01-30', '17:10');
  const decide = await payByCard(db, { ...shop, ...before, buyerId: buyer.id }, 'held');
  await payByCard(db, { ...shop, ...byHelper, buyerId: helped.id }, 'held', 'helper');
  await queueReminders(db);
  await payByCard(db, { ...shop, ...meanwhile, buyerId: buyer.id }, 'unknown');
  await deliver(db);
  expect([await subjects(buyer), (await subjects(helped)).length]).toEqual([[], 1]);
  // It came to nothing while there is time to pay.
  await decide(at('2031-01-30', '18:10'), 'abandoned');
  await remind(at('2031-01-30', '18:40'));
  expect(await subjects(buyer)).toEqual(['Mañana vence tu pago, el 31 de enero de 2031: $1,200.00 MXN']);
});

test('an email that its server kept until the night is not sent', async () => {
  const buyer = await makeBuyer(shop.db);
  await reserved(buyer);
  await queueReminders(at('2031-01-30', '19:40'));
  await deliver(at('2031-01-30', '20:00'));
  expect(await subjects(buyer)).toEqual([]);
});

test('a mailbox that nobody confirmed learns no sum and no name', async () => {
  const buyer = await makeBuyer(shop.db, { isConfirmed: false });
  const { id } = await reserved(buyer);
  await remind(at('2031-01-26', '11:00'));
  const [mail] = await mails(buyer);
  expect(mail.subject).toBe('Tu pago vence el 31 de enero de 2031');
  expect(`${mail.text}${mail.html}`).toContain(`/saleCxcList/${id}?pagar`);
  expect(`${mail.subject}${mail.text}${mail.html}`).not.toMatch(/\$\d|MXN|Muebles|Sala/);
});

test('one press turns them off, by mail program, link or page, for that buyer alone; the profile turns them on again', async () => {
  const buyer = await makeBuyer(shop.db);
  const other = await makeBuyer(shop.db);
  for (const each of [buyer, other]) await reserved(each);
  await remind(at('2031-01-26', '11:00'));
  const [mail] = await mails(buyer);
  const [, address = ''] = /<([^>]*\/correos\/baja\/[^>]*)>/.exec(mail.listUnsubscribe) ?? [];
  expect(mail.listUnsubscribePost).toBe('List-Unsubscribe=One-Click');
  // On a phone the address would be a word wider than the screen.
  expect(mail.text).toContain(`Dejar de recibirlos: ${address}`);
  expect(mail.html).toMatch(/<a href="[^"]*\/correos\/baja\/[^"]*"[^>]*>Dejar de recibirlos<\/a>/);
  expect(mail.html).not.toMatch(/>[^<]*\/correos\/baja\//);
  const path = new URL(address).pathname;
  const wanted = async ({ id }: MadeBuyer) =>
    (
      await shop.db
        .selectFrom('buyers')
        .select('wants_reminders')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).wants_reminders;

  const page = await shop.ask(`GET ${path}`);
  expect([page.status, page.body]).toEqual([200, expect.stringContaining('Recordatorios de pago')]);
  const [what, id, signature = ''] = path.split('/').at(-1)!.split('.');
  for (const wrong of [
    `${what}.${other.id}.${signature}`,
    `${what}.${id}.${signature.slice(1)}`,
    `${what}.${id}.${signature}.x`,
    `${what}.${id}`,
  ])
    expect((await shop.ask(`POST /correos/baja/${wrong}`)).status).toBe(404);
  expect(await wanted(buyer)).toBe(true);

  const done = await shop.ask(`POST ${path}`, {
    body: 'List-Unsubscribe=One-Click',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect([done.status, done.body]).toEqual([200, expect.stringContaining('/clientEdit')]);
  expect([await wanted(buyer), await wanted(other)]).toEqual([false, true]);
  await remind(at('2031-01-30', '18:00'));
  expect([(await mails(buyer)).length, (await mails(other)).length]).toEqual([1, 2]);

  const { token } = buyer;
  await shop.ask('PUT /v1/SecurityBuyer/RemindersAsync', { token, body: { reminders: true } });
  const profile = await shop.ask(`GET /v1/SecurityBuyer/GetAsync/${buyer.id}`, { token });
  expect(profile.body.data.reminders).toBe(true);
});

test(`in sixty days of ${RUNS} random purchases each is reminded of exactly what is so, by two servers beside which others are killed`, async () => {
  const roll = dice(SEED);
  const begin = '2032-01-05';
  const buyers = await Promise.all(Array.from({ length: Math.ceil(RUNS / 3) }, () => makeBuyer(shop.db)));
  const plans = await Promise.all(
    [7, 14, 30].map(async (frequencyDays) => {
      const merchantId = await makeMerchant(shop.db, { frequencyDays, planDurationDays: 90 });
      return { merchantId, productId: await makeProduct(shop.db, { merchantId }) };
    }),
  );
  const db = at(begin, '00:00');
  const whole: number[] = [];
  for (let made = 0; made < RUNS; made += 1) {
    await moveTo(db, addDays(begin, -roll(30)), '12:00');
    whole.push((await makePurchase(db, { buyerId: oneOf(roll, buyers).id, ...oneOf(roll, plans) })).id);
  }
  const reminded = new Set<string>();
  const expected = new Set<string>();
  let killed = 0;
  for (let day = 0; day < 60; day += 1) {
    for (const hour of day % 10 === 0 ? ['08:40', '10:40', '18:40', '23:00'] : ['10:40', '18:40']) {
      await moveTo(db, addDays(begin, day), hour);
      for (const due of remindersAt(new Date(`${addDays(begin, day)}T${hour}:00-06:00`))) {
        const { rows } = await sql<{ id: number }>`
          select p.id from purchases p join instalments i on i.purchase_id = p.id join buyers b on b.id = p.buyer_id
          where p.id = any (${whole}::bigint[]) and p.state = 'active' and i.due_on = ${due.dueOn}::date
            and i.paid_centavos < i.amount_centavos and b.wants_reminders
            and not exists (select from claims c where c.purchase_id = p.id and c.ended_at is null)`.execute(
          db,
        );
        for (const { id } of rows) expected.add(`${id} ${due.dueOn} ${due.kind}`);
      }
      if (roll(2) === 0) {
        const doomed = at(addDays(begin, day), hour, 'doomed');
        if (await remindAndDie(doomed)) killed += 1;
        opened.pop();
        await doomed.destroy();
      }
      await remind(db);
      for (const id of whole) {
        const what = roll(200);
        if (what < 6) await pay(db, id, 20_000 + roll(100_000));
        if (what === 6)
          await sql`update buyers set wants_reminders = not wants_reminders
          where id = (select buyer_id from purchases where id = ${id})`.execute(db);
      }
    }
  }
  const { rows: sent } = await sql<{ key: string; state: string }>`
    select dedupe_key as key, state from outbox where topic = 'payment_due'
      and split_part(dedupe_key, ' ', 1)::bigint = any (${whole}::bigint[])`.execute(shop.db);
  for (const { key, state } of sent) {
    expect([key, state]).toEqual([key, 'sent']);
    reminded.add(key);
  }
  expect(sent).toHaveLength(reminded.size);
  expect([...reminded].toSorted()).toEqual([...expected].toSorted());
  expect(reminded.size).toBeGreaterThan(RUNS * 3);
  expect(killed).toBeGreaterThan(5);
});

async function pay(db: Db, id: number, most: number): Promise<void> {
  const { rows } = await sql<{ left: number }>`
    select price_centavos - paid_centavos as left from purchases where id = ${id} and state = 'active'`.execute(
    db,
  );
  const left = Math.min(most, rows[0]?.left ?? 0);
  if (left > 0) await payPurchase(db, id, left);
}

test('a date that its buyer moved is reminded of anew, and the day that it was no more', async () => {
  const merchantId = await makeMerchant(shop.db, { movesAllowed: 1, moveDays: 15 });
  const productId = await makeProduct(shop.db, { merchantId });
  const buyer = await makeBuyer(shop.db);
  const { id } = await makePurchase(at('2031-01-01', '12:00'), { buyerId: buyer.id, merchantId, productId });
  await remind(at('2031-01-26', '10:20'));
  await changePlan(at('2031-01-27', '12:00'), buyer.id, id, {
    sequence: 1,
    number: 2,
    fromDay: '2031-01-31',
    toDay: '2031-02-10',
    amountCentavos: centavos(120_000),
  });
  for (const [day, hour] of [
    ['2031-01-30', '19:40'],
    ['2031-02-01', '10:00'],
    ['2031-02-05', '10:20'],
    ['2031-02-09', '19:40'],
    ['2031-02-11', '10:00'],
  ] as const)
    await remind(at(day, hour));
  expect(await subjects(buyer)).toEqual([
    'Tu pago vence el 31 de enero de 2031: $1,200.00 MXN',
    'Tu pago vence el 10 de febrero de 2031: $1,200.00 MXN',
    'Mañana vence tu pago, el 10 de febrero de 2031: $1,200.00 MXN',
    'Tu pago venció ayer, el 10 de febrero de 2031: $1,200.00 MXN',
  ]);
});
