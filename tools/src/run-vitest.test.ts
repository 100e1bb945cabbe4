import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { plantTree } from './checks/planted-tree.ts';
import config from '../../vitest.config.ts';
import { failuresOf, slowestOf } from './run-vitest.ts';
import { root as repository } from './steps.ts';

const undo: (() => void)[] = [];
afterEach(() => undo.splice(0).forEach((step) => step()));

test('the end of a run names each failed test with what it said and why, each file that never ran, and each error outside them', () => {
  const tree = plantTree({
    'mixed.test.js': `
      test('holds', () => {});
      describe('sums', () => { test('breaks', () => { expect(1 + 1).toBe(3); }); });
      test('a property', () => { throw new Error('fails for some', { cause: new Error('for seven') }); });`,
    'broken.test.js': `throw new Error('no tests here');`,
    'stray.test.js': `test('leaves a fault behind', () => { Promise.reject(new Error('nobody waits')); });`,
  });
  undo.push(tree.remove);
  const report = path.join(tree.root, 'report.json');
  const vitest = path.join(repository, 'node_modules', 'vitest', 'vitest.mjs');
  const untold = path.join(tree.root, 'untold.json');
  const reporters = ['--reporter=json', `--reporter=${path.join(repository, 'tools/src/untold-errors.ts')}`];
  const args = ['run', '--root', tree.root, '--globals', ...reporters, `--outputFile.json=${report}`];
  const env = { ...process.env, UNTOLD_ERRORS: untold };
  spawnSync(process.execPath, [vitest, ...args], { cwd: tree.root, env });

  const failures = failuresOf(JSON.parse(fs.readFileSync(report, 'utf8'))).toSorted();
  expect(failures).toHaveLength(3);
  expect(failures[0]).toContain('broken.test.js\n');
  expect(failures[0]).toContain('no tests here');
  expect(failures[1]).toContain('mixed.test.js: a property\n');
  expect(failures[2]).toContain('mixed.test.js: sums breaks\n');
  expect(failures[2]).toContain('expected 2 to be 3');
  const [stray, cause, ...more] = JSON.parse(fs.readFileSync(untold, 'utf8'));
  expect(stray).toMatch(/stray.test.js ran\n.*nobody waits/);
  expect(cause).toMatch(/mixed.test.js: a property\nError: for seven/);
  expect(more).toEqual([]);
});

test('the end of a run names the files that took longest first', () => {
  const ran = (name: string, endTime: number) => ({
    name: path.join(repository, name),
    message: '',
    startTime: 1_000,
    endTime,
    assertionResults: [],
  });
  const testResults = [ran('quick.test.ts', 1_400), ran('slow.test.ts', 13_000), ran('fair.test.ts', 4_000)];
  expect(slowestOf({ testResults })).toEqual(['slow.test.ts 12 s', 'fair.test.ts 3 s', 'quick.test.ts 0 s']);
});

test('projects that run together have equally many workers: on a machine of four cores nothing would run else', () => {
  const together = ['rule', 'db', 'http', 'web'];
  const projects = config.test?.projects?.flatMap((each) =>
    typeof each === 'object' && 'test' in each ? [each.test] : [],
  );
  const workers = together.map((name) => projects?.find((one) => one?.name === name)?.maxWorkers);
  expect(new Set(workers).size).toBe(1);
  expect(workers[0]).toBeGreaterThan(1);
});

test('a run that is killed leaves no test running, whatever that test waits for', async () => {
  const tree = plantTree({
    'domain/src/waits.test.ts': `
      import fs from 'node:fs';
      import { test } from 'vitest';
      test('waits', async () => {
        await new Promise((resolve) => setTimeout(resolve, 500)); // by then all is told of its beginning
        fs.writeFileSync(process.env['PID_FILE'] ?? '', String(process.pid));
        await new Promise((resolve) => setTimeout(resolve, 60_000));
      }, 60_000);`,
  });
  undo.push(tree.remove);
  fs.symlinkSync(path.join(repository, 'node_modules'), path.join(tree.root, 'node_modules'));
  const pidFile = path.join(tree.root, 'pid');
  const vitest = path.join(repository, 'node_modules', 'vitest', 'vitest.mjs');
  const config = path.join(repository, 'vitest.config.ts');
  const run = spawn(
    process.execPath,
    [vitest, 'run', '--config', config, '--root', tree.root, '--project', 'rule'],
    {
      cwd: tree.root,
      env: { ...process.env, PID_FILE: pidFile },
      stdio: 'ignore',
    },
  );
  undo.push(() => run.kill('SIGKILL'));
  await expect.poll(() => fs.existsSync(pidFile) && fs.readFileSync(pidFile, 'utf8')).toMatch(/^\d+$/);
  const worker = Number(fs.readFileSync(pidFile, 'utf8'));
  undo.push(() => isAlive(worker) && process.kill(worker, 'SIGKILL'));

  run.kill('SIGKILL');
  await once(run, 'exit');
  await expect.poll(() => isAlive(worker)).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
