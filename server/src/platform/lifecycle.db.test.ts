import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { type Db, openDb } from './db/db.ts';
import { transaction } from './db/transaction.ts';
import { deferMove, type Lifecycle, type Move, moveState, recordBirth } from './lifecycle.ts';

type State = 'packed' | 'shipped' | 'delivered' | 'returned' | 'lost';
type Event = 'shipped' | 'scanned' | 'arrived' | 'found' | 'vanished';

/** A parcel, with a table of this test's own. The history only takes subjects that it knows. */
const PARCEL: Lifecycle<State, Event> = {
  subject: 'refund',
  table: 'parcels',
  id: 'parcel_id',
  column: 'standing',
  since: 'standing_since',
  hasHistory: true,
  detail: 'note',
  initial: 'packed',
  moves: {
    packed: { shipped: 'shipped', vanished: 'lost' },
    shipped: { scanned: 'shipped', arrived: ['delivered', 'returned'], vanished: 'lost' },
    delivered: {},
    returned: {},
    lost: { found: 'shipped' },
  },
};

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  const owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  await owner.query(`create table parcels (parcel_id bigint primary key, standing text not null,
    standing_since timestamptz not null default '2026-01-01', note text, weight int not null default 0)`);
  await owner.query('grant select, insert, update, delete on parcels to aparta_app');
  await owner.end();
  db = openDb({ url: database.url, role: 'none', max: 4 });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});
beforeEach(async () => {
  await sql`delete from parcels`.execute(db);
});

/** Ids never come again, so that each test has a history of its own. */
let lastId = 0;
async function parcel(state: State = 'packed'): Promise<number> {
  const id = (lastId += 1);
  await sql`insert into parcels (parcel_id, standing) values (${id}, ${state})`.execute(db);
  return id;
}

async function read(id: number) {
  const { rows } = await sql<{ standing: State; isRecent: boolean; note: string | null; weight: number }>`
    select standing, standing_since > now() - interval '1 hour' as "isRecent", note, weight
    from parcels where parcel_id = ${id}`.execute(db);
  return rows[0];
}

async function historyOf(id: number): Promise<string[]> {
  const rows = await db
    .selectFrom('state_history')
    .select(['from_state', 'to_state', 'detail'])
    .where('subject_kind', '=', 'refund')
    .where('subject_id', '=', String(id))
    .orderBy('id')
    .execute();
  return rows.map((row) => `${row.from_state ?? '*'} → ${row.to_state}${row.detail && `: ${row.detail}`}`);
}

const is = (id: number) => sql`parcel_id = ${id}`;
const move = (
  event: Event,
  where: ReturnType<typeof is>,
  more: Pick<Move<State, Event>, 'to' | 'set'> = {},
) => transaction(db, (tx) => moveState(tx, PARCEL, { event, where, ...more }));

test('an event moves a row, with what changes beside it, and the history keeps the move once', async () => {
  const id = await parcel();
  expect(await move('shipped', is(id), { set: { note: 'by road', weight: sql`weight + 2` } })).toEqual([
    String(id),
  ]);
  expect(await read(id)).toEqual({ standing: 'shipped', isRecent: true, note: 'by road', weight: 2 });
  expect(await historyOf(id)).toEqual(['packed → shipped: by road']);
});

test('a row whose state does not list the event stays as it is', async () => {
  const id = await parcel('delivered');
  expect(await move('shipped', is(id), { set: { weight: 9 } })).toEqual([]);
  expect(await read(id)).toEqual({ standing: 'delivered', isRecent: false, note: null, weight: 0 });
  expect(await historyOf(id)).toEqual([]);
});

test('an event that leads to several states needs to be told to which', async () => {
  const id = await parcel('shipped');
  await expect(move('arrived', is(id))).rejects.toThrow('arrived of shipped leads to several states');
  expect(await move('arrived', is(id), { to: 'returned' })).toEqual([String(id)]);
  expect(await historyOf(id)).toEqual(['shipped → returned']);
});

test('a target that no state lists for the event is a mistake of the program', async () => {
  const id = await parcel('shipped');
  await expect(move('arrived', is(id), { to: 'lost' })).rejects.toThrow('no refund moves by arrived to lost');
  expect(await read(id)).toMatchObject({ standing: 'shipped' });
});

test('a move to the same state changes the row, but neither its clock nor its history', async () => {
  const id = await parcel('shipped');
  expect(await move('scanned', is(id), { set: { weight: 3 } })).toEqual([String(id)]);
  expect(await read(id)).toEqual({ standing: 'shipped', isRecent: false, note: null, weight: 3 });
  expect(await historyOf(id)).toEqual([]);
});

test('a bulk move takes every row of a condition from its own state, and leaves the others', async () => {
  const [packed, shipped, delivered] = [await parcel(), await parcel('shipped'), await parcel('delivered')];
  const moved = await move('vanished', sql`parcel_id in (${packed}, ${shipped}, ${delivered})`);
  expect(moved.toSorted()).toEqual([packed, shipped].map(String).toSorted());
  expect(await historyOf(packed)).toEqual(['packed → lost']);
  expect(await historyOf(shipped)).toEqual(['shipped → lost']);
  expect(await read(delivered)).toMatchObject({ standing: 'delivered' });
});

test('a condition of alternatives widens nothing: the state still has to list the event', async () => {
  const [packed, delivered] = [await parcel(), await parcel('delivered')];
  const either = sql`parcel_id = ${packed} or parcel_id = ${delivered}`;
  expect(await move('shipped', either)).toEqual([String(packed)]);
});

test('of two that move one row at once, the second finds it moved', async () => {
  const id = await parcel();
  const moved = await Promise.all([
    move('shipped', is(id)),
    move('shipped', is(id)),
    move('shipped', is(id)),
  ]);
  expect(moved.flat()).toEqual([String(id)]);
  expect(await historyOf(id)).toEqual(['packed → shipped']);
});

test('a deferred move is made by the commit, or seen by the next statement', async () => {
  const id = await parcel();
  await transaction(db, (tx) => deferMove(tx, PARCEL, { event: 'shipped', where: is(id) }));
  expect(await read(id)).toMatchObject({ standing: 'shipped' });
  const seen = await transaction(db, async (tx) => {
    await deferMove(tx, PARCEL, { event: 'vanished', where: is(id) });
    return moveState(tx, PARCEL, { event: 'found', where: is(id) });
  });
  expect(seen).toEqual([String(id)]);
  expect(await historyOf(id)).toEqual(['packed → shipped', 'shipped → lost', 'lost → shipped']);
});

test('a deferred move of a transaction that fails is not made', async () => {
  const id = await parcel();
  const failed = transaction(db, async (tx) => {
    await deferMove(tx, PARCEL, { event: 'shipped', where: is(id) });
    throw new Error('changed my mind');
  });
  await expect(failed).rejects.toThrow('changed my mind');
  expect(await read(id)).toMatchObject({ standing: 'packed' });
  expect(await historyOf(id)).toEqual([]);
});

test('the history keeps a birth, but not one in the usual state', async () => {
  const [usual, unusual] = [await parcel(), await parcel('lost')];
  await transaction(db, async (tx) => {
    await recordBirth(tx, PARCEL, { id: String(usual), state: 'packed' });
    await recordBirth(tx, PARCEL, { id: String(unusual), state: 'lost', detail: 'found in the yard' });
  });
  expect(await historyOf(usual)).toEqual([]);
  expect(await historyOf(unusual)).toEqual(['* → lost: found in the yard']);
});

test('a thing without a history moves and leaves none', async () => {
  const id = await parcel();
  const { subject, table, id: key, column, initial, moves } = PARCEL;
  const plain = { subject, table, id: key, column, initial, moves, hasHistory: false };
  const moved = await transaction(db, (tx) => moveState(tx, plain, { event: 'shipped', where: is(id) }));
  expect(moved).toEqual([String(id)]);
  expect(await read(id)).toMatchObject({ standing: 'shipped', isRecent: false });
  expect(await historyOf(id)).toEqual([]);
});
