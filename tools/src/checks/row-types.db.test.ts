import { beforeAll, describe, expect, inject, test } from 'vitest';
import { query } from '../query.ts';
import { rowTypeDifferences } from './row-types.ts';

const DATABASE = `planted_${process.pid}`;
let url: string;

beforeAll(async () => {
  const server = new URL(inject('testServer').url);
  await query(server.href, `create database ${DATABASE}`);
  server.pathname = `/${DATABASE}`;
  url = server.href;
  await query(
    url,
    'create table coins (id bigint generated always as identity, name text not null, worn_at timestamptz)',
  );
  await query(url, 'create view heavy_coins as select id from coins');
  return async () => {
    await query(inject('testServer').url, `drop database ${DATABASE}`);
  };
});

const RIGHT = `
export interface CoinsTable {
  id: Generated<number>;
  name: string;
  worn_at: Date | null; // a comment
}

export interface HeavyCoinsTable {
  id: number;
}

export interface Database {
  coins: CoinsTable;
  heavy_coins: HeavyCoinsTable;
}
`;

describe('row types and the database', () => {
  test('equal ones pass', async () => expect(await rowTypeDifferences(RIGHT, url)).toEqual([]));

  test.each([
    ['  name: string;\n', '', 'the database has coins.name, tables.ts does not'],
    [
      '  name: string;',
      '  name: string;\n  weight: number;',
      'tables.ts has coins.weight, the database does not',
    ],
    ['  heavy_coins: HeavyCoinsTable;\n', '', 'the database has heavy_coins, tables.ts does not'],
    [
      '  coins: CoinsTable;',
      '  coins: CoinsTable;\n  notes: CoinsTable;',
      'tables.ts has notes, the database does not',
    ],
    ['Date | null', 'Date', 'coins.worn_at is nullable in the database'],
    ['name: string', 'name: string | null', 'coins.name is not nullable in the database'],
    [
      'name: string',
      'name: Generated<string>',
      'coins.name is Generated, but the database gives it no value',
    ],
  ])('%j made into %j is reported', async (from, to, sentence) => {
    expect(await rowTypeDifferences(RIGHT.replace(from, to), url)).toEqual([sentence]);
  });

  test('a file that cannot be read is an error, not a success', async () => {
    expect(await rowTypeDifferences('type Database = {}', url)).toEqual([
      'tables.ts has no Database interface that this check can read',
    ]);
  });
});
