import { setTimeout as pause } from 'node:timers/promises';
import { proveBooks } from '@aparta/server/ledger/books/proofs.read-model';
import { query } from '../query.ts';
import { ASK_AGAIN, type Seen } from './load.ts';
import { isReady, type World } from './world.ts';

/** How long after the last blow everything that is open may take to end. */
const SETTLE_MS = 90_000;

interface Attempt {
  readonly id: string;
  readonly intent: string;
  readonly state: string;
  /** What the books say that the provider holds. */
  readonly net: number;
}

/** Ends every blow, waits until nothing is under way, and returns how long that took; what then still is, is a problem. */
export async function settle(world: World): Promise<{ ms: number; problems: string[] }> {
  const { control } = world;
  await control('DELETE', 'faults');
  await control('POST', 'webhooks', {});
  world.email.pass();
  world.providers.pass();
  const startedAt = Date.now();
  const rows = (statement: string) => query<{ what: string }>(world.database.url, statement);
  // The jobs of servers that were killed are taken over minutes later, emails tried again hours later: let them pass.
  await until(async () => (await rows('select 1 as what')).length === 1);
  await rows(`select graphile_worker.add_job('poll_cash_references', '{}'::json)`);
  const sixMinutesPass = async () => {
    await rows(`update graphile_worker._private_jobs set locked_at = locked_at - interval '6 minutes'`);
    await rows(`select graphile_worker.add_job('free_dead_jobs', job_key => 'chaos')`);
  };
  let passedAt = 0;
  // What was freed is watched: money that comes all the same is found at its next time.
  const watched = Date.now() + 10_000;
  const hurry = () =>
    rows(`update graphile_worker._private_jobs set run_at = now() where run_at > now() and is_available and id in (
      select id from graphile_worker.jobs where task_identifier in ('deliver_email', 'check_cash_operation', 'refund_card'))`);
  const open = async () => {
    const work = await rows(`
      select 'attempt ' || state as what from card_attempts where state in ('submitting', 'pending_3ds', 'unknown')
      union all select 'refund ' || state from refunds where state in ('owed', 'sending', 'unknown') and method = 'card'
      union all select 'email ' || state from outbox where state = 'waiting'
      union all select concat('job ', task_identifier, ' ', key, ' ', run_at, ' ', locked_by, ' ', last_error) from graphile_worker.jobs
        where (run_at < now() - interval '10 seconds' and attempts < max_attempts) or key is not null and attempts >= max_attempts
          or (task_identifier = 'poll_cash_references' and run_at <= now())`);
    return work.map(({ what }) => what);
  };
  const areReady = async () =>
    (await Promise.all(world.servers.map(({ origin }) => isReady(origin)))).every(Boolean);
  let left: string[] = [];
  const isDone = await until(async () => {
    if (Date.now() - passedAt > 20_000) {
      await sixMinutesPass();
      passedAt = Date.now();
    }
    await hurry();
    left = [...(await open()), ...((await areReady()) ? [] : ['a server that is not ready'])];
    return left.length === 0 && Date.now() > watched;
  });
  return {
    ms: Date.now() - startedAt,
    problems: isDone ? [] : [...new Set(left)].map((what) => `never ended: ${what}`),
  };
}

async function until(isSo: () => Promise<boolean>): Promise<boolean> {
  for (const end = Date.now() + SETTLE_MS; Date.now() < end; await pause(500))
    if (await isSo().catch(() => false)) return true;
  return false;
}

/** What was told against what is true, charge by charge and operation by operation. Each problem is a sentence. */
export async function judge(world: World, seen: Seen): Promise<string[]> {
  const rows = <T extends object>(statement: string) =>
    query<T & Record<string, unknown>>(world.database.url, statement);
  const problems = (await proveBooks(world.db)).map((proof) => `proof: ${JSON.stringify(proof)}`);
  const attempts = await rows<Attempt>(`
    select id::text, intent_id::text as intent, state, (captured_centavos - refunded_centavos)::int as net
    from card_attempts`);
  const held = await heldByProvider(world);
  for (const { id, net } of attempts)
    if ((held.get(id) ?? 0) !== net)
      problems.push(`attempt ${id}: booked ${net}, the provider has ${held.get(id) ?? 0}`);
  const known = new Set(attempts.map(({ id }) => id));
  for (const id of held.keys()) if (!known.has(id)) problems.push(`charge ${id} belongs to no attempt`);

  const byIntent = new Map(attempts.map((attempt) => [attempt.intent, attempt]));
  const tills = await rows<{ id: string; state: string; authorisation: string }>(
    'select transaction_id as id, state, authorisation::text from till_operations',
  );
  const byOperation = new Map(tills.map((till) => [till.id, till]));
  for (const one of seen.heard) {
    const { kind, id, said } = one;
    const attempt = byIntent.get(id);
    const till = byOperation.get(id);
    if (kind === 'card' && isLie(said, attempt))
      problems.push(`told '${said}' of card ${id}: it is ${attempt?.state} with ${attempt?.net}`);
    if (kind === 'till' && said === '0' && till?.state !== 'authorised')
      problems.push(`told 'paid' of till ${id}: it is ${till?.state}`);
    if (kind === 'till' && said !== '0' && !ASK_AGAIN.includes(Number(said)) && till?.state === 'authorised')
      problems.push(`told error ${said} of till ${id}: it is authorised`);
  }

  const notices = await rows<{ id: string }>(`select operation_id::text as id from cash_notices`);
  const booked = new Set(notices.map(({ id }) => id));
  for (const slip of seen.slips)
    if (!booked.has(slip)) problems.push(`a store's slip ${slip} is unknown to us`);
  for (const { deaths } of world.servers) problems.push(...deaths);
  problems.push(...seen.late);
  return problems;
}

/** Whether what a buyer was told of a card is not so: paid and it does not count, or not paid and money is gone. */
function isLie(said: string, attempt: Attempt | undefined): boolean {
  if (said === 'applied') return attempt?.state !== 'applied';
  if (/^(?:rejected|not_charged|refused)/.test(said))
    return attempt !== undefined && (attempt.net > 0 || ['applied', 'returned'].includes(attempt.state));
  return said === 'abandoned' && attempt?.state === 'applied';
}

/** What the provider holds of each attempt, in centavos. */
async function heldByProvider({ control }: World): Promise<Map<string, number>> {
  const { payments } = (await control('GET', 'log')) as {
    payments: { status: string; amount: number; amount_refunded: number; external_reference: string }[];
  };
  const held = new Map<string, number>();
  const since = new Set(['approved', 'refunded']);
  for (const { status, amount, amount_refunded, external_reference: id } of payments) {
    const net = since.has(status) ? Math.round((amount - amount_refunded) * 100) : 0;
    held.set(id, (held.get(id) ?? 0) + net);
  }
  return held;
}
