import { randomUUID } from 'node:crypto';
import { env, stdout } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import type { Allocation } from '@aparta/domain/allocation';
import { buyerSums, fillsOfSum } from '@aparta/domain/buyer-sums';
import { mexicoCityDate } from '@aparta/domain/calendar';
import { helperSums } from '@aparta/domain/help';
import { centavos, type Centavos } from '@aparta/domain/money';
import { feeFor, type PaymentMethod } from '@aparta/domain/service-fee';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { answer3ds, UNLIMITED } from '../../test/card-acts.ts';
import { type Dice, dice, oneOf } from '../../test/dice.ts';
import { help, helpAtStore, makeLink } from '../../test/help-acts.ts';
import { makeBranch, makeBuyer, makeProduct, makeStaff, type MadeBuyer } from '../../test/make.ts';
import { makePurchase, payPurchase } from '../../test/purchases.ts';
import { CARDS, openShop, type Shop } from '../../test/shop.ts';
import { hearStores, mustBalance, openTill, type Till } from '../../test/store-acts.ts';
import { type Db, openDb } from '../platform/db/db.ts';
import { createLog } from '../platform/logging.ts';

/**
 * A buyer asks what a plan owes, chooses a sum, is shown what it fills and pays, while others pay the same plan or it is cancelled.
 * For random plans, sums and methods, over the real server, its database and the providers' sandbox: what was shown is what is booked, centavo by
 * centavo, or nothing is, and what cannot be kept goes back. `RUNS=300` makes as many plans; a failure names its seed, and
 * `RUNS_SEED` makes the same choices again.
 */
const RUNS = Number(env['RUNS'] ?? 36);
const SEED = Number(env['RUNS_SEED'] ?? 20_261_123);
/** Plans that live at once. */
const AT_ONCE = 6;

const log = createLog('silent');
let shop: Shop;
/** The same database seventy days ago: what is reserved there is late by now. */
let past: Db;
let till: Till;
let cashier: string;
let branchId: number;
let url: string;

beforeAll(async () => {
  shop = await openShop({
    clocks: {
      ...UNLIMITED,
      chargeTimeoutMs: 1_500,
      readTimeoutMs: 1_500,
    },
    env: { TILL_CAP_PER_BRANCH_DAY: '999999999.00', TILL_CAP_PER_ACCOUNT_DAY: '999999999.00' },
  });
  await hearStores(shop);
  const { db, merchantId } = shop;
  past = openDb({ url: shop.ownerUrl, role: 'none', max: 2, clockOffset: '-70 days' });
  till = await openTill(shop, 'ELEKTRA');
  branchId = await makeBranch(db, merchantId);
  cashier = (await makeStaff(db, { merchantId, role: 'cashier', branchIds: [branchId] })).token;
  const address = shop.app.server.address();
  url = typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '';
});
afterAll(async () => {
  await past.destroy();
  await shop.close();
});

interface Reply {
  readonly status: number;
  readonly body: any;
}
async function ask(line: string, token: string, body?: object): Promise<Reply> {
  const [method = 'GET', path = '/'] = line.split(' ');
  const reply = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: reply.status, body: await reply.json() };
}

type Fills = Allocation['parts'];
type Balances = readonly { readonly number: number; readonly balanceCentavos: Centavos }[];

/** Written again here, so that a fault in the shared rule cannot agree with itself: the lowest number first, each to its full. */
function filled(balances: Balances, principal: number): { fills: Fills; after: Balances } {
  let left = principal;
  const parts = balances.map(({ number, balanceCentavos }) => {
    const amountCentavos = centavos(Math.min(left, balanceCentavos));
    left -= amountCentavos;
    return { number, amountCentavos };
  });
  const after = balances.map(({ number, balanceCentavos }, at) => ({
    number,
    balanceCentavos: centavos(balanceCentavos - (parts[at]?.amountCentavos ?? 0)),
  }));
  return { fills: parts.filter(({ amountCentavos }) => amountCentavos > 0), after };
}
const owedOf = (balances: Balances) => balances.reduce((all, each) => all + each.balanceCentavos, 0);
const pesos = (amount: number) => amount / 100;
const inCentavos = (amount: number) => Math.round(amount * 100);

/** A plan with something left to pay, as its buyer reads it. */
interface Plan {
  readonly seed: number;
  readonly roll: Dice;
  readonly buyer: MadeBuyer;
  readonly purchaseId: number;
  readonly fee: { readonly amountCentavos: Centavos; readonly methods: readonly PaymentMethod[] };
  readonly balances: Balances;
  readonly late: ReadonlyMap<number, string>;
  readonly referenceOf: ReadonlyMap<number, string>;
  /** Whether they pay one after the other, all by what they were shown at first; else at once. */
  readonly isInTurn: boolean;
  readonly acts: Act[];
  /** What the buyer's link carries, where somebody helps. */
  helpCode?: string;
}

/** One payment that somebody was shown, and what came of it. Helpers pay by card or at a store, and are shown the sum alone. */
interface Act {
  readonly by: 'card' | 'helper' | 'till' | 'store' | 'helper at store' | 'counter';
  /** Of its own, so that its choices do not depend on who comes first. */
  readonly roll: Dice;
  readonly principal: Centavos;
  readonly fee: Centavos;
  readonly shown: Fills;
  /** What brings the money, once there is such a thing. */
  source?: string;
  /** The code of a refusal. */
  refused?: string;
  /** The provider's answer was lost: the plan may change before the money is found. */
  isLost?: boolean;
}

let making: Promise<unknown> = Promise.resolve();
/** The terms of the shop change for each plan, one after the other. */
async function makePlan(seed: number): Promise<Plan> {
  const made = making.then(() => makeOnce(seed));
  making = made.catch(() => undefined);
  return made;
}

async function makeOnce(seed: number): Promise<Plan> {
  const roll = dice(seed);
  const { db, merchantId } = shop;
  const methods = (['card', 'till', 'cash'] as const).filter(() => roll(2) === 0);
  const fee = { amountCentavos: centavos([0, 1, 1_500, 2_999][roll(4)] ?? 0), methods };
  await db
    .updateTable('merchants')
    .set({
      deposit_basis_points: 500 + roll(4_500),
      frequency_days: 7 + roll(24),
      plan_duration_days: 7 + roll(180),
      penalty_centavos: centavos(roll(30_000)),
      service_fee_centavos: fee.amountCentavos,
      service_fee_methods: methods,
    })
    .where('id', '=', merchantId)
    .execute();
  const productId = await makeProduct(db, { merchantId, priceCentavos: 30_000 + roll(900_000) });
  const buyer = await makeBuyer(db);
  const when = roll(2) === 0 ? db : past;
  const { id: purchaseId } = await makePurchase(when, { buyerId: buyer.id, merchantId, productId });
  const owed = owedOf((await readPlan(buyer, purchaseId)).balances);
  if (roll(3) > 0) await payPurchase(db, purchaseId, 1 + roll(owed - 1));
  const isInTurn = roll(2) === 0;
  return { seed, roll, buyer, purchaseId, fee, isInTurn, acts: [], ...(await readPlan(buyer, purchaseId)) };
}

/** What a buyer's screen reads. */
async function readPlan({ token }: MadeBuyer, purchaseId: number) {
  const { body } = await ask(`GET /v1/Cxc/ByBusinesidVentaidDateD/${purchaseId}`, token);
  if (!body.data) throw new Error(`no plan of ${purchaseId}: ${JSON.stringify(body)}`);
  const rows: any[] = body.data.toSorted((a: any, b: any) => a.identificador - b.identificador);
  return {
    balances: rows.map((row): Balances[number] => ({
      number: row.identificador,
      balanceCentavos: centavos(inCentavos(row.saldo)),
    })),
    late: new Map<number, string>(rows.map((row) => [row.identificador, row.fechaVencimiento])),
    referenceOf: new Map<number, string>(rows.map((row) => [row.identificador, row.paymentReference])),
  };
}

/** One of the sums that the buyer is offered, or one of their own, and what the screen says that it fills. */
function choose({ balances, late, roll }: Plan, isLittle: boolean): { principal: Centavos; shown: Fills } {
  const plan = balances.map((each) => ({ ...each, dueOn: (late.get(each.number) ?? '') as never }));
  const sums = buyerSums(plan, mexicoCityDate(new Date()));
  if (sums === undefined) throw new Error('a plan that owes nothing');
  const upTo = (most: number) => centavos(sums.least + roll(Math.max(most - sums.least + 1, 1)));
  const own = [upTo(sums.next), upTo(Math.min(2 * sums.next, sums.all)), upTo(sums.all)];
  const principal = isLittle
    ? upTo(sums.next)
    : oneOf(roll, [sums.next, sums.late ?? sums.next, sums.all, sums.all, ...own]);
  const shown = fillsOfSum(balances, principal);
  expect(shown, 'what is shown is the oldest first').toEqual(filled(balances, principal).fills);
  return { principal, shown: shown ?? [] };
}

/** A helper's sum; of the plan nothing is shown to them. */
function chooseForHelper({ balances, roll }: Plan): { principal: Centavos; shown: Fills } {
  const sums = helperSums(centavos(owedOf(balances)));
  if (sums === undefined) throw new Error('a plan that owes nothing');
  const own = centavos(sums.least + roll(sums.most - sums.least + 1));
  const principal = oneOf(roll, [sums.most, own, own]);
  return { principal, shown: filled(balances, principal).fills };
}

/** Of what is shown, the number by which it is paid. */
const printedOf = ({ referenceOf }: Plan, { shown }: Act) => referenceOf.get(shown[0]?.number ?? 0) ?? '';

const METHOD = {
  card: 'card',
  helper: 'card',
  till: 'till',
  counter: 'till',
  store: 'cash',
  'helper at store': 'cash',
} as const;
const isHelper = ({ by }: Pick<Act, 'by'>) => by === 'helper' || by === 'helper at store';
const isAtStore = ({ by }: Act) => METHOD[by] === 'cash';
const isCard = ({ by }: Act) => METHOD[by] === 'card';

function begin(plan: Plan, by: Act['by'], isLittle = false): Act {
  const roll = dice(plan.seed * 7 + plan.acts.length);
  const chosen = isHelper({ by }) ? chooseForHelper(plan) : choose(plan, isLittle);
  const act: Act = { by, roll, ...chosen, fee: feeFor(plan.fee, METHOD[by]) };
  plan.acts.push(act);
  return act;
}

const PAYING = [
  CARDS.approved,
  CARDS.approved,
  CARDS.approved,
  CARDS.threeDs,
  CARDS.threeDs,
  CARDS.replyLost,
  CARDS.insufficientFunds,
];

async function payByCard(plan: Plan, act: Act): Promise<void> {
  const { buyer } = plan;
  const { roll } = act;
  const intentoId = randomUUID();
  const card = oneOf(roll, PAYING);
  const pays = async () =>
    ask('POST /v1/Clib/CreatePaymentsAsync', buyer.token, {
      amount: pesos(act.principal + act.fee),
      currency: 'MXN',
      payment_method: { token: await shop.cardToken(card) },
      customer: { email: buyer.email, phone: '5512345678' },
      apartaBusinnessId: shop.merchantId,
      referencia: printedOf(plan, act),
      intentoId,
      abonos: act.shown.map(({ number, amountCentavos }) => ({
        identificador: number,
        monto: pesos(amountCentavos),
      })),
    });
  const answers = { approve: roll(4) > 0 ? ('approve' as const) : ('reject' as const), afterMs: roll(40) };
  const { status, body } = await pays();
  if (status !== 200) return refuse(plan, act, body, intentoId);
  act.source = (await shop.attempt(intentoId)).id;
  act.isLost = card === CARDS.replyLost;
  if (body.data.state === 'pending_3ds') {
    await pause(answers.afterMs);
    await answer3ds(shop, intentoId, answers.approve);
  }
  await ask(`GET /v1/Clib/GetAttemptAsync/${intentoId}`, buyer.token);
}

async function payAsHelper(plan: Plan, act: Act): Promise<void> {
  const { roll } = act;
  const intentId = randomUUID();
  const card = oneOf(roll, [CARDS.approved, CARDS.approved, CARDS.threeDs, CARDS.replyLost]);
  const answers = { approve: roll(4) > 0 ? ('approve' as const) : ('reject' as const), afterMs: roll(40) };
  const address = `10.0.${(plan.seed >> 8) & 255}.${plan.seed & 255}`;
  const amount = pesos(act.principal + act.fee);
  const { status, body } = await help(shop, plan.helpCode ?? '', card, { amount, intentId, address });
  if (status !== 200) return refuse(plan, act, body, intentId);
  act.source = (await shop.attempt(intentId)).id;
  act.isLost = card === CARDS.replyLost;
  if (body.data.state === 'pending_3ds') {
    await pause(answers.afterMs);
    await answer3ds(shop, intentId, answers.approve);
  }
  await shop.ask('POST /v1/Help/PaymentAsync', { address, body: { intentoId: intentId } });
}

/** Nothing moves but by the act whose turn it is: money whose answer was lost comes when it likes. */
const isStill = ({ isInTurn, acts }: Plan) => isInTurn && acts.every(({ isLost }) => isLost !== true);

/** Nothing was begun; and where the sum does not stand any more, and nobody else is at the plan, the refusal says what does. */
async function refuse(plan: Plan, act: Act, refusal: any, intentId?: string): Promise<void> {
  act.refused = refusal.code;
  if (intentId !== undefined)
    expect(await shop.db.selectFrom('card_attempts').where('intent_id', '=', intentId).execute()).toEqual([]);
  if (refusal.code !== 'AMOUNT_CHANGED' || !isStill(plan)) return;
  const { balances } = await readPlan(plan.buyer, plan.purchaseId);
  const open = balances.filter(({ balanceCentavos }) => balanceCentavos > 0);
  const all = pesos(owedOf(balances) + act.fee);
  const next = pesos((open[0]?.balanceCentavos ?? 0) + act.fee);
  const facts = {
    card: { amount: next, all },
    helper: { amount: all },
    counter: { amount: next, minimum: pesos(act.fee + 1), all },
    store: undefined,
    'helper at store': { amount: all },
    till: undefined,
  }[act.by];
  if (facts)
    expect(refusal.facts, `${act.by}: what may be paid now (RUNS_SEED=${plan.seed} RUNS=1)`).toEqual(facts);
}

async function payAtTill(plan: Plan, act: Act): Promise<void> {
  const ticket = {
    compañia: 'ELEKTRA',
    sucursal: '7',
    idtransaccion: randomUUID(),
    // A till takes the number of any instalment.
    referencia: oneOf(act.roll, [...plan.referenceOf.values()].slice(1)),
    importe: pesos(act.principal + act.fee),
  };
  const { body } = await ask('POST /PosOperations/payment', till.token, ticket);
  if (body.error === 0) act.source = await operationOf(ticket.idtransaccion);
  else act.refused = `till ${body.error}`;
}

async function payAtCounter(plan: Plan, act: Act): Promise<void> {
  const amount = pesos(act.principal + act.fee);
  const body = { id: randomUUID(), branchId, reference: printedOf(plan, act), amount, method: 'cash' };
  const answer = await ask('POST /v1/counter/payments', cashier, body);
  if (answer.status === 200) act.source = await operationOf(body.id);
  else await refuse(plan, act, answer.body);
}

async function operationOf(transactionId: string): Promise<string> {
  const rows = shop.db.selectFrom('till_operations').select('id').where('transaction_id', '=', transactionId);
  return (await rows.executeTakeFirstOrThrow()).id;
}

async function payAtStore(plan: Plan, act: Act): Promise<void> {
  const { status, body } = await ask('POST /v1/Tapi/GenerateReference', plan.buyer.token, {
    generationData: [{ identifierValue: printedOf(plan, act), monto: pesos(act.principal) }],
  });
  if (status !== 200) return refuse(plan, act, body);
  expect(inCentavos(body.data.amount), 'the store asks for what was shown').toBe(act.principal + act.fee);
  await takeAtStore(plan, act, body.data.references[0].value);
}

async function helpFromStore(plan: Plan, act: Act): Promise<void> {
  const amount = pesos(act.principal + act.fee);
  const { status, body } = await helpAtStore(shop, plan.helpCode ?? '', { amount });
  if (status !== 200) return refuse(plan, act, body);
  expect(body.data.amount, 'the store asks for what was shown').toBe(amount);
  await takeAtStore(plan, act, body.data.reference);
}

async function takeAtStore(plan: Plan, act: Act, reference: string): Promise<void> {
  const notice = oneOf(act.roll, [{}, { copies: 2 }, { delayMs: 40 }, { drop: true }]);
  const paid = await shop.control('POST /control/cash/pay', { reference, notice });
  act.source = paid.operationId;
  if (plan.isInTurn) await expect.poll(() => isSending(paid.operationId)).toBe(false);
}

/** Whether a notice is on its way, of an operation or of any. */
async function isSending(operationId?: string): Promise<boolean> {
  const { notices } = await shop.control('GET /control/cash');
  return notices.some(
    (one: any) => one.state === 'sending' && (operationId === undefined || one.operationId === operationId),
  );
}

/** The cashier reads what the buyer reads. */
async function compareAtCounter(plan: Plan, act: Act): Promise<void> {
  const amount = pesos(act.principal + act.fee);
  const { body } = await ask(`GET /v1/counter/references/${printedOf(plan, act)}?amount=${amount}`, cashier);
  const fills = body.data.asked.fills.map((part: any) => ({
    number: part.number,
    amountCentavos: inCentavos(part.amount),
  }));
  expect(fills, 'the counter shows what the buyer is shown').toEqual(act.shown);
}

async function cancel({ buyer, purchaseId }: Plan): Promise<void> {
  const { body } = await ask(`GET /v1/Sales/CancelQuoteAsync/${purchaseId}`, buyer.token);
  if (!body.isSuccess) return;
  await ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${purchaseId}`, buyer.token, {
    refundShown: body.data.refund,
  });
}

const PAY = {
  card: payByCard,
  helper: payAsHelper,
  till: payAtTill,
  store: payAtStore,
  'helper at store': helpFromStore,
  counter: payAtCounter,
};

const PARTIES = ['card', 'card', 'helper', 'helper at store', 'till', 'store', 'counter'] as const;

/** The buyer pays, by themselves or while one or two others do something to the same plan. */
async function live(seed: number): Promise<Plan> {
  const plan = await makePlan(seed);
  const { roll } = plan;
  const parties = [1, 2, 2, 3][roll(4)] ?? 1;
  const isLast = (at: number) => at > 0 && at === parties - 1;
  const chosen = Array.from({ length: parties }, (_, at) =>
    // In turn, the last is the buyer's card, which comes to what others left.
    begin(
      plan,
      plan.isInTurn && isLast(at) ? 'card' : oneOf(roll, PARTIES),
      plan.isInTurn && parties > 1 && roll(3) > 0,
    ),
  );
  if (chosen.some(isHelper))
    plan.helpCode = (await makeLink(shop, plan.purchaseId, {}, plan.buyer.token)).helpCode;
  for (const act of chosen) if (act.by === 'counter') await compareAtCounter(plan, act);
  const isCancelled = parties > 1 && roll(8) === 0;
  const deeds = chosen.map((act) => () => PAY[act.by](plan, act));
  if (isCancelled) deeds.splice(roll(parties + 1), 0, () => cancel(plan));
  const delays = deeds.map(() => (roll(3) === 0 ? roll(60) : 0));
  if (plan.isInTurn) for (const deed of deeds) await deed();
  else await Promise.all(deeds.map(async (deed, at) => pause(delays[at]).then(deed)));
  return plan;
}

/** Everything that is promised happens: notices arrive, banks are asked to the end of their clocks, refunds are sent. */
async function runToTheEnd(): Promise<void> {
  await expect.poll(() => isSending()).toBe(false);
  const { operations } = await shop.control('GET /control/cash');
  for (const { operationId } of operations) await shop.job.check_cash_operation({ operationId }, log);
  for (const age of ['2 minutes', '31 minutes', '25 hours', '4 days']) {
    const open = await sql<{ id: string }>`
      select id from card_attempts where state in ('submitting', 'pending_3ds', 'unknown')`.execute(shop.db);
    for (const { id } of open.rows) await shop.job.resolve_attempt({ attemptId: id }, log);
    await sql`
      update card_attempts set created_at = created_at - ${age}::interval, state_since = state_since - ${age}::interval
      where state in ('submitting', 'pending_3ds', 'unknown')`.execute(shop.db);
  }
  const due = await shop.db.selectFrom('refunds').select('id').where('method', '=', 'card').execute();
  for (const { id } of due) await shop.job.refund_card({ refundId: id }, log);
}

/** Money that arrived, in the order in which it was booked, and where each centavo of it went. */
async function readBooked({ acts }: Plan) {
  const sources = acts.flatMap(({ source }) => source ?? []);
  const { rows } = await sql<any>`
    select r.source_id as source, r.amount_centavos as amount,
      json_agg(json_build_object('number', i.number, 'amountCentavos', a.amount_centavos) order by i.number)
        filter (where a.target = 'instalment') as parts,
      json_agg(a.amount_centavos) filter (where a.target = 'service_fee') as fees,
      coalesce(sum(a.amount_centavos) filter (where a.target = 'refund'), 0)::bigint as back
    from receipts r join allocations a on a.receipt_id = r.id left join instalments i on i.id = a.instalment_id
    where r.source_id = any (${sources}) and a.amount_centavos > 0
    group by r.id order by r.id`.execute(shop.db);
  return rows.map((row) => {
    const act = acts.find(({ source }) => source === row.source);
    if (act === undefined) throw new Error('a receipt of nobody');
    return {
      act,
      amount: Number(row.amount),
      parts: (row.parts ?? []) as Fills,
      fees: row.fees ?? [],
      back: Number(row.back),
    };
  });
}

/** What the product says that it gave back, by attempt. */
async function refundedByCard(): Promise<ReadonlyMap<string, number>> {
  const rows = await shop.db
    .selectFrom('refunds')
    .select(['attempt_id as attempt', 'amount_centavos as amount'])
    .where('method', '=', 'card')
    .execute();
  const back = new Map<string, number>();
  for (const { attempt, amount } of rows) back.set(attempt ?? '', (back.get(attempt ?? '') ?? 0) + amount);
  return back;
}

/** Compares what was shown with what was booked. Throws with the seed; answers what came of each payment. */
async function check(
  plan: Plan,
  { held, back }: { readonly held: ReadonlyMap<string, number>; readonly back: ReadonlyMap<string, number> },
): Promise<string[]> {
  const outcomes: string[] = [];
  let { balances } = plan;
  const named = (what: string) => `${what} (RUNS_SEED=${plan.seed} RUNS=1)`;
  const { state } = await shop.db
    .selectFrom('purchases')
    .select('state')
    .where('id', '=', plan.purchaseId)
    .executeTakeFirstOrThrow();
  const booked = await readBooked(plan);
  for (const { act, amount, parts, fees, back: owedBack } of booked) {
    const { by, principal, fee, shown } = act;
    const kept = owedOf(
      parts.map(({ number, amountCentavos }) => ({ number, balanceCentavos: amountCentavos })),
    );
    expect(amount, named('all that was handed over is in the books')).toBe(principal + fee);
    if (parts.length === 0) {
      expect(owedBack, named('what cannot be applied goes back whole, fee and all')).toBe(amount);
      expect(['card', 'helper', 'store', 'helper at store']).toContain(by);
      outcomes.push(`${by}: given back whole`);
      continue;
    }
    expect(fees, named('one fee for the payment')).toEqual(fee > 0 ? [fee] : []);
    const now = filled(balances, kept);
    expect(parts, named('booked is what the plan as it stood was filled with')).toEqual(now.fills);
    expect(kept + owedBack, named('every centavo beside the fee is booked or goes back')).toBe(principal);
    if (owedBack > 0) {
      expect(isAtStore(act), named('only a store cannot refuse')).toBe(true);
      expect(owedOf(now.after), named('nothing goes back while something is owed')).toBe(0);
    }
    const isAsShown = owedBack === 0 && JSON.stringify(parts) === JSON.stringify(shown);
    // Of a card that is charged at once the server compares under the plan's lock; of other money nobody came before it.
    // Money that is under way while others pay is applied as it finds the plan; a stale sum is never begun.
    if (balances === plan.balances || (by === 'card' && isStill(plan)))
      expect(parts, named('what was shown is what is booked')).toEqual(shown);
    outcomes.push(
      `${by}: ${isAsShown ? 'as shown' : owedBack > 0 ? 'the surplus owed back' : 'after others, the oldest first'}`,
    );
    balances = now.after;
  }
  expect((await readPlan(plan.buyer, plan.purchaseId)).balances, named('the plan owes what is left')).toEqual(
    balances,
  );
  for (const act of plan.acts) {
    const came = booked.some((one) => one.act === act);
    if (act.refused !== undefined) {
      // The network takes no less than $30; all else is refused only for what others did.
      const isTooLittle = act.refused === 'CASH_REFERENCE_REFUSED' && act.principal + act.fee < 3_000;
      if (!isTooLittle) expect(plan.acts.length, named(`refused alone: ${act.refused}`)).toBeGreaterThan(1);
      outcomes.push(`${act.by}: refused ${act.refused}`);
    } else if (!came) outcomes.push(`${act.by}: not charged`);
    if (act.refused === undefined && !isCard(act)) expect(came, named('what was taken is booked')).toBe(true);
    if (isCard(act) && act.source !== undefined) {
      const total = booked.some((one) => one.act === act) ? act.principal + act.fee : 0;
      const given = back.get(act.source) ?? 0;
      expect(held.get(act.source) ?? 0, named('the card paid what is booked, less what went back')).toBe(
        total - given,
      );
      const isKept = booked.some((one) => one.act === act && one.parts.length > 0);
      if (state !== 'cancelled') expect(given, named('whole or not at all')).toBe(isKept ? 0 : total);
    }
  }
  return outcomes;
}

test(
  `of ${RUNS} random plans paid by several at once, what a buyer was shown is what is booked, or nothing is`,
  async () => {
    const plans: Plan[] = [];
    for (let n = 0; n < RUNS; n += AT_ONCE) {
      const seeds = Array.from({ length: Math.min(AT_ONCE, RUNS - n) }, (_, at) => SEED + n + at);
      // Nobody is left at a plan of a test that failed.
      const lived = await Promise.allSettled(seeds.map(live));
      for (const [at, one] of lived.entries()) {
        if (one.status === 'rejected') throw new Error(`RUNS_SEED=${seeds[at]}`, { cause: one.reason });
        plans.push(one.value);
      }
    }
    await runToTheEnd();
    const held = new Map<string, number>();
    for (const payment of (await shop.charges()) as any[]) {
      const of = payment.external_reference;
      held.set(of, (held.get(of) ?? 0) + inCentavos(payment.captured_amount - payment.amount_refunded));
    }
    const back = await refundedByCard();
    const outcomes: string[] = [];
    for (const plan of plans) outcomes.push(...(await check(plan, { held, back })));
    await mustBalance(shop);
    const counts = Object.fromEntries(
      Object.entries(Object.groupBy(outcomes, (each) => each)).map(([each, all]) => [each, all?.length]),
    );
    if (env['RUNS'] !== undefined) stdout.write(`${JSON.stringify(counts, undefined, 2)}\n`);
    if (RUNS < 36) return;
    for (const by of Object.keys(PAY)) expect(counts[`${by}: as shown`], by).toBeGreaterThan(0);
    if (RUNS < 200) return;
    for (const came of ['refused AMOUNT_CHANGED', 'refused ATTEMPT_OPEN', 'given back whole'])
      expect(counts[`card: ${came}`], came).toBeGreaterThan(0);
    for (const came of [
      'helper: refused AMOUNT_CHANGED',
      'helper: given back whole',
      'store: the surplus owed back',
      'helper at store: given back whole',
      'helper at store: the surplus owed back',
    ])
      expect(counts[came], came).toBeGreaterThan(0);
  },
  60_000 + RUNS * 2_000,
);
