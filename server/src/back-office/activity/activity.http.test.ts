import { addDays, type DateOnly, mexicoCityDate } from '@aparta/domain/calendar';
import { ACCOUNT_ACTS } from '@aparta/domain/activity';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { makeBuyer, type MadeBuyer, PASSWORD } from '../../../test/make.ts';
import { makePurchase } from '../../../test/purchases.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';
import { asOwner, openTill } from '../../../test/store-acts.ts';
import { recordFailedSignIn } from '../../accounts/acts/store.ts';
import { remindersOffCode } from '../../accounts/buyers/reminders-off.ts';
import { audited } from '../../platform/audit.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { sendEmail } from '../../platform/email/outbox.ts';
import { createLog } from '../../platform/logging.ts';
import { prune } from '../retention/prune.ts';

/** Its shop: six instalments of $400 after $600, every ten days; two changes of ten days at most. */
let shop: Shop;
const today = mexicoCityDate(new Date());
const day = (days: number): DateOnly => addDays(today, days);
const PHONE = 'Mozilla/5.0 (Linux; Android 14; K) AppleWebKit/537.36 Chrome/142.0.0.0 Mobile Safari/537.36';

beforeAll(async () => {
  shop = await openShop({ merchant: { frequencyDays: 10, movesAllowed: 2, moveDays: 10 } });
});
afterAll(() => shop.close());

async function activity(
  { token }: MadeBuyer,
  cursor?: string,
): Promise<{ data: any[]; next: string | null }> {
  const query = cursor === undefined ? '' : `?cursor=${cursor}`;
  const { status, body } = await shop.ask(`GET /v1/SecurityBuyer/ActivityAsync${query}`, { token });
  expect(status).toBe(200);
  return body;
}
const kinds = async (buyer: MadeBuyer) =>
  (await activity(buyer)).data.map(({ activityKind }) => activityKind as string);
const newest = async (buyer: MadeBuyer) => (await activity(buyer)).data[0];

/** A call from the phone of a buyer. */
const onPhone = ({ token }: MadeBuyer, call: string, body?: object) =>
  shop.ask(call, { token, headers: { 'user-agent': PHONE }, ...(body && { body }) });

const emailOf = async ({ id }: MadeBuyer) =>
  (await shop.db.selectFrom('buyers').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email;

test('what a buyer does with their account is written with the device, once, the newest first', async () => {
  const buyer = await makeBuyer(shop.db);
  const user = await emailOf(buyer);
  const signIn = (password: string) =>
    shop.ask('POST /v1/TokenBuyer/Authenticate', {
      body: { user, password },
      headers: { 'user-agent': PHONE },
    });
  expect((await signIn('otra-clave-larga-9')).status).toBe(401);
  await expect.poll(async () => (await newest(buyer)).activityKind).toBe('sign_in_failed');
  expect(await newest(buyer)).toMatchObject({ actor: 'unknown', device: PHONE });
  const second = (await signIn(PASSWORD)).body.data.token;
  expect(await newest(buyer)).toMatchObject({ activityKind: 'signed_in', actor: 'buyer', device: PHONE });

  const before = (await kinds(buyer)).length;
  for (const reminders of [true, false, false, true])
    await onPhone(buyer, 'PUT /v1/SecurityBuyer/RemindersAsync', { reminders });
  await onPhone(buyer, `PUT /v1/SecurityBuyer/Update2Async/${buyer.id}`, { phone: '5500000000' });
  for (let press = 0; press < 2; press += 1) await onPhone(buyer, 'POST /v1/Calendar/End');
  await onPhone(buyer, 'POST /v1/Calendar');
  await onPhone(buyer, 'POST /v1/Calendar/End');
  const { id } = (await shop.ask('GET /v1/TokenBuyer/Sessions', { token: second })).body.data.find(
    (each: any) => each.isThis,
  );
  await onPhone(buyer, `POST /v1/TokenBuyer/Sessions/${id}/Close`);
  const done = (await activity(buyer)).data.slice(0, -before);
  expect(done.map(({ activityKind, device }) => [activityKind, device])).toEqual(
    [
      'session_closed',
      'calendar_ended',
      'calendar_made',
      'profile_changed',
      'reminders_on',
      'reminders_off',
    ].map((kind) => [kind, PHONE]),
  );
  // The link of an email has no device of ours.
  const code = remindersOffCode(shop.settings.keyRing, buyer.id);
  await shop.app.inject({ method: 'POST', url: `/correos/baja/${code}`, headers: { 'user-agent': PHONE } });
  expect(await newest(buyer)).toMatchObject({ activityKind: 'reminders_off', device: '' });

  const body = { user, password: PASSWORD, keep: true };
  const kept = await onPhone(buyer, 'POST /v1/TokenBuyer/Authenticate', body);
  const third = { ...buyer, token: kept.body.data.token };
  expect(await newest(buyer)).toMatchObject({ activityKind: 'signed_in', device: PHONE });
  await onPhone(third, 'POST /v1/TokenBuyer/Logout');
  expect((await kinds(buyer))[0]).toBe('signed_out');
  const reset = {
    password: 'otra-clave-larga-8',
    code: (await shop.jobs.resetLink(user))?.split('#code=')[1],
  };
  await shop.ask(`PUT /v1/SecurityBuyer/UpdateAsync/${buyer.id}`, { body: reset });
  const again = (
    await shop.ask('POST /v1/TokenBuyer/Authenticate', { body: { user, password: reset.password } })
  ).body.data;
  expect((await kinds({ ...buyer, token: again.token })).slice(0, 3)).toEqual([
    'signed_in',
    'password_changed',
    'signed_out',
  ]);
});

test('a copied session that was ended is told', async () => {
  const buyer = await makeBuyer(shop.db);
  const email = { topic: 'kept_session_replayed', buyerId: buyer.id, facts: {} } as const;
  await transaction(shop.db, (tx) => sendEmail(tx, { ...email, dedupeKey: `copied ${buyer.id}` }));
  expect(await newest(buyer)).toMatchObject({ activityKind: 'session_replayed', actor: 'unknown' });
});

test('payments, dates, help, cancelling and what a shop and the operator did tell what they were about, and name no staff', async () => {
  const buyer = await makeBuyer(shop.db);
  const { id } = await makePurchase(shop.db, {
    buyerId: buyer.id,
    merchantId: shop.merchantId,
    productId: shop.productId,
  });
  const said = { ventaId: id, productName: 'Sala Nórdica', tradeName: 'Muebles del Centro' };
  await onPhone(buyer, `PUT /v1/Sales/MoveInstalmentAsync/${id}`, {
    changeNumber: 1,
    number: 3,
    fromDay: day(20),
    toDay: day(25),
    amount: 400,
  });
  expect(await newest(buyer)).toMatchObject({
    ...said,
    activityKind: 'date_moved',
    actor: 'buyer',
    number: 3,
    fromDay: day(20),
    toDay: day(25),
    amount: 400,
  });
  const links = (await onPhone(buyer, `POST /v1/Sales/HelpLinkAsync/${id}`, {})).body.data;
  await onPhone(buyer, `PUT /v1/Sales/HelpLinkRevokeAsync/${id}`, { linkId: links[0].linkId });
  expect((await kinds(buyer)).slice(0, 2)).toEqual(['help_link_ended', 'help_link_made']);

  const till = await openTill(shop);
  const plan = (await shop.ask(`GET /v1/Cxc/ByBusinesidVentaidDateD/${id}`, { token: buyer.token })).body
    .data;
  await till.pay({ referencia: plan.at(-1).paymentReference, importe: 500, idtransaccion: 'A-1' });
  expect(await newest(buyer)).toMatchObject({
    ...said,
    activityKind: 'paid',
    actor: 'buyer',
    amount: 500,
    method: 'till',
  });
  await till.reverse({ idtransaccion: 'A-1' });
  expect(await newest(buyer)).toMatchObject({ ...said, activityKind: 'payment_reversed', amount: 500 });

  const { refund } = (await shop.ask(`GET /v1/Sales/CancelQuoteAsync/${id}`, { token: buyer.token })).body
    .data;
  await onPhone(buyer, `PUT /v1/Sales/UpdateCancelByBuyerAsync/${id}`, { refundShown: refund });
  expect(await newest(buyer)).toMatchObject({
    ...said,
    activityKind: 'purchase_ended',
    actor: 'buyer',
    endedBy: 'buyer',
  });

  const operator = { actor: 'ricardo@operador.mx', command: 'buyer export' };
  await audited(shop.db, operator, async () => ({ subject: { kind: 'buyer', id: buyer.id }, detail: {} }));
  const last = await newest(buyer);
  expect(last).toMatchObject({ activityKind: 'operator_act', actor: 'operator', operated: 'export' });
  expect(JSON.stringify(await activity(buyer))).not.toContain('ricardo');
});

test('a card that was rejected is told with its digits, and a helper’s payment with their name alone', async () => {
  const buyer = await makeBuyer(shop.db);
  const reference = await shop.reference({ token: buyer.token });
  await shop.pay(reference, CARDS.insufficientFunds, { token: buyer.token });
  expect(await newest(buyer)).toMatchObject({
    activityKind: 'payment_rejected',
    actor: 'buyer',
    last4: '2952',
  });
  const { merchantId, productId } = shop;
  await makePurchase(shop.db, { buyerId: buyer.id, merchantId, productId });
  expect((await kinds(buyer)).slice(0, 2).toSorted()).toEqual(['paid', 'reserved']);
  await asOwner(
    shop,
    `with l as (insert into help_links (purchase_id, buyer_id, merchant_id, message, expires_at)
       select id, buyer_id, merchant_id, '', '2100-01-01' from purchases where buyer_id = $1 returning id, purchase_id)
     update card_attempts set help_link_id = l.id, purchase_id = l.purchase_id, payer_name = 'Rosa' from l
     where buyer_id = $1 and state = 'rejected'`,
    [buyer.id],
  );
  const rejected = (await activity(buyer)).data.find(
    ({ activityKind }) => activityKind === 'payment_rejected',
  );
  expect(rejected).toMatchObject({ actor: 'helper', personName: 'Rosa', last4: null });
});

test('pages follow each other without a gap or a repeat, and another buyer’s account has nothing of it', async () => {
  const [ana, eva] = [await makeBuyer(shop.db), await makeBuyer(shop.db)];
  // Many at one moment: a page ends among them.
  await sql`insert into account_acts (buyer_id, act, at) select ${ana.id}, 'signed_in', '2026-01-01' from generate_series(1, 70)`.execute(
    shop.db,
  );
  const seen: string[] = [];
  let next: string | null | undefined;
  do {
    const page = await activity(ana, next ?? undefined);
    expect(page.data.length).toBeLessThanOrEqual(30);
    seen.push(...page.data.map(({ activityId }) => activityId));
    next = page.next;
  } while (next !== null);
  expect(seen.length).toBeGreaterThanOrEqual(72);
  expect(new Set(seen).size).toBe(seen.length);
  expect((await kinds(eva)).toSorted()).toEqual(['email_confirmed', 'signed_in', 'signed_up']);
  for (const wrong of ['x', '1', '1.a b', `1.${'a'.repeat(90)}`])
    expect(
      (
        await shop.ask(`GET /v1/SecurityBuyer/ActivityAsync?cursor=${encodeURIComponent(wrong)}`, {
          token: ana.token,
        })
      ).status,
    ).toBe(422);
});

test('who guesses passwords fills nobody’s list, and acts are forgotten after 400 days', async () => {
  const buyer = await makeBuyer(shop.db);
  for (let guess = 0; guess < 25; guess += 1)
    await transaction(shop.db, (tx) => recordFailedSignIn(tx, buyer.id, 'curl'));
  const count = async () => (await kinds(buyer)).filter((kind) => kind === 'sign_in_failed').length;
  expect(await count()).toBe(20);
  await asOwner(
    shop,
    `update account_acts set at = now() - interval '401 days' where buyer_id = $1 and act = 'sign_in_failed'`,
    [buyer.id],
  );
  await prune(shop.jobs.db, createLog('silent'));
  expect(await count()).toBe(0);
  expect(await kinds(buyer)).toContain('signed_in');
});

test('the database knows each act that the server writes, and no other', async () => {
  const { rows } = await sql<{ check: string }>`
    select pg_get_constraintdef(oid) as check from pg_constraint where conname = 'account_acts_are_known'`.execute(
    shop.db,
  );
  const known = [...(rows[0]?.check ?? '').matchAll(/'(\w+)'/g)].map(([, act]) => act);
  expect(known.toSorted()).toEqual([...ACCOUNT_ACTS].toSorted());
});
