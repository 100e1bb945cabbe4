import { query } from '../query.ts';

type Column = { nullable: boolean; generated: boolean };
/** Columns by name, by table. */
type Tables = Map<string, Map<string, Column>>;

/**
 * Where the row types say something else than the database: tables and columns that only one of them knows,
 * nullability, and `Generated` columns that nothing generates. `source` is the text of `tables.ts`: one
 * `export interface XTable { column: Type; … }` per table and `export interface Database { table: XTable; … }`.
 */
export async function rowTypeDifferences(source: string, databaseUrl: string): Promise<string[]> {
  const written = readWritten(source);
  const { tables: actual, views } = await readActual(databaseUrl);
  if (written.size === 0) return ['tables.ts has no Database interface that this check can read'];
  return [
    ...missing(written, actual, (name) => `tables.ts has ${name}, the database does not`),
    ...missing(actual, written, (name) => `the database has ${name}, tables.ts does not`),
    ...[...written].flatMap(([table, columns]) =>
      compareColumns(table, columns, actual.get(table), views.has(table)),
    ),
  ];
}

function missing(these: Tables, those: Tables, say: (name: string) => string): string[] {
  return [...these].flatMap(([table, columns]) => {
    const others = those.get(table);
    if (!others) return [say(table)];
    return [...columns.keys()]
      .filter((column) => !others.has(column))
      .map((column) => say(`${table}.${column}`));
  });
}

function compareColumns(
  table: string,
  columns: Map<string, Column>,
  actual: Map<string, Column> | undefined,
  isView: boolean,
): string[] {
  // PostgreSQL calls every column of a view nullable, and nothing is ever inserted into one.
  if (!actual || isView) return [];
  return [...columns].flatMap(([name, column]) => {
    const real = actual.get(name);
    if (!real) return [];
    const problems: string[] = [];
    if (column.nullable !== real.nullable) {
      problems.push(`${table}.${name} is ${real.nullable ? '' : 'not '}nullable in the database`);
    }
    if (column.generated && !real.generated) {
      problems.push(`${table}.${name} is Generated, but the database gives it no value`);
    }
    return problems;
  });
}

function readWritten(source: string): Tables {
  const bodies = new Map<string, [string, string][]>();
  for (const [, name = '', body = ''] of source.matchAll(/export interface (\w+) \{\n([\s\S]*?)\n\}/g)) {
    const fields = [...body.matchAll(/^ {2}(\w+): ([^;]+);/gm)].map(([, field = '', type = '']) => [
      field,
      type,
    ]);
    bodies.set(name, fields as [string, string][]);
  }
  const tables: Tables = new Map();
  for (const [table, interfaceName] of bodies.get('Database') ?? []) {
    const columns = (bodies.get(interfaceName) ?? []).map(([name, type]): [string, Column] => [
      name,
      { nullable: /\|\s*null\b/.test(type), generated: type.startsWith('Generated') },
    ]);
    tables.set(table, new Map(columns));
  }
  return tables;
}

async function readActual(databaseUrl: string): Promise<{ tables: Tables; views: Set<string> }> {
  const rows = await query<{
    table: string;
    is_view: boolean;
    column: string;
    nullable: boolean;
    generated: boolean;
  }>(
    databaseUrl,
    `select c.table_name as "table", t.table_type = 'VIEW' as is_view, c.column_name as "column",
              c.is_nullable = 'YES' as nullable,
              c.column_default is not null or c.is_identity = 'YES' or c.is_generated = 'ALWAYS' as generated
         from information_schema.columns c
         join information_schema.tables t using (table_schema, table_name)
        where c.table_schema = 'public' and c.table_name not like 'kysely\\_%'
        order by c.table_name, c.ordinal_position`,
  );
  const tables: Tables = new Map();
  for (const { table, column, nullable, generated } of rows) {
    const columns = tables.get(table) ?? new Map<string, Column>();
    tables.set(table, columns.set(column, { nullable, generated }));
  }
  return { tables, views: new Set(rows.filter((row) => row.is_view).map((row) => row.table)) };
}
