import fs from 'node:fs';
import path from 'node:path';
import { defineConfig, type Plugin, type TestProjectInlineConfiguration } from 'vitest/config';
import type { Reporter } from 'vitest/node';
import config from '../../vitest.config.ts';
import type { Proof } from './prove-rows.ts';
import { mutated, type Mutation, specMutations } from './spec-rows.ts';

const root = path.join(import.meta.dirname, '..', '..');
const mutations = specMutations(root);
const ids = (process.env['PROVE_ROWS'] ?? '').split(',').filter((id) => id in mutations);

/** Shorter waits than elsewhere: what a mutation breaks is waited for in vain. */
const PATIENCE_MS = 3_000;

/** One project per row, whose Vite reads the mutation instead of the file. */
function projectOf(id: string, mutation: Mutation): TestProjectInlineConfiguration {
  const kind = kindOf(mutation.test);
  const base = (config.test?.projects ?? []).find(
    (project): project is TestProjectInlineConfiguration =>
      typeof project === 'object' && 'test' in project && project.test?.name === kind,
  );
  return {
    root,
    plugins: [instead(mutation)],
    test: {
      ...base?.test,
      name: id,
      include: [mutation.test],
      expect: { poll: { timeout: PATIENCE_MS } },
      provide: { patienceMs: PATIENCE_MS },
      ...(mutation.title !== undefined && { testNamePattern: new RegExp(mutation.title) }),
    },
  };
}

function kindOf(test: string): string {
  const [, kind] = /\.(db|http)\.test\.ts$/.exec(test) ?? [];
  return kind ?? (test.endsWith('.tsx') ? 'web' : 'rule');
}

function instead(mutation: Mutation): Plugin {
  const file = path.join(root, mutation.file);
  return {
    name: 'mutation',
    enforce: 'pre',
    // Vitest keeps what it has transformed, by the file's own text.
    configureVitest: ({ defineCacheKeyGenerator }) =>
      defineCacheKeyGenerator(({ id }) => (id.split('?')[0] === file ? JSON.stringify(mutation) : undefined)),
    load(id) {
      const [name, query] = id.split('?');
      if (name !== file) return undefined;
      const text = mutated(root, mutation);
      return query === 'raw' ? `export default ${JSON.stringify(text)}` : text;
    },
  };
}

const reporter: Reporter = {
  onTestRunEnd(modules) {
    const proofs: Proof[] = modules.map((module) => {
      const tests = [...module.children.allTests()].map((test) => test.result().state);
      const failed = tests.filter((state) => state === 'failed').length;
      // A module that does not even load has not been proven by a test.
      return { id: module.project.name, failed, ran: tests.filter((state) => state !== 'skipped').length };
    });
    fs.writeFileSync(process.env['PROOFS_FILE'] ?? '', JSON.stringify(proofs));
  },
};

/** The runs of `coverage-proof.ts`. */
export default defineConfig({
  test: {
    passWithNoTests: true,
    maxWorkers: 2,
    reporters: [reporter],
    projects: ids.flatMap((id) => (mutations[id] ? [projectOf(id, mutations[id])] : [])),
  },
});
