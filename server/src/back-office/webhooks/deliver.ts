import { Webhook } from 'standardwebhooks';
import { type JournalEntry, readJournal } from '../../ledger/books/journal.ts';
import { raiseAlert } from '../../platform/alerts.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { WebhookType } from '../../platform/db/tables.ts';
import { transaction } from '../../platform/db/transaction.ts';
import type { Log } from '../../platform/logging.ts';
import type { Outside } from '../../platform/post-outside.ts';
import type { KeyRing } from '../../platform/secrets.ts';
import { type BookedFact, readFacts } from './events.read-model.ts';
import { openSecret } from './secrets.ts';
import {
  type DueDelivery,
  insertDeliveries,
  listDue,
  markDead,
  markDelivered,
  markFailed,
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
  /** What an entry of the books is to a shop's POS, on the wire. */
  readonly webhookEvents: (entry: JournalEntry, fact: BookedFact) => readonly WebhookEvent[];
  readonly db: Db;
  readonly keyRing: KeyRing;
  readonly outside: Outside;
  readonly log: Log;
}

/** Entries of the books, and posts, of one turn of an endpoint. */
const READ_AT_ONCE = 100;
const POSTED_AT_ONCE = 20;
/** Then an event is given up; the waits between add up to more than an endpoint lives without an answer. */
const MOST_TRIES = 12;
const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 12 * 3_600_000;
const DEAD_AFTER_MS = 3 * 24 * 3_600_000;
/** After a failure the whole endpoint is let alone. */
const PAUSE_MS = 30_000;

/** Takes an endpoint that has something to hear, and gives what is to be done for it; undefined when none has. */
export async function takeWebhooks(deps: WebhookDeps): Promise<(() => Promise<void>) | undefined> {
  const turn = await transaction(deps.db, async (tx) => {
    const endpoint = await takeEndpoint(tx);
    if (endpoint === undefined) return undefined;
    await readOn(tx, deps, endpoint);
    return { endpoint, due: await listDue(tx, endpoint.endpointId, POSTED_AT_ONCE) };
  });
  if (turn === undefined) return undefined;
  const { endpointId, merchantId } = turn.endpoint;
  return () =>
    postAll(deps, turn.endpoint, turn.due).catch((err: unknown) =>
      deps.log.error({ err, endpointId, merchantId }, 'webhooks were not sent'),
    );
}

/** Makes rows of what was booked since the endpoint's place. */
async function readOn(tx: Tx, { webhookEvents }: WebhookDeps, endpoint: TakenEndpoint): Promise<void> {
  const { endpointId, merchantId } = endpoint;
  const entries = await readJournal(tx, [merchantId], endpoint, READ_AT_ONCE);
  const last = entries.at(-1);
  if (last === undefined) return;
  const facts = await readFacts(tx, entries);
  let { sequence } = endpoint;
  const deliveries = entries.flatMap((entry) => {
    const fact = facts.get(entry.id);
    return (fact === undefined ? [] : webhookEvents(entry, fact)).map(({ type, data }) => {
      sequence += 1;
      const timestamp = entry.occurredAt.toISOString();
      return { sequence, type, body: JSON.stringify({ type, timestamp, sequence, data }) };
    });
  });
  await insertDeliveries(tx, endpointId, deliveries, last);
}

/** Posts in order until one fails: what is behind it waits with it, and not for it alone. */
async function postAll(
  deps: WebhookDeps,
  endpoint: TakenEndpoint,
  due: readonly DueDelivery[],
): Promise<void> {
  const { endpointId } = endpoint;
  let pauseMs = 0;
  for (const delivery of due) {
    const posted = await deps.outside.post(
      endpoint.url,
      { 'user-agent': 'webhooks', ...signed(deps.keyRing, endpoint, delivery) },
      delivery.body,
    );
    if (posted.isTaken) {
      await transaction(deps.db, (tx) => markDelivered(tx, endpointId, delivery.id));
      continue;
    }
    await noteFailure(deps, endpoint, delivery, posted.problem);
    pauseMs = PAUSE_MS;
    break;
  }
  await transaction(deps.db, (tx) => releaseEndpoint(tx, endpointId, pauseMs));
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
  const again = tries + 1 < MOST_TRIES;
  const againMs = again ? Math.min(FIRST_WAIT_MS * 4 ** tries, LONGEST_WAIT_MS) : undefined;
  await transaction(db, async (tx) => {
    const { failingMs } = await markFailed(tx, endpointId, { id, problem, againMs });
    const isDead = failingMs > DEAD_AFTER_MS && (await markDead(tx, endpointId));
    if (isDead || !again) {
      const detail = { merchantId, host: new URL(url).host, problem, isDead };
      await raiseAlert(tx, 'webhook_undelivered', endpointId, detail);
    }
  });
  log.warn({ endpointId, merchantId, problem, tries: tries + 1 }, 'a webhook was not taken');
}
