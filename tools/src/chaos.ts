import { parseArgs } from 'node:util';
import { runChaos } from './chaos/run.ts';
import { runCommand, say } from './run-command.ts';
import { StartFailure } from './start-failure.ts';

await runCommand(async () => {
  const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } });
  const minutes = Number(values.minutes ?? 5);
  const seed = Number(values.seed ?? Date.now() % 1_000_000_000);
  if (!(minutes > 0) || !Number.isInteger(seed)) throw new StartFailure('Say --minutes 30 or --seed 123.');
  say(`${minutes} minutes of chaos, seed ${seed}`);
  const startedAt = Date.now();
  const said = (line: string) =>
    say(`${String(Math.round((Date.now() - startedAt) / 1_000)).padStart(5)} s  ${line}`);
  const { problems, figures } = await runChaos({ seed, ms: minutes * 60_000, said });
  for (const [name, value] of Object.entries(figures)) say(`${name}: ${value}`);
  if (problems.length > 0) throw new StartFailure([`Seed ${seed} found:`, ...problems].join('\n'));
  say('All proofs hold, every charge is booked as the provider has it, and what was told is true.');
});
