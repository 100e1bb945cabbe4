import path from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import config from '../../vitest.config.ts';

const root = path.join(import.meta.dirname, '..', '..');
/** What a fault breaks is waited for in vain. */
const PATIENCE_MS = 5_000;

/** Faults are planted in a copy, whose packages would find each other through `node_modules`, where the unchanged tree is. */
const alias = [
  { find: /^@aparta\/server\/test\/(.*)$/, replacement: `${root}/server/test/$1.ts` },
  { find: /^@aparta\/([a-z-]+)\/(.*)$/, replacement: `${root}/$1/src/$2.ts` },
];

/** The tests that `MUTANT_TESTS` names, each in its project. */
const tests = (process.env['MUTANT_TESTS'] ?? '').split(',');
const kindOf = (test: string) => /\.(db|http)\.test\.ts$/.exec(test)?.[1] ?? 'rule';

const projects = (config.test?.projects ?? []).flatMap((project) => {
  if (typeof project !== 'object' || !('test' in project) || project.test === undefined) return [];
  const include = tests.filter((test) => kindOf(test) === project.test?.name);
  if (include.length === 0) return [];
  const test: TestProjectInlineConfiguration['test'] = {
    ...project.test,
    include,
    expect: { poll: { timeout: PATIENCE_MS } },
    setupFiles: ['tools/src/mutation-setup.ts'],
    isolate: true, // what a module does while it is loaded is planted again
  };
  return [{ root, resolve: { alias }, test }];
});

export default defineConfig({ test: { projects } });
