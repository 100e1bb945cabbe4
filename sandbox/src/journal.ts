import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

type Row = { id: string };

/** Rows by id, in the order in which they were first put. A row is replaced, never changed in place. */
export type Table<T extends Row> = {
  get(id: string): T | undefined;
  all(): T[];
  count(): number;
  put(row: T): T;
};

export type Journal = {
  table<T extends Row>(name: string): Table<T>;
  clear(): void;
  close(): void;
};

type Line = { table: string; row: Row };

/**
 * Tables kept in memory and, with a folder, in an append-only file of JSON lines: a line is written before
 * `put` returns, so what the sandbox has answered survives a kill. Opening compacts the file. With `null` nothing is written.
 */
export function openJournal(folder: string | null): Journal {
  const tables = new Map<string, Map<string, Row>>();
  const rowsOf = (name: string): Map<string, Row> => {
    const rows = tables.get(name) ?? new Map<string, Row>();
    tables.set(name, rows);
    return rows;
  };

  const file = folder === null ? null : join(folder, 'journal.jsonl');
  if (folder !== null && file !== null) {
    mkdirSync(folder, { recursive: true });
    for (const { table, row } of readLines(file)) rowsOf(table).set(row.id, row);
  }
  let handle = rewrite();

  /** Writes all rows to a new file, which then replaces the old one. */
  function rewrite(): number | null {
    if (file === null) return null;
    const next = `${file}.next`;
    const lines = [...tables].flatMap(([table, rows]) =>
      [...rows.values()].map((row) => `${JSON.stringify({ table, row })}\n`),
    );
    writeFileSync(next, lines.join(''));
    renameSync(next, file);
    return openSync(file, 'a');
  }

  return {
    table<T extends Row>(name: string): Table<T> {
      return {
        get: (id) => rowsOf(name).get(id) as T | undefined,
        all: () => [...rowsOf(name).values()] as T[],
        count: () => rowsOf(name).size,
        put(row) {
          rowsOf(name).set(row.id, row);
          if (handle !== null) appendFileSync(handle, `${JSON.stringify({ table: name, row })}\n`);
          return row;
        },
      };
    },
    clear() {
      tables.clear();
      if (handle !== null) closeSync(handle);
      handle = rewrite();
    },
    close() {
      if (handle !== null) closeSync(handle);
      handle = null;
    },
  };
}

/** The lines of a journal without a last one that a kill cut short. Throws with the line that nobody can read. */
function readLines(file: string): Line[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .flatMap((line, index) => (line === '' ? [] : [parseLine(line, `${file}:${index + 1}`)]));
}

function parseLine(line: string, place: string): Line {
  try {
    return JSON.parse(line) as Line;
  } catch {
    throw new Error(
      `${place} is not what the sandbox wrote: put the line right, or remove it and lose its record`,
    );
  }
}
