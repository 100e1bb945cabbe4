import { afterEach, describe, expect, test } from 'vitest';
import { plantTree } from './planted-tree.ts';
import { tableWriters } from './table-writers.ts';
import { wingOrder } from './wing-order.ts';

const undo: (() => void)[] = [];
afterEach(() => undo.splice(0).forEach((step) => step()));

function plant(files: Record<string, string>): string {
  const tree = plantTree(files);
  undo.push(tree.remove);
  return tree.root;
}

describe('order of the wings', () => {
  test('an import that goes up is reported, one that goes down and those of the programs are not', () => {
    const root = plant({
      'server/src/main.ts': "import './payments/cards/pay.ts';",
      'server/src/payments/cards/pay.ts': "import { book } from '../../ledger/books/book.ts';\nbook();",
      'server/src/ledger/books/book.ts': "export { end } from '../../purchases/end.ts';",
      'server/src/ledger/books/book.test.ts': "import '../../payments/cards/pay.ts';",
      'server/src/purchases/end.ts': "export type Deps = import('@aparta/server/payments/cards/pay').Deps;",
    });
    expect(wingOrder(root)).toEqual([
      'server/src/ledger/books/book.ts:1: ledger may not import purchases/end.ts: purchases comes after it',
      'server/src/purchases/end.ts:1: purchases may not import payments/cards/pay.ts: payments comes after it',
      'files in a circle: server/src/ledger/books/book.ts, server/src/payments/cards/pay.ts, server/src/purchases/end.ts',
    ]);
  });

  test('a wing that imports a program and a file outside every wing are reported', () => {
    const root = plant({
      'server/src/compose.ts': '',
      'server/src/loose.ts': '',
      'server/src/attic/old.ts': '',
      'server/src/platform/db/db.ts': "import '../../compose.ts';",
    });
    expect(wingOrder(root)).toEqual([
      'server/src/attic/old.ts stands in no wing',
      'server/src/loose.ts stands in no wing',
      'server/src/platform/db/db.ts:1 imports compose.ts: nothing in a wing may',
    ]);
  });

  test("folders of a wing in a circle are reported edge by edge, the wing's own files as a folder", () => {
    const root = plant({
      'server/src/payments/pay.ts': "import './cards/start.ts';",
      'server/src/payments/cards/start.ts': "import '../refunds/owe.ts';",
      'server/src/payments/refunds/owe.ts': "import type { Deps } from '../advice.ts';",
      'server/src/payments/advice.ts': '',
      'server/src/payments/tills/take.ts': "import '../cards/start.ts';",
    });
    expect(wingOrder(root)).toEqual([
      [
        'server/src/payments: folders in a circle: ., cards, refunds',
        '  cards → refunds: server/src/payments/cards/start.ts:1 imports payments/refunds/owe.ts',
        '  . → cards: server/src/payments/pay.ts:1 imports payments/cards/start.ts',
        '  refunds → .: server/src/payments/refunds/owe.ts:1 imports payments/advice.ts',
      ].join('\n'),
    ]);
  });
});

describe('writers of tables', () => {
  const tables = (...names: string[]) =>
    `export interface Database {\n${names.map((name) => `  ${name}: Row;\n`).join('')}}`;
  const owners = { buyers: 'accounts/buyers', refunds: 'ledger/refunds', balances: 'server/migrations' };
  const house = {
    'server/src/platform/db/tables.ts': tables('buyers', 'refunds', 'balances'),
    'server/migrations/0001_ledger.sql': 'create view balances as select 1;',
    'server/src/accounts/buyers/store.ts': "db.insertInto('buyers').values({ name: 'a' });",
    'server/src/ledger/refunds/store.ts': "sql`update refunds set state = 'done'`;",
  };
  const problems = (files: Record<string, string>, allowed = {}) =>
    tableWriters(plant({ ...house, ...files }), owners, allowed);
  const wing = 'server/src/payments/cards/store.ts';

  test('owners that write, and reads of the own wing, pass', () => {
    expect(problems({ 'server/src/ledger/proofs.ts': "db.selectFrom('refunds as r')" })).toEqual([]);
  });

  test.each([
    ["tx.insertInto('refunds')", 'writes refunds'],
    ["tx\n.updateTable('refunds as r').set({})", 'writes refunds'],
    ["tx.deleteFrom(['refunds'])", 'writes refunds'],
    ["tx.mergeInto('refunds')", 'writes refunds'],
    ['sql`insert into refunds (a) values (1)`', 'writes refunds'],
    ['sql`with u as (update only public."refunds" r set a = 1) select 1`', 'writes refunds'],
    ['sql`delete from refunds where id = ${id}`', 'writes refunds'],
    ['sql`merge into refunds using x on true`', 'writes refunds'],
    ['sql`truncate table refunds`', 'writes refunds'],
    ["client.query('/* all */ update refunds set a = 1')", 'writes refunds'],
    ['const text = `DELETE FROM refunds WHERE id = ${id}`', 'writes refunds'],
    ["sql`delete from ${sql.table('refunds')}`", 'writes refunds'],
    ['sql`delete from ${sql.table(name)}`', 'writes a table that it does not name'],
    ['tx.updateTable(name)', 'writes a table that it does not name'],
    ["db.selectFrom(['refunds as r', 'x'])", 'reads refunds'],
    ["db.selectFrom('x').leftJoin('refunds as r', 'r.id', 'x.id')", 'reads refunds'],
    ["db.updateTable('x').from('refunds')", 'reads refunds'],
    ['sql`select 1 from (select 1 from x) a (b), refunds`', 'reads refunds'],
    ['sql`select 1 from x, lateral f(1) y, refunds`', 'reads refunds'],
    ['sql`exists (select 1 from x join refunds using (id))`', 'reads refunds'],
  ])('%s in another wing is reported', (code, problem) => {
    expect(problems({ [wing]: code }).join('\n')).toContain(
      `${wing}:${code.includes('tx\n') ? 2 : 1} ${problem}`,
    );
  });

  test.each([
    "// tx.insertInto('refunds')",
    "const title = 'update refunds by hand';",
    'sql`select 1 /* from refunds */ -- join refunds\n`',
    "sql`select 'from refunds'`",
    'sql`select refunds.id, a is distinct from refunds.id`',
    'sql`select 1 from refunds(1)`',
    'sql`with refunds as materialized (select 1) select * from refunds`',
    "db.with('refunds', (one) => one.selectFrom('x')).selectFrom('refunds')",
    'sql`select 1 from x for update of refunds`',
    "Array.from('refunds')",
  ])('%s is neither a read nor a write', (code) => expect(problems({ [wing]: code })).toEqual([]));

  test('who moves rows along a lifecycle writes its table, and the helper alone writes one without a name', () => {
    const lifecycle = {
      'server/src/platform/lifecycle.ts': 'sql`update ${table} set ${changes}`',
      'server/src/ledger/refunds/refund.ts':
        "export const REFUND: Lifecycle = { table: 'refunds', moves: {} };",
      'server/src/ledger/refunds/store.ts': 'await moveState(tx, REFUND, { event });',
    };
    expect(problems(lifecycle)).toEqual([]);
    expect(
      problems({ ...lifecycle, [wing]: 'deferMove(tx, REFUND, move);\nmoveState(tx, of(kind), move);' }),
    ).toEqual([
      `${wing}:1 writes refunds, which is ledger/refunds's`,
      `${wing}:2 writes a table that it does not name`,
    ]);
  });

  test('a read model reads other wings and writes nothing', () => {
    const model = 'server/src/back-office/payments.read-model.ts';
    const code = "db.selectFrom('refunds');\ndb.deleteFrom('refunds');";
    expect(problems({ [model]: code })).toEqual([`${model}:2 writes refunds: a read model writes nothing`]);
  });

  test('a seed is reported like the rest, unless it is listed with a reason that is still needed', () => {
    const seed = { 'tools/demo/shops.ts': "db.insertInto('buyers')" };
    const reasons = { 'tools/demo/shops.ts': 'a demo', 'tools/demo/gone.ts': 'a demo' };
    expect(problems(seed)).toEqual(["tools/demo/shops.ts:1 writes buyers, which is accounts/buyers's"]);
    expect(problems(seed, reasons)).toEqual(['tools/demo/gone.ts is listed with a reason and needs none']);
  });

  test('a table without an owner, an owner of no table and one that never writes are reported', () => {
    const root = plant({ ...house, 'server/src/platform/db/tables.ts': tables('buyers', 'balances', 'new') });
    expect(tableWriters(root, owners, {})).toEqual([
      'new has no owner',
      'refunds has an owner and is no table',
    ]);
    const silent = {
      ...house,
      'server/src/ledger/refunds/store.ts': '',
      'server/migrations/0001_ledger.sql': '',
    };
    expect(tableWriters(plant(silent), owners, {})).toEqual([
      'refunds is never written by its owner, ledger/refunds',
      'balances is never written by its owner, server/migrations',
    ]);
  });
});
