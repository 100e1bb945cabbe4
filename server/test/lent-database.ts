import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { openDatabase, type OpenDatabase } from '../src/compose.ts';
import { type Db, openDb } from '../src/platform/db/db.ts';
import { createLog } from '../src/platform/logging.ts';
import { addressNamed, createTestDatabase, type TestDatabase } from './database.ts';

/** Connections of each of the two pools. */
export const LENT_POOL = 4;
/** Kept for the next test; a third that comes back is dropped. */
const MOST_KEPT = 2;
const OURS = 'lent';
const TABLES = sql`relkind = 'r' and relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)`;

/** A test's own database with pools that are open: a copy, and connections that know nothing yet, cost more than most tests. */
export interface LentDatabase extends TestDatabase {
  /** Of the login that owns it. */
  readonly db: Db;
  /** The server's. */
  readonly server: OpenDatabase;
  /** Where the server's pool logs. */
  sink: Writable;
  /** Takes it back empty, as it was at first. One that cannot be made so is dropped. */
  giveBack(): Promise<void>;
}

const kept: LentDatabase[] = [];

/** A database that is as new: nothing in it but what migrations put there, and every sequence at its beginning. */
export async function lendDatabase(sink: Writable): Promise<LentDatabase> {
  const known = kept.pop();
  if (known === undefined) return open(sink);
  known.sink = sink;
  return known;
}

async function open(sink: Writable): Promise<LentDatabase> {
  const made = await createTestDatabase();
  const named = (url: string) => addressNamed(url, OURS);
  const db = openDb({ url: named(made.url), role: 'none', max: LENT_POOL });
  // Whoever sets what `empty` sets forgets every plan.
  const cleaner = openDb({ url: named(made.url), role: 'none', max: 1 });
  // Before anything else connects. A test uses a connection for a moment, and for its first five times each statement is planned anew.
  await sql`do $$ begin execute format('alter database %I set plan_cache_mode = force_generic_plan', current_database()); end $$`.execute(
    cleaner,
  );
  const later = new Writable({
    write: (chunk, encoding, done) => void lent.sink.write(chunk, encoding, done),
  });
  const server = openDatabase(
    { url: named(made.serverUrl), role: 'aparta_app', max: LENT_POOL },
    createLog('debug', later),
  );
  const migrated = await tablesWithRows(db);
  const original = await readState(db, migrated);
  const lent: LentDatabase = {
    ...made,
    db,
    server,
    sink,
    async drop() {
      await Promise.allSettled([db.destroy(), cleaner.destroy(), server.db.destroy()]);
      await made.drop();
    },
    async giveBack() {
      const isAsNew = await empty(cleaner, migrated)
        .then(() => readState(db, migrated))
        .then(
          (state) => state === original,
          () => false, // its pool was closed, a lock is held, a table has another name
        );
      if (isAsNew && kept.length < MOST_KEPT) kept.push(lent);
      else await lent.drop();
    },
  };
  return lent;
}

/** Ends what others left connected (a server of its own, a client), and deletes every row that migrations did not put there. */
async function empty(db: Db, migrated: readonly string[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = '500ms'`.execute(tx);
    await sql`set local session_replication_role = 'replica'`.execute(tx);
    const { rows } = await sql<{ busy: boolean }>`
      select case when application_name = ${OURS} then state <> 'idle' else not pg_terminate_backend(pid, 2000) end as busy
      from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`.execute(
      tx,
    );
    if (rows.some(({ busy }) => busy)) throw new Error('somebody still works in it');
    await sql`
      do $$
      declare
        name text;
        first bigint;
      begin
        for name in
          select oid::regclass from pg_class
          where ${TABLES} and pg_relation_size(oid) > 0 and oid::regclass <> all (${sql.lit(`{${migrated.join()}}`)}::regclass[])
        loop
          execute 'delete from ' || name;
        end loop;
        for name, first in
          select seqrelid::regclass, seqstart from pg_sequence
          where pg_sequence_last_value(seqrelid) is not null
        loop
          perform setval(name, first, false);
        end loop;
      end $$`.execute(tx);
  });
}

/** Tables that migrations put rows into. */
async function tablesWithRows(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select oid::regclass::text as name from pg_class
    where ${TABLES} and pg_relation_size(oid) > 0
      and query_to_xml(format('select 1 from %s limit 1', oid::regclass), true, true, '')::text <> ''`.execute(
    db,
  );
  return rows.map(({ name }) => name);
}

/** What a test may not leave behind otherwise: schema, rights, settings, and the rows of migrations. */
async function readState(db: Db, migrated: readonly string[]): Promise<string> {
  const { rows } = await sql<{ state: string }>`
    select md5(concat_ws('|',
      (select string_agg(query_to_xml(format('select * from %s order by 1', name), true, true, '')::text, ',' order by name)
        from unnest(${sql.val(migrated)}::text[]) name),
      (select sum(c.xmin::text::bigint * c.oid::bigint) from pg_class c where c.oid >= 16384),
      (select sum(a.xmin::text::bigint * a.attnum) from pg_attribute a where a.attrelid >= 16384),
      (select sum(t.xmin::text::bigint * t.oid::bigint) from pg_trigger t),
      (select sum(k.xmin::text::bigint * k.oid::bigint) from pg_constraint k where k.oid >= 16384),
      (select sum(p.xmin::text::bigint * p.oid::bigint) from pg_proc p where p.oid >= 16384),
      (select sum(s.xmin::text::bigint) from pg_db_role_setting s
        where setdatabase in (0, (select oid from pg_database where datname = current_database()))),
      (select count(*) from pg_namespace))) as state`.execute(db);
  return rows[0]?.state ?? '';
}
