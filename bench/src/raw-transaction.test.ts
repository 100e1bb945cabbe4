import { describe, expect, test } from 'vitest';
import { scriptOf } from './raw-pgbench.ts';
import { asText, generalise, type Sent } from './raw-transaction.ts';

/** A deposit as the driver would have sent it: a reference is read, a receipt inserted, its part written, an email noted. */
function deposit(reference: number, receiptId: number, folio: string): Sent[] {
  return [
    { text: 'begin', values: [], rows: [] },
    {
      text: 'select id, amount from refs where id = $1',
      values: [reference],
      rows: [{ id: reference, amount: 7 }],
    },
    {
      text: 'insert into receipts (folio) values ($1) returning id',
      values: [folio],
      rows: [{ id: receiptId }],
    },
    { text: 'insert into parts values ($1, $2, $3)', values: [receiptId, 7, null], rows: [] },
    { text: 'insert into email values ($1, $2)', values: [folio, `{"receipt":${receiptId}}`], rows: [] },
  ];
}

const first = deposit(11, 501, 'F-1');
const inputs = { reference: [11, 12], slot: ['0', '1'] } as const;

describe('what is sent again raw is what the product sent', () => {
  test('with a new reference, the database’s own answers, and new folios', () => {
    const statements = generalise([first, deposit(12, 502, 'F-2')], inputs);
    expect(statements.map(({ text }) => text)).toEqual(first.map(({ text }) => text));
    expect(statements.map(({ values }) => values)).toEqual([
      [],
      [{ from: 'input', name: 'reference' }],
      [{ from: 'program', nth: 0 }],
      [
        { from: 'answer', statement: 2, column: 'id' },
        { from: 'constant', value: 7 },
        { from: 'constant', value: null },
      ],
      [
        { from: 'program', nth: 0 },
        { from: 'constant', value: '{"receipt":501}' },
      ],
    ]);
  });

  test('a number that two answers share is taken from the nearer one', () => {
    const [one, two] = [deposit(501, 501, 'F-1'), deposit(502, 502, 'F-2')];
    const [, , , parts] = generalise([one, two], { ...inputs, reference: [1, 2] });
    expect(parts?.values[0]).toEqual({ from: 'answer', statement: 2, column: 'id' });
  });

  test('an array element by element', () => {
    const plan = (id: number): Sent[] => [
      { text: 'select made', values: [], rows: [{ id }] },
      { text: 'insert into plan select unnest($1)', values: [[id, 7, `F-${id}`]], rows: [] },
    ];
    const statements = generalise([plan(501), plan(502)], { ...inputs, reference: [1, 2] });
    expect(statements[1]?.values).toEqual([
      {
        from: 'list',
        items: [
          { from: 'answer', statement: 0, column: 'id' },
          { from: 'constant', value: 7 },
          { from: 'program', nth: 0 },
        ],
      },
    ]);
    const [, insert] = scriptOf({ statements, types: [[], ['bigint[]']] })
      .split('\n')
      .slice(5);
    expect(insert).toMatch(/unnest\(array\[:a0_id::bigint, E'7'::bigint, .*:made.*\]::bigint\[\]\);$/);
  });

  test('an array of which something is missing', () => {
    expect(asText([7, null, 'NULL'])).toBe('{"7",NULL,"NULL"}');
  });

  test('not when the two recordings took different ways', () => {
    expect(() => generalise([first, deposit(12, 502, 'F-2').slice(1)], inputs)).toThrow('differ');
  });
});

test('pgbench sees its own variables and none inside a text', () => {
  const statements = generalise([first, deposit(12, 502, 'F-2')], inputs);
  const types = [[], ['bigint'], ['text'], ['bigint', 'integer', 'integer'], ['text', 'json']];
  const lines = scriptOf({ statements, types }).split('\n').slice(5);
  expect(lines[1]).toBe('select id, amount from refs where id = :reference::bigint::bigint;');
  expect(lines[2]).toMatch(/^insert into receipts .*:made::bigint \+ 0.* returning id \\gset a2_$/);
  expect(lines[3]).toBe("insert into parts values (:a2_id::bigint, E'7'::integer, null::integer);");
  expect(lines[4]).toContain(`E'{"receipt"\\x3a501}'::json`);
});
