/** What a command prints: lines for a person, or the same as data for a program (`--json`). */
export interface Said {
  readonly text: string;
  /** The same within a terminal's columns, where the text is a table that may be wider. */
  readonly fit?: (columns: number) => string;
  readonly json: unknown;
  /** Set when the command ran and found a problem: a key that does not work, products that cannot be imported. */
  readonly exitCode?: 1;
}

type Cell = string | number | null | undefined;

/** The same with more text around it. */
export function around(said: Said, add: (text: string) => string): Said {
  const { fit } = said;
  return { ...said, text: add(said.text), ...(fit && { fit: (columns: number) => add(fit(columns)) }) };
}

/** One sentence, with its data. */
export function sentence(text: string, json: unknown): Said {
  return { text, json };
}

/**
 * Rows under headings, each column as wide as its widest cell, numbers to the right. On a terminal that is narrower, long cells
 * go on below; where that is not enough, each row is a block of lines. An empty table prints `none`.
 */
export function table<Row extends object>(
  rows: readonly Row[],
  columns: readonly (readonly [heading: string, cell: (row: Row) => Cell])[],
  { none }: { none: string },
): Said {
  const json = rows.map(inCamelCase);
  if (rows.length === 0) return { text: none, json };
  const cells = rows.map((row) => columns.map(([, cell]) => cell(row)));
  const headings = columns.map(([heading]) => heading);
  const widest = headings.map((_, at) =>
    Math.max(...[headings, ...cells].map((row) => plain(row[at]).trim().length)),
  );
  const draw = (widths: readonly number[]) =>
    [headings, ...cells].flatMap((row) => lineOf(row, widths)).join('\n');
  return {
    text: draw(widest),
    fit(columnsThere) {
      const widths = narrowed(widest, [headings, ...cells], columnsThere);
      if (widths !== undefined) return draw(widths);
      return cells.map((row) => block(headings, row)).join('\n\n');
    },
    json,
  };
}

const GAP = '  ';

/** A row, its cells wrapped at their widths. */
function lineOf(row: readonly Cell[], widths: readonly number[]): string[] {
  const wrapped = row.map((cell, at) => wrap(plain(cell).trim(), widths[at] ?? 0));
  const height = Math.max(...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    row
      .map((cell, at) => {
        const [text, width] = [wrapped[at]?.[line] ?? '', widths[at] ?? 0];
        return isFigure(cell) ? text.padStart(width) : text.padEnd(width);
      })
      .join(GAP)
      .trimEnd(),
  );
}

/** A number, or an amount that was padded to stand to the right. */
function isFigure(cell: Cell): boolean {
  return typeof cell === 'number' || plain(cell).startsWith(' ');
}

/** Widths that fit, the widest column giving way first and none below its longest word; undefined when there are none. */
function narrowed(
  widest: readonly number[],
  rows: readonly (readonly Cell[])[],
  columns: number,
): number[] | undefined {
  const least = widest.map((_, at) =>
    Math.max(
      ...rows.flatMap((row) =>
        plain(row[at])
          .split(' ')
          .map((word) => word.length),
      ),
    ),
  );
  const widths = [...widest];
  let over = widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length) - columns;
  while (over > 0) {
    const slack = widths.map((width, at) => (width > (least[at] ?? 0) ? width : 0));
    const at = slack.indexOf(Math.max(...slack));
    if (slack[at] === 0) return undefined;
    widths[at] = (widths[at] ?? 0) - 1;
    over -= 1;
  }
  return widths;
}

function wrap(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}

function block(headings: readonly string[], row: readonly Cell[]): string {
  const width = Math.max(...headings.map((heading) => heading.length));
  return headings
    .flatMap((heading, at) => {
      const value = plain(row[at]).trim();
      return value === '' ? [] : [`${heading.padEnd(width)}${GAP}${value}`];
    })
    .join('\n');
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
