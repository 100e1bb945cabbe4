import { afterEach, describe, expect, test } from 'vitest';
import { plantTree } from './planted-tree.ts';
import { stateWriters } from './state-writers.ts';

const undo: (() => void)[] = [];
afterEach(() => undo.splice(0).forEach((step) => step()));

const STORE = 'server/src/invoicing/invoices/store.ts';
const HELPER = 'server/src/platform/lifecycle.ts';

describe('writers of a state', () => {
  const owners = { invoices: 'invoicing/invoices', refunds: 'ledger/refunds' };
  const states = {
    helper: HELPER,
    columns: {
      invoices: { column: 'state', initial: ['requested'] },
      refunds: { column: 'state', initial: ['owed', 'done'] },
    },
  };
  const problems = (code: string, file = STORE) => {
    const tree = plantTree({ [file]: code });
    undo.push(tree.remove);
    return stateWriters(tree.root, states, owners);
  };

  test.each([
    "tx.updateTable('invoices').set({ state: 'issued' })",
    "tx.updateTable('invoices').set('state', next).where('id', '=', id)",
    "tx.updateTable('invoices as v').set((eb) => ({ tries: 1, state: eb.val(next) }))",
    "tx.updateTable('invoices').set({ tries: 1, ...(isOver && { state: 'issued' }) })",
    "const change = { state: next };\ntx.updateTable('invoices').set(change)",
    "tx.updateTable('invoices').$if(isOver, (qb) => qb.set({ state: 'issued' })).set({ tries: 1 })",
    "tx.insertInto('invoices').values({ a: 1 }).onConflict((oc) => oc.column('a').doUpdateSet({ state: next }))",
    "sql`update invoices v set tries = tries + 1, state = 'issued' where id = ${id}`",
    'sql`with done as (update invoices set (tries, state) = (1, 2)) select 1`',
    "sql`insert into invoices (a) values (1) on conflict (a) do update set state = 'issued'`",
  ])('%s is reported', (code) => {
    expect(problems(code).join('\n')).toContain(`sets invoices.state: only ${HELPER} may`);
    expect(problems(code, HELPER)).toEqual([]);
  });

  test.each([
    "export const set = (change) => tx.updateTable('invoices').set(change)",
    "tx.updateTable('invoices').set({ ...change })",
    "const query = tx.updateTable('invoices');",
    'sql`update invoices set ${changes} where id = 1`',
    'sql`insert into invoices select * from drafts`',
  ])('%s hides what it sets and is reported', (code) => {
    expect(problems(code).join('\n')).toContain('sets columns of invoices that cannot be read here');
  });

  test.each([
    "tx.insertInto('invoices').values({ amount: 1, state: 'requested' })",
    "tx.insertInto('invoices').values({ amount: 1 })",
    "tx.insertInto('invoices').values({ amount: 1, state: INVOICE.initial })",
    'sql`insert into invoices (amount, state) values (${amount}, ${INVOICE.initial})`',
    "sql`insert into invoices (amount, state) select sum(a, b), 'requested' from drafts`",
    "sql`update invoices set tries = 1 where state = 'issued'`",
    "tx.updateTable('invoices').set({ tries: 1 }).where('state', '=', 'issued')",
    "tx.updateTable('buyers').set(change)",
  ])('%s passes', (code) => expect(problems(code)).toEqual([]));

  test('a birth in another state, or elsewhere than in the store of the owner, is reported', () => {
    expect(problems("tx.insertInto('invoices').values({ state: 'issued' })")).toEqual([
      `${STORE}:1 lets invoices be born issued`,
    ]);
    expect(problems("tx.insertInto('invoices').values({ state })")).toEqual([
      `${STORE}:1 lets invoices be born in any state`,
    ]);
    expect(
      problems("sql`insert into refunds (state) values ('sending')`", 'server/src/ledger/refunds/store.ts'),
    ).toEqual(['server/src/ledger/refunds/store.ts:1 lets refunds be born sending']);
    expect(
      problems("tx.insertInto('refunds').values({ state })", 'server/src/ledger/refunds/store.ts'),
    ).toEqual([]);
    expect(problems("tx.insertInto('refunds').values({ state: 'owed' })")).toEqual([
      `${STORE}:1 gives refunds.state at birth, outside its owner's store`,
    ]);
  });
});
