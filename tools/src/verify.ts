import { runCommand } from './run-command.ts';
import { runSteps } from './steps.ts';
import { verifySteps } from './verify-steps.ts';

await runCommand(async () => {
  const { passed, failed } = await runSteps(verifySteps);
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
});
