import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const unlessPure = ['**/*.db.test.ts', '**/*.http.test.ts'];
/** A run that is killed takes its workers along. */
const execArgv = ['--import', new URL('tools/src/die-with-parent.ts', import.meta.url).href];
const packages = '{domain,contract,provider-wire,server,sandbox,ui,browser,counter,web,admin,tools,bench}';

/** What is waited for may take its time on a busy machine; a test that waits in vain fails all the same. */
const expectations = { poll: { timeout: 20_000 } };

/**
 * The same for all that run together: Vitest refuses unequal numbers in a group. Three for two cores, since tests wait a quarter of
 * their time for PostgreSQL, servers and clocks. With a fourth nothing ended sooner: what it fills, the others lose.
 */
const maxWorkers = 3;

/** Small files that last long: a fresh clone knows no durations, begins with the largest, and would end with one of these alone. */
const LONG = [
  'e2e/screens.e2e.ts',
  'e2e/counter-screens.e2e.ts',
  'server/src/payments/cards/card-simulation.http.test.ts',
  'tools/src/chaos/chaos.http.test.ts',
  'web/src/app/seen-notice.test.tsx',
  'counter/src/app/offline.test.tsx',
  'counter/src/till/charge-page.test.tsx',
];
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) =>
      LONG.some((file) => moduleId.endsWith(`/${file}`)) ? 0 : 1;
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}

/**
 * The files of a kind share their processes: each of its own costs a second of importing. So a helper has no hooks of its own (only the
 * first file would get them), and what a test changes for its process it puts back.
 */
const isolate = false;

/** Tests over a real PostgreSQL of the run's own, each file with databases cloned from its template. */
const overDatabase = (name: string, pattern: string) => ({
  test: {
    name,
    execArgv,
    environment: 'node' as const,
    include: [`${packages}/${pattern}`],
    globalSetup: ['tools/src/test-server.ts'],
    // Some start several servers, and a standby of the database: a busy machine takes a minute for that alone.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: expectations,
    isolate,
    maxWorkers,
  },
});

/** Five kinds of tests by file name; what each may touch is in CONTRIBUTING. */
export default defineConfig({
  test: {
    passWithNoTests: false,
    // Tests of a file that wait beside each other, each perhaps with a server of its own.
    maxConcurrency: 3,
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          name: 'rule',
          execArgv,
          environment: 'node',
          include: [`${packages}/**/*.test.ts`],
          exclude: [...configDefaults.exclude, ...unlessPure],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          expect: expectations,
          isolate,
          maxWorkers,
        },
      },
      overDatabase('db', '**/*.db.test.ts'),
      overDatabase('http', '**/*.http.test.ts'),
      {
        test: {
          name: 'web',
          execArgv,
          environment: 'jsdom',
          include: ['{ui,browser,counter,web}/**/*.test.tsx'],
          setupFiles: ['web/test/each-test.ts'],
          testTimeout: 30_000,
          expect: expectations,
          isolate,
          maxWorkers,
        },
      },
      {
        test: {
          name: 'e2e',
          execArgv,
          environment: 'node',
          include: ['e2e/**/*.e2e.ts'],
          globalSetup: ['e2e/demo-data.ts'],
          testTimeout: 90_000,
          hookTimeout: 180_000,
          expect: expectations,
          // One product and one browser for each process, started by its first journey that asks (e2e/journey.ts).
          isolate: false,
          sequence: { groupOrder: 1 },
          // Each has a browser, a product and a database, of which two use two cores whole; with a third all took longer.
          maxWorkers: 2,
        },
      },
    ],
  },
});
