import { runCommand, say } from './run-command.ts';
import { proveRows, sample } from './prove-rows.ts';
import { specMutations } from './spec-rows.ts';
import { root } from './steps.ts';

/**
 * Proves rows of docs/spec-coverage.md: with each one's mutation (docs/spec-mutations.json) in the code, a test that it names
 * fails. `npm run coverage-proof` proves all, `-- 2.7 9.11` those, `-- --sample 10 --seed 7` some by chance.
 */
await runCommand(async () => {
  const given = process.argv.slice(2);
  const number = (name: string) =>
    given.includes(name) ? Number(given[given.indexOf(name) + 1]) : undefined;
  const count = number('--sample');
  const ids = given.filter((argument) => /^\d\.\d+$/.test(argument));
  const rows =
    count !== undefined
      ? sample(count, number('--seed'))
      : ids.length > 0
        ? ids
        : Object.keys(specMutations(root));
  const { passed, failures } = await proveRows(rows);
  for (const failure of failures) say(`NOT PROVEN  ${failure}`);
  say(`${passed} of ${rows.length} rows proven`);
  if (failures.length > 0) process.exitCode = 1;
});
