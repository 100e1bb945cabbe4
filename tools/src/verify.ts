import { changedFiles } from './changed.ts';
import { runCommand } from './run-command.ts';
import { root, runSteps } from './steps.ts';
import { stepsFor, verifySteps } from './verify-steps.ts';

await runCommand(async () => {
  const isPartial = process.argv.includes('--changed');
  const { passed, failed } = await runSteps(isPartial ? stepsFor(changedFiles(root)) : verifySteps, 2);
  console.log(`${passed} passed, ${failed} failed${isPartial ? '; the rest by npm run verify' : ''}`);
  if (failed > 0) process.exitCode = 1;
});
