import fs from 'node:fs';
import path from 'node:path';
import { migrate } from '@aparta/server/platform/db/migrate';
import { LIMITS, measureScreens, overBudget } from './budgets.ts';
import { buildProduct } from './build-product.ts';
import { lostCitations } from './checks/citations.ts';
import { lostFiles, staleStates, undocumentedSettings } from './checks/document-files.ts';
import { emptyNames } from './checks/file-names.ts';
import { imageFileProblems } from './checks/image-files.ts';
import { toothlessZones } from './checks/import-zones.ts';
import { lockingMigrations } from './checks/migration-locks.ts';
import { staleFaults } from './checks/known-faults.ts';
import { unequalFacts } from './checks/package-facts.ts';
import { rowTypeDifferences } from './checks/row-types.ts';
import { tooLong } from './checks/sizes.ts';
import { coverageGaps } from './checks/spec-coverage.ts';
import { stateWriters } from './checks/state-writers.ts';
import { tableWriters } from './checks/table-writers.ts';
import { wingOrder } from './checks/wing-order.ts';
import { oldWords } from './checks/words.ts';
import { root, runTool, type Step } from './steps.ts';
import { startTemporaryPostgres } from './temporary-postgres.ts';

/** Each of several checkers would know most types for itself. */
const TYPES = ['-p', 'tsconfig.json', '--singleThreaded'];

/** Everything that can be known without running a test; what takes longest comes first. */
export const verifySteps: Step[] = [
  { name: 'types', run: () => runTool('typescript/bin/tsc', TYPES) },
  {
    name: 'lint and import zones',
    run: () => runTool('oxlint/bin/oxlint', ['--type-aware', '--deny-warnings', '--format', 'agent']),
  },
  { name: 'size of the web', run: weighWeb },
  {
    name: 'import zones refuse what is planted',
    run: () => toothlessZones(path.join(root, '.oxlintrc.json')),
  },
  { name: 'order of the wings', run: () => wingOrder(root) },
  { name: 'one writer of each table', run: () => tableWriters(root) },
  { name: 'one writer of each state', run: () => stateWriters(root) },
  { name: 'format', run: () => runTool('oxfmt/bin/oxfmt', ['--check']) },
  {
    name: 'dead code and dependencies',
    run: () => runTool('knip/bin/knip.js', ['--no-progress', '--no-config-hints']),
  },
  { name: 'package.json facts', run: () => unequalFacts(root) },
  { name: 'file names', run: () => emptyNames(root) },
  { name: "the trade's words", run: () => oldWords(root) },
  { name: 'sizes of stores, components and documents', run: () => tooLong(root) },
  { name: 'faults that no test notices', run: () => staleFaults(root) },
  { name: 'spec coverage', run: () => coverageGaps(root) },
  { name: 'citations of rules and spec', run: () => lostCitations(root) },
  {
    name: 'files, settings and states in the documents',
    run: () => [...lostFiles(root), ...undocumentedSettings(root), ...staleStates(root)],
  },
  { name: 'files of the image', run: () => imageFileProblems(root) },
  { name: 'migrations beside an older server', run: () => lockingMigrations(root) },
  { name: 'migrations and row types', run: compareRowTypes },
];

async function compareRowTypes(): Promise<string[]> {
  const server = await startTemporaryPostgres();
  try {
    await migrate(server.url);
    const source = fs.readFileSync(path.join(root, 'server', 'src', 'platform', 'db', 'tables.ts'), 'utf8');
    return await rowTypeDifferences(source, server.url);
  } finally {
    await server.stop();
  }
}

async function weighWeb(): Promise<string[]> {
  await buildProduct(() => {});
  return Object.entries(LIMITS).flatMap(([folder, limits]) =>
    overBudget(measureScreens(path.join(root, folder, 'dist'), limits)),
  );
}

const CODE = /\.(m?[jt]s|tsx)$/;
const FORMATTED = /\.(m?[jt]s|tsx|css|html|json|ya?ml)$|^[^/]+\.md$/;
/** What reads the whole tree in a moment; the rest is left to the whole of verify. */
const WHOLE: readonly (readonly [name: string, where: RegExp])[] = [
  ['order of the wings', /^server\/src\//],
  ['one writer of each table', /^server\/(src|migrations)\//],
  ['one writer of each state', /^server\/src\//],
  ['package.json facts', /package(-lock)?\.json$|^\.nvmrc$/],
  ['file names', /./],
  ['sizes of stores, components and documents', /\.(md|tsx?)$/],
  ['faults that no test notices', /^(domain|server)\/src\/|known-mutants/],
  ['spec coverage', /^docs\//],
  ['citations of rules and spec', /^docs\/rules\//],
  ['files, settings and states in the documents', /\.md$|settings-schema|^server\/src\/.*\.ts$/],
  ['migrations beside an older server', /^server\/migrations\//],
  ['migrations and row types', /^server\/migrations\/|tables\.ts$/],
];

/** The steps that these files may fail, the compiler and the linter beside the others. */
export function stepsFor(files: readonly string[]): Step[] {
  const code = files.filter((file) => CODE.test(file));
  const formatted = files.filter((file) => FORMATTED.test(file));
  const types =
    code.length > 0 &&
    runTool('typescript/bin/tsc', [
      ...TYPES,
      '--incremental',
      '--tsBuildInfoFile',
      'node_modules/.cache/verify-changed.tsbuildinfo',
    ]);
  const lint =
    code.length > 0 &&
    runTool('oxlint/bin/oxlint', ['--type-aware', '--deny-warnings', '--format', 'agent', ...code]);
  const whole = verifySteps.filter(({ name }) =>
    WHOLE.some(([known, where]) => known === name && files.some((file) => where.test(file))),
  );
  return [
    ...whole,
    { name: "the trade's words", run: () => oldWords(root, files) },
    ...(formatted.length > 0
      ? [{ name: 'format', run: () => runTool('oxfmt/bin/oxfmt', ['--check', ...formatted]) }]
      : []),
    ...(types ? [{ name: 'types', run: () => types }] : []),
    ...(lint ? [{ name: 'lint and import zones', run: () => lint }] : []),
  ];
}
