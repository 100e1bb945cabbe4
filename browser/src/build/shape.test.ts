import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shapeOf } from './shape.ts';

test('what a device kept is forgotten when a buyer’s answers change, and not for what only a shop reads', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shape-'));
  const write = (name: string, words: string) => writeFileSync(join(folder, name), words);
  write('sales.ts', 'a');
  const before = shapeOf([folder], /^(counter-.*|fields)\.ts$/);
  write('counter-payments.ts', 'new');
  write('fields.ts', 'new');
  write('sales.test.ts', 'new');
  expect(shapeOf([folder], /^(counter-.*|fields)\.ts$/)).toBe(before);
  write('sales.ts', 'b');
  expect(shapeOf([folder], /^(counter-.*|fields)\.ts$/)).not.toBe(before);
  rmSync(folder, { recursive: true });
});
