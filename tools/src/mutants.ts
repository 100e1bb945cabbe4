import fs from 'node:fs';
import path from 'node:path';
import { LEAST_SCORE, runMutants, runSample, scoreOf } from './mutation.ts';
import { runCommand, say } from './run-command.ts';
import { StartFailure } from './start-failure.ts';
import { root } from './steps.ts';

/** npm run mutants -- <folder or file>…: small faults in the code, and which of them no test beside it notices. */
await runCommand(async () => {
  const names = process.argv.slice(2);
  if (names.length === 0)
    throw new StartFailure(
      'Say which folders: npm run mutants -- domain/src. A number repeats the sample of that seed.',
    );
  for (const name of names) {
    if (/^\d+$/.test(name)) {
      await runSample(Number(name));
      continue;
    }
    if (!fs.existsSync(path.join(root, name))) throw new StartFailure(`There is no ${name}.`);
    const score = scoreOf(await runMutants({ mutate: [name], tests: [name], kept: name }));
    say(`${name}: ${score} % noticed`);
    if (score < LEAST_SCORE) process.exitCode = 1;
  }
});
