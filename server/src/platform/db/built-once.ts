import type { Compilable, CompiledQuery, RawBuilder } from 'kysely';
import type { Db, Tx } from './db.ts';

/** Stands for a value while a statement is built, or for one column of a value that is rows. */
export class StandIn {
  readonly name: string;
  readonly column: string | undefined;
  constructor(name: string, column?: string) {
    this.name = name;
    this.column = column;
  }

  /** What stands for a column of its rows. */
  ofColumn(column: string): StandIn {
    return new StandIn(this.name, column);
  }
}

/** A column of rows, as an array. */
export function columnOf(rows: readonly object[], column: string): unknown[] {
  return rows.map((row) => (row as Record<string, unknown>)[column] ?? null);
}

/**
 * A statement that is built once for each shape, which must be few, and then only given its values: building what joins a dozen
 * tables takes half a millisecond of every call. `build` may do nothing with a value but hand it to the statement as a parameter,
 * or to `rowsAs`.
 */
export function builtOnce<Values extends object, Row, Shape = void>(
  build: (db: Db | Tx, values: Values, shape: Shape) => Compilable<Row> | RawBuilder<Row>,
): (db: Db | Tx, values: Values, shape: Shape) => CompiledQuery<Row> {
  const standIns = new Proxy({}, { get: (_, name) => new StandIn(String(name)) }) as Values;
  const built = new Map<string, CompiledQuery<Row>>();
  return (db, values, shape) => {
    const key = JSON.stringify(shape) ?? '';
    let statement = built.get(key);
    if (statement === undefined) built.set(key, (statement = build(db, standIns, shape).compile(db)));
    const parameters = statement.parameters.map((parameter) => {
      if (!(parameter instanceof StandIn)) return parameter;
      const value = values[parameter.name as keyof Values];
      return parameter.column === undefined ? value : columnOf(value as readonly object[], parameter.column);
    });
    return { ...statement, parameters };
  };
}
