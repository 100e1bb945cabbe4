import fs from 'node:fs';

import { mexicoCityDate } from '@aparta/domain/calendar';
import { centavos } from '@aparta/domain/money';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { makeBuyer, makeMerchant, makeProduct, makeReference } from '../../../test/make.ts';
import { payPurchase } from '../../../test/purchases.ts';
import { databaseNow, transaction } from '../../platform/db/transaction.ts';
import { reserve } from '../../purchases/layaways/reserve.ts';
import { lockReference } from '../../purchases/layaways/store.ts';
import { moveRefund } from '../refunds/store.ts';
import { findCurrentCredential } from '../../payments/card-keys/store.ts';
import { insertAttempt } from '../../payments/cards/store.ts';
import { explainDifference, recordDeposit } from '../../back-office/settlements/record-settlement.ts';
import { recordReceipt } from '../receipts/record-receipt.ts';
import { cardRefunded } from './postings.ts';
import { PROOFS, proveBooks } from './proofs.read-model.ts';
import { book } from './store.ts';

let server: TestApp;
let owner: pg.Client;

/** Books with a card deposit, money in suspense, a refund that is owed, one that is done, and a store's money that came short. */
beforeAll(async () => {
  server = await startTestApp();
  const { db, settings, ownerUrl } = server;
  const buyerId = (await makeBuyer(db)).id;
  const merchantId = await makeMerchant(db, { cards: { keyRing: settings.keyRing } });
  const productId = await makeProduct(db, { merchantId });
  const referenceId = await makeReference(db, { buyerId, merchantId, productId });
  const credentialId = (await findCurrentCredential(db, merchantId))?.id ?? '';
  const amountCentavos = centavos(61_500);

  await transaction(db, async (tx) => {
    const arrives = async (state: 'applied' | 'held' | 'returned', paymentId: string) => {
      const { id } = await insertAttempt(tx, {
        buyerId,
        merchantId,
        credentialId,
        referenceId,
        intentId: crypto.randomUUID(),
        intentHash: null,
        state,
        principalCentavos: centavos(60_000),
        feeCentavos: centavos(1_500),
        capturedCentavos: amountCentavos,
        providerPaymentId: paymentId,
        sourceAddress: '',
        requestId: '',
      });
      return { id, money: { channel: 'card', sourceId: id, merchantId, buyerId } as const };
    };
    const reference = (await lockReference(tx, referenceId))!;
    const applied = await arrives('applied', 'applied-1');
    await reserve(tx, reference, {
      ...applied.money,
      feeCentavos: centavos(1_500),
      unit: { take: undefined },
    });
    await recordReceipt(tx, (await arrives('held', 'held-1')).money, { to: 'suspense', amountCentavos });
    for (const paymentId of ['owed-1', 'done-1']) {
      const { id, money } = await arrives('returned', paymentId);
      const { refundId = 0 } = await recordReceipt(tx, money, {
        to: 'refund',
        cause: 'not_applicable',
        method: 'card',
        attemptId: id,
        amountCentavos,
      });
      if (paymentId === 'owed-1') continue;
      await book(tx, cardRefunded({ id: refundId, merchantId, amountCentavos }));
      await moveRefund(tx, refundId, 'refunded_externally', { providerRefundId: 'refund-1' });
      await tx
        .updateTable('card_attempts')
        .set({ refunded_centavos: amountCentavos })
        .where('id', '=', id)
        .execute();
    }
  });
  const { id: purchaseId } = await db.selectFrom('purchases').select('id').executeTakeFirstOrThrow();
  await payPurchase(db, purchaseId, 10_000, { channel: 'cash' });
  await transaction(db, async (tx) => {
    const today = mexicoCityDate(await databaseNow(tx));
    const { settlement } = await recordDeposit(tx, {
      merchantId,
      channel: 'cash',
      fromOn: today,
      amountCentavos: centavos(9_000),
      commissionCentavos: centavos(500),
      happenedOn: today,
      evidence: 'SPEI 1',
    });
    await explainDifference(tx, {
      ofId: settlement.id,
      party: 'provider',
      amountCentavos: centavos(200),
      happenedOn: today,
      evidence: 'Factura 1',
    });
  });
  owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await server.close();
});

const unbalanced = 'all postings sum to zero';
const whole = 'every event has all its transfers, and every transfer its event';
const sign = 'no account is below zero';
const purchase = 'what a purchase says is paid is what the ledger holds for it';
const instalment = 'what an instalment says is paid is what was applied to it';
const plan = 'a plan sums to its price and its payments to what is paid';
const placed = 'every centavo of every receipt went somewhere, once';
const receipts = 'every receipt is in the ledger with its amount, and the other way round';
const refunds = 'a refund that is owed is in its payable account, and a finished one is not';
const payables = 'nothing is owed back without a refund that says so';
const suspense = 'what stands in suspense is what no other place was found for';
const attempts =
  'captured is the receipt, refunded is the refunds done, and no more is owed than was captured';
const cancelled = 'a cancelled purchase gave back, owes or kept exactly what was paid';
const delivered = 'nothing lies in the deposits of a delivered purchase, and it was paid whole';
const handedOver =
  'every delivered purchase has its hand-over, or an erased buyer, and is sold for what was paid, and no other';
const references = 'every paid reference has its purchase, and no other has one';
const tills =
  'every authorised till operation is a receipt, a reversed one was taken back, and no refused one is';
const counted = 'what a day of tills counts is what they authorised';
const summed = 'what a shop’s page sums up is what its payments, plans and refunds say';
const units = 'what a branch has for sale is what it entered less what is kept or handed over';
const kept = 'what is kept is for a reservation that waits or a purchase that goes on';
const nextDue = 'what a purchase says is due next is the oldest day that its instalments owe for';
const notices = 'every notice whose money was placed is a receipt, and no other is';
const fees = 'the fees that are kept are those that came, less what cancels gave back';
const reversals = 'what was taken back of a receipt is what its reversal moved';
const external = 'every external refund is in the ledger, once';
const onItsWay = 'what a chain or Tapi still has to pay is what it took and no deposit brought';
const deposits = 'a deposit or payout is in the ledger with its amount, once more when it was taken back';
const differences = 'what a deposit differs by is its operations less what came, and less what was explained';
const sources =
  'every receipt has the source that it names, with its sum, merchant and buyer, and with the provider’s word';
const agreed = 'a card payment that was applied took what was agreed';
const terms = 'a purchase is its reference’s buyer’s, on its terms, and begins with its deposit';
const owners = 'a receipt and what it paid are one buyer’s and one merchant’s';
const dayFile = 'what a counter took or gave back is in the day file with its sum, branch and state';
const cuts = 'a cut says what was taken and given back in its drawer';
const uncut = 'what came before a cut of its drawer is in one';
const unexplained = 'a difference of a deposit is explained within two days';

/** A transfer that no receipt brought, of an event that is whole. */
const transfer = (debit: string, credit: string, subject: string, kind = 'card_refund') => `
  with event as (insert into ledger_events (merchant_id, kind, source_id, legs)
    select id, '${kind}', 'planted', 1 from merchants returning id, merchant_id)
  insert into ledger_transfers
    select id, 1, 1, merchant_id, '${debit}', '${subject}', '${credit}', '${subject}', 100 from event`;
const tillOperation = (state: string, error: number) => `
  with service_account as (insert into service_accounts (kind, user_name, secret_hash, chain)
    values ('till', 'planted', 'x', 'ELEKTRA') returning id)
  insert into till_operations
    (service_account_id, chain, branch, transaction_id, body_hash, operation, reference, amount_centavos, state, error, message, reversed_at)
    select id, 'ELEKTRA', '1', '1', '\\x00', 'layaway', '1', 100, '${state}', ${error}, '', ${state === 'reversed' ? 'now()' : 'null'}
    from service_account`;

const cashNotice = (outcome: string) => `
  insert into cash_notices (provider, operation_id, body_hash, status, amount_centavos, currency, outcome)
    values ('tapi', 'planted', '\\x00', 'confirmed', 100, 'MXN', '${outcome}')`;
/** The receipt that stands in suspense becomes another one, of 1.00. */
const becomes = (channel: string, source: string) => `
  update receipts set channel = '${channel}', source_id = ${source.startsWith('(') ? source : `'${source}'`}, amount_centavos = 100
    where id in (select receipt_id from allocations where target = 'suspense')`;

const CUT = '00000000-0000-4000-8000-000000000009';
const counterOperation = (cutId: string, at = 'now()') => `
  insert into counter_operations (till_operation_id, merchant_id, request_id, position_id, branch_id, method, amount_centavos,
    tendered_centavos, cut_id, created_at) values ('${CUT}', 1, '${CUT}', '${CUT}', 1, 'cash', 100, 100, ${cutId}, ${at})`;
const counterCut = (movements: number, centavos: number) => `
  insert into counter_cuts (id, merchant_id, branch_id, number, position_id, closed_by, from_at, until_at, movements,
    float_centavos, cash_taken_centavos, cash_returned_centavos, terminal_taken_centavos, terminal_returned_centavos,
    counted_centavos) values ('${CUT}', 1, 1, 1, '${CUT}', '${CUT}', now(), now(), ${movements}, 0, ${centavos}, 0, 0, 0, ${centavos})`;

/** The view that the proofs read, as a careless migration might leave it. */
const ONE_SIDED = `create or replace view postings as
  select event_id, merchant_id, debit as account, debit_subject as subject, amount_centavos as amount from ledger_transfers`;

/** One damage per line, and every proof that must see it. */
type Damage = [damage: string, sql: string, seenBy: string[]];
const DAMAGES: Damage[] = [
  [
    'an event lost its transfers',
    `delete from ledger_transfers`,
    [whole, receipts, purchase, refunds, suspense, fees, deposits, differences],
  ],
  [
    'an event gained a transfer',
    `insert into ledger_transfers select event_id, 9, 9, merchant_id, debit, debit_subject, credit, credit_subject, 1
       from ledger_transfers where credit = 'service_fee'`,
    [whole, receipts, fees],
  ],
  ['transfers lost their event', `delete from ledger_events where kind = 'card_refund'`, [whole]],
  [
    'the books show one side of a transfer only',
    ONE_SIDED,
    [unbalanced, sign, purchase, refunds, suspense, fees, onItsWay, differences],
  ],
  ['a deposit account is overdrawn', transfer('layaway_deposits', 'card_clearing', 'nobody'), [sign]],
  [
    'a purchase says more than arrived',
    'update purchases set paid_centavos = paid_centavos + 1',
    [purchase, plan],
  ],
  ['a purchase was never paid', 'update purchases set paid_centavos = 0', [purchase, plan]],
  [
    'an instalment says more than was applied',
    'update instalments set paid_centavos = 1 where number = 2',
    [instalment, plan],
  ],
  [
    'an instalment costs more than was agreed',
    'update instalments set amount_centavos = amount_centavos + 1',
    [plan, terms],
  ],
  ['an instalment is lost', 'delete from instalments where number = 3', [plan]],
  [
    'a part of a receipt went nowhere',
    `delete from allocations where target = 'service_fee'`,
    [placed, fees, agreed],
  ],
  [
    'a part of a receipt was applied twice',
    `insert into allocations (receipt_id, target, instalment_id, amount_centavos)
       select receipt_id, target, (select id from instalments where number = 3), amount_centavos
       from allocations where target = 'instalment'`,
    [placed, instalment],
  ],
  [
    'a receipt says another amount',
    `update receipts set amount_centavos = amount_centavos + 1 where id in
       (select receipt_id from allocations where target = 'suspense')`,
    [placed, receipts, attempts, sources],
  ],
  [
    'a receipt is lost',
    `delete from receipts where id in (select receipt_id from allocations where target = 'suspense')`,
    [receipts, attempts],
  ],
  [
    'money was booked without a receipt',
    `update ledger_events set source_id = 'nobody' where kind = 'card_receipt'
       and id in (select event_id from ledger_transfers where credit = 'suspense')`,
    [receipts],
  ],
  [
    'a refund is called done and nothing left',
    `update refunds set state = 'done', done_at = now() where state = 'owed'`,
    [refunds, attempts],
  ],
  [
    'a refund was sent and is still called owed',
    `update refunds set state = 'owed', done_at = null where state = 'done'`,
    [refunds, attempts],
  ],
  [
    'a refund owes more than is set aside',
    `update refunds set amount_centavos = amount_centavos + 1`,
    [refunds, attempts],
  ],
  ['a refund is lost', `delete from refunds where state = 'owed'`, [payables]],
  ['money is owed to nobody', transfer('card_clearing', 'card_refund_payable', 'refund:0'), [payables]],
  ['money is in suspense without a receipt', transfer('card_clearing', 'suspense', 'receipt:0'), [suspense]],
  [
    'a receipt left suspense in its allocations alone',
    `insert into allocations (receipt_id, target, reverses_id, amount_centavos)
       select receipt_id, target, id, -amount_centavos from allocations where target = 'suspense'`,
    [suspense, placed],
  ],
  [
    'an attempt captured what never arrived',
    `update card_attempts set captured_centavos = captured_centavos + 1 where state = 'applied'`,
    [attempts, agreed, sources],
  ],
  [
    'an attempt forgot what it captured',
    `update card_attempts set captured_centavos = 0, state = 'rejected' where state = 'applied'`,
    [attempts, sources],
  ],
  [
    'an attempt says that more went back',
    `update card_attempts set refunded_centavos = 1 where state = 'applied'`,
    [attempts],
  ],
  ...['owed', 'sending', 'unknown', 'blocked'].map((state): Damage => [
    `more is owed back than was captured, by a refund that is ${state}`,
    `insert into refunds (receipt_id, attempt_id, cause, method, state, amount_centavos)
         select receipt_id, attempt_id, 'surplus', 'card', '${state}', 1 from refunds where state = 'done'`,
    [attempts, refunds],
  ]),
  [
    'a purchase is cancelled and its money stays',
    `update purchases set state = 'cancelled', cancelled_at = now()`,
    [cancelled, purchase],
  ],
  [
    'a purchase is delivered that was not paid whole, and its money stays',
    `alter table purchases drop constraint purchases_delivered_were_paid; update purchases set state = 'delivered'`,
    [delivered, purchase, handedOver],
  ],
  [
    'what was paid for goods that nobody got was taken for sold',
    transfer('layaway_deposits', 'sale_delivered', '1', 'handover').replace("'planted', 1", "'1', 1"),
    [handedOver, sign],
  ],
  [
    'goods were handed over and the purchase knows nothing of it',
    `insert into hand_overs (purchase_id, buyer_id, merchant_id, request_id, position_id, branch_id, code_hash)
       select id, buyer_id, merchant_id, gen_random_uuid(), gen_random_uuid(), 1, decode(repeat('00', 32), 'hex') from purchases`,
    [handedOver],
  ],
  [
    'a reference says paid and has no purchase',
    'update purchases set layaway_reference_id = 0',
    [references],
  ],
  [
    'a purchase hangs on a reference that is not paid',
    `update layaway_references set state = 'expired'`,
    [references],
  ],
  [
    'a fee was given back that nobody cancelled for',
    transfer('service_fee', 'merchant_funds', 'nobody'),
    [fees, sign],
  ],
  ['a fee was kept without a payment', transfer('merchant_funds', 'service_fee', 'nobody'), [fees]],
  [
    'a receipt says that a till took it back, and the books do not',
    `update receipts set withdrawn_centavos = 1 where id in (select receipt_id from allocations where target = 'suspense')`,
    [reversals, placed],
  ],
  [
    'the books took back what the receipt still has',
    transfer('merchant_funds', 'merchant_funds', 'nobody', 'cash_reversal'),
    [reversals],
  ],
  [
    'the books say that money was refunded externally, and no refund tells of it',
    transfer('merchant_funds', 'merchant_funds', 'nobody', 'external_refund'),
    [external],
  ],
  [
    'a refund tells of an external refund, and the books do not',
    `insert into refunds (receipt_id, attempt_id, cause, method, state, amount_centavos, done_at)
       select receipt_id, attempt_id, 'external', 'card', 'done', 1, now() from refunds where state = 'owed'`,
    [external, attempts],
  ],
  ['a notice was applied and nothing arrived', cashNotice('applied'), [notices]],
  [
    'a notice was only noted and money arrived',
    `${cashNotice('noted')}; ${becomes('cash', 'planted')}`,
    [notices, receipts, placed, attempts, onItsWay],
  ],
  [
    'a till took money back and it stayed',
    `${tillOperation('reversed', 0)}; ${becomes('till', '(select id::text from till_operations)')}`,
    [tills, receipts, placed, attempts, onItsWay],
  ],
  ['a till was told yes and nothing arrived', tillOperation('authorised', 0), [tills, counted]],
  [
    'a till was told no and money arrived',
    `${tillOperation('refused', 1)}; ${becomes('till', '(select id::text from till_operations)')}`,
    [tills, receipts, placed, attempts, onItsWay, sources],
  ],
  [
    'a store’s money is on its way that nobody took',
    transfer('cash_clearing', 'merchant_funds', 'nobody'),
    [onItsWay],
  ],
  [
    'what a deposit brought is called on its way',
    'update receipts set settlement_id = null',
    [onItsWay, differences],
  ],
  [
    'a deposit says more than was booked',
    `update settlements set amount_centavos = amount_centavos + 1 where kind = 'deposit'`,
    [deposits, differences],
  ],
  [
    'a deposit was taken back and stayed in the books',
    `insert into settlements (merchant_id, kind, amount_centavos, of_id, happened_on, evidence)
       select merchant_id, 'void', amount_centavos, id, happened_on, 'planted' from settlements where kind = 'deposit'`,
    [deposits, differences],
  ],
  ['an explanation is lost', `delete from settlements where kind = 'explanation'`, [deposits, differences]],
  [
    'money came that no provider told of, whole in the books',
    `with r as (insert into receipts (channel, source_id, merchant_id, buyer_id, amount_centavos, folio)
       select 'card', 'planted', merchant_id, buyer_id, 100, 'PLANTED' from purchases returning id, merchant_id),
     a as (insert into allocations (receipt_id, target, amount_centavos) select id, 'suspense', 100 from r),
     e as (insert into ledger_events (merchant_id, kind, source_id, legs)
       select merchant_id, 'card_receipt', 'planted', 1 from r returning id, merchant_id)
     insert into ledger_transfers select e.id, 1, 1, e.merchant_id, 'card_clearing', 'planted', 'suspense', 'receipt:' || r.id, 100 from e, r`,
    [sources],
  ],
  [
    'an attempt has money and no payment of the provider',
    `update card_attempts set provider_payment_id = null where state = 'held'`,
    [sources],
  ],
  [
    'an attempt was of another sum',
    `update card_attempts set principal_centavos = 1 where state = 'applied'`,
    [agreed],
  ],
  [
    'an attempt charged another fee',
    `update card_attempts set fee_centavos = fee_centavos - 100, principal_centavos = principal_centavos + 100 where state = 'applied'`,
    [agreed],
  ],
  [
    'a purchase costs more, and so do its instalments',
    `update purchases set price_centavos = price_centavos + 1; update instalments set amount_centavos = amount_centavos + 1 where number = 3`,
    [terms],
  ],
  [
    'the deposit says more than was agreed',
    `update instalments set amount_centavos = amount_centavos + case number when 1 then 1 else -1 end where number in (1, 3)`,
    [terms],
  ],
  ['a purchase is somebody else’s', 'update purchases set buyer_id = 0', [terms, owners]],
  ['a receipt is somebody else’s', 'update receipts set buyer_id = 0', [sources, owners]],
  ['a purchase cancels for nothing', 'update purchases set penalty_centavos = 0', [terms]],
  ['a counter took what no till operation says', counterOperation('null'), [dayFile]],
  ['a shop’s page forgot a sum', 'delete from merchant_sum_changes where id = 1', [summed]],
  [
    'a shop’s page counts more than there is',
    `insert into merchant_sums values (1, 'due', '2026-01-01', '', 0, 1, 1)`,
    [summed],
  ],
  ['a purchase says that nothing is due', 'update purchases set next_due_on = null', [nextDue]],
  ['a purchase says that it is due later', 'update purchases set next_due_on = next_due_on + 1', [nextDue]],
  ['a cut holds what it does not say', counterOperation(`'${CUT}'`), [dayFile, cuts]],
  ['a cut says what it does not hold', counterCut(1, 100), [cuts]],
  [
    'a cut left out what came before it',
    `${counterOperation('null', "now() - interval '2 hours'")}; ${counterCut(0, 0)}`,
    [dayFile, uncut],
  ],
  ['a branch has a unit that nobody entered', 'insert into product_units values (1, 1, 1, 2, 1)', [units]],
  [
    'the unit of a purchase that goes on was put back on sale',
    `insert into holds (layaway_reference_id, product_id, branch_id, state, ended_at)
      select layaway_reference_id, product_id, 1, 'released', now() from purchases where state = 'active' limit 1`,
    [kept],
  ],
  [
    'nobody explained for days what is missing',
    `update settlements set recorded_at = now() - interval '49 hours'`,
    [unexplained],
  ],
];

/** The proofs that see a damage done behind every trigger and foreign key; the damage is undone. */
async function seenAfter(damage: string): Promise<string[]> {
  await owner.query('begin');
  try {
    await owner.query(`set local session_replication_role = 'replica'`);
    await owner.query(damage);
    // As the triggers would have done.
    if (!damage.includes('merchant_sum')) await owner.query('select mend_merchant_sums()');
    if (!damage.includes('next_due_on'))
      await owner.query(`update purchases p set next_due_on = case state when 'active' then (
        select min(due_on) from instalments where purchase_id = p.id and paid_centavos < amount_centavos) end`);
    await owner.query('set local role aparta_app');
    const seen: string[] = [];
    for (const [proof, query] of Object.entries(PROOFS)) {
      if ((await owner.query(query)).rows.length > 0) seen.push(proof);
    }
    return seen.toSorted();
  } finally {
    await owner.query('rollback');
  }
}

test('healthy books satisfy every proof', async () => {
  expect(await seenAfter('select')).toEqual([]);
  expect(await proveBooks(server.db)).toEqual([]);
});

describe('what is seen when', () => {
  test.each(DAMAGES)('%s', async (_damage, sql, seenBy) => {
    expect(await seenAfter(sql)).toEqual(seenBy.toSorted());
  });
});

test('each proof sees a damage here', () => {
  const seeing = new Set(DAMAGES.flatMap(([, , seenBy]) => seenBy));
  expect(Object.keys(PROOFS).filter((proof) => !seeing.has(proof))).toEqual([]);
});

const PAY = 'update instalments set paid_centavos = amount_centavos';
const CANCEL = `update purchases set state = 'cancelled', cancelled_at = now()`;
/** Without it the commit would be refused. */
const ADD_UP = `update purchases set (price_centavos, paid_centavos) = (
  select sum(amount_centavos), sum(paid_centavos) from instalments where purchase_id = purchases.id)`;
/** By what happens to the plan: the number of the instalment that is due next. */
const NEXT_DUE: readonly (readonly [happens: string, sql: string, number: number | null])[] = [
  ['its deposit is paid', 'select', 2],
  ['an instalment is paid', `${PAY} where number = 2`, 3],
  ['a later one is paid first', `${PAY} where number = 3`, 2],
  ['it is paid off in one payment', PAY, null],
  ['a payment is taken back', `${PAY}; update instalments set paid_centavos = 0 where number = 2`, 2],
  ['its deposit is taken back', 'update instalments set paid_centavos = 0', 1],
  ['an instalment is due sooner', `update instalments set due_on = '2020-01-01' where number = 3`, 3],
  ['the next one is due later', 'update instalments set due_on = due_on + 60 where number = 2', 3],
  [
    'all move, and one is paid by the same statement',
    `update instalments set due_on = due_on + 7, paid_centavos = case when number < 3 then amount_centavos else 0 end`,
    3,
  ],
  [
    'an instalment is added',
    `insert into payment_references (id, kind, prefix) values (9000000001, 'instalment', '4');
     insert into instalments (id, purchase_id, number, due_on, amount_centavos)
       select 9000000001, id, 4, '2020-01-01', 1 from purchases`,
    4,
  ],
  ['it is cancelled', CANCEL, null],
  ['money comes after it was cancelled', `${CANCEL}; ${PAY} where number = 2`, null],
  [
    'it is opened again',
    `${CANCEL}; ${PAY} where number = 2; update purchases set state = 'active', cancelled_at = null`,
    3,
  ],
];

test.each(NEXT_DUE)(
  'a purchase knows what is due next, and its shop what it is owed, when %s',
  async (_happens, sql, number) => {
    // What is due next follows its plan, whatever may become of that.
    await owner.query(
      `begin; alter table instalments disable trigger instalments_keep_their_plan; ${sql}; ${ADD_UP}`,
    );
    try {
      const { rows } = await owner.query(
        'select (select number from instalments where purchase_id = p.id and due_on = next_due_on) as number from purchases p',
      );
      expect(rows).toEqual([{ number }]);
      for (const proof of [nextDue, summed] as const)
        expect((await owner.query(PROOFS[proof])).rows).toEqual([]);
    } finally {
      await owner.query('rollback');
    }
  },
);

test('purchases of before are told what is due next', async () => {
  const fill = '../../../migrations/0073_purchases_next_due_of_before.sql';
  await owner.query(`set session_replication_role = 'replica'`);
  await owner.query('update purchases set next_due_on = null');
  await owner.query(fs.readFileSync(new URL(fill, import.meta.url), 'utf8'));
  await owner.query('reset session_replication_role');
  expect(await proveBooks(server.db)).toEqual([]);
});

test('a broken proof names what breaks it, at most twenty of them', async () => {
  const copy = await startTestApp();
  const damage = new pg.Client({ connectionString: copy.ownerUrl });
  await damage.connect();
  await damage.query(`set session_replication_role = 'replica'`);
  await damage.query(
    `insert into ledger_events (merchant_id, kind, source_id, legs)
       select 1, 'card_refund', n::text, 1 from generate_series(1, 30) as n`,
  );
  await damage.end();
  const [broken, ...others] = await proveBooks(copy.db);
  await copy.close();
  expect(others).toEqual([]);
  expect(broken?.proof).toBe(whole);
  expect(broken?.subjects).toHaveLength(20);
  expect(broken?.subjects[0]).toMatch(/^\d+$/);
});
