import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { nodeEnvironment } from '@aparta/server/test/node-environment';
import { StartFailure } from './start-failure.ts';

export type ProgramOptions = {
  /** What the operator calls it. */
  name: string;
  /** The TypeScript file that acts on import. */
  file: string;
  env: Record<string, string>;
  /** Answers 200 once the program can work. */
  readyUrl: string;
  /** Where its output goes, begun anew at each start; our own output when missing. */
  logFile?: string;
};

export type Program = {
  pid: number;
  /** Settles when the process has ended, with its exit code, or null after a signal. */
  exited: Promise<number | null>;
  /** Asks it to end (SIGTERM) and, should it not within 15 s, ends it. */
  stop(): Promise<void>;
  /** SIGKILL: no chance to tidy up. */
  kill(): Promise<void>;
};

const READY_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 15_000;
/**
 * For Node. With semi-spaces of 16 MB five hundred connections take a quarter more memory, with 2 a call beside them three times the
 * processor. What starting took, a tenth of the memory at rest, the server gives back once its jobs have started.
 */
export const MEMORY = ['--expose-gc', '--max-semi-space-size=8'];
/** Its threads share two heaps of C's instead of having one each: a tenth of the memory at rest. */
const FEW_ARENAS = { MALLOC_ARENA_MAX: '2' };
/** Arguments for Node that tie a child, whose stdin must be a pipe of ours, to our life. */
export const DIE_WITH_PARENT = ['--import', new URL('./die-with-parent.ts', import.meta.url).href];

/**
 * Runs a TypeScript program under this Node and returns when it is ready. It ends with this process, however
 * that dies. Throws `StartFailure` with the program's last words when it ends or stays silent.
 */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const output = options.logFile ? fs.openSync(options.logFile, 'w', 0o600) : 'inherit';
  const child = spawn(process.execPath, [...MEMORY, ...DIE_WITH_PARENT, options.file], {
    env: { ...nodeEnvironment, ...FEW_ARENAS, ...options.env },
    stdio: ['pipe', output, output],
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    detached: process.platform !== 'win32', // a terminal's Ctrl-C is for us, who stop things in order
    windowsHide: true,
  });
  if (typeof output === 'number') fs.closeSync(output);
  const exited = new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
    child.once('error', () => resolve(1));
  });
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  const stop = async () => {
    child.kill('SIGTERM');
    const patience = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
    await exited;
    clearTimeout(patience);
  };
  try {
    await untilReady(options, exited);
  } catch (error) {
    await kill();
    throw error;
  }
  return { pid: child.pid ?? 0, exited, stop, kill };
}

async function untilReady(
  { name, readyUrl, logFile }: ProgramOptions,
  exited: Promise<unknown>,
): Promise<void> {
  let gone = false;
  void exited.then(() => (gone = true));
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!gone && Date.now() < deadline) {
    if (await answersOk(readyUrl)) return;
    await Promise.race([sleep(25), exited]);
  }
  const what = gone ? `The ${name} ended before it was ready` : `The ${name} is not ready after a minute`;
  throw new StartFailure(logFile ? `${what}; it said:\n${lastLines(logFile)}` : `${what}.`);
}

async function answersOk(url: string): Promise<boolean> {
  try {
    const reply = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await reply.body?.cancel();
    return reply.ok;
  } catch {
    return false;
  }
}

function lastLines(file: string): string {
  return fs.readFileSync(file, 'utf8').trimEnd().split('\n').slice(-12).join('\n');
}
