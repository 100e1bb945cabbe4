import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { watchFolders } from './watch-folders.ts';

let folder: string;
let changes = 0;
let stop: () => Promise<void>;
beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-watch-'));
  fs.mkdirSync(path.join(folder, 'src/deep'), { recursive: true });
  fs.writeFileSync(path.join(folder, 'src/deep/old.ts'), '1');
  changes = 0;
  stop = await watchFolders([path.join(folder, 'src')], () => (changes += 1));
});
afterEach(async () => {
  await stop();
  fs.rmSync(folder, { recursive: true });
});

const at = (file: string) => path.join(folder, 'src', file);
/** As editors save: a file beside it, renamed over it. */
function save(file: string, text: string) {
  fs.writeFileSync(path.join(folder, 'beside'), text);
  fs.renameSync(path.join(folder, 'beside'), at(file));
}

test('the server runs what was saved last, however often a file is replaced, and files that are new', async () => {
  const edits: [string, () => void][] = [
    ['saved by a rename', () => save('deep/old.ts', '2')],
    ['saved by a rename again', () => save('deep/old.ts', '3')],
    ['written in place after that', () => fs.writeFileSync(at('deep/old.ts'), '4')],
    ['a new file', () => fs.writeFileSync(at('new.ts'), '1')],
    ['the new file by a rename', () => save('new.ts', '2')],
    ['a new folder', () => fs.mkdirSync(at('wing'))],
    ['a file in it', () => fs.writeFileSync(at('wing/first.ts'), '1')],
    ['gone', () => fs.rmSync(at('new.ts'))],
  ];
  for (const [what, edit] of edits) {
    const before = changes;
    edit();
    await expect.poll(() => changes, { message: what }).toBeGreaterThan(before);
  }
});
