import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { changedFiles } from './changed.ts';
import { plantTree } from './checks/planted-tree.ts';

const undo: (() => void)[] = [];
afterEach(() => undo.splice(0).forEach((step) => step()));

test('what a branch changed is what it committed, what is not committed and what is new, without what is gone', () => {
  const tree = plantTree({ 'kept.ts': '1', 'edited.ts': '1', 'committed.ts': '1', 'gone.ts': '1' });
  undo.push(tree.remove);
  const git = (line: string) => spawnSync('git', line.split(' '), { cwd: tree.root });
  const write = (file: string) => fs.writeFileSync(path.join(tree.root, file), '2');
  const commit = () => {
    git('add -A');
    git('-c user.name=a -c user.email=a@b.mx -c commit.gpgsign=false commit -m x');
  };
  git('init -b main');
  commit();
  expect(changedFiles(tree.root)).toEqual([]);
  write('edited.ts');
  expect(changedFiles(tree.root)).toEqual(['edited.ts']);
  git('checkout -b branch');
  write('committed.ts');
  commit();
  write('new.ts');
  fs.rmSync(path.join(tree.root, 'gone.ts'));
  expect(changedFiles(tree.root).toSorted()).toEqual(['committed.ts', 'edited.ts', 'new.ts']);
});
