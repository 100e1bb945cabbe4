import fs from 'node:fs';
import path from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { say } from './run-command.ts';
import { root } from './steps.ts';
import { startTemporaryPostgres } from './temporary-postgres.ts';

type Mutant = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

/** How many of the planted faults a folder's tests must notice, in percent. */
export const LEAST_SCORE = 90;
const SAMPLE = 40;
/** Of forty, chance may leave out more. */
const LEAST_SAMPLE_SCORE = 75;

/** Names of states and kinds, which the type checker knows, and words for the log: faults in them are noise. */
const EXCLUDED = ['StringLiteral'];
/** Where money and who may move it are decided. */
const SAMPLED = [
  'domain/src',
  ...['accounts', 'ledger', 'payments', 'purchases'].map((wing) => `server/src/${wing}`),
];
const NEEDS_DATABASE = /\.(db|http)\.test\.ts$/;
/** What no test of a rule, of SQL or of an endpoint reads. */
const NOT_COPIED = ['docs', 'e2e', 'ops', 'bench', 'web', 'ui', 'reports', 'tsconfig.json'];

/**
 * Plants faults, one at a time, in the files of `mutate` and runs the tests of `tests` that reach them. `kept` names a record, so
 * that the next run repeats only what changed; it has a page to read too.
 */
export async function runMutants(work: {
  mutate: readonly string[];
  tests: readonly string[];
  kept?: string;
}): Promise<Mutant[]> {
  const tests = work.tests.flatMap(testsIn);
  const postgres = tests.some((test) => NEEDS_DATABASE.test(test))
    ? await startTemporaryPostgres()
    : undefined;
  if (postgres !== undefined) process.env['TEST_DATABASE_SERVER_URL'] = postgres.url;
  const report = `reports/mutants/${(work.kept ?? 'sample').replaceAll('/', '-')}`;
  try {
    return await new Stryker({
      testRunner: 'vitest',
      plugins: ['@stryker-mutator/vitest-runner'],
      vitest: { related: false },
      mutate: work.mutate.flatMap((each) => (isFolder(each) ? sourcesIn(each) : [each])),
      testFiles: tests,
      mutator: { excludedMutations: EXCLUDED },
      concurrency: 1,
      timeoutMS: 20_000,
      ignorePatterns: NOT_COPIED,
      // TypeScript 7 has no program interface, by which Stryker would rewrite it: it is not copied.
      tsconfigFile: 'none',
      tempDirName: '.cache/mutants',
      allowConsoleColors: false,
      fileLogLevel: 'off' as never,
      logLevel: 'warn' as never,
      incremental: work.kept !== undefined,
      incrementalFile: `${report}.json`,
      htmlReporter: { fileName: `${report}.html` },
      clearTextReporter: { allowColor: false, logTests: false, reportTests: false, skipFull: true },
      reporters: work.kept === undefined ? ['clear-text'] : ['clear-text', 'html'],
    }).runMutationTest();
  } finally {
    await postgres?.stop();
  }
}

/** Runs a sample of faults, and says which of them nobody noticed when they are too many to be chance. */
export async function runSample(seed = Math.floor(Math.random() * 2 ** 31)): Promise<string[]> {
  say(`A sample of ${SAMPLE} faults; the same again: npm run mutants -- ${seed}`);
  const score = scoreOf(await runMutants(await sampleOf(seed)));
  say(`${score} % of the sample noticed`);
  return score < LEAST_SAMPLE_SCORE ? [`only ${score} % of the faults of seed ${seed} were noticed`] : [];
}

/** Of the faults that count, how many were noticed, in percent. */
export function scoreOf(mutants: readonly Pick<Mutant, 'status'>[]): number {
  const of = (...statuses: Mutant['status'][]) =>
    mutants.filter(({ status }) => statuses.includes(status)).length;
  const noticed = of('Killed', 'Timeout');
  const all = noticed + of('Survived', 'NoCoverage');
  return all === 0 ? 100 : Math.floor((noticed / all) * 100);
}

/**
 * Draws faults from all rules that have a test of their own beside them. The same seed draws the same, while the code is the
 * same.
 */
async function sampleOf(seed: number): Promise<{ mutate: string[]; tests: string[] }> {
  const files = SAMPLED.flatMap(sourcesIn).filter(isPureRule);
  const silent = () => undefined;
  const log = { debug: silent, info: silent, warn: silent, isDebugEnabled: () => false };
  const { mutants } = await new Instrumenter(log as never).instrument(
    files.map((name) => ({ name, content: fs.readFileSync(path.join(root, name), 'utf8'), mutate: true })),
    { plugins: null, excludedMutations: EXCLUDED, ignorers: [] } as never,
  );
  const random = randomOf(seed);
  // A fault in a whole block would bring along all that are inside it.
  const drawn = mutants
    .filter(({ location: { start, end } }) => start.line === end.line)
    .map((mutant) => ({ mutant, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, SAMPLE)
    .map(({ mutant }) => mutant);
  return {
    mutate: drawn.map(
      ({ fileName, location: { start, end } }) =>
        `${fileName}:${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`,
    ),
    tests: [...new Set(drawn.map(({ fileName }) => testOf(fileName)))],
  };
}

/** A test that calls nobody is quick, and right on a busy machine too. */
function isPureRule(file: string): boolean {
  const test = path.join(root, testOf(file));
  return fs.existsSync(test) && !/createSandbox|createServer|setTimeout/.test(fs.readFileSync(test, 'utf8'));
}

const testOf = (file: string) => file.replace(/\.ts$/, '.test.ts');
const isFolder = (name: string) =>
  fs.statSync(path.join(root, name), { throwIfNoEntry: false })?.isDirectory() === true;

function sourcesIn(folder: string): string[] {
  return filesIn(folder).filter(
    (file) => file.endsWith('.ts') && !/\.test\.ts$|\/(copy|port)\.ts$/.test(file),
  );
}

/** The tests of a folder; of a file, those named after it. */
function testsIn(name: string): string[] {
  if (isFolder(name)) return filesIn(name).filter((file) => file.endsWith('.test.ts'));
  if (name.endsWith('.test.ts')) return [name];
  return filesIn(path.dirname(name)).filter(
    (file) => file.startsWith(name.replace(/ts$/, '')) && file.endsWith('.test.ts'),
  );
}

function filesIn(folder: string): string[] {
  return fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => path.posix.join(folder, file.replaceAll('\\', '/')));
}

/** Mulberry32: numbers from 0 to 1 that a seed repeats. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
