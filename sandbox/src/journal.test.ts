import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openJournal } from './journal.ts';

function folderWith(more: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'journal-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const journal = openJournal(folder);
  journal.table('payments').put({ id: 'one' });
  journal.close();
  appendFileSync(join(folder, 'journal.jsonl'), more);
  return folder;
}

test('a record that a kill cut short is left out, and the others stay', () => {
  const journal = openJournal(folderWith('{"table":"pay'));
  onTestFinished(journal.close);
  expect(journal.table('payments').all()).toEqual([{ id: 'one' }]);
});

test('of a journal that nobody can read one is told the line and what to do, and it is left as it is', () => {
  const folder = folderWith('{garbage\n');
  const file = join(folder, 'journal.jsonl');
  const before = readFileSync(file, 'utf8');
  expect(() => openJournal(folder)).toThrow(
    `${file}:2 is not what the sandbox wrote: put the line right, or remove it and lose its record`,
  );
  expect(readFileSync(file, 'utf8')).toBe(before);
});
