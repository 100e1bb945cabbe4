import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { sees } from './card.ts';
import { openImage } from './phone.ts';
import { type Buyer, DEMO_PASSWORD, type Shop } from './shop.ts';

/** People of the demo's first merchant; all have the demo's password. */
export const STAFF = {
  cashier: 'caja@aparta.mx',
  manager: 'encargado@aparta.mx',
  owner: 'duena@aparta.mx',
} as const;

async function signIn(shop: Shop, email: string) {
  const { body } = await shop.ask('POST /v1/counter/sign-in', { body: { email, password: DEMO_PASSWORD } });
  return body.data.session;
}

/** For calls beside the screen. */
export async function tokenOf(shop: Shop, email: string): Promise<string> {
  return (await signIn(shop, email)).token;
}

/** Somebody who works at the first branch from now on; answers their token. */
export async function newStaff(shop: Shop, role: 'cashier' | 'manager', name: string): Promise<string> {
  const owner = await signIn(shop, STAFF.owner);
  const [{ id }] = owner.branches;
  const email = `${name.replaceAll(/[^a-z]/gi, '')}.${Date.now()}@example.mx`;
  const body = { email, name, role, branchIds: [id] };
  const made = await shop.ask('POST /v1/counter/invitations', { token: owner.token, body });
  const [, token] = made.body.data.link.split('#code=');
  const accepted = await shop.ask('POST /v1/counter/invitations/accept', {
    body: { token, password: DEMO_PASSWORD },
  });
  return accepted.body.data.token;
}

/** Opens the counter on a page, signed in as signing in would leave it. */
export async function openCounter(
  page: Page,
  shop: Shop,
  email: string = STAFF.cashier,
  path = '',
): Promise<void> {
  const session = await signIn(shop, email);
  await openImage(page, shop.origin);
  await page.evaluate((text) => localStorage.setItem('mostrador.session', text), JSON.stringify(session));
  await page.goto(`${shop.origin}/mostrador${path}`);
}

/** The same by hand. */
export async function signInAtCounter(page: Page, shop: Shop): Promise<void> {
  await page.goto(`${shop.origin}/mostrador`);
  await page.getByLabel('Correo').fill(STAFF.cashier);
  await page.getByLabel('Contraseña').fill(DEMO_PASSWORD);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await sees(page, 'Cobrar');
}

/** Finds what a code stands for. */
export async function find(page: Page, code: string): Promise<void> {
  await page.getByLabel('Número o folio').fill(code);
  await page.getByRole('button', { name: 'Buscar' }).click();
  await sees(page, 'Cobro');
}

/** Gives a page's browser a fingerprint reader that says yes. */
export async function addAuthenticator(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  await browser.send('WebAuthn.enable');
  await browser.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** A purchase of a buyer that is paid whole, what its last part was paid by, and its pickup code. */
export async function readyToHandOver(
  shop: Shop,
  buyer: Buyer,
): Promise<{ purchaseId: number; printed: string; digits: string }> {
  const [deposit, second] = await shop.newPurchase(buyer);
  const printed = second?.paymentReference ?? '';
  const purchaseId = deposit?.ventaId ?? 0;
  const { token, branches } = await signIn(shop, STAFF.cashier);
  const { body } = await shop.ask(`GET /v1/counter/references/${printed}`, { token });
  const press = { id: crypto.randomUUID(), branchId: branches[0].id, reference: printed, method: 'cash' };
  await shop.ask('POST /v1/counter/payments', { token, body: { ...press, amount: body.data.all.amount } });
  await shop.ask(`PUT /v1/Sales/PickupCollectorAsync/${purchaseId}`, {
    token: buyer.token,
    body: { collector: 'Rosa Luna Martínez' },
  });
  const pickup = await shop.ask(`GET /v1/Sales/PickupAsync/${purchaseId}`, { token: buyer.token });
  return { purchaseId, printed, digits: pickup.body.data.code.digits };
}

/** One of those whose shop has let the day pass on which it promised to hand it over. */
export async function notHandedOver(
  shop: Shop,
  buyer: Buyer,
): Promise<{ purchaseId: number; printed: string }> {
  const ready = await readyToHandOver(shop, buyer);
  await shop.query('update purchases set delivery_promise_days = 1 where id = $1', [ready.purchaseId]);
  await shop.query(
    `update receipts set paid_at = received_at - interval '3 days' where id in (
       select receipt_id from allocations a join instalments i on i.id = a.instalment_id where i.purchase_id = $1)`,
    [ready.purchaseId],
  );
  return ready;
}

/** One of those, claimed by its buyer. */
export async function claimed(shop: Shop, buyer: Buyer): Promise<{ purchaseId: number; claimFolio: string }> {
  const { purchaseId } = await notHandedOver(shop, buyer);
  const body = { notes: 'Fui dos veces y me dicen que todavía no llega' };
  const made = await shop.ask(`POST /v1/Sales/ClaimAsync/${purchaseId}`, { token: buyer.token, body });
  return { purchaseId, claimFolio: made.body.data.claimFolio };
}

/** One of those, deposit paid, of a product that has a single unit; its terms end it when it is 30 days late. */
export async function endingWhenLate(
  shop: Shop,
  buyer: Buyer,
): Promise<{ purchaseId: number; productId: number }> {
  const productId = await shop.newProduct(3_000, undefined, 'Mesa de prueba');
  const { token, branches } = await signIn(shop, STAFF.owner);
  const body = { branchId: branches[0].id, free: 1, was: 0 };
  await shop.ask(`POST /v1/counter/products/${productId}/units`, { token, body });
  const reference = await shop.newReference(buyer, { productId });
  await shop.query('update layaway_references set end_days_late = 30 where id = $1', [reference.id]);
  await shop.payAtTill(reference);
  const [{ id }] = await shop.query('select id from purchases where product_id = $1', [productId]);
  return { purchaseId: Number(id), productId };
}

/** Lets days pass for a purchase, and runs the job that sees to late ones. What was paid of it stays as it was. */
export async function daysPass(shop: Shop, purchaseId: number, days: number): Promise<void> {
  const ago = `interval '${days} days'`;
  const warned = `(select 'end_warning:' || id from end_warnings where purchase_id = ${purchaseId} and closed_at is null)`;
  // A mail is in its box before the shop has written down that it was sent, from when the next one counts.
  await seen(shop, 0, UNSENT, purchaseId);
  // Moving its days stops its clock, as another instalment's would: the warnings of before go on.
  await shop.query(`
    create temporary table running on commit drop as select id from end_warnings where purchase_id = ${purchaseId} and closed_at is null;
    update outbox set sent_at = sent_at - ${ago} where topic = 'end_warned' and dedupe_key in ${warned};
    alter table instalments disable trigger instalments_keep_their_plan;
    update instalments set due_on = due_on - ${days} where purchase_id = ${purchaseId};
    alter table instalments enable trigger instalments_keep_their_plan;
    update purchases set penalty_free_until = penalty_free_until - ${ago}, more_time_until = more_time_until - ${days},
      more_time_for = more_time_for - ${days} where id = ${purchaseId};
    update end_warnings set closed_at = null, due_on = due_on - ${days}, ends_on = ends_on - ${days},
      written_at = written_at - ${ago} where id in (select id from running)`);
  await shop.query(`select graphile_worker.add_job('end_late_plans')`);
}

async function seen(shop: Shop, rows: number, sql: string, purchaseId: number): Promise<void> {
  for (let tries = 100; tries > 0; tries -= 1) {
    if ((await shop.query(sql, [purchaseId])).length === rows) return;
    await sleep(100);
  }
  throw new Error(`purchase ${purchaseId}: not ${rows} rows of ${sql}`);
}
const UNSENT = `select from end_warnings w join outbox o on o.topic = 'end_warned' and o.dedupe_key = 'end_warning:' || w.id
  where w.purchase_id = $1 and w.closed_at is null and o.sent_at is null`;
const SENT = `select from end_warnings w join outbox o on o.topic = 'end_warned' and o.dedupe_key = 'end_warning:' || w.id
  where w.purchase_id = $1 and o.sent_at is not null`;

/** One whose buyer was warned for the first time. */
export async function warnedOf(shop: Shop, buyer: Buyer): Promise<{ purchaseId: number }> {
  const { purchaseId } = await endingWhenLate(shop, buyer);
  await daysPass(shop, purchaseId, 46);
  await seen(shop, 1, SENT, purchaseId);
  return { purchaseId };
}

/** One that its rule ended. */
export async function endedByRule(shop: Shop, buyer: Buyer): Promise<{ purchaseId: number }> {
  const { purchaseId } = await warnedOf(shop, buyer);
  await daysPass(shop, purchaseId, 11);
  await seen(shop, 2, SENT, purchaseId);
  await daysPass(shop, purchaseId, 3);
  await seen(shop, 1, `select from purchases where id = $1 and state = 'cancelled'`, purchaseId);
  return { purchaseId };
}
