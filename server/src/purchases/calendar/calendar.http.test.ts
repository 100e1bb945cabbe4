import { addDays, type DateOnly, mexicoCityDate } from '@aparta/domain/calendar';
import { groupDigits } from '@aparta/domain/payment-reference';
import ICAL from 'ical.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { makeBuyer, makeMerchant, makeProduct, type MadeBuyer } from '../../../test/make.ts';
import { makePurchase } from '../../../test/purchases.ts';
import { openShop, type Shop } from '../../../test/shop.ts';
import { openTill, type Till } from '../../../test/store-acts.ts';

/** Its shop: six instalments of $400 after $600, every ten days; two changes of ten days at most. */
let shop: Shop;
let till: Till;
let productId: number;
const today = mexicoCityDate(new Date());
const day = (days: number): DateOnly => addDays(today, days);
/** Long, and with all that RFC 5545 escapes. */
const NAME =
  'Refrigerador "Ñandú"; dos puertas, despachador de agua y hielo \\ 18 pies, edición 😀 de aniversario';

beforeAll(async () => {
  shop = await openShop({ merchant: { frequencyDays: 10, movesAllowed: 4, moveDays: 10 } });
  till = await openTill(shop);
  productId = await makeProduct(shop.db, { merchantId: shop.merchantId, name: NAME });
});
afterAll(() => shop.close());

interface Bought {
  readonly id: number;
  readonly buyer: MadeBuyer;
  readonly instalmentIds: readonly number[];
}
async function bought(given: { buyer?: MadeBuyer; merchantId?: number } = {}): Promise<Bought> {
  const buyer = given.buyer ?? (await makeBuyer(shop.db));
  const merchantId = given.merchantId ?? shop.merchantId;
  const product = merchantId === shop.merchantId ? productId : await makeProduct(shop.db, { merchantId });
  return { ...(await makePurchase(shop.db, { buyerId: buyer.id, merchantId, productId: product })), buyer };
}

const download = ({ id, buyer }: Bought) =>
  shop.ask(`GET /v1/Sales/CalendarAsync/${id}`, { token: buyer.token });
async function downloaded(purchase: Bought): Promise<string> {
  const { body } = await download(purchase);
  return Buffer.from(body.data.contentByteArray, 'base64').toString();
}
/** A new address of a buyer's, as the path that a calendar asks for. */
async function subscribe({ token }: MadeBuyer): Promise<string> {
  const { status, body } = await shop.ask('POST /v1/Calendar', { token });
  expect(status).toBe(200);
  return body.data.calendarUrl.replace(shop.settings.publicOrigin, '');
}
const read = (url: string, headers: Record<string, string> = {}) => shop.app.inject({ url, headers });

/** A date as a calendar's own reader understands it. */
interface Seen {
  readonly uid: string;
  readonly on: string;
  readonly until: string;
  readonly sequence: number;
  readonly summary: string;
  readonly description: string;
  readonly status: string;
  readonly url: string;
  readonly alarms: string[];
}
function seen(text: string): Seen[] {
  const calendar = new ICAL.Component(ICAL.parse(text));
  return calendar.getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component);
    expect(event.startDate.isDate && event.endDate.isDate).toBe(true);
    return {
      uid: event.uid,
      on: event.startDate.toString(),
      until: event.endDate.toString(),
      sequence: event.sequence,
      summary: event.summary,
      description: event.description,
      status: String(component.getFirstPropertyValue('status')),
      url: String(component.getFirstPropertyValue('url')),
      alarms: component
        .getAllSubcomponents('valarm')
        .map((alarm) => String(alarm.getFirstPropertyValue('trigger'))),
    };
  });
}
/** How often each date changed, by the day that it is now. */
const sequences = (text: string) => Object.fromEntries(seen(text).map(({ on, sequence }) => [on, sequence]));

/** What RFC 5545 demands of every calendar, beyond what its reader forgives. */
function isValid(text: string): void {
  expect(text.endsWith('END:VCALENDAR\r\n') || text.endsWith('END:VCALENDAR')).toBe(true);
  expect(text).not.toMatch(/[^\r]\n|\r[^\n]/);
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  const calendar = new ICAL.Component(ICAL.parse(text));
  expect(calendar.getFirstPropertyValue('version')).toBe('2.0');
  expect(calendar.getFirstPropertyValue('prodid')).toBeTruthy();
  const uids = new Set<string>();
  for (const event of calendar.getAllSubcomponents('vevent')) {
    for (const name of ['uid', 'dtstamp', 'dtstart', 'dtend', 'summary', 'sequence'])
      expect([name, event.getAllProperties(name).length]).toEqual([name, 1]);
    expect(String(event.getFirstProperty('dtstamp')?.toICALString())).toMatch(/:\d{8}T\d{6}Z$/);
    uids.add(String(event.getFirstPropertyValue('uid')));
    for (const alarm of event.getAllSubcomponents('valarm'))
      for (const name of ['action', 'trigger', 'description'])
        expect(alarm.getAllProperties(name)).toHaveLength(1);
  }
  expect(uids.size).toBe(calendar.getAllSubcomponents('vevent').length);
}

describe('a purchase’s file', () => {
  test('has each unpaid date as a day, with its sum, its number for tills, its link and an alarm the day before', async () => {
    const purchase = await bought();
    const { status, body } = await download(purchase);
    expect([status, body.data.fileName]).toEqual([200, `pagos-compra-${purchase.id}.ics`]);
    const text = await downloaded(purchase);
    isValid(text);
    const dates = seen(text);
    expect(dates.map(({ on }) => on)).toEqual([10, 20, 30, 40, 50, 60].map(day));
    const { body: plan } = await shop.ask(`GET /v1/Cxc/ByBusinesidVentaidDateD/${purchase.id}`, {
      token: purchase.buyer.token,
    });
    expect(dates[0]).toEqual({
      uid: `pago-${purchase.instalmentIds[1]}@${new URL(shop.settings.publicOrigin).hostname}`,
      on: day(10),
      until: day(11),
      sequence: 0,
      summary: `Pago 2 de 7: $400.00 · ${NAME}`,
      description: [
        `${NAME}, de Muebles del Centro`,
        'Por pagar: $400.00 MXN, más el cargo por servicio de la forma de pago',
        `En la caja de Muebles del Centro da este número: ${groupDigits(plan.data.at(-1).paymentReference)}`,
        `Paga aquí: ${shop.settings.publicOrigin}/saleCxcList/${purchase.id}?pagar`,
      ].join('\n'),
      status: 'CONFIRMED',
      url: `${shop.settings.publicOrigin}/saleCxcList/${purchase.id}?pagar`,
      alarms: ['-PT14H'],
    });
  });

  test('leaves out what is paid, says what is left, and is refused once nothing is', async () => {
    const purchase = await bought();
    await till.pay({ referencia: (await numberOf(purchase)) ?? '', importe: 500 });
    expect(seen(await downloaded(purchase)).map(({ on, summary }) => [on, summary.split(' · ')[0]])).toEqual([
      [day(20), 'Pago 3 de 7: $300.00'],
      ...[30, 40, 50, 60].map((days) => [day(days), `Pago ${days / 10 + 1} de 7: $400.00`]),
    ]);
    await till.pay({ referencia: (await numberOf(purchase)) ?? '', importe: 1_900 });
    expect(await download(purchase)).toMatchObject({ status: 409, body: { code: 'PURCHASE_SETTLED' } });
    const cancelled = await bought();
    await cancel(cancelled);
    expect(await download(cancelled)).toMatchObject({ status: 409, body: { code: 'PURCHASE_CANCELLED' } });
    expect(await download({ ...purchase, buyer: cancelled.buyer })).toMatchObject({ status: 404 });
  });
});

describe('the address that a calendar follows', () => {
  test('has all of its buyer’s purchases, names no buyer, and stays byte for byte while nothing changes', async () => {
    const buyer = await makeBuyer(shop.db);
    const merchantId = await makeMerchant(shop.db, { frequencyDays: 10 });
    await bought({ buyer });
    await bought({ buyer, merchantId });
    await bought();
    const path = await subscribe(buyer);
    const first = await read(path);
    expect(first.statusCode).toBe(200);
    expect(first.headers['content-type']).toBe('text/calendar; charset=utf-8');
    expect(first.headers['cache-control']).toBe('private, no-cache');
    const text = first.body;
    isValid(text);
    expect(seen(text)).toHaveLength(12);
    const unfolded = text.replaceAll('\r\n ', '');
    const row = await shop.db
      .selectFrom('buyers')
      .selectAll()
      .where('id', '=', buyer.id)
      .executeTakeFirstOrThrow();
    for (const secret of [row.email, row.name, buyer.token, path.split('/').at(-1) ?? ''])
      expect(unfolded).not.toContain(secret);
    const again = await read(path, { 'if-none-match': String(first.headers['etag']) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  test('a date that is moved keeps its name and raises its SEQUENCE; a split raises all, which then say how many there are', async () => {
    const purchase = await bought();
    const path = await subscribe(purchase.buyer);
    const before = (await read(path)).body;
    expect(Object.values(sequences(before))).toEqual([0, 0, 0, 0, 0, 0]);
    const move = { changeNumber: 1, number: 3, fromDay: day(20), toDay: day(25), amount: 400 };
    const token = purchase.buyer.token;
    expect(
      (await shop.ask(`PUT /v1/Sales/MoveInstalmentAsync/${purchase.id}`, { token, body: move })).status,
    ).toBe(200);
    const moved = (await read(path)).body;
    isValid(moved);
    expect(sequences(moved)).toEqual({
      [day(10)]: 0,
      [day(25)]: 1,
      [day(30)]: 0,
      [day(40)]: 0,
      [day(50)]: 0,
      [day(60)]: 0,
    });
    const uidOf = (text: string, at: number) => seen(text)[at]?.uid;
    expect(uidOf(moved, 1)).toBe(uidOf(before, 1));

    const split = {
      changeNumber: 2,
      number: 4,
      fromDay: day(30),
      toDay: day(35),
      amount: 400,
      firstPart: 150,
    };
    expect(
      (await shop.ask(`PUT /v1/Sales/SplitInstalmentAsync/${purchase.id}`, { token, body: split })).status,
    ).toBe(200);
    const parts = (await read(path)).body;
    isValid(parts);
    expect(seen(parts).map(({ summary }) => summary.split(':')[0])).toEqual(
      [2, 3, 4, 5, 6, 7, 8].map((number) => `Pago ${number} de 8`),
    );
    expect(sequences(parts)).toEqual({
      [day(10)]: 1,
      [day(25)]: 2,
      [day(30)]: 1,
      [day(35)]: 1,
      [day(40)]: 1,
      [day(50)]: 1,
      [day(60)]: 1,
    });
    expect(
      seen(parts)
        .map(({ uid }) => uid)
        .slice(0, 6),
    ).toEqual(seen(before).map(({ uid }) => uid));
  });

  test('what is paid stays without its alarm, what is taken back has it again, and what is cancelled says so', async () => {
    const purchase = await bought();
    const path = await subscribe(purchase.buyer);
    const first = async () => seen((await read(path)).body)[0];
    const ticket = { referencia: (await numberOf(purchase)) ?? '', importe: 400, idtransaccion: '77' };
    await till.pay(ticket);
    expect(await first()).toMatchObject({
      summary: expect.stringMatching(/^Pagado: /),
      sequence: 1,
      alarms: [],
    });
    await till.reverse({ idtransaccion: ticket.idtransaccion });
    expect(await first()).toMatchObject({
      summary: expect.stringMatching(/^Pago 2 de 7: \$400\.00/),
      sequence: 2,
      alarms: ['-PT14H'],
    });
    await cancel(purchase);
    const text = (await read(path)).body;
    isValid(text);
    for (const date of seen(text)) expect(date).toMatchObject({ status: 'CANCELLED', alarms: [] });
    expect((await first())?.sequence).toBe(3);
  });

  test('one that was replaced, revoked, or whose password was reset answers like one that was invented', async () => {
    const { buyer } = await bought();
    const answerOf = async (path: string) => {
      const answer = await read(path);
      const { 'x-request-id': _id, date: _date, ...headers } = answer.headers;
      return { status: answer.statusCode, headers, text: answer.body };
    };
    const invented = await answerOf(`/calendario/${'A'.repeat(38)}.ics`);
    expect(invented).toMatchObject({ status: 404, text: expect.stringContaining('NOT_FOUND') });
    const first = await subscribe(buyer);
    const second = await subscribe(buyer);
    expect(second).not.toBe(first);
    expect(await answerOf(first)).toEqual(invented);
    expect((await read(second)).statusCode).toBe(200);
    const own = async () => (await shop.ask('GET /v1/Calendar', { token: buyer.token })).body.data;
    expect((await own()).calendarUrl).toBe(shop.settings.publicOrigin + second);
    for (let press = 0; press < 2; press += 1)
      expect((await shop.ask('POST /v1/Calendar/End', { token: buyer.token })).status).toBe(200);
    expect(await answerOf(second)).toEqual(invented);
    expect(await own()).toBeNull();
    const third = await subscribe(buyer);
    const { email } = await shop.db
      .selectFrom('buyers')
      .select('email')
      .where('id', '=', buyer.id)
      .executeTakeFirstOrThrow();
    const code = (await shop.jobs.resetLink(email))?.split('#code=')[1];
    const reset = { password: 'otra-clave-larga-8', code };
    expect((await shop.ask(`PUT /v1/SecurityBuyer/UpdateAsync/${buyer.id}`, { body: reset })).status).toBe(
      200,
    );
    expect(await answerOf(third)).toEqual(invented);
    for (const wrong of [
      second.replace('.ics', ''),
      '/calendario/.ics',
      `/calendario/${'A'.repeat(400)}.ics`,
    ])
      expect(await answerOf(wrong)).toEqual(invented);
  });

  test('another buyer’s is their own, and one that is read over and over has to wait', async () => {
    const [ana, eva] = [await bought(), await bought()];
    const [anas, evas] = [await subscribe(ana.buyer), await subscribe(eva.buyer)];
    const uids = async (path: string) => seen((await read(path)).body).map(({ uid }) => uid);
    const evasUids = await uids(evas);
    expect((await uids(anas)).filter((uid) => evasUids.includes(uid))).toEqual([]);
    const answers = await Promise.all(Array.from({ length: 61 }, () => read(anas)));
    const refused = answers.filter(({ statusCode }) => statusCode === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
    expect((await read(evas)).statusCode).toBe(200);
  });
});

async function numberOf({ id, buyer }: Bought): Promise<string | undefined> {
  const { body } = await shop.ask(`GET /v1/Cxc/ByBusinesidVentaidDateD/${id}`, { token: buyer.token });
  return body.data.at(-1)?.paymentReference;
}
async function cancel({ id, buyer }: Bought): Promise<void> {
  const { token } = buyer;
  const { refund } = (await shop.ask(`GET /v1/Sales/CancelQuoteAsync/${id}`, { token })).body.data;
  const call = `PUT /v1/Sales/UpdateCancelByBuyerAsync/${id}`;
  expect((await shop.ask(call, { token, body: { refundShown: refund } })).status).toBe(200);
}
