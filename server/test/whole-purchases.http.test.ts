import { randomUUID } from 'node:crypto';
import { env } from 'node:process';
import fc from 'fast-check';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transaction } from '../src/platform/db/transaction.ts';
import { jobHandlers } from '../src/worker.ts';
import { proveBooks } from '../src/ledger/books/proofs.read-model.ts';
import { createLog } from '../src/platform/logging.ts';
import { decideHeld } from '../src/payments/cards/decide-held.ts';
import { RefusedChange } from '../src/platform/refused-change.ts';
import { answer3ds, chargeElsewhere, DAY, fault, HOUR, MINUTE } from './card-acts.ts';
import { type MadeBuyer, makeBuyer } from './make.ts';
import { CARDS, openShop, type Shop } from './shop.ts';
import { openTill, type Till } from './store-acts.ts';

/**
 * Whole purchases, one act after the other, on a clock that the test sets: a deposit by any channel, instalments by card, till and
 * store, cancellations, whatever the providers answer, a worker that dies, days that pass. Only the buyer acts: everything else
 * happens by the queue or the crontab, or not at all. Then cards, stores and tills are the oracles. `WHOLE_PURCHASES` runs more
 * of them; a failure prints its seed and the shortest one that fails.
 */
const RUNS = Number(env['WHOLE_PURCHASES'] ?? 12);
const MANY = 99_999;
const log = createLog('silent');

let shop: Shop;
let till: Till;
let owner: pg.Client;
/** How far the time of server, queue and providers is ahead of the computer's. */
let aheadMs = 0;
/** The jobs of a server that may die in the middle of a call. */
let jobs: ReturnType<typeof jobHandlers>;
let dies: { call: string; isAsked: boolean } | undefined;
/** What jobs threw. */
let thrown: string[] = [];

beforeAll(async () => {
  shop = await openShop({
    merchant: { feeMethods: ['card', 'cash'] },
    clocks: {
      breakerPauseMs: 1,
      rejectionsPerBuyer: MANY,
      rejectionsPerReference: MANY,
      rejectionsPerMerchant: MANY,
      rejectionsPerCard: MANY,
      cardsPerBuyer: MANY,
      rejectedCardsPerAddress: MANY,
      attemptsPerAddress: MANY,
    },
  });
  till = await openTill(shop);
  const dying =
    (call: 'find' | 'list' | 'refund') =>
    async (...asked: any[]) => {
      const now = dies?.call === call ? dies : undefined;
      if (now) dies = undefined;
      const answer = now?.isAsked === false ? undefined : await (shop.jobs.card[call] as any)(...asked);
      if (now) throw new Error('killed');
      return answer;
    };
  jobs = jobHandlers({
    ...shop.jobs,
    card: { ...shop.jobs.card, find: dying('find'), list: dying('list'), refund: dying('refund') },
  });
  owner = new pg.Client({ connectionString: shop.ownerUrl });
  await owner.connect();
  await owner.query(`
    create table test_clock (ahead interval not null);
    insert into test_clock values ('0');
    grant select on test_clock to public;
    create or replace function app_now() returns timestamptz language sql stable
      as $$ select now() + (select ahead from public.test_clock) $$;
    create or replace function enqueue_job(task text, payload json, run_at timestamptz, job_key text, max_attempts int default 25)
      returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
    begin
      perform graphile_worker.add_job(task, payload, run_at => run_at + (select ahead from public.test_clock),
        job_key => job_key, max_attempts => max_attempts);
    end $$;`);
});
afterAll(async () => {
  await owner.end();
  await shop.close();
});

const nowMs = () => Date.now() + aheadMs;

async function setClock(toMs: number): Promise<void> {
  const byMs = Math.round(toMs - nowMs());
  if (byMs <= 0) return;
  aheadMs += byMs;
  await owner.query(`update test_clock set ahead = $1::interval`, [`${aheadMs} milliseconds`]);
  await shop.control('POST /control/clock', { advanceMs: byMs });
}

const JOBS = `graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
`;

/** Does what the queue holds up to a moment, each at its time, as its worker would: a job that throws comes again later. */
async function workUntil(untilMs: number): Promise<void> {
  for (;;) {
    const { rows } = await owner.query(
      `select j.id, t.identifier as task, j.payload, j.run_at, j.key, j.attempts from ${JOBS}
         where j.attempts < j.max_attempts and j.run_at <= $1 order by j.run_at, j.id limit 1`,
      [new Date(untilMs)],
    );
    const [job] = rows;
    if (job === undefined) return;
    await setClock(job.run_at.getTime());
    // A running job has no key: enqueueing the same meanwhile makes another one.
    await owner.query(
      'update graphile_worker._private_jobs set key = null, attempts = max_attempts where id = $1',
      [job.id],
    );
    try {
      await (jobs as any)[job.task](job.payload, log);
      await owner.query('delete from graphile_worker._private_jobs where id = $1', [job.id]);
    } catch (error) {
      thrown.push(`${job.task}: ${String(error)}`);
      await owner.query('update graphile_worker._private_jobs set attempts = $2, run_at = $3 where id = $1', [
        job.id,
        job.attempts + 1,
        new Date(nowMs() + Math.exp(job.attempts + 1) * 1_000),
      ]);
    }
  }
}

/** Time passes: the queue works, and what is on the timetable is done once a day. */
async function pass(ms: number): Promise<void> {
  const untilMs = nowMs() + ms;
  for (let day = nowMs() + DAY; ; day += DAY) {
    const next = Math.min(day, untilMs);
    await workUntil(next);
    await setClock(next);
    await shop.job.expire_references(undefined, log);
    if (next === untilMs) return;
    await shop.job.sweep_card_payments(undefined, log);
    await shop.job.recheck_captured(undefined, log);
  }
}

/** Everything that is promised happens. The merchant sells something each half day, of which refunds can be made. */
async function end(lived: Life): Promise<void> {
  await shop.control('DELETE /control/faults');
  dies = undefined;
  for (const operation of lived.operations) await tell(operation);
  await shop.job.sweep_card_payments(undefined, log);
  for (let half = 0; half < 9; half += 1) {
    await chargeElsewhere(shop, undefined, CARDS.approved, { amount: 50_000 });
    await pass(DAY / 2);
  }
  await workUntil(nowMs() + 60 * DAY);
}

const PAYING = [
  CARDS.approved,
  CARDS.approved,
  CARDS.approved,
  CARDS.threeDs,
  CARDS.threeDs,
  CARDS.approvedAlone,
  CARDS.replyLost,
  CARDS.nothingHappened,
  CARDS.slow,
  CARDS.oddDetail,
  CARDS.oneMore,
  CARDS.authorisedOnly,
  CARDS.insufficientFunds,
] as const;
const refusedRefund = (status: number, code: string) =>
  ({ call: 'createRefund', kind: 'status', status, body: { error_code: code } }) as const;
const FAULTS = [
  refusedRefund(409, 'AI1400'),
  refusedRefund(409, 'AI1805'),
  refusedRefund(409, 'AI1807'),
  refusedRefund(404, 'CL301'),
  { call: 'createRefund', kind: 'lost' },
  { call: 'createRefund', kind: 'unreachable' },
  { call: 'getPayment', kind: 'unreachable' },
  { call: 'listPayments', kind: 'malformed' },
  { call: 'createPayment', kind: 'unreachable' },
  { call: 'createPayment', kind: 'lost' },
  { call: 'createPayment', kind: 'malformed' },
  { call: 'findOperation', kind: 'unreachable' },
  { call: 'createReference', kind: 'lost' },
] as const;

type Step =
  | { do: 'reserve' | 'cancel' | 'till deposit' }
  | { do: 'card'; card: string }
  | { do: 'till'; pesos: number | undefined }
  | { do: 'store'; pesos: number | undefined; isNotified: boolean }
  | {
      do: 'approve' | 'reject' | 'notice' | 'poll' | 'resume' | 'tell' | 'take back' | 'till back';
      of: number;
    }
  | { do: 'die'; call: 'find' | 'list' | 'refund'; isAsked: boolean }
  | { do: 'charge twice' | 'apply' | 'give back'; of: number }
  | { do: 'pass'; ms: number }
  | { do: 'fault'; fault: object };

const a = <const D extends string>(...of: readonly D[]) => ({ do: fc.constantFrom(...of) });
const pesos = fc.option(fc.constantFrom(0.01, 14.99, 100, 1_200, 1_215, 2_400, 5_000), { nil: undefined });
const life = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.record(a('reserve', 'till deposit', 'cancel')) },
    { weight: 6, arbitrary: fc.record({ ...a('card'), card: fc.constantFrom(...PAYING) }) },
    { weight: 2, arbitrary: fc.record({ ...a('till'), pesos }) },
    { weight: 3, arbitrary: fc.record({ ...a('store'), pesos, isNotified: fc.boolean() }) },
    {
      weight: 8,
      arbitrary: fc.record({
        ...a('approve', 'approve', 'reject', 'notice', 'poll', 'resume', 'tell', 'take back', 'till back'),
        of: fc.nat(7),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        ...a('pass'),
        ms: fc.constantFrom(10_000, MINUTE, 18 * MINUTE, 31 * MINUTE, HOUR, 25 * HOUR, 3 * DAY, 9 * DAY),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        ...a('die'),
        call: fc.constantFrom('find', 'list', 'refund'),
        isAsked: fc.boolean(),
      }),
    },
    { weight: 2, arbitrary: fc.record({ ...a('charge twice', 'apply', 'give back'), of: fc.nat(7) }) },
    { weight: 3, arbitrary: fc.record({ ...a('fault'), fault: fc.constantFrom(...FAULTS) }) },
  ),
  { minLength: 4, maxLength: 24 },
) as fc.Arbitrary<Step[]>;

interface Life {
  readonly buyer: MadeBuyer;
  reference: any;
  readonly intents: string[];
  readonly operations: string[];
  readonly tickets: { readonly idtransaccion: string; readonly importe: number }[];
  /** What the buyer agreed to get back, by purchase. */
  readonly quotes: Map<number, number>;
}

async function begin(): Promise<Life> {
  await owner.query('delete from graphile_worker._private_jobs');
  await shop.control('POST /control/reset');
  await shop.control('POST /control/clock', { advanceMs: aheadMs });
  await shop.control('POST /control/webhooks', { drop: true });
  await shop.control('POST /control/cash/notices', { drop: true });
  // Of lives before this one the providers know nothing any more.
  await owner.query('update card_attempts set recheck_at = null');
  thrown = [];
  const buyer = await makeBuyer(shop.db);
  for (const table of ['sessions', 'service_account_sessions'])
    await owner.query(`update ${table} set expires_at = expires_at + interval '20 years'`);
  const reference = await shop.reference({ token: buyer.token });
  return { buyer, reference, intents: [], operations: [], tickets: [], quotes: new Map() };
}

/** The buyer's newest purchase, and of it the oldest instalment that is owed. */
async function newest({ buyer }: Life): Promise<{ id: number; printed: string; owed: number } | undefined> {
  const { rows } = await sql<any>`
    select p.id, r.reference as printed, i.amount_centavos - i.paid_centavos as owed
    from purchases p join instalments i on i.purchase_id = p.id join payment_references r on r.id = i.id
    where p.buyer_id = ${buyer.id} order by p.id desc, i.paid_centavos = i.amount_centavos, i.number limit 1`.execute(
    shop.db,
  );
  return rows[0];
}

const one = <T>(from: readonly T[], at: number): T | undefined => from[at % Math.max(from.length, 1)];

async function tell(operationId: string): Promise<void> {
  const { status } = await shop.ask('POST /webhooks/tapi', {
    body: { operationId, status: 'confirmed' },
    headers: { 'x-api-key': 'aparta-development-notices' },
  });
  expect(status).toBe(200);
}

async function sell({ tickets }: Life, path: string, referencia: string, importe: number): Promise<void> {
  const idtransaccion = randomUUID();
  const { body } = await till.call(path, { referencia, importe, idtransaccion });
  if (body.error === 0) tickets.push({ idtransaccion, importe });
}

async function act(lived: Life, step: Step): Promise<void> {
  const { token } = lived.buyer;
  const intentId = 'of' in step ? one(lived.intents, step.of) : undefined;
  const attempt = intentId === undefined ? undefined : await shop.attempt(intentId);
  const purchase = await newest(lived);
  switch (step.do) {
    case 'reserve':
      lived.reference = await shop.reference({ token });
      return;
    case 'till deposit':
      return sell(lived, 'OnLayaway', lived.reference.paymentReference, 600);
    case 'card': {
      const next = randomUUID();
      const { status } = await shop.pay(
        purchase ? { ...lived.reference, paymentReference: purchase.printed } : lived.reference,
        step.card,
        {
          token,
          intentId: next,
          amount: purchase ? (purchase.owed + 1_500) / 100 : lived.reference.cardTotal,
        },
      );
      if (status === 200) lived.intents.push(next);
      else expect([409, 410, 429, 503]).toContain(status);
      return;
    }
    case 'till':
      if (purchase)
        await sell(lived, 'payment', purchase.printed, step.pesos ?? Math.max(purchase.owed, 1) / 100);
      return;
    case 'store': {
      const { body } = await shop.ask('POST /v1/Tapi/GenerateReference', {
        token,
        body: { generationData: [{ identifierValue: purchase?.printed ?? '' }] },
      });
      const number = body.data?.references?.[0]?.value;
      if (number === undefined) return;
      const { operationId } = await shop.control('POST /control/cash/pay', {
        reference: number,
        amount: step.pesos,
      });
      lived.operations.push(operationId);
      if (step.isNotified) await tell(operationId);
      return;
    }
    case 'tell': {
      const operation = one(lived.operations, step.of);
      if (operation !== undefined) await tell(operation);
      return;
    }
    case 'take back': {
      const back = await shop
        .control(`POST /control/cash/operations/${one(lived.operations, step.of)}`, { move: 'reverse' })
        .catch(() => undefined); // nothing left to take back
      if (back !== undefined) lived.operations.push(back.operationId);
      return;
    }
    case 'till back': {
      const ticket = one(lived.tickets, step.of);
      if (ticket) await till.reverse({ idtransaccion: ticket.idtransaccion });
      return;
    }
    case 'approve':
    case 'reject':
      // A 3DS window that is open longer than that is not followed to its end.
      if (attempt?.provider_payment_id && nowMs() - attempt.created_at.getTime() < 28 * DAY)
        await answer3ds(shop, attempt.intent_id, step.do);
      return;
    case 'notice':
      if (attempt)
        await shop.ask(`POST /webhooks/clip/${attempt.webhook_nonce}`, {
          body: { id: attempt.provider_payment_id ?? randomUUID() },
        });
      return;
    case 'poll':
      if (attempt) await shop.ask(`GET /v1/Clib/GetAttemptAsync/${attempt.intent_id}`, { token });
      return;
    case 'resume':
      if (attempt?.provider_payment_id)
        await shop.ask(`GET /v1/Clib/GetPaymentsAsync/${attempt.provider_payment_id}/${shop.merchantId}`, {
          token,
        });
      return;
    case 'cancel': {
      const quote = await shop.ask(`GET /v1/Sales/CancelQuoteAsync/${purchase?.id ?? 0}`, { token });
      if (quote.status !== 200 || purchase === undefined) return;
      const refundShown = quote.body.data.refund;
      const { status } = await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${purchase.id}`, {
        token,
        body: { cancelNotes: '', refundShown },
      });
      expect(status).toBe(200);
      lived.quotes.set(purchase.id, inCentavos(refundShown));
      return;
    }
    case 'die':
      dies = step;
      return;
    case 'charge twice':
      // Not when a fault is in its way.
      if (attempt)
        await chargeElsewhere(shop, attempt.id, CARDS.approved, { amount: 616 }).catch(() => undefined);
      return;
    case 'apply':
    case 'give back':
      if (attempt)
        await transaction(shop.db, (tx) =>
          decideHeld(tx, attempt.id, step.do === 'apply' ? 'apply' : 'return'),
        ).catch((error: unknown) => expect(error).toBeInstanceOf(RefusedChange));
      return;
    case 'pass':
      return pass(step.ms);
    case 'fault':
      return fault(shop, { ...step.fault });
  }
}

const inCentavos = (amount: number) => Math.round(amount * 100);
const sum = (amounts: readonly number[]) => amounts.reduce((total, each) => total + each, 0);

/** What cards, stores and tills say that they hold of the buyer, in centavos. */
async function kept({ tickets }: Life, attemptIds: readonly string[]): Promise<number> {
  const { payments } = await shop.control('GET /control/log');
  const byCard = payments
    .filter((payment: any) => attemptIds.includes(payment.external_reference))
    .map((payment: any) => inCentavos(payment.captured_amount - payment.amount_refunded));
  const { operations } = await shop.control('GET /control/cash');
  // Given back at a store when it could not leave the books any more: a person was called, and it stays with us till then.
  const { rows: stays } = await sql<any>`
    select coalesce(detail ->> 'reverses', subject) as id from alerts where kind = 'cash_reversal_impossible'`.execute(
    shop.db,
  );
  const back = operations
    .map((operation: any) => operation.reversedOperationId)
    .filter((id: any) => stays.every((stay) => stay.id !== id));
  const inStores = operations
    .filter((operation: any) => !operation.reversedOperationId && !back.includes(operation.operationId))
    .map((operation: any) => inCentavos(operation.amount));
  const atTills = await Promise.all(
    tickets.map(async ({ idtransaccion, importe }) => {
      const { estado } = (await till.query({ idtransaccion })).body;
      expect(['autorizada', 'revertida']).toContain(estado);
      return estado === 'autorizada' ? inCentavos(importe) : 0;
    }),
  );
  return sum([...byCard, ...inStores, ...atTills]);
}

async function check(lived: Life): Promise<void> {
  expect(await proveBooks(shop.db)).toEqual([]);
  const { rows } = await sql<any>`select
    (select coalesce(sum(paid_centavos), 0)::bigint from purchases where buyer_id = ${lived.buyer.id} and state = 'active') as paid,
    (select coalesce(sum(b.balance), 0)::bigint from balances b join purchases p on b.subject = p.id::text
      where b.account = 'penalty_income' and p.buyer_id = ${lived.buyer.id}) as penalty,
    (select coalesce(sum(b.balance), 0)::bigint from balances b join receipts r on b.subject = r.source_id
      where b.account = 'service_fee' and r.buyer_id = ${lived.buyer.id}) as fees,
    (select coalesce(json_agg(f), '[]') from refunds f join receipts r on r.id = f.receipt_id where r.buyer_id = ${lived.buyer.id}) as refunds,
    (select coalesce(json_agg(a), '[]') from card_attempts a where buyer_id = ${lived.buyer.id}) as attempts`.execute(
    shop.db,
  );
  const { paid, penalty, fees, refunds, attempts } = rows[0];
  for (const { state } of attempts)
    expect(['rejected', 'not_charged', 'abandoned', 'applied', 'returned']).toContain(state);
  for (const { method, state, detail_code: why } of refunds)
    expect(['card done', 'card moved_to_cash', 'card blocked', 'cash owed'], why).toContain(
      `${method} ${state}`,
    );
  for (const [purchaseId, shown] of lived.quotes) {
    const { rows: returned } = await sql<any>`
      select coalesce(sum(f.amount_centavos), 0)::bigint as total from refunds f
      where f.cause = 'cancel' and f.state <> 'moved_to_cash' and f.receipt_id in (
        select x.receipt_id from allocations x join instalments i on i.id = x.instalment_id where i.purchase_id = ${purchaseId})`.execute(
      shop.db,
    );
    expect(returned[0].total, 'a cancel returns what its quote said').toBe(shown);
  }
  const owed = sum(
    refunds
      .filter(({ state }: any) => state === 'owed' || state === 'blocked')
      .map((refund: any) => refund.amount_centavos),
  );
  const attemptIds = attempts.map(({ id }: any) => id);
  expect({ kept: await kept(lived, attemptIds) }).toEqual({ kept: paid + penalty + fees + owed });
  expect(thrown.filter((why) => !/killed|the cash network does not answer/.test(why))).toEqual([]);
  const { rows: left } = await owner.query(`select t.identifier, j.key, j.run_at from ${JOBS}`);
  expect(left, 'nothing goes on for ever').toEqual([]);
}

test(
  'whatever happens to a purchase, all of it comes to its end by itself, every centavo in its place',
  async () => {
    await fc.assert(
      fc.asyncProperty(life, async (steps) => {
        const lived = await begin();
        for (const step of steps) await act(lived, step);
        expect(await proveBooks(shop.db)).toEqual([]);
        await end(lived);
        await check(lived);
      }),
      { numRuns: RUNS },
    );
  },
  60_000 + RUNS * 10_000,
);
