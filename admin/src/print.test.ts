import { describe, expect, test } from 'vitest';
import { around, table } from './print.ts';

const ID = '0b6f1f0e-3f6c-4e1c-9a51-3f1f0a7c2d11';
const ROWS = [
  { id: ID, times: 12, next: `payment follow --by ${ID}; luego payment return ${ID} --reason "..."` },
  { id: '7', times: 3, next: '' },
];
const said = table(
  ROWS,
  [
    ['NÚMERO', ({ id }) => id],
    ['VECES', ({ times }) => times],
    ['SIGUE', ({ next }) => next],
  ],
  { none: 'Nada.' },
);

describe('a list that is wider than the terminal', () => {
  test('is whole where a program or a file reads it', () => {
    expect(said.text.split('\n')).toHaveLength(3);
    expect(said.text).toContain(ROWS[0]!.next);
  });

  test('goes on below in its long column, with no id cut', () => {
    const lines = said.fit!(90).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(90);
    expect(lines.join('\n').split(ID)).toHaveLength(4);
    expect(lines[1]).toMatch(/^0b6f1f0e-\S+ +12 {2}payment follow --by$/);
  });

  test('is a block of lines for each row where even that is too wide, with every command in one line', () => {
    expect(said.fit!(40)).toBe(
      [`NÚMERO  ${ID}`, 'VECES   12', `SIGUE   ${ROWS[0]!.next}`, '', 'NÚMERO  7', 'VECES   3'].join('\n'),
    );
  });

  test('is as it was where it fits, and keeps what is said around it', () => {
    expect(said.fit!(400)).toBe(said.text);
    expect(around(said, (text) => `ENSAYO\n${text}`).fit!(40)).toMatch(/^ENSAYO\nNÚMERO/);
  });
});
