import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { makeBuyer, makeMerchant, makeProduct, makeReference } from '../../../test/make.ts';
import { openDb, type Db } from '../../platform/db/db.ts';
import { createLog } from '../../platform/logging.ts';
import { prune } from './prune.ts';

const log = createLog('silent');

let database: TestDatabase;
let db: Db;
let owner: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDb({ url: database.url, role: 'none', max: 2 });
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await db.destroy();
  await database.drop();
});

async function column(query: string): Promise<unknown[]> {
  const { rows } = await owner.query({ text: query, rowMode: 'array' });
  return rows.map(([value]) => value);
}

describe('the nightly job lets go of', () => {
  test('what gives access and is over, and nothing that still does', async () => {
    const { id } = await makeBuyer(db);
    await owner.query('delete from sessions');
    for (const [device, expires, revoked] of [
      ['over for long', '-8 days', null],
      ['over since yesterday', '-1 day', null],
      ['closed long ago', '20 days', '-8 days'],
      ['closed yesterday', '20 days', '-1 day'],
      ['in use', '20 days', null],
    ]) {
      await owner.query(
        `insert into sessions (token_hash, buyer_id, device, expires_at, revoked_at)
         values ($1, $2, $3, now() + $4::interval, now() + $5::interval)`,
        [randomBytes(32), id, device, expires, revoked],
      );
      await owner.query(
        `insert into kept_sessions (name_hash, chain_key, secret_hash, buyer_id, device, opened_at, expires_at, ended_at)
         values ($1, $1, $1, $2, $3, now() - interval '1 month', now() + $4::interval, now() + $5::interval)`,
        [randomBytes(32), id, device, expires, revoked],
      );
    }
    await owner.query(
      `insert into password_resets (buyer_id, code_hash, expires_at) values ($1, $2, now() - interval '1 minute')`,
      [id, randomBytes(32)],
    );
    await owner.query(
      `insert into rate_counters values ('old', 1, extract(epoch from now()) * 1000 - 1), ('live', 1, extract(epoch from now()) * 1000 + 60000)`,
    );
    await prune(db, log);
    for (const table of ['sessions', 'kept_sessions'])
      expect(await column(`select device from ${table} order by 1`)).toEqual([
        'closed yesterday',
        'in use',
        'over since yesterday',
      ]);
    expect(await column('select count(*)::int from password_resets')).toEqual([0]);
    expect(await column('select key from rate_counters')).toEqual(['live']);
  });

  test('alerts that were resolved long ago, never one that is open', async () => {
    await owner.query(`insert into alerts (kind, subject, first_at, last_at, resolved_at) values
      ('old', 'resolved', now() - interval '1 year', now() - interval '1 year', now() - interval '91 days'),
      ('new', 'resolved', now() - interval '1 year', now() - interval '1 year', now() - interval '1 day'),
      ('old', 'open', now() - interval '1 year', now() - interval '1 year', null)`);
    await prune(db, log);
    expect(await column(`select kind || ' ' || subject from alerts order by 1`)).toEqual([
      'new resolved',
      'old open',
    ]);
  });

  test('the words and the address of old emails, in more than one round, and not of one that waits', async () => {
    await owner.query(`
      insert into outbox (topic, dedupe_key, recipient, facts, state, created_at)
      select 'welcome', n::text, 'ana@example.mx', '{"folio": "A"}'::jsonb, case when n = 0 then 'waiting' else 'sent' end,
        now() - interval '91 days' from generate_series(0, 1500) n
      union all select 'welcome', 'new', 'ana@example.mx', '{"folio": "A"}', 'sent', now() - interval '80 days'`);
    await prune(db, log);
    expect(await column(`select dedupe_key from outbox where recipient <> '' order by 1`)).toEqual([
      '0',
      'new',
    ]);
    expect(await column(`select dedupe_key from outbox where facts <> '{}' order by 1`)).toEqual([
      '0',
      'new',
    ]);
    expect(await column('select count(*)::int from outbox')).toEqual([1_502]);
  });

  test('addresses of payments and references that ended half a year ago, and keeps their money', async () => {
    const buyer = await makeBuyer(db);
    const merchantId = await makeMerchant(db);
    const given = { merchantId, productId: await makeProduct(db, { merchantId }) };
    const ended = await makeReference(db, { ...given, buyerId: buyer.id });
    const open = await makeReference(db, { ...given, buyerId: (await makeBuyer(db)).id });
    await owner.query(`update layaway_references set source_address = '198.51.100.7',
      created_at = created_at - interval '181 days'`);
    await owner.query(
      `update layaway_references set state = 'expired', closed_at = now() - interval '170 days' where id = $1`,
      [ended],
    );
    const { rows } = await owner.query(
      `insert into provider_credentials (merchant_id, provider, public_key, secret_ciphertext, secret_key_id, retired_at)
       values ($1, 'clip', 'k', 'x', '1', now()) returning id`,
      [merchantId],
    );
    for (const [reference, state, age] of [
      [ended, 'rejected', '181 days'],
      [ended, 'rejected', '10 days'],
      [ended, 'rejected', '1 day'],
      [open, 'unknown', '181 days'],
    ]) {
      await owner.query(
        `insert into card_attempts (buyer_id, merchant_id, credential_id, reference_id, intent_id, state,
           principal_centavos, fee_centavos, three_ds_url, source_address, source_ip_prefix, card_fingerprint, detail_code, created_at)
         values ($1, $2, $3, $4, gen_random_uuid(), $5, 60000, 0, 'https://bank.example', '198.51.100.7', '198.51.100.7', sha256($6::text::bytea), $6::text,
           now() - $6::text::interval)`,
        [buyer.id, merchantId, rows[0].id, reference, state, age],
      );
    }
    await prune(db, log);
    const kept = await column(
      `select state || ' ' || detail_code from card_attempts where three_ds_url is not null and source_address <> ''
         and source_ip_prefix <> '' order by 1`,
    );
    expect(kept).toEqual(['rejected 1 day', 'rejected 10 days', 'unknown 181 days']);
    expect(await column('select detail_code from card_attempts where card_fingerprint is not null')).toEqual([
      '1 day',
    ]);
    expect(await column('select count(*)::int from card_attempts')).toEqual([4]);
    expect(await column(`select id from layaway_references where source_address <> ''`)).toEqual([open]);
  });
});
