import { randomUUID } from 'node:crypto';
import { centavos } from '@aparta/domain/money';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import {
  makeBranch,
  makeBuyer,
  makeServiceAccount,
  makeMerchant,
  makeProduct,
  makeReference,
  makeStaff,
} from '../../../test/make.ts';
import { recordReceipt } from '../../ledger/receipts/record-receipt.ts';
import { insertFiscalClient } from '../../invoicing/fiscal-clients/store.ts';
import { findReference } from '../../purchases/layaways/shown.read-model.ts';
import { createLimiter } from '../limiter.ts';
import { createLog } from '../logging.ts';
import { findCurrentCredential } from '../../payments/card-keys/store.ts';
import { moveRefund, oweRefund } from '../../ledger/refunds/store.ts';
import { insertAttempt } from '../../payments/cards/store.ts';
import { takeDeposit } from '../../payments/tills/take-deposit.ts';
import { transaction } from './transaction.ts';

/** Tables that hold money, what it is for, or what was promised about it. */
const MONEY_TABLES = [
  'payment_references',
  'layaway_references',
  'purchases',
  'instalments',
  'card_attempts',
  'card_attempt_parts',
  'till_operations',
  'till_days',
  'counter_cuts',
  'counter_dropped_presses',
  'counter_operations',
  'counter_refunds',
  'counter_reversals',
  'hand_overs',
  'pickup_codes',
  'claims',
  'end_warnings',
  'help_links',
  'plan_changes',
  'receipts',
  'settlements',
  'settlement_reports',
  'refunds',
  'allocations',
  'ledger_events',
  'ledger_transfers',
  'cash_references',
  'cash_notices',
  'fiscal_clients',
  'invoicing_customers',
  'invoices',
  'outbox',
  'push_subscriptions',
  'calendar_links',
  'kept_sessions',
  'account_acts',
] as const;
type MoneyTable = (typeof MONEY_TABLES)[number];

/** What labels say on paper binds nobody: the catalogue does. */
const PRINTED = ['printed_labels'];

/** Sums of what is elsewhere, which a proof compares: only triggers write them. */
const SUMS = ['merchant_sums', 'merchant_sum_changes'];

/** They cannot be met alone: another constraint refuses first whatever would break them. */
const IMPLIED = [
  // Refuses nothing: it stops a late plan's clock (end-late-plans.db.test.ts).
  'purchases_stop_end_clock',
  // Wider than a primary key, so that foreign keys can point to more than the id.
  'payment_references_id_with_kind',
  'payment_references_id_with_prefix',
  'ledger_events_with_legs',
  'fiscal_clients_id_with_buyer',
  'purchases_id_with_buyer_and_merchant',
  'instalments_id_with_purchase',
  'help_links_with_purchase',
  'counter_cuts_id_with_drawer',
  'counter_cuts_id_with_person',
  // A printed number ends with its ten-digit id, which is the primary key.
  'payment_references_number_once',
  // A deposit above zero is below the price.
  'layaway_references_price_centavos_check',
  // They refuse nothing: they count.
  'till_operations_are_counted',
  'till_operations_are_uncounted',
  'purchases_next_due',
  'purchases_are_summed_anew',
  'purchases_kept_are_summed',
  'receipts_are_summed',
  'receipts_are_summed_anew',
  'refunds_are_summed',
  'refunds_are_summed_anew',
  // It refuses nothing: it says whose purchase the instalment is.
  'card_attempts_of_purchase',
  // They refuse nothing: they say who collects, and until when an invoice may be asked for.
  'receipts_freeze_who_collects',
];

type Row = Record<string, string | number | null>;

/** A paid layaway, an open one with an attempt under way, and a card payment that is owed back. */
interface Books {
  readonly buyerId: number;
  readonly merchantId: number;
  readonly otherMerchantId: number;
  readonly productId: number;
  readonly credentialId: string;
  readonly tillId: string;
  readonly positionId: string;
  readonly branchId: number;
  readonly paidReferenceId: number;
  readonly openReferenceId: number;
  /** Of a reference that nothing has happened to. */
  readonly freshReferenceId: number;
  readonly purchaseId: number;
  readonly instalmentIds: readonly number[];
  readonly tillOperationId: string;
  readonly receiptId: number;
  readonly allocationId: number;
  readonly eventId: number;
  readonly openIntentId: string;
  readonly fiscalClientId: number;
  readonly returned: { attemptId: string; receiptId: number; refundId: number };
  /** Of 1.00, handed over in cash. */
  readonly cashRefundId: number;
}

let server: TestApp;
let books: Books;
let application: pg.Client;
let owner: pg.Client;

beforeAll(async () => {
  server = await startTestApp();
  books = await makeBooks(server);
  application = new pg.Client({ connectionString: server.ownerUrl, options: '-c role=aparta_operator' });
  owner = new pg.Client({ connectionString: server.ownerUrl });
  await Promise.all([application.connect(), owner.connect()]);
});
afterAll(async () => {
  await Promise.all([application.end(), owner.end()]);
  await server.close();
});

async function makeBooks({ db, settings }: TestApp): Promise<Books> {
  const buyerId = (await makeBuyer(db)).id;
  const merchantId = await makeMerchant(db, { cards: { keyRing: settings.keyRing } });
  const otherMerchantId = await makeMerchant(db);
  const [productId, second, third] = await Promise.all([
    makeProduct(db, { merchantId }),
    makeProduct(db, { merchantId }),
    makeProduct(db, { merchantId }),
  ]);
  const paidReferenceId = await makeReference(db, { buyerId, merchantId, productId });
  const openReferenceId = await makeReference(db, { buyerId, merchantId, productId: second });
  const freshReferenceId = await makeReference(db, { buyerId, merchantId, productId: third });
  const till = await makeServiceAccount(db, { kind: 'till', chain: 'ELEKTRA' });
  const given = await takeDeposit(
    { db, limiter: createLimiter(db), tillCaps: server.settings.tillCaps },
    { serviceAccountId: till.id, chain: 'ELEKTRA', merchantIds: [merchantId] },
    {
      reference: `1${paidReferenceId}`,
      amountCentavos: centavos(60_000),
      chain: 'ELEKTRA',
      branch: '7',
      transactionId: 'ticket-1',
    },
    createLog('silent'),
  );
  expect(given.error).toBe(0);
  const credentialId = (await findCurrentCredential(db, merchantId))?.id ?? '';
  const attempt = {
    buyerId,
    merchantId,
    credentialId,
    intentHash: null,
    principalCentavos: centavos(60_000),
    feeCentavos: centavos(1_500),
    sourceAddress: '',
    requestId: '',
  };
  const openIntentId = randomUUID();
  const returned = await transaction(db, async (tx) => {
    await insertAttempt(tx, {
      ...attempt,
      referenceId: openReferenceId,
      intentId: openIntentId,
      state: 'unknown',
    });
    const captured = centavos(61_500);
    const { id } = await insertAttempt(tx, {
      ...attempt,
      referenceId: paidReferenceId,
      intentId: randomUUID(),
      state: 'returned',
      capturedCentavos: captured,
      providerPaymentId: 'payment-1',
    });
    const placed = await recordReceipt(
      tx,
      { channel: 'card', sourceId: id, merchantId, buyerId },
      { to: 'refund', cause: 'not_applicable', method: 'card', attemptId: id, amountCentavos: captured },
    );
    const receipt = await tx
      .selectFrom('receipts')
      .select('id')
      .where('source_id', '=', id)
      .executeTakeFirstOrThrow();
    return { attemptId: id, receiptId: receipt.id, refundId: placed.refundId ?? 0 };
  });
  const cashRefundId = await transaction(db, async (tx) => {
    const id = await oweRefund(tx, {
      receiptId: returned.receiptId,
      attemptId: null,
      cause: 'surplus',
      method: 'cash',
      amountCentavos: centavos(100),
    });
    await moveRefund(tx, id, 'handed_over', {
      handedOver: { paidBy: 'merchant', evidence: 'Vale 1', isOnTerminal: false },
    });
    return id;
  });
  const only = async <T>(rows: Promise<T[]>) => (await rows)[0]!;
  const fiscalClientId = await transaction(db, (tx) =>
    insertFiscalClient(tx, buyerId, {
      rfc: 'MISC491214B86',
      name: 'CECILIA MIRANDA',
      alias: '',
      email: 'ceci@example.mx',
      phone: '',
      taxRegime: '612',
      cfdiUse: 'G03',
      street: '',
      suburb: '',
      postalCode: '72000',
    }),
  );
  const operation = await only(db.selectFrom('till_operations').select('id').execute());
  const receipt = await only(
    db.selectFrom('receipts').select('id').where('source_id', '=', operation.id).execute(),
  );
  const { positionId } = await makeStaff(db, { merchantId, role: 'owner' });
  const branchId = await makeBranch(db, merchantId);
  await db
    .insertInto('counter_operations')
    .values({
      till_operation_id: operation.id,
      merchant_id: merchantId,
      request_id: '00000000-0000-4000-8000-000000000001',
      position_id: positionId,
      branch_id: branchId,
      method: 'cash',
      amount_centavos: centavos(60_000),
      tendered_centavos: centavos(60_000),
    })
    .execute();
  return {
    buyerId,
    positionId,
    branchId,
    merchantId,
    otherMerchantId,
    productId,
    credentialId,
    tillId: till.id,
    paidReferenceId,
    openReferenceId,
    freshReferenceId,
    purchaseId: (await findReference(db, buyerId, paidReferenceId))?.purchaseId ?? 0,
    instalmentIds: (await db.selectFrom('instalments').select('id').orderBy('number').execute()).map(
      ({ id }) => id,
    ),
    tillOperationId: operation.id,
    receiptId: receipt.id,
    allocationId: (
      await only(db.selectFrom('allocations').select('id').where('receipt_id', '=', receipt.id).execute())
    ).id,
    eventId: (
      await only(db.selectFrom('ledger_events').select('id').where('source_id', '=', operation.id).execute())
    ).id,
    openIntentId,
    fiscalClientId: fiscalClientId ?? 0,
    returned,
    cashRefundId,
  };
}

/** A row of each table that nothing speaks against, so that a test spoils one thing of it alone. */
/** Of the one help link. */
const LINK = randomUUID();

const GOOD: Readonly<Record<MoneyTable, () => Row>> = {
  payment_references: () => ({ id: 9_000_000_001, kind: 'layaway', prefix: '1' }),
  layaway_references: () => ({
    id: 9_000_000_002,
    buyer_id: books.buyerId,
    merchant_id: books.merchantId,
    product_id: books.productId,
    price_centavos: 300_000,
    deposit_centavos: 60_000,
    deposit_basis_points: 2_000,
    frequency_days: 30,
    plan_duration_days: 60,
    service_fee_centavos: 1_500,
    service_fee_methods: '{card}',
    penalty_centavos: 20_000,
    expires_at: '2100-01-01',
    closed_at: null,
  }),
  purchases: () => ({
    buyer_id: books.buyerId,
    merchant_id: books.merchantId,
    product_id: books.productId,
    layaway_reference_id: books.freshReferenceId,
    product_name: 'Sala',
    product_description: '',
    price_centavos: 300_000,
    deposit_centavos: 60_000,
    service_fee_centavos: 1_500,
    service_fee_methods: '{card}',
    penalty_centavos: 20_000,
    penalty_free_until: '2100-01-01',
    cancelled_at: null,
  }),
  instalments: () => ({
    id: 9_000_000_003,
    purchase_id: books.purchaseId,
    number: 4,
    due_on: '2100-01-01',
    amount_centavos: 1,
  }),
  card_attempts: () => ({
    buyer_id: books.buyerId,
    merchant_id: books.merchantId,
    credential_id: books.credentialId,
    reference_id: books.freshReferenceId,
    intent_id: randomUUID(),
    state: 'submitting',
    principal_centavos: 60_000,
    fee_centavos: 1_500,
  }),
  card_attempt_parts: () => ({
    attempt_id: SEVERAL,
    purchase_id: books.purchaseId,
    instalment_id: books.instalmentIds[0]!,
    amount_centavos: 60_000,
  }),
  till_operations: () => ({
    service_account_id: books.tillId,
    chain: 'ELEKTRA',
    branch: '7',
    transaction_id: 'ticket-2',
    body_hash: '\\x00',
    operation: 'layaway',
    reference: '1',
    amount_centavos: 60_000,
    state: 'refused',
    error: 1,
    message: '',
  }),
  till_days: () => ({
    service_account_id: books.tillId,
    day: '2026-01-01',
    branch: '7',
    taken_centavos: 100,
  }),
  counter_cuts: () => ({
    id: randomUUID(),
    merchant_id: books.merchantId,
    branch_id: books.branchId,
    number: 1,
    position_id: books.positionId,
    closed_by: books.positionId,
    from_at: '2026-01-01',
    until_at: '2026-01-02',
    movements: 0,
    float_centavos: 0,
    cash_taken_centavos: 0,
    cash_returned_centavos: 0,
    terminal_taken_centavos: 0,
    terminal_returned_centavos: 0,
    counted_centavos: 0,
  }),
  counter_dropped_presses: () => ({
    request_id: '00000000-0000-4000-8000-000000000002',
    merchant_id: books.merchantId,
    position_id: books.positionId,
  }),
  counter_operations: () => ({
    till_operation_id: randomUUID(),
    merchant_id: books.merchantId,
    request_id: randomUUID(),
    position_id: books.positionId,
    branch_id: books.branchId,
    method: 'cash',
    amount_centavos: 100,
    tendered_centavos: 100,
  }),
  counter_refunds: () => ({
    refund_id: books.cashRefundId,
    tries: 0,
    merchant_id: books.merchantId,
    request_id: '00000000-0000-4000-8000-000000000002',
    position_id: books.positionId,
    branch_id: books.branchId,
    amount_centavos: 100,
  }),
  counter_reversals: () => ({
    till_operation_id: books.tillOperationId,
    position_id: books.positionId,
    reason: 'Se cobró dos veces',
  }),
  pickup_codes: () => ({
    purchase_id: books.purchaseId,
    buyer_id: books.buyerId,
    merchant_id: books.merchantId,
    ciphertext: '\\x00',
    key_id: '1',
    expires_at: '2100-01-01',
  }),
  end_warnings: () => ({
    purchase_id: books.purchaseId,
    due_on: '2026-01-01',
    step: 'first',
    ends_on: '2026-03-01',
  }),
  plan_changes: () => ({
    purchase_id: books.purchaseId,
    sequence: 1,
    kind: 'moved',
    number: 2,
    from_day: '2026-01-31',
    to_day: '2026-02-10',
    amount_centavos: 120_000,
  }),
  help_links: () => ({
    id: LINK,
    purchase_id: books.purchaseId,
    buyer_id: books.buyerId,
    merchant_id: books.merchantId,
    message: '',
    expires_at: '2100-01-01',
  }),
  push_subscriptions: () => ({
    buyer_id: books.buyerId,
    session_id: 1,
    endpoint: 'https://push.example/1',
    public_key: 'B'.repeat(87),
    auth_secret: 'A'.repeat(22),
  }),
  account_acts: () => ({ buyer_id: books.buyerId, act: 'signed_in' }),
  calendar_links: () => ({ buyer_id: books.buyerId, id: LINK }),
  kept_sessions: () => ({
    buyer_id: books.buyerId,
    name_hash: `\\x${'01'.repeat(32)}`,
    chain_key: `\\x${'02'.repeat(32)}`,
    secret_hash: `\\x${'03'.repeat(32)}`,
    opened_at: '2026-01-01',
    expires_at: '2026-03-01',
  }),
  claims: () => ({
    purchase_id: books.purchaseId,
    buyer_id: books.buyerId,
    merchant_id: books.merchantId,
    folio: 'FOLIO00002',
    notes: '',
    due_at: '2100-01-01',
  }),
  hand_overs: () => ({
    purchase_id: books.purchaseId,
    buyer_id: books.buyerId,
    merchant_id: books.merchantId,
    request_id: randomUUID(),
    position_id: books.positionId,
    branch_id: books.branchId,
    code_hash: `\\x${'00'.repeat(32)}`,
  }),
  receipts: () => ({
    channel: 'till',
    source_id: 'source-2',
    merchant_id: books.merchantId,
    buyer_id: books.buyerId,
    amount_centavos: 100,
    folio: 'FOLIO-2',
  }),
  settlements: () => ({
    merchant_id: books.merchantId,
    kind: 'deposit',
    channel: 'till',
    chain: 'ELEKTRA',
    from_on: '2026-01-01',
    to_on: '2026-01-02',
    party: 'merchant',
    amount_centavos: 100,
    happened_on: '2026-01-03',
    evidence: 'SPEI 1',
  }),
  settlement_reports: () => ({
    merchant_id: books.merchantId,
    number: 1,
    from_on: '2026-01-01',
    to_on: '2026-01-31',
  }),
  refunds: () => ({
    receipt_id: books.returned.receiptId,
    attempt_id: books.returned.attemptId,
    cause: 'surplus',
    method: 'card',
    state: 'owed',
    amount_centavos: 100,
  }),
  allocations: () => ({ receipt_id: books.receiptId, target: 'service_fee', amount_centavos: 100 }),
  ledger_events: () => ({
    merchant_id: books.merchantId,
    kind: 'card_refund',
    source_id: 'source-2',
    legs: 1,
  }),
  ledger_transfers: () => ({
    event_id: books.eventId,
    leg: 2,
    legs: 1,
    merchant_id: books.merchantId,
    debit: 'till_clearing',
    debit_subject: 'x',
    credit: 'suspense',
    credit_subject: 'x',
    amount_centavos: 100,
  }),
  cash_references: () => ({
    instalment_id: books.instalmentIds[1]!,
    purchase_id: books.purchaseId,
    merchant_id: books.merchantId,
    amount_centavos: 120_000,
    state: 'issued',
    provider_reference: '90001111',
    valid: '[2026-01-01,2026-01-03)',
  }),
  cash_notices: () => ({
    provider: 'tapi',
    operation_id: 'operation-1',
    body_hash: '\\x00',
    status: 'confirmed',
    amount_centavos: 120_000,
    currency: 'MXN',
    outcome: 'applied',
  }),
  fiscal_clients: () => ({
    buyer_id: books.buyerId,
    rfc: 'COSC8001137NA',
    name: 'CECILIA',
    email: 'ceci@example.mx',
    postal_code: '72000',
    tax_regime: '612',
    cfdi_use: 'G03',
  }),
  invoicing_customers: () => ({
    fiscal_client_id: books.fiscalClientId,
    merchant_id: books.merchantId,
    provider_uuid: 'customer-1',
    revision: 1,
  }),
  invoices: () => ({
    instalment_id: books.instalmentIds[0]!,
    purchase_id: books.purchaseId,
    buyer_id: books.buyerId,
    merchant_id: books.merchantId,
    fiscal_client_id: books.fiscalClientId,
    state: 'requested',
    payment_form: '01',
    amount_centavos: 60_000,
    iva_basis_points: 1_600,
    receiver: '{}',
    receiver_revision: 1,
  }),
  outbox: () => ({
    topic: 'layaway_paid',
    dedupe_key: 'key-2',
    buyer_id: books.buyerId,
    recipient: 'ana@example.mx',
    facts: '{}',
  }),
};

/** A cut whose id is known. */
const CUT = { id: '00000000-0000-4000-8000-000000000009' };

const literal = (value: string | number | null) =>
  typeof value === 'string' ? pg.escapeLiteral(value) : String(value);

/** Inserts a good row of a table but for `spoilt`. */
function row(table: MoneyTable, spoilt: Row = {}): string {
  const values = { ...GOOD[table](), ...spoilt };
  return `insert into ${table} (${Object.keys(values).join(', ')}) values (${Object.values(values).map(literal).join(', ')});`;
}

interface Break {
  /** Constraint, unique index or trigger under test. */
  readonly name: string;
  readonly sql: () => string;
  /** Whose name the refusal carries, where a trigger shares a function with another. */
  readonly says?: string;
  /** The owner is stopped too: of what the application's roles may not even try. */
  readonly as?: 'owner';
}

/** Spoils one column of a good row: the name of the check that a column carries by itself. */
const spoils = (table: MoneyTable, name: string, spoilt: () => Row): Break => ({
  name,
  sql: () => row(table, spoilt()),
});

/** An attempt at several purchases, without its parts. */
const SEVERAL = '00000000-0000-4000-8000-000000000010';
const several = (): string => row('card_attempts', { id: SEVERAL, of_several: 'true' });

/** A helper's attempt, by the link of the purchase. */
const helper = (): Row => ({
  reference_id: books.instalmentIds[0]!,
  help_link_id: LINK,
  payer_name: 'Marta',
  payer_email: 'marta@example.mx',
  intent_id: LINK,
});
const helps = (name: string, spoilt: () => Row): Break => ({
  name,
  sql: () => row('help_links') + row('card_attempts', { ...helper(), ...spoilt() }),
});

/** A number for stores of a helper, by the same link; it stands beside the buyer's. */
const helperAtStore = (): Row => ({
  state: 'with_helper',
  help_link_id: LINK,
  payer_name: 'Marta',
  payer_email: 'marta@example.mx',
  intent_id: LINK,
});
const helpsAtStore = (name: string, spoilt: () => Row): Break => ({
  name,
  sql: () => row('help_links') + row('cash_references', { ...helperAtStore(), ...spoilt() }),
});

/** A layaway reference with its printed number. */
const layaway = (spoilt: Row = {}) =>
  row('payment_references', { id: 9_000_000_002 }) + row('layaway_references', spoilt);
const instalment = (spoilt: Row = {}) =>
  row('payment_references', { id: 9_000_000_003, kind: 'instalment', prefix: '4' }) +
  row('instalments', spoilt);
const appendOnly = (
  table:
    | 'allocations'
    | 'ledger_events'
    | 'ledger_transfers'
    | 'plan_changes'
    | 'settlements'
    | 'settlement_reports',
  columns: string,
): Break[] =>
  [`update ${table} set ${columns}`, `delete from ${table}`, `truncate ${table} cascade`].map((sql) => ({
    name: `${table}_append_only`,
    sql: () => sql,
    as: 'owner',
  }));

const BREAKS: Record<string, Break[]> = {
  'a printed number is one thing, for ever': [
    { name: 'payment_references_pkey', sql: () => row('payment_references', { id: books.paidReferenceId }) },
    {
      // One id space: the number of a living layaway cannot be an instalment's too.
      name: 'payment_references_pkey',
      sql: () => row('payment_references', { id: books.paidReferenceId, kind: 'instalment', prefix: '1' }),
    },
    {
      name: 'layaway_references_is_a_payment_reference',
      sql: () => row('layaway_references', { id: books.instalmentIds[0]! }),
    },
    {
      name: 'instalments_is_a_payment_reference',
      sql: () => row('instalments', { id: books.freshReferenceId }),
    },
    {
      // The prefix that is printed is the instalment's number.
      name: 'instalments_is_a_payment_reference',
      sql: () => instalment({ number: 5 }),
    },
    spoils('payment_references', 'payment_references_id_check', () => ({ id: 999_999_999 })),
    spoils('payment_references', 'payment_references_id_check', () => ({ id: 10_000_000_000 })),
    spoils('payment_references', 'payment_references_kind_check', () => ({ kind: 'other' })),
    spoils('payment_references', 'payment_references_layaway_prefix', () => ({ prefix: '2' })),
    spoils('payment_references', 'payment_references_prefix_check', () => ({
      kind: 'instalment',
      prefix: '01',
    })),
  ],
  'a layaway reference keeps its terms within reason, and one per product is open': [
    {
      name: 'layaway_references_one_open_per_product',
      sql: () => layaway() + row('payment_references') + row('layaway_references', { id: 9_000_000_001 }),
    },
    {
      name: 'layaway_references_pkey',
      sql: () => row('layaway_references', { id: books.paidReferenceId }),
    },
    {
      name: 'layaway_references_product_of_merchant',
      sql: () => layaway({ merchant_id: books.otherMerchantId }),
    },
    ...(
      [
        ['layaway_references_closed_when_not_open', { state: 'paid' }],
        ['layaway_references_closed_when_not_open', { closed_at: '2026-01-01' }],
        ['layaway_references_deposit_basis_points_check', { deposit_basis_points: 10_000 }],
        ['layaway_references_deposit_is_a_part', { deposit_centavos: 0 }],
        ['layaway_references_deposit_is_a_part', { deposit_centavos: 300_000 }],
        ['layaway_references_end_after_they_begin', { expires_at: '2020-01-01' }],
        ['layaway_references_frequency_days_check', { frequency_days: 0 }],
        ['layaway_references_kind_check', { kind: 'instalment' }],
        ['layaway_references_penalty_centavos_check', { penalty_centavos: -1 }],
        ['layaway_references_end_days_late', { end_days_late: 29 }],
        ['layaway_references_promise_delivery', { delivery_promise_days: 0 }],
        ['layaway_references_plan_duration_days_check', { plan_duration_days: 0 }],
        ['layaway_references_service_fee_centavos_check', { service_fee_centavos: -1 }],
        ['layaway_references_state_check', { state: 'lost', closed_at: '2026-01-01' }],
      ] as const
    ).map(([name, spoilt]): Break => ({ name, sql: () => layaway(spoilt) })),
  ],
  'a purchase is made once, adds up, and takes no more than its price': [
    {
      name: 'purchases_one_per_reference',
      sql: () => row('purchases', { layaway_reference_id: books.paidReferenceId }),
    },
    spoils('purchases', 'purchases_product_of_merchant', () => ({ merchant_id: books.otherMerchantId })),
    { name: 'purchases_not_overpaid', sql: () => 'update purchases set paid_centavos = price_centavos + 1' },
    { name: 'purchases_not_overpaid', sql: () => 'update purchases set paid_centavos = -1' },
    {
      name: 'purchases_still_add_up',
      sql: () => 'update purchases set price_centavos = price_centavos + 1',
      as: 'owner',
      says: 'purchases_add_up',
    },
    {
      name: 'purchases_still_add_up',
      sql: () => 'update purchases set paid_centavos = paid_centavos + 1',
      says: 'purchases_add_up',
    },
    {
      name: 'purchases_still_add_up',
      sql: () => paid(1) + paid(-1, 'instalments'),
      says: 'purchases_add_up',
    },
    {
      name: 'purchases_still_add_up',
      sql: () => 'update purchases set next_due_on = next_due_on + 1',
      says: 'purchases_add_up',
    },
    // A plan is whole before it is there at all.
    { name: 'purchases_add_up', sql: () => row('purchases') },
    { name: 'purchases_delivered_were_paid', sql: () => "update purchases set state = 'delivered'" },
    spoils('purchases', 'purchases_state_check', () => ({ state: 'lost' })),
    spoils('purchases', 'purchases_cancelled_has_a_moment', () => ({ state: 'cancelled' })),
    spoils('purchases', 'purchases_cancelled_has_a_moment', () => ({ cancelled_at: '2026-01-01' })),
    spoils('purchases', 'purchases_ended_by', () => ({ ended_by: 'buyer' })),
    spoils('purchases', 'purchases_cancel_notes_check', () => ({ cancel_notes: 'x'.repeat(1001) })),
    spoils('purchases', 'purchases_deposit_centavos_check', () => ({ deposit_centavos: 0 })),
    spoils('purchases', 'purchases_penalty_centavos_check', () => ({ penalty_centavos: -1 })),
    spoils('purchases', 'purchases_more_time', () => ({ more_time_until: '2031-01-01' })),
    spoils('purchases', 'purchases_end_days_late', () => ({ end_days_late: 366 })),
    spoils('purchases', 'purchases_promise_delivery', () => ({ delivery_promise_days: 91 })),
    spoils('purchases', 'purchases_price_centavos_check', () => ({ price_centavos: 0 })),
    spoils('purchases', 'purchases_service_fee_centavos_check', () => ({ service_fee_centavos: -1 })),
  ],
  'an instalment takes no more than it is': [
    { name: 'instalments_not_overpaid', sql: () => 'update instalments set paid_centavos = -1' },
    {
      name: 'instalments_not_overpaid',
      sql: () => 'update instalments set paid_centavos = amount_centavos + 1',
    },
    {
      name: 'instalments_still_add_up',
      sql: () => 'update instalments set amount_centavos = amount_centavos + 1 where number = 2',
      says: 'purchases_add_up',
    },
    // All of them are written, and one of them is wrong.
    {
      name: 'instalments_still_add_up',
      sql: () =>
        `update instalments set paid_centavos = paid_centavos - (id = ${books.instalmentIds[0]!})::int`,
      says: 'purchases_add_up',
    },
    {
      name: 'instalments_still_add_up',
      sql: () => 'update instalments set paid_centavos = amount_centavos',
      says: 'purchases_add_up',
    },
    { name: 'instalments_add_up', sql: () => instalment(), says: 'purchases_add_up' },
    { name: 'instalments_number_once', sql: () => 'update instalments set number = 1', as: 'owner' },
    { name: 'instalments_pkey', sql: () => row('instalments', { id: books.instalmentIds[0]! }) },
    spoils('instalments', 'instalments_amount_centavos_check', () => ({ amount_centavos: 0 })),
    spoils('instalments', 'instalments_kind_check', () => ({ kind: 'layaway' })),
    spoils('instalments', 'instalments_number_check', () => ({ number: 1000 })),
    spoils('instalments', 'instalments_number_check', () => ({ number: 0 })),
  ],
  'an attempt at several purchases is the sum of its parts': [
    {
      name: 'card_attempts_of_several_add_up',
      says: 'card_attempt_parts_add_up',
      sql: several,
    },
    // Of one purchase alone.
    { name: 'card_attempt_parts_add_up', sql: () => several() + row('card_attempt_parts') },
    { name: 'card_attempt_parts_pkey', sql: () => several() + row('card_attempt_parts').repeat(2) },
    ...[{ amount_centavos: 0 }, { amount_centavos: -1 }].map((spoilt) => ({
      name: 'card_attempt_parts_amount_centavos_check',
      sql: () => several() + row('card_attempt_parts', spoilt),
    })),
    {
      name: 'card_attempt_parts_instalment_of_purchase',
      sql: () => several() + row('card_attempt_parts', { purchase_id: books.purchaseId + 1 }),
    },
  ],
  'one card attempt at a time, and none says paid without money': [
    spoils('card_attempts', 'card_attempts_one_own_open_per_reference', () => ({
      reference_id: books.openReferenceId,
    })),
    ...(['submitting', 'pending_3ds', 'unknown'] as const).map((state) =>
      spoils('card_attempts', 'card_attempts_one_own_open_per_reference', () => ({
        reference_id: books.openReferenceId,
        state,
      })),
    ),
    {
      name: 'card_attempts_one_own_open_per_purchase',
      sql: () =>
        row('card_attempts', { reference_id: books.instalmentIds[0]! }) +
        row('card_attempts', {
          reference_id: books.instalmentIds[1]!,
        }),
    },
    {
      name: 'card_attempts_one_beside_several',
      says: 'card_attempts_one_own_open_per_purchase',
      sql: () =>
        several() +
        row('card_attempt_parts') +
        row('card_attempts', { reference_id: books.instalmentIds[1]! }),
    },
    {
      name: 'card_attempt_parts_one_open',
      says: 'card_attempts_one_own_open_per_purchase',
      sql: () =>
        row('card_attempts', { reference_id: books.instalmentIds[1]! }) +
        several() +
        row('card_attempt_parts'),
    },
    {
      name: 'card_attempts_reopened_beside_several',
      says: 'card_attempts_one_own_open_per_purchase',
      sql: () =>
        row('card_attempts', { id: LINK, reference_id: books.instalmentIds[1]!, state: 'abandoned' }) +
        several() +
        row('card_attempt_parts') +
        `update card_attempts set state = 'pending_3ds' where id = '${LINK}';`,
    },
    spoils('card_attempts', 'card_attempts_return_reason', () => ({ return_reason: 'sold_out' })),
    spoils('card_attempts', 'card_attempts_intent_once', () => ({ intent_id: books.openIntentId })),
    spoils('card_attempts', 'card_attempts_provider_payment_once', () => ({
      provider_payment_id: 'payment-1',
    })),
    {
      name: 'card_attempts_nonce_once',
      sql: () => `update card_attempts set webhook_nonce = 'the same'`,
      as: 'owner',
    },
    spoils('card_attempts', 'card_attempts_credential_of_merchant', () => ({
      merchant_id: books.otherMerchantId,
    })),
    spoils('card_attempts', 'card_attempts_captured_as_stated', () => ({ state: 'applied' })),
    spoils('card_attempts', 'card_attempts_captured_as_stated', () => ({ state: 'returned' })),
    ...['submitting', 'pending_3ds', 'unknown', 'rejected', 'not_charged', 'abandoned'].map((state) =>
      spoils('card_attempts', 'card_attempts_captured_as_stated', () => ({ state, captured_centavos: 1 })),
    ),
    {
      name: 'card_attempts_not_over_refunded',
      sql: () => 'update card_attempts set refunded_centavos = captured_centavos + 1',
    },
    { name: 'card_attempts_not_over_refunded', sql: () => 'update card_attempts set refunded_centavos = -1' },
    ...['buyer_id', 'reference_id', 'intent_id'].map((column) =>
      spoils('card_attempts', 'card_attempts_have_a_buyer', () => ({ [column]: null })),
    ),
    spoils('card_attempts', 'card_attempts_state_check', () => ({ state: 'paid' })),
    spoils('card_attempts', 'card_attempts_principal_centavos_check', () => ({ principal_centavos: 0 })),
    spoils('card_attempts', 'card_attempts_fee_centavos_check', () => ({ fee_centavos: -1 })),
    spoils('card_attempts', 'card_attempts_card_last4_check', () => ({ card_last4: '45551284' })),
    spoils('card_attempts', 'card_attempts_fingerprint_is_a_hash', () => ({
      card_fingerprint: '4555127669',
    })),
    spoils('card_attempts', 'card_attempts_polls_check', () => ({ polls: -1 })),
    spoils('card_attempts', 'card_attempts_not_found_count_check', () => ({ not_found_count: -1 })),
  ],
  'a till call is answered once': [
    spoils('till_operations', 'till_operations_once', () => ({ transaction_id: 'ticket-1' })),
    {
      name: 'till_operations_of_a_live_account',
      sql: () => `update service_accounts set revoked_at = now(); ${row('till_operations')}`,
      as: 'owner',
    },
    spoils('till_operations', 'till_operations_authorised_without_error', () => ({ error: 0 })),
    spoils('till_operations', 'till_operations_authorised_without_error', () => ({ state: 'authorised' })),
    spoils('till_operations', 'till_operations_reversed_has_a_moment', () => ({
      state: 'reversed',
      error: 0,
    })),
    spoils('till_operations', 'till_operations_reversed_has_a_moment', () => ({ reversed_at: '2026-01-01' })),
    spoils('till_operations', 'till_operations_amount_centavos_check', () => ({ amount_centavos: 0 })),
    spoils('till_operations', 'till_operations_branch_check', () => ({ branch: '' })),
    spoils('till_operations', 'till_operations_chain_check', () => ({ chain: 'x'.repeat(61) })),
    spoils('till_operations', 'till_operations_transaction_id_check', () => ({ transaction_id: '' })),
    spoils('till_operations', 'till_operations_reference_check', () => ({ reference: '1'.repeat(41) })),
    spoils('till_operations', 'till_operations_operation_check', () => ({ operation: 'gift' })),
    spoils('till_operations', 'till_operations_state_check', () => ({ state: 'perhaps' })),
    // The application only reads what the triggers count.
    {
      name: 'till_days_pkey',
      sql: () => 'insert into till_days select service_account_id, day, branch, 0 from till_days',
      as: 'owner',
    },
    {
      name: 'till_days_taken_centavos_check',
      sql: () => row('till_days', { taken_centavos: -1 }),
      as: 'owner',
    },
  ],
  'money at a counter has one press, somebody of the shop, and what was handed over': [
    spoils('counter_operations', 'counter_operations_once', () => ({
      request_id: '00000000-0000-4000-8000-000000000001',
    })),
    spoils('counter_operations', 'counter_operations_is_a_till_operation', () => ({})),
    spoils('counter_operations', 'counter_operations_by_the_merchants_staff', () => ({
      merchant_id: books.otherMerchantId,
    })),
    spoils('counter_operations', 'counter_operations_in_the_merchants_branch', () => ({ branch_id: 999 })),
    spoils('counter_operations', 'counter_operations_on_the_merchants_device', () => ({
      device_id: randomUUID(),
    })),
    spoils('counter_operations', 'counter_operations_amount_centavos_check', () => ({ amount_centavos: 0 })),
    spoils('counter_operations', 'counter_operations_tendered_covers_the_amount', () => ({
      tendered_centavos: 99,
    })),
    spoils('counter_operations', 'counter_operations_cash_was_handed_over', () => ({
      tendered_centavos: null,
    })),
    spoils('counter_operations', 'counter_operations_terminal_has_its_slip', () => ({
      method: 'terminal',
      tendered_centavos: null,
      terminal_last4: '4242',
    })),
    spoils('counter_operations', 'counter_operations_method_check', () => ({
      method: 'gift',
      tendered_centavos: null,
    })),
    spoils('counter_operations', 'counter_operations_terminal_last4_check', () => ({
      method: 'terminal',
      tendered_centavos: null,
      terminal_last4: '42424',
      terminal_authorisation: '1',
    })),
    spoils('counter_operations', 'counter_operations_terminal_authorisation_check', () => ({
      method: 'terminal',
      tendered_centavos: null,
      terminal_last4: '4242',
      terminal_authorisation: '',
    })),
    spoils('counter_reversals', 'counter_reversals_reason_check', () => ({ reason: 'no' })),
  ],
  'a press that was given up gives nothing back any more': [
    spoils('counter_dropped_presses', 'counter_dropped_presses_by_the_merchants_staff', () => ({
      position_id: randomUUID(),
    })),
    {
      name: 'counter_dropped_presses_pkey',
      sql: () => row('counter_dropped_presses') + row('counter_dropped_presses'),
    },
    {
      name: 'counter_refunds_were_not_dropped',
      sql: () => row('counter_dropped_presses') + row('counter_refunds'),
    },
    {
      name: 'counter_reversals_were_not_dropped',
      sql: () =>
        row('counter_dropped_presses') +
        row('counter_reversals', { request_id: '00000000-0000-4000-8000-000000000002' }),
    },
  ],
  'cash that left a drawer is a refund that the shop handed over, once, and nothing else says so for the server':
    [
      { name: 'counter_refunds_pkey', sql: () => row('counter_refunds') + row('counter_refunds') },
      {
        name: 'counter_refunds_once',
        sql: () => {
          const another = { cause: 'cancel', method: 'cash', amount_centavos: 100, state: 'done' };
          const paid = { done_at: '2026-01-01', paid_by: 'merchant', evidence: 'Vale 2' };
          const same = row('counter_refunds').replace(
            `${books.cashRefundId}`,
            '(select max(id) from refunds)',
          );
          return row('counter_refunds') + row('refunds', { ...another, ...paid }) + same;
        },
      },
      ...(
        [
          { tries: 1 },
          { amount_centavos: 99 },
          { merchant_id: () => books.otherMerchantId },
          // No terminal took it.
          { method: 'terminal' },
          // By card, and still owed.
          { refund_id: () => books.returned.refundId, amount_centavos: 61_500 },
        ] as const
      ).map((spoilt) =>
        spoils('counter_refunds', 'counter_refunds_were_handed_over', () =>
          Object.fromEntries(
            Object.entries(spoilt).map(([column, value]) => [
              column,
              typeof value === 'function' ? value() : value,
            ]),
          ),
        ),
      ),
      spoils('counter_refunds', 'counter_refunds_by_the_merchants_staff', () => ({
        position_id: randomUUID(),
      })),
      spoils('counter_refunds', 'counter_refunds_in_the_merchants_branch', () => ({ branch_id: 999 })),
      {
        // A card of the provider's took it, and no terminal.
        name: 'refunds_on_the_terminal_that_took',
        sql: () => `update refunds set paid_on_terminal = true where id = ${books.cashRefundId}`,
      },
      {
        name: 'refunds_paid_from_a_drawer',
        sql: () =>
          `set local role aparta_app; update refunds set evidence = 'Vale 2' where id = ${books.cashRefundId}`,
        as: 'owner',
      },
      {
        name: 'refunds_paid_from_a_drawer',
        sql: () => {
          const paid = { state: 'done', done_at: '2026-01-01', paid_by: 'merchant', evidence: 'Vale 2' };
          return `set local role aparta_app; ${row('refunds', { cause: 'cancel', method: 'cash', ...paid })}`;
        },
        as: 'owner',
      },
    ],
  'a late plan is warned of once a step, of a later day': [
    { name: 'end_warnings_once', sql: () => row('end_warnings') + row('end_warnings') },
    spoils('end_warnings', 'end_warnings_step', () => ({ step: 'second' })),
    spoils('end_warnings', 'end_warnings_tell_a_later_day', () => ({ ends_on: '2026-01-01' })),
    spoils('end_warnings', 'end_warnings_purchase_id_fkey', () => ({ purchase_id: 0 })),
  ],
  'a plan is changed where nothing is paid of it, its days rise by number, and it ends as agreed': (
    [
      ['due_on = due_on + 1 where number = 1', 'instalments_deposits_are_fixed'],
      ['amount_centavos = amount_centavos + 1 where number = 1', 'instalments_deposits_are_fixed'],
      ['due_on = due_on + 30 where number = 2', 'instalments_days_rise'],
      ['due_on = due_on - 30 where number = 2', 'instalments_days_rise'],
      ['due_on = due_on + 1 where number = 3', 'instalments_end_as_agreed'],
      ['due_on = due_on - 1 where number = 3', 'instalments_end_as_agreed'],
      // One statement may pay and move.
      ['due_on = due_on + 1, paid_centavos = 1 where number = 2', 'instalments_paid_are_fixed'],
    ] as const
  ).map(([set, says]) => ({
    name: 'instalments_keep_their_plan',
    sql: () => `update instalments set ${set}`,
    says,
  })),
  'what a buyer changed of a plan is written down once, and stays': [
    { name: 'plan_changes_once', sql: () => row('plan_changes') + row('plan_changes') },
    spoils('plan_changes', 'plan_changes_few', () => ({ sequence: 13 })),
    spoils('plan_changes', 'plan_changes_kind', () => ({ kind: 'dropped' })),
    spoils('plan_changes', 'plan_changes_not_of_deposits', () => ({ number: 1 })),
    spoils('plan_changes', 'plan_changes_go_later', () => ({ to_day: '2026-01-31' })),
    spoils('plan_changes', 'plan_changes_go_later', () => ({ to_day: '2026-04-02' })),
    spoils('plan_changes', 'plan_changes_split_in_two', () => ({ kind: 'split' })),
    spoils('plan_changes', 'plan_changes_split_in_two', () => ({ first_centavos: 60_000 })),
    spoils('plan_changes', 'plan_changes_split_in_two', () => ({ kind: 'split', first_centavos: 4_999 })),
    spoils('plan_changes', 'plan_changes_split_in_two', () => ({ kind: 'split', first_centavos: 115_001 })),
    spoils('plan_changes', 'plan_changes_are_of_a_sum', () => ({ amount_centavos: 0 })),
    spoils('plan_changes', 'plan_changes_purchase_id_fkey', () => ({ purchase_id: 0 })),
    ...appendOnly('plan_changes', 'number = 3'),
  ],
  // The server gives links no ids.
  'helpers pay by a link of the purchase, with a name': (
    [
      { name: 'help_links_pkey', sql: () => row('help_links') + row('help_links') },
      spoils('help_links', 'help_links_of_a_purchase', () => ({ buyer_id: 0 })),
      spoils('help_links', 'help_links_message_check', () => ({ message: 'x'.repeat(141) })),
      spoils('help_links', 'help_links_goal_centavos_check', () => ({ goal_centavos: 0 })),
      spoils('help_links', 'help_links_expire_after_they_begin', () => ({ expires_at: '2020-01-01' })),
      ...(
        [
          ['help_links_state_check', "state = 'lost', ended_at = app_now()"],
          ['help_links_end_when_they_say', "state = 'revoked'"],
          ['help_links_end_when_they_say', 'ended_at = app_now()'],
        ] as const
      ).map(([name, spoilt]): Break => ({
        name,
        sql: () => `${row('help_links')} update help_links set ${spoilt}`,
      })),
      helps('card_attempts_help_their_purchase', () => ({ help_link_id: randomUUID() })),
      helps('card_attempts_helpers_have_names', () => ({ payer_name: null })),
      helps('card_attempts_helpers_have_names', () => ({ help_link_id: null, payer_email: null })),
      helps('card_attempts_helpers_have_names', () => ({ payer_name: 'x'.repeat(41) })),
      helps('card_attempts_payers_are_helpers', () => ({ payer_email: 'x'.repeat(255) })),
      helps('card_attempts_payers_are_helpers', () => ({ help_link_id: null, payer_name: null })),
      helps('card_attempts_payers_are_helpers', () => ({ reference_id: books.freshReferenceId })),
      {
        name: 'card_attempts_helpers_intent_once',
        sql: () =>
          row('help_links') +
          ['held', 'returned']
            .map((state) =>
              row('card_attempts', { ...helper(), buyer_id: null, state, captured_centavos: 1 }),
            )
            .join(''),
      },
      helpsAtStore('cash_references_help_their_purchase', () => ({ help_link_id: randomUUID() })),
      helpsAtStore('cash_references_helpers_have_names', () => ({ payer_name: null })),
      helpsAtStore('cash_references_helpers_have_names', () => ({ intent_id: null })),
      helpsAtStore('cash_references_helpers_have_names', () => ({ payer_name: 'x'.repeat(41) })),
      helpsAtStore('cash_references_payers_are_helpers', () => ({ payer_email: 'x'.repeat(255) })),
      helpsAtStore('cash_references_are_of_who_holds_them', () => ({ state: 'issued' })),
      helpsAtStore('cash_references_are_of_who_holds_them', () => ({ provider_reference: null })),
      spoils('cash_references', 'cash_references_are_of_who_holds_them', () => ({ state: 'with_helper' })),
      spoils('cash_references', 'cash_references_payers_are_helpers', () => ({ payer_email: 'a@b.mx' })),
      {
        name: 'cash_references_helpers_intent_once',
        sql: () =>
          row('help_links') +
          row('cash_references', helperAtStore()) +
          row('cash_references', { ...helperAtStore(), provider_reference: '90002222' }),
      },
    ] satisfies Break[]
  ).map((each) => ({ ...each, as: 'owner' })),
  'a browser is told of one buyer, at an address, by keys that are whole': [
    {
      name: 'push_subscriptions_endpoint_once',
      sql: () => row('push_subscriptions') + row('push_subscriptions'),
    },
    ...(
      [
        ['push_subscriptions_endpoints_are_addresses', { endpoint: 'file:///etc/passwd' }],
        ['push_subscriptions_endpoints_are_addresses', { endpoint: `https://${'x'.repeat(1_000)}` }],
        ['push_subscriptions_keys_are_points', { public_key: 'B' }],
        ['push_subscriptions_secrets_are_whole', { auth_secret: `${'A'.repeat(21)}=` }],
      ] as const
    ).map(([name, spoilt]) => spoils('push_subscriptions', name, () => spoilt)),
  ],
  'a buyer’s calendar has one address': [
    {
      name: 'calendar_links_id_once',
      as: 'owner',
      sql: () => `${row('calendar_links')}
        with other as (insert into buyers (email, user_name, name, password_hash) values ('o@example.mx', 'otra', 'otra', '') returning id)
        insert into calendar_links (buyer_id, id) select id, '${LINK}' from other`,
    },
  ],
  'a browser stays signed in for a year at most, and spares only secrets that were replaced': [
    { name: 'kept_sessions_name_once', sql: () => row('kept_sessions') + row('kept_sessions') },
    ...(
      [
        ['kept_sessions_last_a_year_at_most', { expires_at: '2027-02-01' }],
        ['kept_sessions_last_a_year_at_most', { expires_at: '2026-01-01' }],
        ['kept_sessions_spare_what_was_turned', { turn: 1, grace_turn: 1, grace_at: '2026-01-02' }],
        ['kept_sessions_spare_what_was_turned', { turn: 1 }],
        ['kept_sessions_chain_key_check', { chain_key: '\\x02' }],
        ['kept_sessions_name_hash_check', { name_hash: '\\x01' }],
        ['kept_sessions_secret_hash_check', { secret_hash: '\\x03' }],
        ['kept_sessions_device_check', { device: 'x'.repeat(201) }],
      ] as const
    ).map(([name, spoilt]) => spoils('kept_sessions', name, () => spoilt)),
  ].map((each) => ({ ...each, as: 'owner' as const })),
  'what was done with an account is of a known kind, on a device of few words': [
    spoils('account_acts', 'account_acts_are_known', () => ({ act: 'guessed' })),
    spoils('account_acts', 'account_acts_devices_are_short', () => ({ device: 'x'.repeat(201) })),
  ],
  'a purchase has one open claim, answered by its shop in words': [
    { name: 'claims_one_open', sql: () => row('claims') + row('claims', { folio: 'FOLIO00003' }) },
    {
      name: 'claims_folio_once',
      sql: () =>
        `${row('claims')} update claims set state = 'withdrawn', ended_at = app_now(); ${row('claims')}`,
    },
    spoils('claims', 'claims_of_a_purchase', () => ({ buyer_id: 0 })),
    spoils('claims', 'claims_due_after_they_begin', () => ({ due_at: '2020-01-01' })),
    spoils('claims', 'claims_notes_check', () => ({ notes: 'x'.repeat(501) })),
    ...(
      [
        ['claims_state_check', "state = 'lost', ended_at = app_now()"],
        ['claims_end_when_they_say', "state = 'withdrawn'"],
        ['claims_end_when_they_say', 'ended_at = app_now()'],
        ['claims_answered_when_they_say', "state = 'answered'"],
        ['claims_answered_with_words', "answer = 'Llega el martes'"],
        ['claims_promise_in_an_answer', "promised_on = '2026-01-01'"],
        ['claims_answer_check', "answer = 'Ya'"],
        [
          'claims_answered_by_the_merchants_staff',
          `answer = 'Llega el martes', answered_at = app_now(), answered_by = '${randomUUID()}'`,
        ],
      ] as const
    ).map(([name, spoilt]): Break => ({ name, sql: () => `${row('claims')} update claims set ${spoilt}` })),
  ],
  'goods are handed over once, by somebody of the shop': [
    {
      name: 'pickup_codes_pkey',
      sql: () => row('pickup_codes') + row('pickup_codes'),
    },
    { name: 'pickup_codes_of_a_purchase', sql: () => row('pickup_codes', { buyer_id: 0 }), as: 'owner' },
    {
      name: 'pickup_codes_lock_with_the_fifth',
      sql: () => `${row('pickup_codes')} update pickup_codes set tries = 6`,
    },
    {
      name: 'pickup_codes_collector_name_check',
      sql: () => `${row('pickup_codes')} update pickup_codes set collector_name = 'Yo'`,
    },
    { name: 'hand_overs_pkey', sql: () => row('hand_overs') + row('hand_overs') },
    {
      name: 'hand_overs_once',
      sql: () => {
        const twice = { request_id: randomUUID() };
        return row('hand_overs', twice) + row('hand_overs', { ...twice, purchase_id: 1 });
      },
    },
    spoils('hand_overs', 'hand_overs_of_a_purchase', () => ({ buyer_id: 0 })),
    spoils('hand_overs', 'hand_overs_by_the_merchants_staff', () => ({ position_id: randomUUID() })),
    spoils('hand_overs', 'hand_overs_in_the_merchants_branch', () => ({ branch_id: 999 })),
    spoils('hand_overs', 'hand_overs_on_the_merchants_device', () => ({ device_id: randomUUID() })),
    spoils('hand_overs', 'hand_overs_code_is_a_hash', () => ({ code_hash: '123456' })),
    spoils('hand_overs', 'hand_overs_collector_name_check', () => ({ collector_name: 'Yo' })),
    spoils('hand_overs', 'hand_overs_signature_is_short', () => ({
      signature: `[[${'1,'.repeat(20_000)}1]]`,
    })),
  ],
  'a cut is of one drawer, once, says why it differs, and never changes': [
    {
      name: 'counter_cuts_pkey',
      sql: () => row('counter_cuts', CUT) + row('counter_cuts', { ...CUT, number: 2 }),
    },
    { name: 'counter_cuts_number_once', sql: () => row('counter_cuts') + row('counter_cuts') },
    {
      name: 'counter_cuts_append_only',
      sql: () => `${row('counter_cuts')} update counter_cuts set counted_centavos = 1`,
      as: 'owner',
    },
    {
      name: 'counter_cuts_append_only',
      sql: () => `${row('counter_cuts')} delete from counter_cuts`,
      as: 'owner',
    },
    { name: 'counter_cuts_append_only', sql: () => 'truncate counter_cuts cascade', as: 'owner' },
    spoils('counter_cuts', 'counter_cuts_in_the_merchants_branch', () => ({ branch_id: 999 })),
    spoils('counter_cuts', 'counter_cuts_of_the_merchants_staff', () => ({ position_id: randomUUID() })),
    spoils('counter_cuts', 'counter_cuts_by_the_merchants_staff', () => ({ closed_by: randomUUID() })),
    spoils('counter_cuts', 'counter_cuts_on_the_merchants_device', () => ({ device_id: randomUUID() })),
    spoils('counter_cuts', 'counter_cuts_number_check', () => ({ number: 0 })),
    spoils('counter_cuts', 'counter_cuts_movements_check', () => ({ movements: -1 })),
    spoils('counter_cuts', 'counter_cuts_float_centavos_check', () => ({
      float_centavos: -1,
      reason: 'Nada',
    })),
    spoils('counter_cuts', 'counter_cuts_counted_centavos_check', () => ({
      counted_centavos: -1,
      reason: 'Nada',
    })),
    spoils('counter_cuts', 'counter_cuts_reason_check', () => ({ counted_centavos: 1, reason: 'no' })),
    spoils('counter_cuts', 'counter_cuts_float_reason_check', () => ({ float_reason: 'no' })),
    spoils('counter_cuts', 'counter_cuts_sums_are_money', () => ({ terminal_taken_centavos: -1 })),
    spoils('counter_cuts', 'counter_cuts_end_after_they_begin', () => ({ until_at: '2025-12-31' })),
    spoils('counter_cuts', 'counter_cuts_difference_has_its_reason', () => ({ counted_centavos: 1 })),
    spoils('counter_cuts', 'counter_cuts_difference_has_its_reason', () => ({ reason: 'Nada falta' })),
    ...(['counter_operations', 'counter_refunds', 'counter_reversals'] as const).flatMap((table): Break[] => {
      const before = () => (table === 'counter_operations' ? '' : row(table));
      const intoCut = () =>
        `${before()} ${row('counter_cuts', CUT)} update ${table} set cut_id = '${CUT.id}';`;
      return [
        { name: `${table}_cut_once`, sql: () => `${intoCut()} update ${table} set cut_id = null` },
        {
          name: `${table}_cut_once`,
          sql: () => `${intoCut()} update ${table} set cut_id = cut_id`,
          as: 'owner',
        },
      ];
    }),
    {
      name: 'counter_operations_in_a_cut_of_their_drawer',
      sql: () => `update counter_operations set cut_id = '${CUT.id}'`,
    },
    {
      name: 'counter_refunds_in_a_cut_of_their_drawer',
      sql: () => `${row('counter_refunds')} update counter_refunds set cut_id = '${CUT.id}'`,
    },
    {
      name: 'counter_reversals_in_a_cut_of_their_person',
      sql: () => `${row('counter_reversals')} update counter_reversals set cut_id = '${CUT.id}'`,
    },
  ],
  'money arrives once and every centavo of it is placed, once': [
    spoils('receipts', 'receipts_money_arrives_once', () => ({ source_id: books.tillOperationId })),
    { name: 'receipts_folio_once', sql: () => `update receipts set folio = 'THE SAME'`, as: 'owner' },
    { name: 'receipts_disposed', sql: () => row('receipts') },
    {
      name: 'receipts_disposed',
      sql: () => 'update receipts set amount_centavos = amount_centavos + 1',
      as: 'owner',
    },
    { name: 'receipts_disposed', sql: () => 'update receipts set withdrawn_centavos = 1' },
    { name: 'allocations_disposed', sql: () => row('allocations'), says: 'receipts_disposed' },
    {
      name: 'allocations_disposed',
      sql: () =>
        row('allocations', {
          target: 'instalment',
          instalment_id: books.instalmentIds[0]!,
          reverses_id: books.allocationId,
          amount_centavos: -60_000,
        }),
      says: 'receipts_disposed',
    },
    {
      name: 'allocations_once_per_instalment',
      sql: () => row('allocations', { target: 'instalment', instalment_id: books.instalmentIds[0]! }),
    },
    {
      name: 'allocations_once_per_target',
      sql: () => row('allocations') + row('allocations'),
    },
    {
      name: 'allocations_once_per_target',
      sql: () =>
        row('allocations', {
          receipt_id: books.returned.receiptId,
          target: 'refund',
          refund_id: books.returned.refundId,
        }),
    },
    {
      name: 'allocations_reversed_once',
      sql: () =>
        row('allocations', { reverses_id: books.allocationId, amount_centavos: -1 }) +
        row('allocations', { reverses_id: books.allocationId, amount_centavos: -1 }),
    },
    spoils('allocations', 'allocations_reverse_or_add', () => ({ amount_centavos: 0 })),
    spoils('allocations', 'allocations_reverse_or_add', () => ({ amount_centavos: -1 })),
    spoils('allocations', 'allocations_reverse_or_add', () => ({ reverses_id: books.allocationId })),
    spoils('allocations', 'allocations_name_their_target', () => ({ target: 'instalment' })),
    spoils('allocations', 'allocations_name_their_target', () => ({ target: 'refund' })),
    spoils('allocations', 'allocations_name_their_target', () => ({
      instalment_id: books.instalmentIds[1]!,
    })),
    spoils('allocations', 'allocations_target_check', () => ({ target: 'pocket' })),
    spoils('receipts', 'receipts_amount_centavos_check', () => ({ amount_centavos: 0 })),
    spoils('receipts', 'receipts_amount_centavos_check', () => ({ amount_centavos: -100 })),
    spoils('receipts', 'receipts_check', () => ({ withdrawn_centavos: 101 })),
    spoils('receipts', 'receipts_check', () => ({ withdrawn_centavos: -1 })),
    {
      name: 'receipts_still_disposed',
      sql: () => `update receipts set withdrawn_centavos = 1 where id = ${books.receiptId}`,
      says: 'receipts_disposed',
    },
    {
      name: 'receipts_still_disposed',
      sql: () => `update receipts set withdrawn_centavos = (id = ${books.receiptId})::int`,
      says: 'receipts_disposed',
    },
    spoils('receipts', 'receipts_channel_check', () => ({ channel: 'gift' })),
    ...appendOnly('allocations', 'amount_centavos = 1'),
  ],
  'who collects is agreed, and what a deposit brought stays': [
    // The application's triggers set it on every new receipt: what could spoil it is a change.
    {
      name: 'receipts_of_a_card_are_the_merchants',
      sql: () => `update receipts set collected_by = 'operator' where channel = 'card'`,
      as: 'owner',
    },
    {
      name: 'receipts_collected_by_check',
      sql: () => `update receipts set collected_by = 'provider'`,
      as: 'owner',
    },
    {
      name: 'receipts_paid_before_booked',
      sql: () => `update receipts set paid_at = received_at + interval '1 second'`,
      as: 'owner',
    },
    {
      name: 'receipts_settled_stay',
      sql: () => `with deposit as (${row('settlements').slice(0, -1)} returning id)
        update receipts set settlement_id = (select id from deposit), withdrawn_centavos = amount_centavos where channel = 'till'`,
    },
    {
      name: 'receipts_settled_stay',
      sql: () => `with deposit as (${row('settlements').slice(0, -1)} returning id)
        update receipts set settlement_id = (select id from deposit) where channel = 'card'`,
    },
  ],
  'a report has a number of its own, and its days in order': [
    {
      name: 'settlement_reports_number_once',
      sql: () => row('settlement_reports') + row('settlement_reports'),
    },
    { name: 'settlement_reports_number_check', sql: () => row('settlement_reports', { number: 0 }) },
    { name: 'settlement_reports_in_order', sql: () => row('settlement_reports', { to_on: '2025-12-31' }) },
    ...appendOnly('settlement_reports', 'number = 2'),
  ],
  'a deposit is written once, says what it needs to, and is never touched again': [
    { name: 'settlements_evidence_once', sql: () => row('settlements') + row('settlements') },
    {
      name: 'settlements_voided_once',
      sql: () => {
        const undone = (evidence: string) => `
          insert into settlements (merchant_id, kind, amount_centavos, of_id, happened_on, evidence)
            select merchant_id, 'void', 100, id, happened_on, '${evidence}' from settlements where kind = 'deposit';`;
        return row('settlements') + undone('one') + undone('another');
      },
    },
    ...(
      [
        ['settlements_of_their_kind', { kind: 'payout' }],
        ['settlements_of_their_kind', { channel: null }],
        ['settlements_of_their_kind', { chain: null }],
        ['settlements_of_their_kind', { channel: 'cash' }],
        ['settlements_of_their_kind', { from_on: null }],
        ['settlements_of_their_kind', { to_on: '2025-12-31' }],
        ['settlements_of_their_kind', { party: null }],
        ['settlements_of_their_kind', { party: 'provider' }],
        ['settlements_of_their_kind', { of_id: 1 }],
        [
          'settlements_of_their_kind',
          { channel: 'card', chain: null, from_on: null, to_on: null, party: 'operator' },
        ],
        ['settlements_kind_check', { kind: 'gift' }],
        ['settlements_channel_check', { channel: 'gift' }],
        ['settlements_chain_check', { chain: '' }],
        ['settlements_party_check', { party: 'nobody' }],
        ['settlements_amount_centavos_check', { amount_centavos: 0 }],
        ['settlements_commission_centavos_check', { commission_centavos: -1 }],
        ['settlements_evidence_check', { evidence: '' }],
        ['settlements_round_check', { round: -1 }],
      ] as const
    ).map(([name, spoilt]) => spoils('settlements', name, () => spoilt)),
    ...appendOnly('settlements', 'amount_centavos = 1'),
  ],
  'money goes back once': [
    spoils('refunds', 'refunds_once_per_cause', () => ({ cause: 'not_applicable' })),
    {
      name: 'refunds_one_in_flight_per_attempt',
      sql: () => row('refunds', { state: 'sending' }) + row('refunds', { cause: 'cancel', state: 'unknown' }),
    },
    {
      name: 'refunds_once_per_cause',
      sql: () => {
        const ofPurchase = { cause: 'cancel', purchase_id: books.purchaseId };
        return row('refunds', ofPurchase) + row('refunds', ofPurchase);
      },
    },
    spoils('refunds', 'refunds_of_a_purchase_say_why', () => ({ purchase_id: books.purchaseId })),
    spoils('refunds', 'refunds_of_a_purchase_say_why', () => ({
      cause: 'not_applicable',
      purchase_id: books.purchaseId,
    })),
    spoils('refunds', 'refunds_of_a_reservation_are_of_cash', () => ({ layaway_reference_id: 999_999 })),
    spoils('refunds', 'refunds_of_a_reservation', () => ({
      cause: 'not_applicable',
      method: 'cash',
      attempt_id: null,
      layaway_reference_id: 999_999,
    })),
    spoils('refunds', 'refunds_purchase_id_fkey', () => ({ cause: 'cancel', purchase_id: 999_999 })),
    spoils('refunds', 'refunds_by_card_have_an_attempt', () => ({ attempt_id: null })),
    spoils('refunds', 'refunds_done_has_a_moment', () => ({ state: 'done' })),
    spoils('refunds', 'refunds_done_has_a_moment', () => ({ done_at: '2026-01-01' })),
    spoils('refunds', 'refunds_amount_centavos_check', () => ({ amount_centavos: 0 })),
    spoils('refunds', 'refunds_refunded_before_centavos_check', () => ({ refunded_before_centavos: -1 })),
    spoils('refunds', 'refunds_cause_check', () => ({ cause: 'gift' })),
    spoils('refunds', 'refunds_state_check', () => ({ state: 'perhaps' })),
    spoils('refunds', 'refunds_method_check', () => ({ method: 'pigeon' })),
    spoils('refunds', 'refunds_paid_in_cash_with_evidence', () => ({ evidence: 'Vale 1' })),
    spoils('refunds', 'refunds_paid_in_cash_with_evidence', () => ({
      paid_by: 'merchant',
      evidence: 'Vale 1',
    })),
    spoils('refunds', 'refunds_paid_by_check', () => ({ paid_by: 'nobody' })),
    spoils('refunds', 'refunds_evidence_check', () => ({ evidence: '' })),
    spoils('refunds', 'refunds_tries_check', () => ({ tries: -1 })),
  ],
  'an event is booked once, whole, and never touched again': [
    spoils('ledger_events', 'ledger_events_once', () => ({
      kind: 'till_receipt',
      source_id: books.tillOperationId,
    })),
    { name: 'ledger_events_whole', sql: () => row('ledger_events') },
    {
      name: 'ledger_events_whole',
      sql: () => `
        with event as (
          insert into ledger_events (merchant_id, kind, source_id, legs)
          values (${books.merchantId}, 'card_refund', 'half', 2) returning id)
        insert into ledger_transfers
        select id, 1, 2, ${books.merchantId}, 'suspense', 'x', 'suspense', 'x', 100 from event`,
    },
    spoils('ledger_transfers', 'ledger_transfers_within_legs', () => ({})),
    spoils('ledger_transfers', 'ledger_transfers_within_legs', () => ({ leg: 0 })),
    // A committed event gains no leg, neither by claiming more of them nor in another merchant's book.
    spoils('ledger_transfers', 'ledger_transfers_of_their_event', () => ({ legs: 2 })),
    {
      name: 'ledger_transfers_of_their_event',
      sql: () => `
        with event as (
          insert into ledger_events (merchant_id, kind, source_id, legs)
          values (${books.merchantId}, 'card_refund', 'foreign', 1) returning id)
        insert into ledger_transfers
        select id, 1, 1, ${books.otherMerchantId}, 'suspense', 'x', 'suspense', 'x', 100 from event`,
    },
    spoils('ledger_transfers', 'ledger_transfers_pkey', () => ({ leg: 1 })),
    spoils('ledger_transfers', 'ledger_transfers_move_something', () => ({ amount_centavos: 0 })),
    spoils('ledger_transfers', 'ledger_transfers_move_something', () => ({ amount_centavos: -100 })),
    spoils('ledger_events', 'ledger_events_kind_check', () => ({ kind: 'Card receipt' })),
    spoils('ledger_events', 'ledger_events_legs_check', () => ({ legs: 0 })),
    ...appendOnly('ledger_events', 'legs = 2'),
    ...appendOnly('ledger_transfers', 'amount_centavos = 1'),
  ],
  'one number at a time takes cash for an instalment, and a notice of it counts once': [
    {
      name: 'cash_references_one_valid',
      sql: () =>
        row('cash_references') +
        row('cash_references', { provider_reference: '90002222', valid: '[2026-01-02,2026-01-05)' }),
    },
    {
      name: 'cash_references_number_once',
      sql: () =>
        row('cash_references') +
        row('cash_references', { valid: '[2026-01-03,2026-01-05)', state: 'closed' }),
    },
    { name: 'cash_notices_once', sql: () => row('cash_notices') + row('cash_notices', { outcome: 'noted' }) },
    spoils('cash_references', 'cash_references_issued_with_a_number', () => ({ provider_reference: null })),
    // It pays an instalment of its own purchase, or a layaway's deposit: never both, never neither.
    spoils('cash_references', 'cash_references_of_an_instalment', () => ({
      instalment_id: books.paidReferenceId,
    })),
    spoils('cash_references', 'cash_references_of_one_payable', () => ({ purchase_id: null })),
    spoils('cash_references', 'cash_references_of_one_payable', () => ({
      layaway_reference_id: books.paidReferenceId,
    })),
    spoils('cash_references', 'cash_references_of_one_payable', () => ({
      purchase_id: null,
      layaway_reference_id: books.paidReferenceId,
    })),
    {
      name: 'cash_references_one_valid',
      sql: () => {
        const deposit = {
          instalment_id: books.paidReferenceId,
          purchase_id: null,
          layaway_reference_id: books.paidReferenceId,
        };
        return (
          row('cash_references', deposit) +
          row('cash_references', { ...deposit, provider_reference: '90002222' })
        );
      },
    },
    spoils('cash_references', 'cash_references_provider_reference_check', () => ({
      provider_reference: '123',
    })),
    spoils('cash_references', 'cash_references_amount_centavos_check', () => ({ amount_centavos: 0 })),
    spoils('cash_references', 'cash_references_state_check', () => ({ state: 'lost' })),
    spoils('cash_notices', 'cash_notices_amount_centavos_check', () => ({ amount_centavos: 0 })),
    spoils('cash_notices', 'cash_notices_operation_id_check', () => ({ operation_id: '' })),
    spoils('cash_notices', 'cash_notices_outcome_check', () => ({ outcome: 'perhaps' })),
    spoils('cash_notices', 'cash_notices_provider_check', () => ({ provider: 'gift' })),
  ],
  'an instalment is invoiced once, to its own buyer, and none is issued without its paper': [
    {
      name: 'invoices_one_per_instalment',
      sql: () => row('invoices') + row('invoices', { state: 'review' }),
    },
    {
      name: 'invoices_folio_once',
      sql: () =>
        row('invoices', STAMPED) + row('invoices', { ...STAMPED, instalment_id: books.instalmentIds[1]! }),
    },
    spoils('invoices', 'invoices_fiscal_client_of_buyer', () => ({ fiscal_client_id: 1 })),
    spoils('invoices', 'invoices_instalment_of_purchase', () => ({ purchase_id: 1 })),
    spoils('invoices', 'invoices_purchase_of_buyer', () => ({ merchant_id: books.otherMerchantId })),
    spoils('invoices', 'invoices_stamped_with_a_folio', () => ({ state: 'stamped' })),
    spoils('invoices', 'invoices_stamped_with_a_folio', () => ({ ...STAMPED, provider_uuid: null })),
    spoils('invoices', 'invoices_issued_with_its_file', () => ({
      ...STAMPED,
      state: 'issued',
      xml: '\\x00',
    })),
    spoils('invoices', 'invoices_issued_with_its_file', () => ({
      ...STAMPED,
      state: 'issued',
      issued_at: '2026-01-01',
    })),
    spoils('invoices', 'invoices_credited_was_issued', () => ({ credited_at: '2026-01-01' })),
    spoils('invoices', 'invoices_closed_has_a_moment', () => ({ state: 'refused' })),
    spoils('invoices', 'invoices_closed_has_a_moment', () => ({ closed_at: '2026-01-01' })),
    ...(
      [
        ['amount_centavos', 0],
        ['detail_code', 'x'.repeat(61)],
        ['detail_field', 'street'],
        ['detail_message', 'x'.repeat(301)],
        ['fiscal_folio', ''],
        ['folio', 'x'.repeat(61)],
        ['iva_basis_points', 10_001],
        ['mode', 'LATER'],
        ['payment_form', '4'],
        ['pdf', `\\x${'00'.repeat(2_097_153)}`],
        ['provider_uuid', ''],
        ['receiver_revision', 0],
        ['state', 'lost'],
        ['tries', -1],
        ['xml', `\\x${'00'.repeat(2_097_153)}`],
      ] as const
    ).map(([column, value]) => spoils('invoices', `invoices_${column}_check`, () => ({ [column]: value }))),
  ],
  'a tax identity has the shape of one, once per buyer': [
    { name: 'fiscal_clients_one_per_rfc', sql: () => row('fiscal_clients', { rfc: 'MISC491214B86' }) },
    spoils('fiscal_clients', 'fiscal_clients_rfc_has_its_shape', () => ({ rfc: 'misc491214b86' })),
    spoils('fiscal_clients', 'fiscal_clients_postal_code_has_five_digits', () => ({ postal_code: '7200' })),
    ...(
      [
        ['name', ''],
        ['alias', 'x'.repeat(121)],
        ['email', 'x'],
        ['phone', 'x'.repeat(31)],
        ['street', 'x'.repeat(201)],
        ['suburb', 'x'.repeat(121)],
        ['tax_regime', '61'],
        ['cfdi_use', '03G'],
        ['revision', 0],
      ] as const
    ).map(([column, value]) =>
      spoils('fiscal_clients', `fiscal_clients_${column}_check`, () => ({ [column]: value })),
    ),
    {
      name: 'invoicing_customers_pkey',
      sql: () => row('invoicing_customers') + row('invoicing_customers'),
    },
    spoils('invoicing_customers', 'invoicing_customers_provider_uuid_check', () => ({ provider_uuid: '' })),
    spoils('invoicing_customers', 'invoicing_customers_revision_check', () => ({ revision: 0 })),
  ],
  'an email is written once': [
    { name: 'outbox_once', sql: () => row('outbox') + row('outbox') },
    spoils('outbox', 'outbox_state_check', () => ({ state: 'lost' })),
  ],
};

const STAMPED = { state: 'stamped', provider_uuid: 'invoice-1', fiscal_folio: 'FOLIO-1' };

/** What the database says to a write; deferred checks are asked at once, and nothing is kept. */
async function refusalOf(client: pg.Client, sql: string): Promise<pg.DatabaseError | undefined> {
  await client.query('begin');
  try {
    await client.query(sql);
    await client.query('set constraints all immediate');
    return undefined;
  } catch (error) {
    if (error instanceof pg.DatabaseError) return error;
    throw error;
  } finally {
    await client.query('rollback');
  }
}

describe.each(Object.entries(BREAKS))('%s', (_sentence, breaks) => {
  test.each(breaks.map((each, index) => [each.name, index, each] as const))(
    '%s (%i)',
    async (name, _, each) => {
      const refusal = await refusalOf(each.as === 'owner' ? owner : application, each.sql());
      expect(refusal?.constraint ?? refusal?.message).toBe(each.says ?? name);
    },
  );
});

/** Adds to what is paid of the purchase, or of its first instalment, and of nothing else. */
const paid = (centavos: number, of: 'purchases' | 'instalments' = 'purchases') =>
  of === 'purchases'
    ? `update purchases set paid_centavos = paid_centavos + ${centavos} where id = ${books.purchaseId};`
    : `update instalments set paid_centavos = paid_centavos + ${centavos} where id = ${books.instalmentIds[0]!};`;

test('money that several statements put in its place is counted when the last of them is there', async () => {
  const receipt = row('receipts').slice(0, -1);
  for (const whole of [
    paid(-1) + paid(-1, 'instalments'),
    paid(-1, 'instalments') + paid(-1),
    paid(-1) + paid(1),
    paid(-1) + paid(-1, 'instalments') + paid(1, 'instalments') + paid(1),
    `${receipt};
     insert into allocations (receipt_id, target, amount_centavos)
       select id, 'suspense', amount_centavos from receipts where folio = 'FOLIO-2';`,
    `insert into ledger_events (merchant_id, kind, source_id, legs) values (${books.merchantId}, 'card_refund', 'late', 1);
     insert into ledger_transfers select id, 1, 1, merchant_id, 'suspense', 'x', 'suspense', 'x', 100
       from ledger_events where source_id = 'late';`,
  ])
    expect(await refusalOf(application, whole), whole).toBeUndefined();
  for (const [half, name] of [
    [paid(-1) + paid(-1, 'instalments') + paid(-1), 'purchases_add_up'],
    [paid(-1, 'instalments') + paid(-1) + paid(-1, 'instalments'), 'purchases_add_up'],
    [
      `${receipt}; ${row('receipts', { source_id: 'source-3', folio: 'FOLIO-3' })}
     insert into allocations (receipt_id, target, amount_centavos)
       select id, 'suspense', amount_centavos from receipts where folio = 'FOLIO-2';`,
      'receipts_disposed',
    ],
  ] as const)
    expect((await refusalOf(application, half))?.constraint, half).toBe(name);
});

test('a commit leaves no sum open', async () => {
  await application.query(
    `begin; ${paid(-1)} ${paid(-1, 'instalments')} commit; begin; ${paid(1)} ${paid(1, 'instalments')} commit`,
  );
  const { rows } = await owner.query('select count(*)::int as open from open_sums');
  expect(rows).toEqual([{ open: 0 }]);
});

test('the rows that the tests spoil are good ones', async () => {
  // The others need rows beside them before a deferred sum is right.
  const alone = [
    row('payment_references'),
    layaway(),
    row('card_attempts'),
    row('till_operations'),
    row('refunds'),
    row('settlements'),
    row('plan_changes'),
    row('cash_references'),
    row('cash_notices'),
    row('fiscal_clients'),
    row('invoicing_customers'),
    row('invoices'),
    row('outbox'),
  ];
  for (const sql of alone) expect(await refusalOf(application, sql)).toBeUndefined();
});

test('every constraint, unique index and trigger of the money tables is tried here', async () => {
  const { rows } = await owner.query<{ name: string; needed: boolean }>(
    `select conname as name, contype in ('c', 'u', 'x') or (contype = 'f' and cardinality(conkey) > 1) as needed
       from pg_constraint where conrelid = any ($1::text[]::regclass[])
     union select indexrelid::regclass::text, true from pg_index i
       where indrelid = any ($1::text[]::regclass[]) and indisunique
       and not exists (select from pg_constraint where conindid = i.indexrelid)
     union select tgname, true from pg_trigger where tgrelid = any ($1::text[]::regclass[]) and not tgisinternal`,
    [MONEY_TABLES],
  );
  const tried = new Set(
    Object.values(BREAKS)
      .flat()
      .map(({ name }) => name),
  );
  const needed = rows.filter((each) => each.needed).map(({ name }) => name);
  const existing = new Set(rows.map(({ name }) => name));
  expect(needed.filter((name) => !tried.has(name) && !IMPLIED.includes(name))).toEqual([]);
  expect([...tried, ...IMPLIED].filter((name) => !existing.has(name))).toEqual([]);
});

test('each index that a payment writes proves something, or says who reads it', async () => {
  const { rows } = await owner.query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index
      where indrelid = any ($1::text[]::regclass[]) and not indisunique and obj_description(indexrelid) is null`,
    [
      [
        'payment_references',
        'layaway_references',
        'purchases',
        'instalments',
        'receipts',
        'allocations',
        'ledger_events',
        'ledger_transfers',
        'till_operations',
        'outbox',
      ],
    ],
  );
  expect(rows).toEqual([]);
});

test('a payment of an instalment leaves its indexes as they are', async () => {
  const { rows } = await owner.query<{ definition: string }>(
    `select pg_get_indexdef(indexrelid) as definition from pg_index
      where indrelid in ('instalments'::regclass, 'purchases'::regclass)`,
  );
  expect(rows.filter(({ definition }) => definition.includes('paid_centavos'))).toEqual([]);
});

test('every table that holds centavos is a money table', async () => {
  const { rows } = await owner.query<{ table_name: string }>(
    `select distinct c.table_name from information_schema.columns c
       join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and c.column_name like '%\\_centavos' and t.table_type = 'BASE TABLE'`,
  );
  const catalogue = ['merchants', 'products', ...PRINTED, ...SUMS];
  expect(
    rows.map((each) => each.table_name).filter((name) => ![...MONEY_TABLES, ...catalogue].includes(name)),
  ).toEqual([]);
});
