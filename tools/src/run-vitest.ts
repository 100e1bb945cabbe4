import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DIE_WITH_PARENT } from './program.ts';
import { root, type Tally } from './steps.ts';

type Report = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: {
    name: string;
    message: string;
    startTime: number;
    endTime: number;
    assertionResults: { status: string; fullName: string; failureMessages?: string[] | null }[];
  }[];
};

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
    `--reporter=${fileURLToPath(new URL('untold-errors.ts', import.meta.url))}`,
    ...rest,
  ];
  const untoldFile = path.join(folder, 'untold.json');
  const child = spawn(process.execPath, [...DIE_WITH_PARENT, vitest, ...args], {
    cwd: root,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { ...process.env, ...env, UNTOLD_ERRORS: untoldFile },
  });
  const code = await new Promise<number | null>((resolve) => {
    child.on('exit', resolve);
    child.on('error', () => resolve(1));
  });
  const report = readJson<Report>(file);
  const untold = readJson<string[]>(untoldFile) ?? [];
  fs.rmSync(folder, { recursive: true, force: true });
  if (!report || report.numPassedTests + report.numFailedTests === 0) {
    return { passed: 0, failed: 1, failures: [`no test ran in ${projects.join(', ')}`] };
  }
  console.log(`slowest: ${slowestOf(report).join(', ')}`);
  if (report.numPendingTests > 0) console.log(`skipped: ${report.numPendingTests} in ${projects.join(', ')}`);
  const failures = [...failuresOf(report), ...untold];
  const hidden = code !== 0 && report.numFailedTests === 0 ? 1 : 0;
  if (hidden > 0 && failures.length === 0) failures.push(`${projects.join(', ')} ended with code ${code}`);
  return { passed: report.numPassedTests, failed: report.numFailedTests + hidden, failures };
}

/** Each failed test with what it said, and each file that failed outside its tests. */
export function failuresOf(report: Report): string[] {
  return report.testResults.flatMap(({ name, message, assertionResults }) => {
    const file = path.relative(root, name);
    const tests = assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => `${file}: ${fullName}\n${(failureMessages ?? []).join('\n')}`);
    return message && tests.length === 0 ? [`${file}\n${message}`] : tests;
  });
}

const SHOWN = 12;

/** The files that took longest, each with its seconds: where a run that nears its time limit is made shorter. */
export function slowestOf({ testResults }: Pick<Report, 'testResults'>): string[] {
  const lasted = testResults.map(({ name, startTime, endTime }) => ({ name, ms: endTime - startTime }));
  return lasted
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, SHOWN)
    .map(({ name, ms }) => `${path.relative(root, name)} ${Math.round(ms / 1000)} s`);
}

function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) as T;
  } catch {
    return undefined;
  }
}
