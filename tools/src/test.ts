import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ENDPOINTS } from '@aparta/contract/endpoints';
import { prepareBrowsers } from './browser.ts';
import { buildProduct } from './build-product.ts';
import { untestedRefusals } from './checks/untested-refusals.ts';
import { trySample } from './mutation.ts';
import { onOldestPostgres } from './oldest-postgres.ts';
import { proveRows, sample } from './prove-rows.ts';
import { runCommand, say } from './run-command.ts';
import { runVitest } from './run-vitest.ts';
import { runSteps, type Tally } from './steps.ts';
import { verifySteps } from './verify-steps.ts';

/** Of docs/spec-coverage.md, others for each commit; all of them by `npm run coverage-proof`. */
const ROWS_PROVEN = 5;

/** Everything, whatever fails on the way; the last line counts. */
await runCommand(async () => {
  const preparing = prepareBrowsers(say);
  const tallies: Tally[] = [await runSteps(verifySteps, 2)];

  let browsers: Awaited<typeof preparing>;
  tallies.push(
    await runSteps([
      {
        name: 'build',
        run: async () => {
          await buildProduct(say);
          return [];
        },
      },
      {
        name: 'Chromium',
        run: async () => {
          browsers = await preparing;
          return browsers ? [] : ['there is none here: install it, or set CHROME_PATH to one'];
        },
      },
    ]),
  );
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-refusals-'));
  const refusals = path.join(folder, 'seen');
  tallies.push(
    await runVitest(['rule', 'db', 'http', 'web'], { REFUSALS_SEEN: refusals, ...onOldestPostgres() }),
  );
  tallies.push(
    await runSteps([
      {
        name: 'every declared refusal is met by a test',
        run: () => untestedRefusals(Object.values(ENDPOINTS).flat(), refusals),
      },
    ]),
  );
  fs.rmSync(folder, { recursive: true });

  // Beside what is light, which fills the twelfth of two cores that journeys leave; beside the other tests both wait too long.
  const journeys = browsers ? runVitest(['e2e'], browsers) : undefined;
  tallies.push(await proveRows(sample(ROWS_PROVEN)));
  tallies.push(await runSteps([{ name: 'a test notices every planted fault', run: trySample }]));
  if (journeys) tallies.push(await journeys);

  for (const failure of tallies.flatMap(({ failures }) => failures)) {
    console.log(`FAILED  ${failure.slice(0, 4000).replaceAll('\n', '\n          ')}`);
  }
  const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
  const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0);
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0 || passed === 0) process.exitCode = 1;
});
