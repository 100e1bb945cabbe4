import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/** `run` answers what is wrong, a line each; nothing means well. Throwing is a line too. */
export type Step = { name: string; run: () => Promise<string[]> | string[] };
/** `failures` says what failed and how, for the end of the run: what went by is long, and may be cut. */
export type Tally = { passed: number; failed: number; failures: string[] };

/** Runs every step, `atOnce` of them beside each other, whatever the earlier ones found, printing name, time and outcome of each. */
export async function runSteps(steps: Step[], atOnce = 1): Promise<Tally> {
  const tally: Tally = { passed: 0, failed: 0, failures: [] };
  const waiting = [...steps];
  await Promise.all(Array.from({ length: atOnce }, () => runWaiting(waiting, tally)));
  return tally;
}

async function runWaiting(waiting: Step[], tally: Tally): Promise<void> {
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    const { name, run } = step;
    const begun = performance.now();
    let problems: string[];
    try {
      problems = await run();
    } catch (error) {
      problems = [error instanceof Error ? error.message : String(error)];
    }
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    console.log(`${problems.length === 0 ? 'ok    ' : 'FAILED'}  ${name}  ${seconds} s`);
    for (const problem of problems) console.log(problem.replaceAll(/^/gm, '          '));
    if (problems.length === 0) {
      tally.passed += 1;
    } else {
      tally.failed += 1;
      tally.failures.push([name, ...problems].join('\n'));
    }
  }
}

/** A tool runs beside others, and what each of its threads would work out for itself costs double. */
const ONE_THREAD = { GOMAXPROCS: '1' };

/** Runs one of the installed tools with this Node; when it fails, what it printed is the problem. */
export function runTool(script: string, args: string[], cwd = root): Promise<string[]> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [path.join(root, 'node_modules', script), ...args], {
      cwd,
      env: { ...process.env, ...ONE_THREAD },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk));
    child.on('error', (error) => resolve([error.message]));
    child.on('close', (code) => {
      resolve(code === 0 ? [] : [Buffer.concat(said).toString().trim() || `ended with code ${code}`]);
    });
  });
}
