import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DIE_WITH_PARENT } from './program.ts';
import { root, type Tally } from './steps.ts';

type Report = { numPassedTests: number; numFailedTests: number; numPendingTests: number };

/**
 * Runs vitest's projects with what is printed going to our terminal. A run that ends badly without a failed
 * test, or in which no test ran, counts as one failure.
 */
export async function runVitest(
  projects: string[],
  env: NodeJS.ProcessEnv = {},
  rest: string[] = [],
): Promise<Tally> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-report-'));
  const file = path.join(folder, 'report.json');
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [
    'run',
    ...projects.flatMap((project) => ['--project', project]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
    ...rest,
  ];
  const child = spawn(process.execPath, [...DIE_WITH_PARENT, vitest, ...args], {
    cwd: root,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  });
  const code = await new Promise<number | null>((resolve) => {
    child.on('exit', resolve);
    child.on('error', () => resolve(1));
  });
  const report = readReport(file);
  fs.rmSync(folder, { recursive: true, force: true });
  if (!report || report.numPassedTests + report.numFailedTests === 0) {
    console.log(`FAILED  no test ran in ${projects.join(', ')}`);
    return { passed: 0, failed: 1 };
  }
  if (report.numPendingTests > 0) console.log(`skipped: ${report.numPendingTests} in ${projects.join(', ')}`);
  const hidden = code !== 0 && report.numFailedTests === 0 ? 1 : 0;
  return { passed: report.numPassedTests, failed: report.numFailedTests + hidden };
}

function readReport(file: string): Report | undefined {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) as Report;
  } catch {
    return undefined;
  }
}
