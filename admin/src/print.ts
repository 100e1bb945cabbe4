import { formatDate, formatMoment } from '@aparta/domain/calendar';
import { type Centavos, formatMoney } from '@aparta/domain/money';
import type { Amount, Cell } from '@aparta/server/platform/csv';

/** What a command prints: lines for a person, or the same as data for a program (`--json`). */
export interface Said {
  readonly text: string;
  /** The same within a terminal's columns, where the text is a table that may be wider. */
  readonly fit?: (columns: number) => string;
  readonly json: unknown;
  /** Set when the command ran and found a problem: a key that does not work, products that cannot be imported. */
  readonly exitCode?: 1;
}

/** Rows under headings, for a table and for a file. */
export type Columns<Row> = readonly (readonly [heading: string, cell: (row: Row) => Cell])[];

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
 * Rows under headings, each column as wide as its widest cell, figures to the right. On a terminal that is narrower, long cells
 * go on below; where that is not enough, each row is a block of lines. An empty table prints `none`.
 */
export function table<Row extends object>(
  rows: readonly Row[],
  columns: Columns<Row>,
  { none }: { none: string },
): Said {
  const json = rows.map(inCamelCase);
  if (rows.length === 0) return { text: none, json };
  const cells = rows.map((row) => columns.map(([, cell]) => cell(row)));
  const headings = columns.map(([heading]) => heading);
  const widest = headings.map((_, at) =>
    cells.reduce((most, row) => Math.max(most, plain(row[at]).length), headings[at]?.length ?? 0),
  );
  const isRight = headings.map((_, at) => cells.some((row) => isFigure(row[at])));
  const draw = (widths: readonly number[]) =>
    [headings, ...cells].flatMap((row) => lineOf(row, widths, isRight)).join('\n');
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

/** A row, its cells wrapped at their widths; in a column of figures all of them stand to the right. */
function lineOf(row: readonly Cell[], widths: readonly number[], isRight: readonly boolean[]): string[] {
  const wrapped = row.map((cell, at) => wrap(plain(cell), widths[at] ?? 0));
  const height = Math.max(...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    row
      .map((_, at) => {
        const [text, width] = [wrapped[at]?.[line] ?? '', widths[at] ?? 0];
        return isRight[at] ? text.padStart(width) : text.padEnd(width);
      })
      .join(GAP)
      .trimEnd(),
  );
}

/** A number or an amount. */
function isFigure(cell: Cell): boolean {
  return typeof cell === 'number' || (typeof cell === 'object' && cell !== null && 'centavos' in cell);
}

/** Widths that fit, the widest column giving way first and none below its longest word; undefined when there are none. */
function narrowed(
  widest: readonly number[],
  rows: readonly (readonly Cell[])[],
  columns: number,
): number[] | undefined {
  const longestWord = (cell: Cell) =>
    Math.max(
      ...plain(cell)
        .split(' ')
        .map((word) => word.length),
    );
  const least = widest.map((_, at) => rows.reduce((most, row) => Math.max(most, longestWord(row[at])), 0));
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
      const value = plain(row[at]);
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

/** `-$1,200.50`. */
export function money(amount: number): string {
  return `${amount < 0 ? '-' : ''}${formatMoney(Math.abs(amount) as Centavos)}`;
}

/** An amount as a cell: to the right in a table, a plain number in a file. */
export function amount(centavos: number): Amount {
  return { centavos };
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

/** What moves a terminal's cursor, ends a line or turns the way that text is read. */
const CONTROL = String.raw`[\p{Cc}\u2028-\u202e\u2066-\u2069]`;
const ANY_CONTROLS = new RegExp(`${CONTROL}+`, 'gu');
/** A file's lines may end in CR LF. */
const BUT_LINE_ENDS = new RegExp(String.raw`(?!\r?\n)${CONTROL}`, 'gu');

/** Text from outside within a line: it neither controls the terminal nor makes a line of its own. */
export function onOneLine(text: string): string {
  return text.replaceAll(ANY_CONTROLS, ' ');
}

/** All that a command prints: its own lines, and nothing that controls the terminal. */
export function printable(text: string): string {
  return text.replaceAll(BUT_LINE_ENDS, ' ');
}

/** A cell as text that is safe to print. */
function plain(cell: Cell): string {
  if (cell instanceof Date) return formatMoment(cell);
  if (typeof cell === 'object' && cell !== null)
    return 'on' in cell ? formatDate(cell.on) : money(cell.centavos);
  return onOneLine(String(cell ?? ''));
}
