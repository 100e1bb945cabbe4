import { expect, onTestFinished, test } from 'vitest';
import { lockingMigrations } from './migration-locks.ts';
import { plantTree } from './planted-tree.ts';

function problemsOf(text: string, file = '0009_next.sql'): string[] {
  const tree = plantTree({ [`server/migrations/${file}`]: text });
  onTestFinished(tree.remove);
  return lockingMigrations(tree.root);
}

test.each([
  ['alter table receipts rename column folio to number;', 'renames'],
  ['alter table receipts alter column folio type varchar(20);', 'changes a type in place'],
  ['alter table receipts add column note text not null;', 'adds a column that is not null without a default'],
  [
    "alter table receipts add column kind text not null default 'x', add column note text not null;",
    'adds a column that is not null without a default',
  ],
  ['create index receipts_by_day on receipts (received_at);', 'makes an index without concurrently'],
  ['create unique index receipts_once on receipts (folio);', 'makes an index without concurrently'],
  [
    'alter table receipts add constraint positive check (amount_centavos > 0);',
    'adds a constraint that reads',
  ],
  [
    'alter table receipts add column tip_centavos bigint constraint tips_are_money check (tip_centavos >= 0);',
    'adds a constraint that reads',
  ],
  ['alter table receipts add column note_id bigint references notes;', 'adds a constraint that reads'],
  ['alter table receipts add tip bigint check (tip > 0);', 'adds a constraint that reads'],
  ['alter table receipts add check (amount_centavos > 0);', 'adds a constraint that reads'],
  ['alter table receipts add unique (folio, channel);', 'adds a constraint that reads'],
  [
    'alter table receipts add constraint a check (folio > 0) not valid, add constraint b check (folio > 1);',
    'adds a constraint that reads',
  ],
  [
    'alter table receipts add column nonce uuid default gen_random_uuid();',
    'adds a column that rewrites the table',
  ],
  ['alter table receipts add column n bigint generated always as identity;', 'adds a column that rewrites'],
  ['revoke update on receipts from aparta_app;', 'drops what an older server uses'],
  ['alter table receipts alter column buyer_id set not null;', 'sets not null'],
  ['alter table receipts drop column folio;', 'drops what an older server uses'],
  ['drop table receipts;', 'drops what an older server uses'],
  ['lock table receipts;', 'locks, rewrites or empties'],
  ['create index concurrently a on receipts (folio);', 'runs concurrently'],
  [
    '-- outside a transaction\ncreate index concurrently a on receipts (folio); select 1;',
    'runs outside a transaction',
  ],
])('refused while an older server may run: %s', (statement, problem) => {
  expect(problemsOf(statement).join('\n')).toContain(`server/migrations/0009_next.sql ${problem}`);
});

test.each([
  "alter table receipts add column note text, add column kind text not null default 'x';",
  'alter table receipts add column tip bigint, add constraint tips check (tip > 0 and tip in (1, 2)) not valid;',
  'create function f() returns void language sql as $$ select 1 $$; revoke execute on function f from public;',
  '-- Why.\ncreate table notes (id bigint primary key, note text not null);\ncreate index notes_by_note on notes (note);',
  '-- outside a transaction\ncreate index concurrently receipts_by_day on receipts (received_at);',
  'alter table receipts add constraint positive check (amount_centavos > 0) not valid;',
  'alter table receipts validate constraint positive;',
  '-- contract: nothing reads it since 0009_next\nalter table receipts drop column note;',
  'create function f() returns void language sql as $$ drop table receipts; $$;',
])('taken: %s', (statement) => expect(problemsOf(statement)).toEqual([]));

test('the migrations that make the schema on an empty database are not judged', () => {
  expect(problemsOf('drop table receipts;', '0008_last.sql')).toEqual([]);
});
