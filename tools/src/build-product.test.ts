import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { plantTree } from './checks/planted-tree.ts';
import { root as repository } from './steps.ts';

const PARTS = ['web', 'counter', 'server'];
const read = (file: string) => fs.readFileSync(path.join(repository, 'tools', 'src', file), 'utf8');

/** A project in small, with a Vite that only notes for what it was to build. */
let root: string;
let remove: () => void;
beforeEach(() => {
  ({ root, remove } = plantTree({
    'package-lock.json': '{}',
    'package.json': '{"type":"module"}',
    'tools/src/build-product.ts': read('build-product.ts'),
    'tools/src/start-failure.ts': read('start-failure.ts'),
    'node_modules/vite/package.json': '{"type":"commonjs"}',
    'node_modules/vite/bin/vite.js': `
      const fs = require('node:fs');
      fs.mkdirSync('dist', { recursive: true });
      fs.appendFileSync('dist/built-for', process.env.NODE_ENV + ' ');`,
    ...Object.fromEntries(PARTS.map((part) => [`${part}/package.json`, '{"dependencies":{}}'])),
  }));
});
afterEach(() => remove());

test('what is served is built once, and for production, whatever the shell says', () => {
  const module = path.join(root, 'tools', 'src', 'build-product.ts');
  for (const NODE_ENV of ['development', 'test']) {
    const build = `import(${JSON.stringify(module)}).then(({ buildProduct }) => buildProduct(() => {}))`;
    const env = { ...process.env, NODE_ENV };
    const { status, stderr } = spawnSync(process.execPath, ['-e', build], { encoding: 'utf8', env });
    expect([status, stderr]).toEqual([0, '']);
  }
  const builtFor = PARTS.map((part) => fs.readFileSync(path.join(root, part, 'dist', 'built-for'), 'utf8'));
  expect(builtFor).toEqual(PARTS.map(() => 'production '));
});
