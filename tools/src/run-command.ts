import { StartFailure } from './start-failure.ts';

/** Runs a command's body and ends with whoever started it; what an operator can mend is said in its sentence alone, a bug with its stack. */
export async function runCommand(body: () => Promise<void>): Promise<void> {
  // The channel to bootstrap.mjs closes when that is gone: as good as being asked to end.
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
  try {
    await body();
  } catch (error) {
    say(error instanceof StartFailure ? error.message : String((error as Error).stack ?? error));
    process.exitCode = 1;
  }
}

/** One line for the operator. */
export function say(line: string): void {
  console.log(`aparta: ${line}`);
}

/** Settles at the first request to end: Ctrl-C, a service manager, a closed terminal. */
export function asked(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, resolve);
  });
}
