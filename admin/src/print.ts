/** What a command prints: lines for a person, or the same as data for a program (`--json`). */
export interface Said {
  readonly text: string;
  readonly json: unknown;
  /** Set when the command ran and found a problem: a key that does not work, products that cannot be imported. */
  readonly exitCode?: 1;
}

type Cell = string | number | null | undefined;

/** One sentence, with its data. */
export function sentence(text: string, json: unknown): Said {
  return { text, json };
}

/** Rows under headings, each column as wide as its widest cell, numbers to the right. An empty table prints `none`. */
export function table<Row extends object>(
  rows: readonly Row[],
  columns: readonly (readonly [heading: string, cell: (row: Row) => Cell])[],
  { none }: { none: string },
): Said {
  const json = rows.map(inCamelCase);
  if (rows.length === 0) return { text: none, json };
  const cells = rows.map((row) => columns.map(([, cell]) => cell(row)));
  const widths = columns.map(([heading], at) =>
    cells.reduce((widest, row) => Math.max(widest, plain(row[at]).length), heading.length),
  );
  const line = (row: readonly Cell[]) =>
    row
      .map((cell, at) =>
        typeof cell === 'number'
          ? plain(cell).padStart(widths[at] ?? 0)
          : plain(cell).padEnd(widths[at] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return { text: [line(columns.map(([heading]) => heading)), ...cells.map(line)].join('\n'), json };
}

/** Facts, each behind its name: `Comercio   7`. */
export function facts(pairs: readonly (readonly [name: string, value: Cell])[], json: unknown): Said {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return {
    text: pairs.map(([name, value]) => `${name.padEnd(width)}  ${plain(value)}`.trimEnd()).join('\n'),
    json,
  };
}

/** A database row with camelCase names. */
export function inCamelCase(row: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name.replaceAll(/_(\w)/g, (_, capital: string) => capital.toUpperCase()),
      value,
    ]),
  );
}

/** Text that is safe to print: what a buyer typed must not control the terminal. */
function plain(cell: Cell): string {
  return String(cell ?? '').replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, ' ');
}
