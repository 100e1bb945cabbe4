import { configDefaults, defineConfig } from 'vitest/config';

const unlessPure = ['**/*.db.test.ts', '**/*.http.test.ts'];
const packages = '{domain,contract,provider-wire,server,sandbox,web,tools,bench}';

/** Four kinds of tests by file name; what each may touch is in CONTRIBUTING. */
export default defineConfig({
  test: {
    passWithNoTests: false,
    projects: [
      {
        test: {
          name: 'rule',
          environment: 'node',
          include: [`${packages}/**/*.test.ts`],
          exclude: [...configDefaults.exclude, ...unlessPure],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'db',
          environment: 'node',
          include: unlessPure.map((pattern) => `${packages}/${pattern}`),
          globalSetup: ['tools/src/test-server.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'web',
          environment: 'jsdom',
          include: ['web/**/*.test.tsx'],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['e2e/**/*.e2e.ts'],
          testTimeout: 60_000,
          hookTimeout: 180_000,
          // One product and one browser for the whole run, started by the first journey that asks (e2e/journey.ts).
          isolate: false,
          maxWorkers: 1,
        },
      },
    ],
  },
});
