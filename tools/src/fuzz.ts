import { randomInt } from 'node:crypto';
import { runCommand, say } from './run-command.ts';
import { runVitest } from './run-vitest.ts';

const REQUESTS = '100000';

/** Sends strange requests to every call of the contract; arguments are how many, and the seed of a run that failed. */
await runCommand(async () => {
  const [requests = REQUESTS, seed = String(randomInt(2 ** 30))] = process.argv.slice(2);
  say(`${requests} requests; again with: npm run fuzz -- ${requests} ${seed}`);
  const { failed } = await runVitest(['http'], { FUZZ_REQUESTS: requests, FUZZ_SEED: seed }, [
    'server/src/platform/http/fuzz.http.test.ts',
  ]);
  if (failed > 0) process.exitCode = 1;
});
