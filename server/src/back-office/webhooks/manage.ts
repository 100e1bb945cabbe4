import { randomUUID } from 'node:crypto';
import { recordStaffAct } from '../../accounts/staff/store.ts';
import { resolveAlert } from '../../platform/alerts.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { databaseNow, transaction } from '../../platform/db/transaction.ts';
import type { Outside } from '../../platform/post-outside.ts';
import type { Staff } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { KeyRing } from '../../platform/secrets.ts';
import {
  type DeliveryPage,
  insertEndpoint,
  insertTest,
  listDeliveries,
  listEndpoints,
  lockEndpoints,
  lockForTest,
  makeDue,
  replaceSecret,
  switchEndpoint,
} from './endpoint-store.ts';
import { deliveryOf } from './deliver.ts';
import { makeSecret } from './secrets.ts';

export interface ManageDeps {
  readonly db: Db;
  readonly keyRing: KeyRing;
  readonly outside: Pick<Outside, 'mayCall'>;
}

const MOST_ENDPOINTS = 5;
const ACT = 'manage_webhooks';

/** Adds an endpoint of the caller's merchant; the secret is shown this once. Refuses with INVALID_INPUT. */
export async function addEndpoint(
  { db, keyRing, outside }: ManageDeps,
  by: Staff,
  url: string,
): Promise<{ readonly id: string; readonly secret: string }> {
  if (!outside.mayCall(url))
    throw new Refusal('INVALID_INPUT', { fields: { url: 'https, a public address' } });
  const { merchantId } = by;
  const id = randomUUID();
  const { secret, sealed } = makeSecret(keyRing, { merchantId, endpointId: id });
  await transaction(db, async (tx) => {
    await lockEndpoints(tx, merchantId);
    await insertEndpoint(tx, { id, merchantId, url, sealed });
    await mustFit(tx, merchantId);
    const { host } = new URL(url);
    await recordStaffAct(tx, { by, act: ACT, subject: id, detail: { did: 'add', host } });
  });
  return { id, secret };
}

/** Refuses a sixth endpoint, and one that is on already: after a double tap the same events would come twice. */
async function mustFit(tx: Tx, merchantId: number): Promise<void> {
  const on = (await listEndpoints(tx, merchantId)).filter(({ offAt }) => offAt === null);
  const problem =
    new Set(on.map(({ url }) => url)).size < on.length
      ? 'already there'
      : on.length > MOST_ENDPOINTS && 'five at most';
  if (problem) throw new Refusal('INVALID_INPUT', { fields: { url: problem } });
}

/** Gives an endpoint a new secret, shown this once. Refuses with NOT_FOUND. */
export async function rotateSecret(
  { db, keyRing }: ManageDeps,
  by: Staff,
  endpointId: string,
): Promise<{ readonly secret: string }> {
  const { merchantId } = by;
  const { secret, sealed } = makeSecret(keyRing, { merchantId, endpointId });
  await transaction(db, async (tx) => {
    if (!(await replaceSecret(tx, { id: endpointId, merchantId, sealed }))) throw new Refusal('NOT_FOUND');
    await recordStaffAct(tx, { by, act: ACT, subject: endpointId, detail: { did: 'rotate' } });
  });
  return { secret };
}

/** Switches an endpoint on or off. Refuses with NOT_FOUND, and a sixth that would be on with INVALID_INPUT. */
export async function turnEndpoint(db: Db, by: Staff, endpointId: string, isOn: boolean): Promise<void> {
  await transaction(db, async (tx) => {
    await lockEndpoints(tx, by.merchantId);
    const changed = await switchEndpoint(tx, { id: endpointId, merchantId: by.merchantId, isOn });
    if (changed === undefined) throw new Refusal('NOT_FOUND');
    if (!changed) return;
    if (isOn) await mustFit(tx, by.merchantId);
    await resolveAlert(tx, 'webhook_undelivered', endpointId);
    await recordStaffAct(tx, { by, act: ACT, subject: endpointId, detail: { did: isOn ? 'on' : 'off' } });
  });
}

/** What an endpoint was sent. Refuses with NOT_FOUND. */
export async function readDeliveries(
  db: Db,
  { merchantId }: Staff,
  endpointId: string,
  { before, withTests }: { readonly before: number | undefined; readonly withTests: boolean },
): Promise<DeliveryPage> {
  const page = await listDeliveries(db, { endpointId, merchantId, before, withTests });
  if (page === undefined) throw new Refusal('NOT_FOUND');
  return page;
}

/** Sends an endpoint a test, as every other event is sent; where one waits still, no other. Refuses with NOT_FOUND. */
export async function testEndpoint(db: Db, by: Staff, endpointId: string): Promise<void> {
  const { merchantId } = by;
  await transaction(db, async (tx) => {
    const endpoint = await lockForTest(tx, { id: endpointId, merchantId });
    if (endpoint === undefined) throw new Refusal('NOT_FOUND');
    if (endpoint.isWaiting) return;
    const at = await databaseNow(tx);
    const test = { type: 'webhook.test', data: { merchantId } } as const;
    await insertTest(tx, endpointId, deliveryOf(test, { sequence: endpoint.sequence + 1, at }));
    await recordStaffAct(tx, { by, act: ACT, subject: endpointId, detail: { did: 'test' } });
  });
}

/** Lets an event be sent once more. Refuses with NOT_FOUND. */
export async function resendDelivery(
  db: Db,
  by: Staff,
  { endpointId, deliveryId }: { readonly endpointId: string; readonly deliveryId: string },
): Promise<void> {
  await transaction(db, async (tx) => {
    if (!(await makeDue(tx, { id: deliveryId, endpointId, merchantId: by.merchantId })))
      throw new Refusal('NOT_FOUND');
    await recordStaffAct(tx, { by, act: ACT, subject: endpointId, detail: { did: 'resend', deliveryId } });
  });
}
