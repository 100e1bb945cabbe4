import { setTimeout as pause } from 'node:timers/promises';
import { proveBooks } from '@aparta/server/ledger/books/proofs.read-model';
import { query } from '../query.ts';
import { ASK_AGAIN, type Heard, OPEN, type Seen } from './load.ts';
import { isReady, type World } from './world.ts';

/** How long after the last blow everything that is open may take to end; what piled up in a long run takes longer. */
const SETTLE_MS = 90_000;
const SETTLE_PART = 1 / 2;

interface Attempt {
  readonly id: string;
  readonly intent: string;
  readonly state: string;
  /** What the books say that the provider holds. */
  readonly net: number;
  /** What happened to it, and when. */
  readonly life: string;
}

/** Ends every blow, waits until nothing is under way, and returns how long that took; what then still is, is a problem. */
export async function settle(world: World, ranMs: number): Promise<{ ms: number; problems: string[] }> {
  const { control } = world;
  await control('DELETE', 'faults');
  await control('POST', 'webhooks', {});
  const startedAt = Date.now();
  const rows = (statement: string) => query<{ what: string }>(world.database.url, statement);
  // The jobs of servers that were killed are taken over minutes later, emails tried again hours later: let them pass.
  const longestMs = SETTLE_MS + ranMs * SETTLE_PART;
  await until(async () => (await rows('select 1 as what')).length === 1, longestMs);
  // Every reference is asked about again within two hours, those too that were after an outage.
  await rows(`select graphile_worker.add_job('poll_cash_references', json_build_object('before', now()))`);
  // Not those that somebody still does: no job takes ten seconds after a short run, nor a minute after one of half an hour.
  const longestJob = `${Math.round(10_000 + ranMs / 30)} milliseconds`;
  const sixMinutesPass = async () => {
    await rows(`update graphile_worker._private_jobs set locked_at = locked_at - interval '6 minutes'
      where locked_at < now() - interval '${longestJob}'`);
    await rows(`select graphile_worker.add_job('free_dead_jobs', job_key => 'chaos')`);
    await rows(`select graphile_worker.add_job('deliver_email', json_build_object('outboxId', id), job_key => 'email:' || id)
      from outbox where state = 'waiting' and due_at > now() and due_at not between now() + interval '350 s' and now() + interval '360 s'`);
  };
  // What was freed is watched for weeks, and swept every day: money that comes all the same is found then.
  const aDayPasses = async () => {
    await rows(`update graphile_worker._private_jobs set run_at = now() where is_available and id in (
      select id from graphile_worker.jobs where task_identifier = 'resolve_attempt')`);
    await rows(`select graphile_worker.add_job('sweep_card_payments', '{}'::json, job_key => 'chaos_sweep')`);
  };
  let [passedAt, isNextDay] = [0, false];
  const doneAtProvider = Date.now() + 5_000;
  const hurry = () =>
    rows(`update graphile_worker._private_jobs set run_at = now() where run_at > now() and is_available and id in (
      select id from graphile_worker.jobs
        where last_error is not null or task_identifier in ('check_cash_operation', 'refund_card'))`);
  const open = async () => {
    const work = await rows(`
      select concat('attempt ', a.id, ' ', a.state, ', its job ', to_json(j)) as what
        from card_attempts a left join graphile_worker.jobs j on j.key = concat('resolve:', a.id)
        where a.state in ('submitting', 'pending_3ds', 'unknown')
      union all select 'refund ' || state from refunds where state in ('owed', 'sending', 'unknown') and method = 'card'
      union all select 'email ' || state from outbox where state = 'waiting'
      union all select concat('job ', task_identifier, ' ', key, ' ', run_at, ' ', locked_by, ' ', last_error) from graphile_worker.jobs
        where (run_at < now() - interval '10 seconds' and attempts < max_attempts) or key is not null and attempts >= max_attempts
          or (task_identifier in ('poll_cash_references', 'sweep_card_payments', 'resolve_attempt') and run_at <= now())`);
    return work.map(({ what }) => what);
  };
  const areReady = async () =>
    (await Promise.all(world.servers.map(({ origin }) => isReady(origin)))).every(Boolean);
  let left: string[] = [];
  const isDone = await until(async () => {
    if (Date.now() - passedAt > 5_000) {
      await sixMinutesPass();
      passedAt = Date.now();
    }
    await hurry();
    left = [...(await open()), ...((await areReady()) ? [] : ['a server that is not ready'])];
    if (left.length > 0 || Date.now() < doneAtProvider) return false;
    if (isNextDay) return true;
    await aDayPasses();
    isNextDay = true;
    return false;
  }, longestMs);
  return {
    ms: Date.now() - startedAt,
    problems: isDone ? [] : [...new Set(left)].map((what) => `never ended: ${what}`),
  };
}

async function until(isSo: () => Promise<boolean>, longestMs: number): Promise<boolean> {
  for (const end = Date.now() + longestMs; Date.now() < end; await pause(500))
    if (await isSo().catch(() => false)) return true;
  return false;
}

interface Till {
  readonly id: string;
  readonly state: string;
  readonly authorisation: string;
}

/** What was told against what is true, charge by charge and operation by operation. Each problem is a sentence. */
export async function judge(world: World, seen: Seen): Promise<string[]> {
  const rows = <T extends object>(statement: string) =>
    query<T & Record<string, unknown>>(world.database.url, statement);
  const problems = (await proveBooks(world.db)).map((proof) => `proof: ${JSON.stringify(proof)}`);
  const attempts = await rows<Attempt>(`
    select id::text, intent_id::text as intent, state, (captured_centavos - refunded_centavos)::int as net,
      (select string_agg(concat_ws(' ', moved_at::time(0), to_state, detail), ', ' order by h.id) from state_history h
        where h.subject_kind = 'card_attempt' and h.subject_id = a.id::text) as life
    from card_attempts a`);
  const held = await heldByProvider(world);
  for (const { id, net, life } of attempts)
    if ((held.get(id) ?? 0) !== net)
      problems.push(`attempt ${id}: booked ${net}, the provider has ${held.get(id) ?? 0}; ${life}`);
  const known = new Set(attempts.map(({ id }) => id));
  for (const id of held.keys()) if (!known.has(id)) problems.push(`charge ${id} belongs to no attempt`);

  const byIntent = new Map(attempts.map((attempt) => [attempt.intent, attempt]));
  const tills = await rows<Till>(
    'select transaction_id as id, state, authorisation::text from till_operations',
  );
  const byOperation = new Map(tills.map((till) => [till.id, till]));
  const reversed = new Set(seen.heard.filter(({ kind }) => kind === 'reversal').map(({ id }) => id));
  for (const one of seen.heard) {
    const [attempt, till] = [byIntent.get(one.id), byOperation.get(one.id)];
    const isTrue = {
      card: () => isTrueOfCard(one.said, attempt),
      till: () => isTrueOfSale(one, till, reversed.has(one.id)),
      reversal: () => one.said !== '0' || till?.state === 'reversed',
    }[one.kind]();
    if (!isTrue)
      problems.push(`told '${one.said}' of ${one.kind} ${one.id}: it is ${JSON.stringify(attempt ?? till)}`);
  }
  for (const [id, said] of Map.groupBy(seen.heard, ({ id }) => id)) {
    const isDone = (byIntent.get(id)?.net ?? 0) > 0 || byOperation.get(id)?.state === 'authorised';
    if (isDone && said.every(saysNothingDone))
      problems.push(`told only that nothing was done of ${id}: it was`);
  }

  const notices = await rows<{ id: string }>(`select operation_id::text as id from cash_notices`);
  const booked = new Set(notices.map(({ id }) => id));
  for (const slip of seen.slips)
    if (!booked.has(slip)) problems.push(`a store's slip ${slip} is unknown to us`);
  const wrongEmails = await rows<{ id: string }>(`
    select a.id::text as id from outbox o join card_attempts a on o.dedupe_key = concat('card:', a.id)
    where o.topic = 'payment_not_charged' and a.captured_centavos > 0`);
  for (const { id } of wrongEmails) problems.push(`an email says that attempt ${id} was not charged: it was`);
  const faults = seen.answers['500 INTERNAL'];
  if (faults !== undefined) problems.push(`${faults} calls were answered 500`);
  for (const { deaths } of world.servers) problems.push(...deaths);
  problems.push(...seen.late);
  return problems;
}

/** Paid counts, and what was not paid took no money. An abandoned one says itself that it counts or goes back if the bank approves it. */
function isTrueOfCard(said: string, attempt: Attempt | undefined): boolean {
  if (said === 'applied' || said === 'returned') return attempt?.state === said;
  if (said === 'abandoned') return attempt?.state === 'applied' || attempt?.net === 0;
  if (SAYS_LATER.has(said) || NOTHING_DONE.has(said) || attempt === undefined) return true;
  return attempt.net === 0 && !['applied', 'returned'].includes(attempt.state);
}

/** A receipt's number is printed for what is booked alone, until the till itself takes it back. */
function isTrueOfSale({ said, authorisation }: Heard, till: Till | undefined, isReversed: boolean): boolean {
  if (said === '0')
    return (
      till?.authorisation === authorisation &&
      (till?.state === 'authorised' || (isReversed && till?.state === 'reversed'))
    );
  return said === 'cut' || ASK_AGAIN.includes(said) || till?.state !== 'authorised';
}

/** Nobody knows yet. */
const SAYS_LATER: ReadonlySet<string> = new Set([
  ...OPEN,
  'held',
  'cut',
  'TOO_SLOW',
  'INTERNAL',
  'ATTEMPT_OPEN',
]);
/** True of the call that it answers; an earlier one of the same payment may have done it. */
const NOTHING_DONE: ReadonlySet<string> = new Set(['BUSY', 'DATABASE_AWAY', 'PROVIDER_DOWN', 'TOO_MANY']);
const saysNothingDone = ({ kind, said }: Heard) => (kind === 'card' ? NOTHING_DONE.has(said) : said === '11');

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
