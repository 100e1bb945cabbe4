import { prepareBrowsers } from './browser.ts';
import { buildProduct } from './build-product.ts';
import { runCommand, say } from './run-command.ts';
import { runVitest } from './run-vitest.ts';
import { StartFailure } from './start-failure.ts';

/** The journeys alone; arguments go to vitest, e.g. a file's name. */
await runCommand(async () => {
  await buildProduct(say);
  const browsers = await prepareBrowsers(say);
  if (!browsers) throw new StartFailure('There is no Chromium here: install it, or set CHROME_PATH to one.');
  const { passed, failed } = await runVitest(['e2e'], browsers, process.argv.slice(2));
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
});
