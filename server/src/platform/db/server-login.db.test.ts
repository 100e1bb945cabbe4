import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { makeBuyer, makeMerchant, makeProduct } from '../../../test/make.ts';
import { makePurchase } from '../../../test/purchases.ts';
import { openDb } from './db.ts';
import { migrate } from './migrate.ts';
import { loginProblems } from './server-login.ts';

let database: TestDatabase;
/** Whoever has the server's password: without the role that the server takes on. */
let login: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  login = new pg.Client({ connectionString: database.serverUrl });
  await login.connect();
});
afterAll(async () => {
  await login.end();
  await database.drop();
});

const changes = (table: string, columns: string) =>
  columns.split(' ').map((column) => `update ${table} set ${column} = default`);
const adds = (table: string, columns: string) =>
  `insert into ${table} (${columns}) select ${columns} from ${table}`;

/** Each line of docs/security.md, and what is tried. */
const MUST_NOT: Readonly<Record<string, readonly string[]>> = {
  'change what a payment was': [
    ...changes(
      'card_attempts',
      'principal_centavos fee_centavos buyer_id merchant_id reference_id credential_id intent_id webhook_nonce created_at',
    ),
    ...changes('till_operations', 'amount_centavos reference error chain created_at'),
    ...changes(
      'counter_operations',
      'amount_centavos tendered_centavos method position_id branch_id created_at',
    ),
    ...changes('counter_reversals', 'position_id reason created_at request_id'),
    ...changes(
      'counter_cuts',
      'counted_centavos float_centavos cash_taken_centavos cash_returned_centavos reason float_reason position_id until_at',
    ),
    ...changes('cash_notices', 'amount_centavos cash_reference_id paid_at status received_at'),
    ...changes('cash_references', 'amount_centavos instalment_id purchase_id merchant_id valid'),
  ],
  'change a receipt': [
    ...changes(
      'receipts',
      'amount_centavos buyer_id merchant_id channel source_id folio received_at paid_at collected_by invoice_cut_off_days',
    ),
  ],
  'change terms or owner of a layaway or purchase': [
    ...changes(
      'layaway_references',
      'price_centavos deposit_centavos deposit_basis_points frequency_days plan_duration_days service_fee_centavos ' +
        'service_fee_methods penalty_centavos end_days_late expires_at buyer_id merchant_id product_id created_at',
    ),
    ...changes(
      'purchases',
      'price_centavos deposit_centavos service_fee_centavos service_fee_methods penalty_centavos penalty_free_until end_days_late ' +
        'buyer_id merchant_id product_id product_name layaway_reference_id created_at',
    ),
    ...changes('payment_references', 'prefix kind'),
    `update reference_key set key = '\\x00'`,
  ],
  'change whose an instalment is, or what a buyer changed of a plan': [
    ...changes('instalments', 'number purchase_id'),
    ...changes('plan_changes', 'to_day changed_at'),
    adds(
      'plan_changes',
      'purchase_id, sequence, kind, number, from_day, to_day, amount_centavos, changed_at',
    ),
    'delete from plan_changes',
  ],
  'change what a refund is of, or whose drawer paid it': [
    ...changes('refunds', 'receipt_id attempt_id purchase_id cause method created_at quiet_until'),
    ...changes('counter_refunds', 'refund_id tries amount_centavos position_id branch_id created_at method'),
    ...changes('counter_dropped_presses', 'request_id merchant_id position_id created_at'),
  ],
  'change, remove or date a posting, allocation, settlement or line of history': [
    ...[
      'allocations',
      'ledger_events',
      'ledger_transfers',
      'settlements',
      'state_history',
      'audit_log',
      'staff_acts',
    ].flatMap((table) => [`delete from ${table}`, `truncate ${table} cascade`]),
    ...changes('allocations', 'amount_centavos receipt_id instalment_id'),
    ...changes('ledger_events', 'legs merchant_id source_id occurred_at'),
    ...changes('ledger_transfers', 'amount_centavos debit credit_subject'),
    ...changes('state_history', 'to_state moved_at'),
    adds('ledger_events', 'merchant_id, kind, source_id, legs, occurred_at'),
    adds('state_history', 'subject_kind, subject_id, to_state, moved_at'),
    adds('allocations', 'receipt_id, target, amount_centavos, created_at'),
    adds('open_sums', 'head, head_id'),
    'delete from open_sums',
    adds('till_days', 'service_account_id, day, branch, taken_centavos'),
    ...changes('till_days', 'taken_centavos'),
    adds('merchant_sums', 'merchant_id, kind, day, method, branch_id, amount_centavos, items'),
    ...changes('merchant_sums', 'amount_centavos items'),
    adds('merchant_sum_changes', 'merchant_id, kind, day, amount_centavos, items'),
    'delete from merchant_sum_changes',
    'select mend_merchant_sums()',
    adds('ledger_accounts', 'code, normal, meaning'),
    ...changes('ledger_accounts', 'normal'),
  ],
  'record a settlement': [
    adds('settlements', 'merchant_id, kind, amount_centavos, happened_on, evidence'),
    adds('settlement_reports', 'merchant_id, number, from_on, to_on'),
  ],
  'write the audit log, or change what staff did or who signed in': [
    ...changes('account_acts', 'buyer_id act device at'),
    adds('account_acts', 'buyer_id, act, at'),
    adds('audit_log', 'actor, command, subject_kind, subject_id'),
    ...changes('audit_log', 'actor at login'),
    ...changes('staff_acts', 'position_id branch_id at'),
    adds('staff_acts', 'position_id, merchant_id, act, subject_id, at'),
  ],
  'change a company, merchant, branch or label, or whose a product is': [
    adds('branches', 'merchant_id, name'),
    ...changes('branches', 'merchant_id name closed_at'),
    adds('companies', 'name, logo_file_name'),
    ...changes('companies', 'name logo'),
    adds(
      'merchants',
      'company_id, business_name, trade_name, deposit_basis_points, frequency_days, plan_duration_days',
    ),
    ...changes(
      'merchants',
      'service_fee_centavos penalty_centavos end_days_late moves_allowed till_collected_by invoicing_business_uuid invoice_cut_off_days hours created_at',
    ),
    adds('products', 'merchant_id, name, sale_price_centavos, created_at'),
    ...changes('products', 'merchant_id request_id created_at'),
    'delete from products',
    ...changes('printed_labels', 'price_centavos'),
  ],
  'give a till or integrator an account, secret, address, or its rights back': [
    adds('service_accounts', 'kind, user_name, secret_hash, chain'),
    ...changes('service_accounts', 'secret_hash previous_secret_hash addresses revoked_at chain merchant_id'),
    ...changes('service_account_sessions', 'expires_at'),
  ],
  'change whose a position in a shop is, or what it is, or move a device to another': [
    ...changes('staff', 'email name'),
    ...changes('counter_devices', 'merchant_id branch_id secret_hash enrolled_by'),
    ...changes('staff_positions', 'staff_id merchant_id role'),
    ...changes('staff_position_branches', 'position_id branch_id'),
    ...changes('staff_sessions', 'position_id expires_at device_id'),
    ...changes('staff_passkeys', 'staff_id credential_id public_key'),
  ],
  'send another merchant’s webhooks, or change what was sent': [
    ...changes('shop_mail_places', 'merchant_id'),
    ...changes('webhook_endpoints', 'merchant_id url created_at'),
    ...changes('webhook_deliveries', 'endpoint_id sequence body created_at'),
  ],
  'exchange a merchant’s card keys': [
    adds('provider_credentials', 'merchant_id, provider, public_key, secret_ciphertext, secret_key_id'),
    ...changes('provider_credentials', 'public_key secret_ciphertext retired_at merchant_id'),
  ],
  'publish terms, or change what somebody agreed to': [
    adds('legal_texts', 'kind, version, body, sha256'),
    ...changes('legal_texts', 'body'),
    ...changes('consents', 'legal_text_id buyer_id given_at'),
    adds('consents', 'buyer_id, legal_text_id, given_at'),
  ],
  'give an account another email address': changes('buyers', 'email user_name erased_at created_at'),
  'change whose or how much an invoice is': changes(
    'invoices',
    'amount_centavos buyer_id instalment_id merchant_id',
  ),
  'become an operator, the owner or an administrator': [
    'set role aparta_operator',
    'set role aparta',
    'set session authorization aparta',
    'create role mine superuser',
    'alter role aparta_server createrole',
    'grant aparta_operator to aparta_server',
  ],
  'change the schema, switch a trigger off, run a program, read a file': [
    'create table pocket (id int)',
    'alter table receipts drop constraint receipts_money_arrives_once',
    'alter table ledger_events disable trigger all',
    'drop trigger settlements_append_only on settlements',
    'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return new; end $$',
    `set session_replication_role = 'replica'`,
    `copy (select 1) to program 'true'`,
    `select pg_read_file('PG_VERSION')`,
    'delete from kysely_migration',
  ],
};

async function refusalOf(statement: string): Promise<string | undefined> {
  await login.query('begin');
  try {
    await login.query(statement);
    return undefined;
  } catch (error) {
    return (error as pg.DatabaseError).code;
  } finally {
    await login.query('rollback');
  }
}

describe("the server's login cannot", () => {
  test.each(Object.entries(MUST_NOT))('%s', async (_line, statements) => {
    for (const statement of statements)
      expect({ statement, refusal: await refusalOf(statement) }).toEqual({ statement, refusal: '42501' });
  });

  test('delete from a table that keeps anything', async () => {
    const { rows } = await login.query<{ name: string }>(
      `select relname as name from pg_class where relkind in ('r', 'v') and relnamespace = 'public'::regnamespace
         and has_table_privilege(oid, 'delete, truncate') order by 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual([
      'calendar_links',
      'device_enrolments',
      'device_pin_tries',
      'email_confirmations',
      'fiscal_clients',
      'invoicing_customers',
      'kept_sessions',
      'owner_passkey_rules',
      'passkey_challenges',
      'password_resets',
      'pickup_codes',
      'product_pictures',
      'push_subscriptions',
      'rate_counters',
      'service_account_sessions',
      'sessions',
      'staff_invitations',
      'staff_passkeys',
      'staff_password_resets',
      'staff_pins',
      'staff_sessions',
      'webhook_deliveries',
    ]);
  });

  test('move the database’s clock', async () => {
    await login.query(`set aparta.clock_offset = '-40 days'`);
    const { rows } = await login.query('select app_now() = now() as "isNow"');
    await login.query('reset aparta.clock_offset');
    expect(rows).toEqual([{ isNow: true }]);
  });

  test('hide a wrong plan behind a table of its own', async () => {
    const db = openDb({ url: database.url, role: 'none', max: 2 });
    onTestFinished(() => db.destroy());
    const buyerId = (await makeBuyer(db)).id;
    const merchantId = await makeMerchant(db);
    const purchase = await makePurchase(db, {
      buyerId,
      merchantId,
      productId: await makeProduct(db, { merchantId }),
    });
    await login.query('begin; create temp table purchases (like public.purchases) on commit drop');
    await login.query(
      `update public.purchases set paid_centavos = paid_centavos + 1 where id = ${purchase.id}`,
    );
    await expect(login.query('commit')).rejects.toThrow(`purchase ${purchase.id}: price`);
  });

  test('do anything that docs/security.md does not list, and that page promises nothing else', () => {
    const page = readFileSync(new URL('../../../../docs/security.md', import.meta.url), 'utf8');
    const [, list = ''] = /^## It cannot$([^#]*)/m.exec(page) ?? [];
    const lines = [...list.matchAll(/^- (.+)$/gm)].map(([, line]) => line);
    expect(lines).toEqual([
      ...Object.keys(MUST_NOT),
      'delete from a table that keeps anything',
      'move the database’s clock',
      'hide a wrong plan behind a table of its own',
    ]);
  });
});

describe("the server's login", () => {
  test('is made by the migration, works the queue, and gets another password with the next migration', async () => {
    const own = (password: string) =>
      Object.assign(new URL(database.serverUrl), { username: 'server_of_a_test', password }).href;
    onTestFinished(async () => {
      const owner = new pg.Client({ connectionString: database.url });
      await owner.connect();
      await owner.query('drop role if exists server_of_a_test');
      await owner.end();
    });
    for (const password of ['first', 'sécond']) {
      await migrate(database.url, { serverUrl: own(password) });
      await migrate(database.url, { serverUrl: own(password) });
      const client = new pg.Client({ connectionString: own(password) });
      await client.connect();
      const { rows } = await client.query(
        `select count(*)::int as tables from graphile_worker._private_jobs, public.buyers where false`,
      );
      await client.end();
      expect(rows).toEqual([{ tables: 0 }]);
    }
    await expect(new pg.Client({ connectionString: own('first') }).connect()).rejects.toThrow('password');
  });

  test('is refused where it owns the schema or administers the server', async () => {
    const owner = openDb({ url: database.url, max: 1 });
    const own = openDb({ url: database.serverUrl, max: 1 });
    expect(await loginProblems(owner)).toEqual([
      expect.stringContaining('signs in as aparta, which administers the database server'),
    ]);
    expect(await loginProblems(own)).toEqual([]);
    await Promise.all([owner.destroy(), own.destroy()]);
  });

  test('may put a job in the queue through one function, as the role that the server takes on', async () => {
    await login.query('begin; set local role aparta_app');
    const add = `select enqueue_job('refund_card', '{"refundId":1}', now(), 'refund:1')`;
    await expect(login.query(add)).resolves.toMatchObject({ rowCount: 1 });
    await expect(login.query('select * from graphile_worker._private_jobs')).rejects.toThrow('permission');
    await login.query('rollback');
  });
});
