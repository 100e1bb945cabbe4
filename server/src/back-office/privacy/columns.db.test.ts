import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { makeBuyer, makeMerchant, makeProduct } from '../../../test/make.ts';
import { makePurchase } from '../../../test/purchases.ts';
import { type Db, openDb } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { COLUMNS } from './columns.ts';
import { eraseBuyer } from './erase-buyer.ts';
import { readEverything } from './read-model.ts';

let database: TestDatabase;
let owner: pg.Client;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  db = openDb({ url: database.url, role: 'none', max: 2 });
});
afterAll(async () => {
  await db.destroy();
  await owner.end();
  await database.drop();
});

const PERSONAL = Object.entries(COLUMNS).flatMap(([table, { personal = {} }]) =>
  Object.entries(personal).map(([column, fate]) => ({
    table,
    column,
    fate,
    mark: `mark-${table}-${column}.`,
  })),
);

test('each column is listed with what it is, and each that is listed is there', async () => {
  const { rows } = await owner.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
       join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE' and column_name not like '%\\_centavos'`,
  );
  const listed = Object.entries(COLUMNS).flatMap(([table, { personal = {}, other }]) =>
    [...Object.keys(personal), ...other.split(' ')].map((column) => `${table}.${column}`),
  );
  expect(listed.toSorted()).toEqual(rows.map(({ table, column }) => `${table}.${column}`).toSorted());
});

/** A buyer with a row in every table that tells of one, each personal column of it marked. */
async function markedBuyer(): Promise<number> {
  const { id } = await makeBuyer(db);
  const merchantId = await makeMerchant(db);
  const sale = await makePurchase(db, {
    buyerId: id,
    merchantId,
    productId: await makeProduct(db, { merchantId }),
  });
  // Marks have no form that a check asks for, and the rows beside them are of no matter.
  const { rows } = await owner.query<{ drop: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop from pg_constraint
       where contype = 'c' and connamespace = 'public'::regnamespace`,
  );
  await owner.query(
    `set session_replication_role = 'replica';
     ${rows.map(({ drop }) => drop).join(';')};
     update purchases set state = 'cancelled', cancelled_at = now(), next_due_on = null where id = ${sale.id};
     insert into consents (buyer_id, legal_text_id) values (${id}, 1);
     insert into password_resets (buyer_id, code_hash, expires_at) values (${id}, '', now());
     insert into email_confirmations (buyer_id, code_hash, expires_at) values (${id}, '', now());
     insert into legal_texts (id, kind, version, body, sha256) overriding system value values (1, 'terms', '1', '', '');
     insert into card_attempts (buyer_id, merchant_id, credential_id, state, principal_centavos, fee_centavos, help_link_id)
       values (${id}, ${merchantId}, gen_random_uuid(), 'rejected', 1, 0, null), (${id}, ${merchantId}, gen_random_uuid(), 'rejected', 1, 0, gen_random_uuid());
     insert into help_links (purchase_id, buyer_id, merchant_id, message, expires_at) values (${sale.id}, ${id}, ${merchantId}, '', now());
     insert into cash_references (instalment_id, purchase_id, merchant_id, amount_centavos, state, valid, help_link_id)
       select ${sale.instalmentIds[0]}, ${sale.id}, ${merchantId}, 1, 'failed', tstzrange('2026-01-01', '2026-01-02'), l.id
       from help_links l where l.buyer_id = ${id};
     insert into fiscal_clients (buyer_id, rfc, name, email, postal_code, tax_regime, cfdi_use) values (${id}, '', '', '', '', '', '');
     insert into invoices (instalment_id, purchase_id, buyer_id, merchant_id, fiscal_client_id, state, payment_form, amount_centavos,
       iva_basis_points, receiver, receiver_revision)
       select ${sale.instalmentIds[0]}, ${sale.id}, ${id}, ${merchantId}, f.id, 'refused', '', 1, 0, '{}', 1 from fiscal_clients f;
     insert into counter_operations (till_operation_id, merchant_id, request_id, position_id, branch_id, method, amount_centavos)
       select source_id::uuid, ${merchantId}, gen_random_uuid(), gen_random_uuid(), 1, 'cash', 1 from receipts
       where buyer_id = ${id} and channel = 'till' limit 1;
     insert into kept_sessions (buyer_id, name_hash, chain_key, secret_hash, expires_at)
       values (${id}, sha256('1'), sha256('2'), sha256('3'), now() + interval '1 day');
     insert into push_subscriptions (buyer_id, session_id, endpoint, public_key, auth_secret)
       values (${id}, 1, 'https://push.example/' || gen_random_uuid(), repeat('B', 87), repeat('A', 22));
     insert into account_acts (buyer_id, act) values (${id}, 'signed_in');
     insert into hand_overs (purchase_id, buyer_id, merchant_id, request_id, position_id, branch_id, code_hash)
       values (${sale.id}, ${id}, ${merchantId}, gen_random_uuid(), gen_random_uuid(), 1, ''),
         (${sale.id} + 1, ${id}, ${merchantId}, gen_random_uuid(), gen_random_uuid(), 1, '');
     insert into pickup_codes (purchase_id, buyer_id, merchant_id, ciphertext, key_id, expires_at)
       values (${sale.id}, ${id}, ${merchantId}, '', '', now());
     insert into claims (purchase_id, buyer_id, merchant_id, folio, notes, due_at, ended_at)
       values (${sale.id}, ${id}, ${merchantId}, '', '', now(), now());
     insert into refunds (receipt_id, cause, method, state, amount_centavos)
       select id, 'cancel', 'cash', 'done', 1 from receipts where buyer_id = ${id}`,
  );
  for (const { table, column, mark } of PERSONAL)
    await owner.query(
      `update ${table} set ${column} = '${(await typeOf(table, column)) === 'jsonb' ? JSON.stringify({ name: mark }) : mark}'`,
    );
  // What they signed themselves is theirs; what another did who collected is not.
  await owner.query(`update hand_overs set collector_name = null where purchase_id = ${sale.id} + 1`);
  await owner.query('reset session_replication_role');
  return id;
}

async function typeOf(table: string, column: string): Promise<string> {
  const { rows } = await owner.query<{ type: string }>(
    `select format_type(atttypid, null) as type from pg_attribute where attrelid = $1::regclass and attname = $2`,
    [table, column],
  );
  return rows[0]?.type ?? '';
}

/** The personal columns that still hold their mark. */
async function marksLeft(): Promise<string[]> {
  const left: string[] = [];
  for (const { table, column, mark } of PERSONAL) {
    const { rows } = await owner.query(
      `select from ${table} where ${column}::text like $1 or ${column}::text like $2`,
      [`%${mark}%`, `%${Buffer.from(mark).toString('hex')}%`],
    );
    if (rows.length > 0) left.push(`${table}.${column}`);
  }
  return left;
}

const named = (fates: readonly string[]) =>
  PERSONAL.filter(({ fate }) => fates.includes(fate)).map(({ table, column }) => `${table}.${column}`);

test('a buyer is shown all that tells of them, and nothing of it is left when they are erased', async () => {
  const id = await markedBuyer();
  expect(await marksLeft()).toEqual(named(['erased', 'secret', 'kept']));

  const shown = JSON.stringify(await readEverything(db, id));
  const shows = (mark: string) =>
    shown.includes(mark) || shown.includes(Buffer.from(mark).toString('base64'));
  expect(PERSONAL.filter(({ mark }) => shows(mark)).map(({ table, column }) => `${table}.${column}`)).toEqual(
    named(['erased', 'kept']),
  );

  const operators = openDb({ url: database.url, role: 'aparta_operator', max: 1 });
  onTestFinished(() => operators.destroy());
  const erasure = await transaction(operators, (tx) =>
    eraseBuyer(tx, id, { passwordHash: 'nobody knows', delivered: true }),
  );
  expect(erasure).toEqual({ kind: 'erased' });
  expect(await marksLeft()).toEqual(named(['kept']));
});
