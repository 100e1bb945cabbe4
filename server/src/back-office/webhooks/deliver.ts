import { Webhook } from 'standardwebhooks';
import { type JournalEntry, readJournal } from '../../ledger/books/journal.ts';
import { isAlertOpen, raiseAlert, resolveAlert } from '../../platform/alerts.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { WebhookType } from '../../platform/db/tables.ts';
import { transaction } from '../../platform/db/transaction.ts';
import type { Log } from '../../platform/logging.ts';
import type { Outside } from '../../platform/post-outside.ts';
import type { KeyRing } from '../../platform/secrets.ts';
import { type BookedFact, readFacts } from './events.read-model.ts';
import { DEAD_AFTER_MS, waitAfter } from './retries.ts';
import { openSecret } from './secrets.ts';
import {
  type DueDelivery,
  hasGivenUp,
  insertDeliveries,
  listDue,
  lockSequence,
  markDead,
  markDelivered,
  markFailed,
  type NewDelivery,
  noteFailing,
  releaseEndpoint,
  takeEndpoint,
  type TakenEndpoint,
} from './store.ts';

/** An event of an endpoint, without its number. Ids and amounts alone: nothing of the buyer leaves by this way. */
export interface WebhookEvent {
  readonly type: WebhookType;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface WebhookDeps {
  /** What an entry of the books is to a shop's POS, of one of its purchases, on the wire. */
  readonly webhookEvents: (entry: JournalEntry, fact: BookedFact) => readonly WebhookEvent[];
  readonly db: Db;
  readonly keyRing: KeyRing;
  readonly outside: Outside;
  readonly log: Log;
  readonly turnMs?: number;
}

/** Entries of the books, and posts, of one turn of an endpoint. */
const READ_AT_ONCE = 100;
const POSTED_AT_ONCE = 20;
/** Then a turn ends, so that who answers slowly holds nobody up for long, nor a server that stops. */
const TURN_MS = 10_000;
/** After a failure the whole endpoint is let alone. */
const PAUSE_MS = 30_000;
/** A fault of ours is told to the operator once it lasts so long. */
const OURS_AFTER_MS = 15 * 60_000;

/** Takes an endpoint that has something to hear, and gives what is to be done for it; undefined when none has. */
export async function takeWebhooks(deps: WebhookDeps): Promise<(() => Promise<void>) | undefined> {
  // It is taken before anything is read for it: one that cannot be served lets the others pass.
  const endpoint = await transaction(deps.db, takeEndpoint);
  return endpoint && (() => serve(deps, endpoint).catch((err: unknown) => noteFault(deps, endpoint, err)));
}

async function serve(deps: WebhookDeps, endpoint: TakenEndpoint): Promise<void> {
  const due = await transaction(deps.db, async (tx) => {
    await readOn(tx, deps, endpoint);
    return listDue(tx, endpoint.endpointId, POSTED_AT_ONCE);
  });
  await postAll(deps, endpoint, due);
}

/** Says that we could not serve an endpoint; it is taken again after a while. */
async function noteFault(
  { db, log }: WebhookDeps,
  { endpointId, merchantId, url }: TakenEndpoint,
  err: unknown,
): Promise<void> {
  log.error({ err, endpointId, merchantId }, 'webhooks were not sent');
  await transaction(db, async (tx) => {
    const { failingMs } = await noteFailing(tx, endpointId);
    if (failingMs > OURS_AFTER_MS) {
      const detail = { merchantId, host: new URL(url).host, problem: 'OURS', isDead: false };
      await raiseAlert(tx, 'webhook_undelivered', endpointId, detail);
    }
  }).catch((again: unknown) => log.error({ err: again, endpointId }, 'nor was it noted'));
}

/** Makes rows of what was booked since the endpoint's place. */
async function readOn(tx: Tx, { webhookEvents }: WebhookDeps, endpoint: TakenEndpoint): Promise<void> {
  const { endpointId, merchantId } = endpoint;
  const entries = await readJournal(tx, [merchantId], endpoint, READ_AT_ONCE);
  const last = entries.at(-1);
  if (last === undefined) return;
  const facts = await readFacts(tx, entries);
  // A test may have taken a number since.
  let sequence = await lockSequence(tx, endpointId);
  const deliveries = entries.flatMap((entry) => {
    const events = (facts.get(entry.id) ?? []).flatMap((fact) => webhookEvents(entry, fact));
    return events.map((event) => {
      sequence += 1;
      return deliveryOf(event, { sequence, at: entry.occurredAt });
    });
  });
  await insertDeliveries(tx, endpointId, deliveries, last);
}

/** An event with its number and moment, as it is posted. */
export function deliveryOf(
  { type, data }: WebhookEvent,
  { sequence, at }: { readonly sequence: number; readonly at: Date },
): NewDelivery {
  const timestamp = at.toISOString();
  return { sequence, type, body: JSON.stringify({ type, timestamp, sequence, data }) };
}

/** Posts in order until one fails: what is behind it waits with it, and not for it alone. */
async function postAll(
  deps: WebhookDeps,
  endpoint: TakenEndpoint,
  due: readonly DueDelivery[],
): Promise<void> {
  const { endpointId } = endpoint;
  const begunAt = performance.now();
  let pauseMs = 0;
  let taken = 0;
  for (const delivery of due) {
    if (taken > 0 && performance.now() - begunAt >= (deps.turnMs ?? TURN_MS)) break;
    const posted = await deps.outside.post(
      endpoint.url,
      { 'user-agent': 'webhooks', ...signed(deps.keyRing, endpoint, delivery) },
      delivery.body,
    );
    if (posted.isTaken) {
      await transaction(deps.db, (tx) => markDelivered(tx, endpointId, delivery.id));
      taken += 1;
      continue;
    }
    await noteFailure(deps, endpoint, delivery, posted.problem);
    pauseMs = PAUSE_MS;
    break;
  }
  if (taken > 0) await endAlert(deps.db, endpointId);
  await transaction(deps.db, (tx) => releaseEndpoint(tx, endpointId, pauseMs));
}

/** Who takes events again needs nobody, unless one was given up. */
async function endAlert(db: Db, endpointId: string): Promise<void> {
  if (!(await isAlertOpen(db, 'webhook_undelivered', endpointId))) return;
  await transaction(db, async (tx) => {
    if (!(await hasGivenUp(tx, endpointId))) await resolveAlert(tx, 'webhook_undelivered', endpointId);
  });
}

/** The headers of a post: signed by the secret and, after a rotation, by the one before it. */
function signed(
  keyRing: KeyRing,
  endpoint: TakenEndpoint,
  { id, body }: DueDelivery,
): Readonly<Record<string, string>> {
  const now = new Date();
  const signatures = [endpoint.secret, endpoint.previous].flatMap((sealed) =>
    sealed === undefined ? [] : [new Webhook(openSecret(keyRing, endpoint, sealed)).sign(id, now, body)],
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  };
}

async function noteFailure(
  { db, log }: WebhookDeps,
  { endpointId, merchantId, url }: TakenEndpoint,
  { id, tries }: DueDelivery,
  problem: string,
): Promise<void> {
  const againMs = waitAfter(tries + 1);
  await transaction(db, async (tx) => {
    const { failingMs } = await markFailed(tx, endpointId, { id, problem, againMs });
    const isDead = failingMs > DEAD_AFTER_MS && (await markDead(tx, endpointId));
    if (isDead || againMs === undefined) {
      const detail = { merchantId, host: new URL(url).host, problem, isDead };
      await raiseAlert(tx, 'webhook_undelivered', endpointId, detail);
    }
  });
  log.warn({ endpointId, merchantId, problem, tries: tries + 1 }, 'a webhook was not taken');
}
