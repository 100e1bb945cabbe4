import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { LEAST_SCORE, type Outcome, runFolder, runSample, scoreOf, summaryOf } from './mutation.ts';
import { runCommand, say } from './run-command.ts';
import { StartFailure } from './start-failure.ts';
import { root } from './steps.ts';

/**
 * npm run mutants -- <folder or file>… [--sample n] [--seed n]: small faults in the code, and which of them no test beside it
 * notices. Without a folder, a sample of all rules.
 */
await runCommand(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { sample: { type: 'string' }, seed: { type: 'string' } },
  });
  const [count, seed] = [numberOf(values.sample), numberOf(values.seed)];
  for (const name of positionals)
    if (!fs.existsSync(path.join(root, name))) throw new StartFailure(`There is no ${name}.`);
  if (positionals.length === 0) report('the sample', await runSample({ count, seed }));
  for (const folder of positionals) {
    const isSample = count !== undefined || seed !== undefined;
    report(folder, await (isSample ? runSample({ folder, count, seed }) : runFolder(folder)));
  }
});

function report(name: string, outcome: Outcome): void {
  for (const line of outcome.missed) console.log(line);
  const score = scoreOf(outcome);
  say(`${name}: ${score} % noticed (${summaryOf(outcome)})`);
  if (score < LEAST_SCORE) process.exitCode = 1;
}

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 0) throw new StartFailure(`${text} is no whole number.`);
  return number;
}
