import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';

/**
 * Whether the tables that grow with buyers could one day be spread over several databases by buyer (docs/scaling.md): each must
 * lead to one buyer, and each unique key must hold something that does, so that no database has to ask another. What cannot is
 * listed with the way out. A new table is taken for a big one.
 */

/** Small enough to be copied to every database, or about a database of its own. */
const SMALL = new Set([
  'companies',
  'merchants',
  'products',
  'provider_credentials',
  'service_accounts',
  'service_account_sessions',
  'till_merchants',
  'branches',
  'counter_cuts',
  'counter_devices',
  'device_enrolments',
  'device_pin_tries',
  'staff',
  'staff_acts',
  'staff_invitations',
  'owner_passkey_rules',
  'passkey_challenges',
  'staff_passkeys',
  'staff_password_resets',
  'staff_pins',
  'staff_position_branches',
  'staff_positions',
  'staff_sessions',
  'ledger_accounts',
  'legal_texts',
  'reference_key',
  'rate_counters',
  'alerts',
  'audit_log',
  'book_proofs',
  'printed_labels',
  'product_pictures',
  'product_units',
  'open_sums',
  'shop_mail_places',
  'webhook_deliveries',
  'webhook_endpoints',
  'till_days',
  'merchant_sums',
  'merchant_sum_changes',
  'settlements',
  'settlement_reports',
  'settlements',
  'kysely_migration',
]);

/** Big tables that lead to no buyer, and what would be done. */
const NOBODYS: Readonly<Record<string, string>> = {
  payment_references:
    'the directory from a printed number to its buyer: stays whole, or the number says where',
  till_operations: 'a till does not know the buyer: kept where the number’s directory is',
  counter_operations: 'goes with its till operation',
  counter_reversals: 'goes with its till operation',
  counter_dropped_presses: 'goes with what the press named',
  ledger_events: 'one book per merchant: each database keeps its buyers’ part, sums add up',
  ledger_transfers: 'goes with its event',
  state_history: 'written by the row that moves, beside it',
};

/** Unique keys that hold no buyer, and what would be done. */
const EVERYBODYS: Readonly<Record<string, string>> = {
  buyers_email_once: 'sign-in’s directory from email address to buyer stays whole',
  sessions_pkey: 'a hash of 256 random bits: never twice; the token would say where',
  kept_sessions_name_once: 'a hash of random bits: never twice; the cookie would say where',
  push_subscriptions_endpoint_once: 'the push service’s own address: one browser, whose buyer was there last',
  email_confirmations_code_once: 'a hash of random bits: never twice; the link would say where',
  card_attempts_one_own_open_per_reference: 'the reference is of one buyer',
  card_attempts_helpers_intent_once:
    'made at random by a browser: never twice; the call could carry the link too',
  card_attempts_nonce_once: '256 random bits: never twice; the address would say where',
  card_attempts_provider_payment_once:
    'the provider’s own id: one payment names one attempt, and that one buyer',
  payment_references_pkey: 'the directory of printed numbers stays whole',
  payment_references_number_once: 'the same',
  payment_references_id_with_kind: 'the same',
  payment_references_id_with_prefix: 'the same',
  claims_folio_once: 'ten random digits and letters: never twice; the operator’s commands ask everywhere',
  counter_operations_pkey: 'kept with the directory',
  counter_operations_once: 'the device’s own number; kept with the directory',
  counter_refunds_once: 'the device’s own number',
  counter_dropped_presses_pkey: 'the device’s own number',
  counter_reversals_pkey: 'kept with the directory',
  till_operations_pkey: 'kept with the directory',
  till_operations_once: 'the till’s own number; kept with the directory',
  receipts_money_arrives_once: 'the source is an attempt, an operation or a notice: each of one buyer',
  receipts_folio_once: 'random: a doubled one is made anew; the folio could carry an email that says where',
  ledger_events_pkey: 'numbered by each database',
  ledger_events_once: 'the source is a receipt, a refund or a purchase: each of one buyer',
  ledger_events_with_legs: 'holds its own number',
  ledger_transfers_pkey: 'goes with its event',
  state_history_pkey: 'numbered by each database',
  outbox_once: 'the key names a thing of one buyer',
  cash_references_one_valid: 'the instalment is of one buyer; it stands in a range there',
  cash_references_helpers_intent_once:
    'made at random by a browser: never twice; the call could carry the link too',
  cash_references_number_once: 'the network’s own number: one of ours each',
  cash_notices_once: 'the network’s own number: one reference each',
  invoices_folio_once: 'the tax office’s own number',
};

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

interface Reference {
  readonly table: string;
  readonly columns: string[];
  readonly target: string;
}
interface Key {
  readonly name: string;
  readonly table: string;
  /** Null when it is of expressions alone. */
  readonly columns: string[] | null;
}

const columnsOf = (table: string, numbers: string) =>
  `(select array_agg(attname::text) from pg_attribute where attrelid = ${table} and attnum = any (${numbers}))`;

async function readSchema(): Promise<{ tables: string[]; references: Reference[]; keys: Key[] }> {
  const tables = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by 1`,
  );
  const references = await client.query<Reference>(`
    select conrelid::regclass::text as table, ${columnsOf('conrelid', 'conkey')} as columns,
      confrelid::regclass::text as target
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`);
  const keys = await client.query<Key>(`
    select indexrelid::regclass::text as name, indrelid::regclass::text as table,
      ${columnsOf('indrelid', 'indkey::int2[]')} as columns
    from pg_index join pg_class on pg_class.oid = indrelid
    where (indisunique or indisexclusion) and relnamespace = 'public'::regnamespace order by 1`);
  return { tables: tables.rows.map(({ name }) => name), references: references.rows, keys: keys.rows };
}

/** Tables of which each row leads to a buyer, with the columns that lead there. */
function ownedBy(references: readonly Reference[]): ReadonlyMap<string, ReadonlySet<string>> {
  const owned = new Map<string, Set<string>>([['buyers', new Set(['id'])]]);
  for (let grew = true; grew;) {
    grew = false;
    for (const { table, columns, target } of references) {
      if (!owned.has(target) || SMALL.has(table)) continue;
      const leading = owned.get(table) ?? new Set();
      if (columns.every((column) => leading.has(column))) continue;
      for (const column of columns) leading.add(column);
      owned.set(table, leading);
      grew = true;
    }
  }
  return owned;
}

test('every big table leads to one buyer, or says why not', async () => {
  const { tables, references } = await readSchema();
  const owned = ownedBy(references);
  const nobodys = tables.filter((table) => !SMALL.has(table) && !owned.has(table));
  expect(nobodys.toSorted()).toEqual(Object.keys(NOBODYS).toSorted());
});

test('every unique key of a big table holds what leads to one buyer, or says why not', async () => {
  const { references, keys } = await readSchema();
  const owned = ownedBy(references);
  const everybodys = keys
    .filter(({ table }) => !SMALL.has(table))
    .filter(({ table, columns }) => {
      const leading = owned.get(table);
      // A number of the row alone becomes (buyer, number): whoever refers to it has its buyer too.
      const isItsNumber = leading !== undefined && columns?.length === 1 && columns[0] === 'id';
      return !isItsNumber && !columns?.some((column) => leading?.has(column));
    })
    .map(({ name }) => name);
  expect(everybodys.toSorted()).toEqual(Object.keys(EVERYBODYS).toSorted());
});
