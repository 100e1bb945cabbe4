import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** The files that differ from where this branch left main, or on main from the last commit; new ones too, deleted ones not. */
export function changedFiles(root: string): string[] {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  const isMain = git('rev-parse', '--abbrev-ref', 'HEAD').stdout.trim() === 'main';
  const base = isMain ? 'HEAD' : git('merge-base', 'HEAD', 'main').stdout.trim() || 'HEAD';
  const lists = [
    git('diff', '--name-only', '--diff-filter=d', base),
    git('ls-files', '--others', '--exclude-standard'),
  ];
  const failed = lists.find(({ status }) => status !== 0);
  if (failed !== undefined) throw new Error(`git says: ${failed.stderr.trim()}`);
  return lists
    .flatMap(({ stdout }) => stdout.split('\n'))
    .filter((file) => file !== '' && fs.existsSync(path.join(root, file)));
}
