import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { env } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { fillsOfSum } from '@aparta/domain/buyer-sums';
import { type Centavos, centavos } from '@aparta/domain/money';
import { sql } from 'kysely';
import { expect, test, vi, inject } from 'vitest';
import { openSession } from '../src/accounts/sessions/session.ts';
import { confirmEmailOf, insertBuyer } from '../src/accounts/buyers/store.ts';
import { type Db, openDb } from '../src/platform/db/db.ts';
import { transaction } from '../src/platform/db/transaction.ts';
import { openClaim } from '../src/purchases/claims/open-claim.ts';
import { endLatePlans } from '../src/purchases/ending/end-late-plans.ts';
import { Refusal } from '../src/platform/refusal.ts';
import { proveBooks } from '../src/ledger/books/proofs.read-model.ts';
import { createLog } from '../src/platform/logging.ts';
import { answer3ds, UNLIMITED } from './card-acts.ts';
import { dice } from './dice.ts';
import { makeBranch, makeServiceAccount, makeStaff } from './make.ts';
import { freePort } from './free-port.ts';
import { nodeEnvironment } from './node-environment.ts';
import { CARDS, openShop, type Shop } from './shop.ts';
import { asOwner } from './store-acts.ts';

/**
 * Many buyers at once over a real server, its worker, PostgreSQL and the providers' sandbox, for fewer units than they are: random
 * payments of any sum by card, till and store, reversals, cancellations, hand-overs, claims and purchases that the shop ends; replies
 * are lost, calls repeated, notices late, doubled or dropped, jobs run at any time, and the server is killed in between. Then late plans
 * end by their rule, the jobs that are left run to their end, and the sandbox is the oracle. `SIMULATIONS=300` runs as many of them; a failure names its seed, and
 * `SIMULATION_SEED` makes the same choices again.
 */
const SIMULATIONS = Number(env['SIMULATIONS'] ?? 60);
const KILLS = Math.max(3, Math.round(SIMULATIONS / 30));
const SEED = Number(env['SIMULATION_SEED'] ?? Date.now() % 1_000_000_000);
/** No buyer begins another step after this. */
const LIVE_MS = SIMULATIONS > 60 ? 72_000 : 36_000;
/** Between two kills at most: few buyers are soon done. */
const KILL_EVERY_MS = 4_000;
/** Of ten buyers, how many find a unit if none is put back. */
const UNITS_OF_TEN = 7;
/** What is under way by then is resolved and compared, on whatever computer. */
const PATIENCE_MS = 480_000;

const log = createLog('silent');
const CHAIN = 'ELEKTRA';
const CLOCKS = {
  ...UNLIMITED,
  chargeTimeoutMs: 1_500,
  readTimeoutMs: 1_500,
  sendWithinMs: 5_000,
  submittingMs: 2_000,
  coalesceMs: 0,
  // Every buyer lives on this one small computer: shedding has tests of its own.
  patienceMs: 60_000,
};
const PAYING = [
  CARDS.approved,
  CARDS.approved,
  CARDS.threeDs,
  CARDS.replyLost,
  CARDS.malformed,
  CARDS.insufficientFunds,
  CARDS.slow,
];

interface Reply {
  readonly status: number;
  readonly body: any;
}
interface Ticket {
  readonly path: 'OnLayaway' | 'payment';
  readonly referencia: string;
  readonly importe: number;
  readonly idtransaccion: string;
  /** What the till was answered, once it got an answer. */
  received?: any;
}
interface Actor {
  readonly seed: number;
  readonly buyerId: number;
  readonly token: string;
  readonly branch: string;
  readonly roll: (sides: number) => number;
  readonly tickets: Ticket[];
  readonly intents: string[];
  readonly operations: string[];
  /** What the shop was answered of a hand-over, and of an end. */
  readonly answered: { handedOver?: boolean; ended?: 'merchant' | 'claim' };
}

const oneOf = <T>({ roll }: Actor, of: readonly T[]): T | undefined => of[roll(Math.max(of.length, 1))];

/** The server as a process of its own: it can be killed at any moment, and comes back at the same address. */
async function openServer(shop: Shop) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  await shop.control('POST /control/product', { origin: url });
  let child: ChildProcess | undefined;
  let up = Promise.withResolvers<void>();
  const start = async () => {
    child = spawn(process.execPath, [inject('serverProgram')], {
      env: {
        ...nodeEnvironment,
        DATABASE_URL: shop.settings.databaseUrl,
        DATABASE_POOL: '20',
        PORT: String(port),
        PUBLIC_ORIGIN: url,
        LOG_LEVEL: 'fatal',
        CLIP_API_BASE: shop.sandbox.apiUrl,
        CLIP_3DS_ORIGINS: shop.sandbox.threeDsOrigin,
        TAPI_LOGIN_BASE: shop.sandbox.apiUrl,
        TAPI_API_BASE: shop.sandbox.apiUrl,
        FACTURA_GREEN_BASE: shop.sandbox.apiUrl,
        SMTP_URL: `smtp://127.0.0.1:${shop.sandbox.smtpPort}`,
        TEST_CLOCKS: JSON.stringify(CLOCKS),
      },
      stdio: 'ignore',
    });
    await vi.waitFor(async () => expect((await fetch(`${url}/healthz`)).ok).toBe(true), {
      timeout: 120_000, // beside other work a start may take long
      interval: 50,
    });
    up.resolve();
  };
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    up = Promise.withResolvers();
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  };
  await start();
  /** Resolves at once while it lives, else when it is back. */
  return { url, start, end, isUp: () => up.promise };
}

async function makeActor(shop: Shop, seed: number): Promise<Actor> {
  const email = `buyer-${seed}-${randomUUID().slice(0, 8)}@example.mx`;
  // These buyers never sign in: no password has to be hashed.
  const buyer = { email, userName: 'Ana', phone: '5512345678', passwordHash: 'x', termsAccepted: false };
  const buyerId = await transaction(shop.db, async (tx) => {
    const id = await insertBuyer(tx, { ...buyer, termsVersion: undefined });
    // Without it each card payment would need 3DS.
    await confirmEmailOf(tx, id);
    return id;
  });
  return {
    seed,
    buyerId,
    token: await openSession(shop.db, buyerId),
    branch: String(seed),
    roll: dice(seed),
    tickets: [],
    intents: [],
    operations: [],
    answered: {},
  };
}

/** A scene that actors share. */
interface Stage {
  readonly shop: Shop;
  readonly url: string;
  readonly isUp: () => Promise<void>;
  readonly tillToken: string;
  readonly ownerToken: string;
  /** Where units are kept and handed over. */
  readonly branchIds: readonly number[];
  /** The database when promises of delivery are over. */
  readonly later: Db;
  readonly until: number;
}

/**
 * Calls the server like a client that does not give up: a call whose reply is lost is repeated unchanged. Now and then the client
 * itself hangs up, at a random moment.
 */
async function call(stage: Stage, actor: Actor, line: string, token: string, body?: object): Promise<Reply> {
  const [method = 'GET', path = '/'] = line.split(' ');
  let hangUpMs = actor.roll(8) === 0 ? actor.roll(60) : undefined;
  for (let tries = 0; ; tries += 1) {
    try {
      const reply = await fetch(stage.url + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(hangUpMs ?? 20_000),
      });
      const answer = { status: reply.status, body: await reply.json() };
      if (reply.status < 500 || answer.body.code === 'PROVIDER_DOWN' || tries > 40) return answer;
    } catch (error) {
      if (tries > 200) throw error;
    }
    hangUpMs = undefined;
    await pause(50 + actor.roll(100) + Math.min(tries, 10) * 100);
    await stage.isUp();
  }
}

const asBuyer = (stage: Stage, actor: Actor, line: string, body?: object) =>
  call(stage, actor, line, actor.token, body);

async function atTill(stage: Stage, actor: Actor, path: string, ticket: Partial<Ticket>): Promise<any> {
  const { received: _received, path: _path, ...wire } = ticket;
  const body = { compañia: CHAIN, sucursal: actor.branch, ...wire };
  const answer = await call(stage, actor, `POST /PosOperations/${path}`, stage.tillToken, body);
  expect(answer.status).toBe(200);
  return answer.body;
}

async function payAtTill(stage: Stage, actor: Actor, ticket: Ticket): Promise<void> {
  if (!actor.tickets.includes(ticket)) actor.tickets.push(ticket);
  ticket.received = await atTill(stage, actor, ticket.path, ticket);
}

async function payByCard(
  stage: Stage,
  actor: Actor,
  of: { reference: string; amount: number; abonos?: readonly { identificador: number; monto: number }[] },
): Promise<void> {
  const { shop } = stage;
  const intentoId = randomUUID();
  const token = await shop.cardToken(oneOf(actor, PAYING) ?? CARDS.approved);
  actor.intents.push(intentoId);
  const body = {
    amount: of.amount,
    currency: 'MXN',
    payment_method: { token },
    customer: { email: 'ana@example.mx', phone: '5512345678' },
    apartaBusinnessId: shop.merchantId,
    referencia: of.reference,
    intentoId,
    ...(of.abonos && { abonos: of.abonos }),
  };
  const pays = () => asBuyer(stage, actor, 'POST /v1/Clib/CreatePaymentsAsync', body);
  await (actor.roll(4) === 0 ? Promise.all([pays(), pays()]) : pays());
}

/** Approves or rejects what waits for the bank; what does not wait is left alone. */
async function answerBank({ shop }: Stage, { roll }: Actor, intentId: string): Promise<void> {
  const attempt = await shop.attempt(intentId).catch(() => undefined);
  if ((attempt?.provider_payment_id ?? null) === null) return;
  await answer3ds(shop, intentId, roll(4) === 0 ? 'reject' : 'approve').catch(() => undefined);
}

async function reserve(stage: Stage, actor: Actor): Promise<number | undefined> {
  const { shop } = stage;
  // Two tabs at once.
  const body = { Referencia: `1|${shop.merchantId}|${shop.productId}|0||||0` };
  const tabs = await Promise.all([
    asBuyer(stage, actor, 'POST /v1/PullApartReference', body),
    asBuyer(stage, actor, 'POST /v1/PullApartReference', body),
  ]);
  const [one, other] = tabs.map((tab) => tab.body.data);
  if (one === undefined || other === undefined) {
    for (const { body } of tabs) expect(body.code ?? 'SOLD_OUT').toBe('SOLD_OUT');
    return;
  }
  const deposit = (reference: any): Ticket => ({
    path: 'OnLayaway',
    referencia: reference.paymentReference,
    importe: 600,
    idtransaccion: randomUUID(),
  });
  const byCard = (reference: any) =>
    payByCard(stage, actor, { reference: reference.paymentReference, amount: reference.cardTotal });
  const methods = [
    () => byCard(one),
    () => payAtTill(stage, actor, deposit(one)),
    () => Promise.all([byCard(one), payAtTill(stage, actor, deposit(other))]),
    () => Promise.all([payAtTill(stage, actor, deposit(one)), payAtTill(stage, actor, deposit(other))]),
  ];
  await oneOf(actor, methods)?.();
  for (let waits = 0; waits < 3; waits += 1) {
    for (const intentId of actor.intents) await answerBank(stage, actor, intentId);
    for (const intentId of actor.intents)
      await asBuyer(stage, actor, `GET /v1/Clib/GetAttemptAsync/${intentId}`);
    const id = await purchaseOf(stage, actor);
    if (id !== undefined) return id;
    // The card did not do it: the till does, in the end.
    if (waits === 1) await payAtTill(stage, actor, deposit(one));
  }
  return purchaseOf(stage, actor);
}

async function purchaseOf({ shop }: Stage, { buyerId }: Actor): Promise<number | undefined> {
  const rows = await shop.db.selectFrom('purchases').select('id').where('buyer_id', '=', buyerId).execute();
  return rows[0]?.id;
}

/** What is still owed is paid, and the goods are handed over; perhaps twice, or while the shop ends it. */
async function collect(stage: Stage, actor: Actor, purchaseId: number, printed: string): Promise<void> {
  const { balance } = await stage.shop.db
    .selectFrom('purchases')
    .where('id', '=', purchaseId)
    .select(sql<number>`price_centavos - paid_centavos`.as('balance'))
    .executeTakeFirstOrThrow();
  if (balance > 0)
    await payAtTill(stage, actor, {
      path: 'payment',
      referencia: printed,
      importe: balance / 100,
      idtransaccion: randomUUID(),
    });
  const { body } = await asBuyer(stage, actor, `GET /v1/Sales/PickupAsync/${purchaseId}`);
  const digits = body.data?.code?.digits;
  if (digits === undefined) return;
  const press = { id: randomUUID(), branchId: oneOf(actor, stage.branchIds), purchaseId, digits };
  const handOver = async () => {
    const answer = await call(stage, actor, 'POST /v1/counter/hand-overs', stage.ownerToken, press);
    if (answer.status === 200) actor.answered.handedOver = true;
  };
  const others = [
    () => endByShop(stage, actor, purchaseId),
    () => claimBack(stage, actor, purchaseId),
    handOver,
    () => Promise.resolve(),
  ];
  await Promise.all([handOver(), oneOf(actor, others)?.()]);
}

/** The shop cannot deliver: everything goes back. */
async function endByShop(stage: Stage, actor: Actor, purchaseId: number): Promise<void> {
  const ask = (line: string, body?: object) => call(stage, actor, line, stage.ownerToken, body);
  const quote = await ask(`GET /v1/counter/purchases/${purchaseId}/end-quote`);
  if (quote.status !== 200) return;
  const body = { reason: 'Llegó roto', refundShown: quote.body.data.refund };
  const end = async () => {
    const answer = await ask(`POST /v1/counter/purchases/${purchaseId}/end`, body);
    if (answer.status === 200) actor.answered.ended ??= 'merchant';
  };
  await (actor.roll(3) === 0 ? Promise.all([end(), end()]) : end());
}

/** What is paid whole did not come: the buyer claims, and the shop gives everything back. */
async function claimBack(stage: Stage, actor: Actor, purchaseId: number): Promise<void> {
  const ask = (line: string, body?: object) => call(stage, actor, line, stage.ownerToken, body);
  const quote = await ask(`GET /v1/counter/purchases/${purchaseId}/end-quote`);
  const claim = await openClaim({ db: stage.later }, actor.buyerId, purchaseId, 'No ha llegado').catch(
    (error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
    },
  );
  if (quote.status !== 200 || !claim) return;
  const body = { claimFolio: claim.folio, reason: 'No va a llegar', refundShown: quote.body.data.refund };
  const refund = async () => {
    const answer = await ask(`POST /v1/counter/purchases/${purchaseId}/claim/refund`, body);
    if (answer.status === 200) actor.answered.ended = 'claim';
  };
  await (actor.roll(3) === 0 ? Promise.all([refund(), refund()]) : refund());
}

const STORE_NOTICES = [{}, { copies: 3 }, { delayMs: 200 }, { delayMs: 700, copies: 2 }, { drop: true }];
const FAULTS = [
  { call: 'findOperation', kind: 'unreachable' },
  { call: 'findOperation', kind: 'lost' },
  { call: 'createReference', kind: 'lost' },
  { call: 'getPayment', kind: 'unreachable' },
  { call: 'listPayments', kind: 'malformed' },
  { call: 'createRefund', kind: 'lost' },
  { call: 'createRefund', kind: 'status', status: 500 },
  { call: 'createPayment', kind: 'lost' },
];

async function step(stage: Stage, actor: Actor, purchaseId: number): Promise<void> {
  const { shop } = stage;
  const { roll } = actor;
  const instalments = await shop.db
    .selectFrom('instalments as i')
    .innerJoin('payment_references as r', 'r.id', 'i.id')
    .where('i.purchase_id', '=', purchaseId)
    .orderBy('i.number')
    .select(['r.reference', 'i.number', sql<Centavos>`i.amount_centavos - i.paid_centavos`.as('owed')])
    .execute();
  const due =
    oneOf(
      actor,
      instalments.filter((each) => each.owed > 0),
    ) ?? instalments[0];
  const printed = due?.reference ?? '';
  const anAmount = [(due?.owed ?? 0) / 100, 100, 1 + roll(1_500), 2_400, 0.01][roll(5)] || 1;
  switch (roll(16)) {
    case 0:
    case 1:
    case 2: {
      const own = centavos(inCentavos(anAmount));
      const plan = instalments.map(({ number, owed }) => ({ number, balanceCentavos: owed }));
      const fills = roll(2) === 0 ? fillsOfSum(plan, own) : undefined;
      return payByCard(stage, actor, {
        reference: printed,
        amount: ((fills === undefined ? (due?.owed ?? 0) : own) + 1_500) / 100,
        ...(fills && {
          abonos: fills.map((part) => ({ identificador: part.number, monto: part.amountCentavos / 100 })),
        }),
      });
    }
    case 3:
    case 4: {
      const intentId = oneOf(actor, actor.intents);
      return intentId === undefined ? undefined : answerBank(stage, actor, intentId);
    }
    case 5:
    case 6: {
      const ticket = {
        path: 'payment',
        referencia: printed,
        importe: anAmount,
        idtransaccion: randomUUID(),
      } as const;
      if (roll(3) > 0) return payAtTill(stage, actor, ticket);
      return void (await Promise.all([
        payAtTill(stage, actor, ticket),
        atTill(stage, actor, 'payment', ticket),
        ...(roll(2) === 0 ? [atTill(stage, actor, 'reverse', { idtransaccion: ticket.idtransaccion })] : []),
      ]));
    }
    case 7: {
      const ticket = oneOf(actor, actor.tickets);
      if (ticket === undefined) return;
      if (roll(3) === 0) await atTill(stage, actor, ticket.path, ticket);
      else await atTill(stage, actor, 'reverse', { idtransaccion: ticket.idtransaccion });
      return;
    }
    case 8:
    case 9:
    case 10: {
      const { body } = await asBuyer(stage, actor, 'POST /v1/Tapi/GenerateReference', {
        generationData: [{ identifierValue: printed, ...(roll(2) === 0 && { monto: anAmount }) }],
      });
      const reference = body.data?.references[0].value;
      if (reference === undefined) return;
      const paid = await shop.control('POST /control/cash/pay', {
        reference,
        amount: roll(2) === 0 ? undefined : Math.max(1, anAmount),
        notice: oneOf(actor, STORE_NOTICES),
      });
      actor.operations.push(paid.operationId);
      return;
    }
    case 11: {
      const operation = oneOf(actor, actor.operations);
      if (operation === undefined) return;
      const move = roll(2) === 0 ? 'reverse' : 'repeat';
      await shop
        .control(`POST /control/cash/operations/${operation}`, { move, notice: oneOf(actor, STORE_NOTICES) })
        .catch(() => undefined); // taken back already
      return;
    }
    case 12:
      if (roll(4) > 0) return void (await shop.control('POST /control/faults', oneOf(actor, FAULTS)));
      await asBuyer(stage, actor, `PUT /v1/Sales/UpdateCancelByBuyerAsync/${purchaseId}`, {
        cancelNotes: 'x',
      });
      return;
    case 13:
      return collect(stage, actor, purchaseId, printed);
    case 14:
      if (roll(2) === 0) await endByShop(stage, actor, purchaseId);
      return;
    default: {
      // A job at a random moment, beside the server's own worker.
      const attempts = await shop.db
        .selectFrom('card_attempts')
        .select('id')
        .where('buyer_id', '=', actor.buyerId)
        .execute();
      for (const { id } of attempts) await shop.job.resolve_attempt({ attemptId: id }, log);
      for (const operationId of actor.operations)
        await shop.job.check_cash_operation({ operationId }, log).catch(() => undefined);
    }
  }
}

async function live(stage: Stage, actor: Actor): Promise<void> {
  const purchaseId = await reserve(stage, actor);
  if (purchaseId === undefined) return;
  const steps = 4 + actor.roll(9);
  for (let now = 0; now < steps && Date.now() < stage.until; now += 1) {
    await step(stage, actor, purchaseId);
    await pause(actor.roll(80));
  }
}

/** Months go by: half of what is late by then is warned of twice and ended by its rule, by two servers' jobs at once. */
async function endLate(shop: Shop): Promise<void> {
  // Of the others the merchant had no rule when they were reserved.
  await asOwner(
    shop,
    `with spared as (update purchases set end_days_late = null where id % 2 = 0 returning layaway_reference_id)
     update layaway_references set end_days_late = null where id in (select layaway_reference_id from spared)`,
  );
  for (const days of [80, 95, 110]) {
    const db = openDb({ url: shop.ownerUrl, role: 'none', max: 4, clockOffset: `${days} days` });
    try {
      await Promise.all([endLatePlans({ db }, log), endLatePlans({ db }, log)]);
      await asOwner(
        shop,
        `update outbox set state = 'sent', sent_at = now() + $1::interval where topic = 'end_warned' and state = 'waiting'`,
        [`${days} days`],
      );
    } finally {
      await db.destroy();
    }
  }
}

/** Lets everything that is promised happen: notices arrive, polls go to the end of every clock, refunds are sent. */
async function runToTheEnd(shop: Shop): Promise<void> {
  await shop.control('DELETE /control/faults');
  const { operations } = await shop.control('GET /control/cash');
  for (const { operationId } of operations) await shop.job.check_cash_operation({ operationId }, log);
  await shop.job.sweep_card_payments(undefined, log);
  for (const age of ['2 minutes', '31 minutes', '25 hours', '4 days']) {
    const open = await shop.db
      .selectFrom('card_attempts')
      .select('id')
      .where('state', 'in', ['submitting', 'pending_3ds', 'unknown', 'held'])
      .execute();
    for (const { id } of open) await shop.job.resolve_attempt({ attemptId: id }, log);
    await asOwner(
      shop,
      `update card_attempts set created_at = created_at - $1::interval, state_since = state_since - $1::interval
       where state in ('submitting', 'pending_3ds', 'unknown', 'held')`,
      [age],
    );
  }
  for (let round = 0; round < 4; round += 1) {
    const open = await shop.db
      .selectFrom('refunds')
      .select('id')
      .where('method', '=', 'card')
      .where('state', 'in', ['owed', 'sending', 'unknown'])
      .execute();
    for (const { id } of open) await shop.job.refund_card({ refundId: id }, log);
    await asOwner(
      shop,
      `update refunds set sent_at = sent_at - interval '11 minutes', checked_at = checked_at - interval '11 minutes'
       where state in ('sending', 'unknown')`,
    );
  }
}

const inCentavos = (pesos: number) => Math.round(pesos * 100);

/** Compares the books with what cards, stores and tills say that they hold of each buyer. Throws with the seed. */
async function check(stage: Stage, actors: readonly Actor[]): Promise<void> {
  const { shop } = stage;
  expect(await proveBooks(shop.db)).toEqual([]);
  // They did live: else all that follows would hold of nothing.
  const { rows } = await sql<{ count: number; handed: number; ended: number; late: number; units: number }>`
    select count(*)::int as count, count(*) filter (where state = 'delivered')::int as handed,
      count(*) filter (where ended_by = 'merchant')::int as ended,
      count(*) filter (where ended_by = 'rule')::int as late, (select count(*)::int from holds) as units
    from purchases`.execute(shop.db);
  const [{ count, handed, ended, late, units } = { count: 0, handed: 0, ended: 0, late: 0, units: 0 }] = rows;
  expect(count).toBeGreaterThan(unitsFor(actors.length) * 0.9);
  expect(units).toBeGreaterThanOrEqual(count);
  // A busy computer lives fewer of them.
  if (actors.length >= 60) expect(Math.min(handed + ended, late)).toBeGreaterThan(0);
  if (actors.length >= 300) expect(Math.min(handed, ended)).toBeGreaterThan(0);
  await checkEnds(shop);
  const { payments } = await shop.control('GET /control/log');
  const { operations } = await shop.control('GET /control/cash');
  // Given back at a store when it could not leave the books any more: a person was called, and it stays with us till then.
  const impossible = await shop.db
    .selectFrom('alerts')
    .select('subject')
    .where('kind', '=', 'cash_reversal_impossible')
    .execute();
  const stays = new Set(
    impossible.map(({ subject }) => {
      const operation = operations.find((one: any) => one.operationId === subject);
      return operation?.reversedOperationId ?? subject;
    }),
  );
  for (const actor of actors) {
    const named = (what: string) => `${what} (SIMULATION_SEED=${SEED}, the buyer of ${actor.seed})`;
    const { rows } = await sql<any>`
      select (select count(*) from purchases where buyer_id = ${actor.buyerId}) as purchases,
        (select coalesce(sum(case state when 'cancelled' then 0 else paid_centavos end), 0)::bigint
          from purchases where buyer_id = ${actor.buyerId}) as paid,
        (select coalesce(sum(b.balance), 0)::bigint from balances b join purchases p on b.subject = p.id::text
          where b.account = 'penalty_income' and p.buyer_id = ${actor.buyerId}) as penalty,
        (select coalesce(sum(b.balance), 0)::bigint from balances b join receipts r on b.subject = r.source_id
          where b.account = 'service_fee' and r.buyer_id = ${actor.buyerId}) as fees,
        (select coalesce(sum(f.amount_centavos), 0)::bigint from refunds f join receipts r on r.id = f.receipt_id
          where f.state not in ('done', 'moved_to_cash') and r.buyer_id = ${actor.buyerId}) as owed,
        (select coalesce(json_agg(json_build_object('state', state, 'by', ended_by)), '[]') from purchases
          where buyer_id = ${actor.buyerId}) as ends,
        (select coalesce(json_agg(json_build_object('id', id, 'state', state)), '[]') from card_attempts
          where buyer_id = ${actor.buyerId}) as attempts`.execute(shop.db);
    const books = rows[0];
    expect(books.purchases, named('one product is bought once')).toBeLessThanOrEqual(1);
    const [end] = books.ends;
    if (actor.answered.handedOver)
      expect(end?.state, named('what was handed over stays so')).toBe('delivered');
    if (actor.answered.ended)
      expect(end, named('an end stays')).toEqual({ state: 'cancelled', by: actor.answered.ended });
    for (const { state } of books.attempts)
      expect(
        ['rejected', 'not_charged', 'abandoned', 'applied', 'returned'],
        named('an attempt ends'),
      ).toContain(state);

    const attemptIds = books.attempts.map(({ id }: { id: string }) => id);
    const byCard = payments
      .filter((payment: any) => attemptIds.includes(payment.external_reference))
      .reduce((total: number, one: any) => total + inCentavos(one.captured_amount - one.amount_refunded), 0);
    const inStores = operations
      .filter((one: any) => actor.operations.includes(one.operationId))
      .filter(
        (one: any) => one.status === 'confirmed' || (one.status === 'reversed' && stays.has(one.operationId)),
      )
      .reduce((total: number, one: any) => total + inCentavos(one.amount), 0);
    let atTills = 0;
    for (const ticket of actor.tickets) {
      const { estado, importe, autorizacion } = await atTillNow(shop, stage, actor, ticket);
      if (estado === 'autorizada') atTills += inCentavos(importe);
      if (ticket.received?.error === 0 && estado === 'autorizada')
        expect(autorizacion, named('a ticket keeps its folio')).toBe(ticket.received.autorizacion);
      if (ticket.received?.error === 0)
        expect(['autorizada', 'revertida'], named('what a till was answered stays true')).toContain(estado);
    }
    const kept = byCard + inStores + atTills;
    expect(kept, named('what is kept of a buyer is what he paid for, its fees and what is owed to him')).toBe(
      books.paid + books.penalty + books.fees + books.owed,
    );
  }
}

const unitsFor = (actors: number) => Math.ceil((actors * UNITS_OF_TEN) / 10);

/**
 * Of what was handed over, the deposits are sold and none goes back; of what was ended, each peso that came is refunded, owed back,
 * or kept as its penalty or fee. Units that are kept, and those for sale, are among the proofs.
 */
async function checkEnds(shop: Shop): Promise<void> {
  const { rows } = await sql<any>`
    select p.id, p.state, (h.purchase_id is not null) as "isHandedOver", p.price_centavos as price,
      (select coalesce(sum(balance), 0)::bigint from balances where account = 'layaway_deposits' and subject = p.id::text) as deposits,
      (select coalesce(sum(balance), 0)::bigint from balances where account = 'sale_delivered' and subject = p.id::text) as sold,
      (select coalesce(sum(balance), 0)::bigint from balances where account = 'penalty_income' and subject = p.id::text) as penalty,
      came.centavos as came, came.fees, came.back
    from purchases p left join hand_overs h on h.purchase_id = p.id cross join lateral (
      select coalesce(sum(r.amount_centavos), 0)::bigint as centavos,
        coalesce(sum((select sum(f.amount_centavos) from refunds f where f.receipt_id = r.id and f.state <> 'moved_to_cash')), 0)::bigint as back,
        coalesce(sum((select sum(b.balance) from balances b where b.account = 'service_fee' and b.subject = r.source_id)), 0)::bigint as fees
      from receipts r where r.id in (select a.receipt_id from allocations a join instalments i on i.id = a.instalment_id
        where i.purchase_id = p.id group by 1 having sum(a.amount_centavos) > 0)) came
    where p.state <> 'active'`.execute(shop.db);
  for (const { id, state, isHandedOver, deposits, sold, price, penalty, came, fees, back } of rows) {
    const named = (what: string) => `${what}: purchase ${id} (SIMULATION_SEED=${SEED})`;
    const isDelivered = state === 'delivered';
    expect({ isHandedOver, deposits }, named('delivered or ended, never both')).toEqual({
      isHandedOver: isDelivered,
      deposits: 0,
    });
    expect(sold, named('what is delivered is sold')).toBe(isDelivered ? price : 0);
    if (!isDelivered)
      expect(back + penalty + fees, named('every peso of what ended is refunded, kept or owed')).toBe(came);
  }
}

async function atTillNow(shop: Shop, stage: Stage, actor: Actor, ticket: Ticket): Promise<any> {
  const { body } = await shop.ask('POST /PosOperations/query', {
    token: stage.tillToken,
    body: { compañia: CHAIN, sucursal: actor.branch, idtransaccion: ticket.idtransaccion },
  });
  return body;
}

/** Units of the shop's product, some in each branch. */
async function enterUnits({ db, merchantId, productId }: Shop, branchIds: readonly number[], units: number) {
  await db.updateTable('products').set({ counts_units: true }).where('id', '=', productId).execute();
  for (const [index, branchId] of branchIds.entries()) {
    const here = Math.floor((units + index) / branchIds.length);
    await db
      .insertInto('product_units')
      .values({
        product_id: productId,
        branch_id: branchId,
        merchant_id: merchantId,
        free_units: here,
        entered_units: here,
      })
      .execute();
  }
}

async function liveAll(simulations: number, kills: number, damage?: string): Promise<void> {
  const shop = await openShop({
    clocks: CLOCKS,
    env: { DATABASE_POOL: '12' },
    merchant: { endDaysLate: 30 },
  });
  const later = openDb({ url: shop.ownerUrl, role: 'none', max: 4, clockOffset: '20 days' });
  const server = await openServer(shop);
  try {
    if (damage !== undefined) await asOwner(shop, damage);
    const { token: tillToken } = await makeServiceAccount(shop.db, { kind: 'till', chain: CHAIN });
    const { token: ownerToken } = await makeStaff(shop.db, { merchantId: shop.merchantId, role: 'owner' });
    const branchIds = [
      await makeBranch(shop.db, shop.merchantId),
      await makeBranch(shop.db, shop.merchantId),
    ];
    await enterUnits(shop, branchIds, unitsFor(simulations));
    const about = { shop, url: server.url, isUp: server.isUp, tillToken, ownerToken, branchIds, later };
    // Damage shows as soon as everybody has reserved.
    const stage: Stage = { ...about, until: Date.now() + (damage === undefined ? LIVE_MS : 0) };
    const actors: Actor[] = [];
    for (let n = 0; n < simulations; n += 1) actors.push(await makeActor(shop, SEED + n));
    let over = false;
    const kill = async () => {
      const roll = dice(SEED);
      for (let killed = 0; killed < kills && !over; killed += 1) {
        const gapMs = Math.min(LIVE_MS / (kills + 1), KILL_EVERY_MS);
        await pause(gapMs / 2 + roll(Math.ceil(gapMs / 2)));
        await server.end('SIGKILL');
        await server.start();
      }
    };
    const living = Promise.all(actors.map((actor) => live(stage, actor))).finally(() => (over = true));
    await Promise.all([living, kill()]);
    // Whatever notices are still under way arrive before the server goes.
    await pause(800);
    await server.end('SIGTERM');
    await endLate(shop);
    await runToTheEnd(shop);
    await check(stage, actors);
  } finally {
    await server.end('SIGKILL');
    await later.destroy();
    await shop.close().catch((error: unknown) => {
      if (damage === undefined) throw error;
    });
  }
}

test(
  `${SIMULATIONS} buyers at once, ${KILLS} kills: every peso is applied, owed back, returned or kept as agreed`,
  () => expect(liveAll(SIMULATIONS, KILLS)).resolves.toBeUndefined(),
  PATIENCE_MS,
);

test(
  'without the constraint that a product is reserved once, the same simulations fail',
  async () => {
    await expect(liveAll(40, 0, 'drop index layaway_references_one_open_per_product')).rejects.toThrow(
      'one product is bought once',
    );
  },
  PATIENCE_MS,
);
