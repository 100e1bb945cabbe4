import { configDefaults, defineConfig } from 'vitest/config';

const unlessPure = ['**/*.db.test.ts', '**/*.http.test.ts'];
const packages = '{domain,contract,provider-wire,server,sandbox,web,admin,tools,bench}';

/** Tests over a real PostgreSQL of the run's own, each file with databases cloned from its template. */
const overDatabase = (name: string, pattern: string) => ({
  test: {
    name,
    environment: 'node' as const,
    include: [`${packages}/${pattern}`],
    globalSetup: ['tools/src/test-server.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});

/** Five kinds of tests by file name; what each may touch is in CONTRIBUTING. */
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
      overDatabase('db', '**/*.db.test.ts'),
      overDatabase('http', '**/*.http.test.ts'),
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
          testTimeout: 90_000,
          hookTimeout: 180_000,
          // One product and one browser for the whole run, started by the first journey that asks (e2e/journey.ts).
          isolate: false,
          maxWorkers: 1,
        },
      },
    ],
  },
});
