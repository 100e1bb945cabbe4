import fs from 'node:fs';
import path from 'node:path';
import { migrate } from '@aparta/server/platform/db/migrate';
import { measureScreens, overBudget } from './budgets.ts';
import { buildWeb } from './build-web.ts';
import { lostCitations } from './checks/citations.ts';
import { lostFiles, staleStates, undocumentedSettings } from './checks/document-files.ts';
import { emptyNames } from './checks/file-names.ts';
import { imageFileProblems } from './checks/image-files.ts';
import { toothlessZones } from './checks/import-zones.ts';
import { lockingMigrations } from './checks/migration-locks.ts';
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

/** Everything that can be known without running a test. */
export const verifySteps: Step[] = [
  { name: 'types', run: () => runTool('typescript/bin/tsc', ['-p', 'tsconfig.json']) },
  {
    name: 'lint and import zones',
    run: () => runTool('oxlint/bin/oxlint', ['--type-aware', '--deny-warnings', '--format', 'agent']),
  },
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
  { name: 'spec coverage', run: () => coverageGaps(root) },
  { name: 'citations of rules and spec', run: () => lostCitations(root) },
  {
    name: 'files, settings and states in the documents',
    run: () => [...lostFiles(root), ...undocumentedSettings(root), ...staleStates(root)],
  },
  { name: 'files of the image', run: () => imageFileProblems(root) },
  { name: 'migrations beside an older server', run: () => lockingMigrations(root) },
  { name: 'migrations and row types', run: compareRowTypes },
  { name: 'size of the web', run: weighWeb },
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

function weighWeb(): string[] {
  buildWeb(() => {});
  return overBudget(measureScreens(path.join(root, 'web', 'dist')));
}
