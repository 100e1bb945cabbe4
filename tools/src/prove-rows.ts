import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { dice } from '@aparta/server/test/dice';
import { drawSeed } from './draw-seed.ts';
import { DIE_WITH_PARENT } from './program.ts';
import { mutated, specMutations } from './spec-rows.ts';
import { root, type Tally } from './steps.ts';
import { startTemporaryPostgres } from './temporary-postgres.ts';
import { say } from './run-command.ts';

/** Each is a server of Vite's in one process: more would fill a small machine. */
const AT_ONCE = 12;

/** What the reporter tells of one row. */
export interface Proof {
  readonly id: string;
  readonly failed: number;
  readonly ran: number;
}

/** Some rows; the seed, which is said, brings them again. */
export function sample(count: number, seed = drawSeed()): string[] {
  say(
    `Proving ${count} rows of docs/spec-coverage.md (again: npm run coverage-proof -- --sample ${count} --seed ${seed})`,
  );
  const ids = Object.keys(specMutations(root));
  const roll = dice(seed);
  const chosen: string[] = [];
  while (chosen.length < count && ids.length > 0) chosen.push(...ids.splice(roll(ids.length), 1));
  return chosen;
}

/**
 * Runs each row's test with its mutation in the code, as vitest reads it: no file is changed. A row whose tests stay green, or
 * of which none ran, or whose mutation no longer fits, is not proven.
 */
export async function proveRows(ids: readonly string[]): Promise<Tally> {
  const mutations = specMutations(root);
  const failures: string[] = [];
  const fitting = ids.filter((id) => {
    const mutation = mutations[id];
    try {
      if (mutation === undefined) throw new Error('no such row');
      mutated(root, mutation);
      return true;
    } catch (error) {
      failures.push(`${id}: ${(error as Error).message}`);
      return false;
    }
  });
  const database = await startTemporaryPostgres();
  try {
    for (let at = 0; at < fitting.length; at += AT_ONCE) {
      const part = fitting.slice(at, at + AT_ONCE);
      const proofs = new Map((await prove(part, database.url)).map((proof) => [proof.id, proof]));
      for (const id of part) {
        const { failed = 0, ran = 0 } = proofs.get(id) ?? {};
        if (failed > 0) continue;
        const { test, title = '' } = mutations[id] ?? {};
        const saw = ran === 0 ? `no test of ${test} ran` : `${ran} tests of ${test} stay green`;
        failures.push(`${id}: ${saw}${title && ` ('${title}')`}`);
        say(`not proven  ${failures.at(-1)}`);
      }
      if (fitting.length > AT_ONCE) say(`${at + part.length} of ${fitting.length} rows tried`);
    }
  } finally {
    await database.stop();
  }
  return { passed: ids.length - failures.length, failed: failures.length, failures };
}

async function prove(ids: readonly string[], databaseUrl: string): Promise<Proof[]> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-proof-'));
  const file = path.join(folder, 'proofs.json');
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const config = path.join(root, 'tools', 'src', 'coverage-proof.config.ts');
  const child = spawn(
    process.execPath,
    [...DIE_WITH_PARENT, vitest, 'run', '--config', config, '--root', root],
    {
      cwd: root,
      stdio: ['pipe', 'ignore', 'inherit'],
      env: {
        ...process.env,
        PROVE_ROWS: ids.join(),
        PROOFS_FILE: file,
        TEST_DATABASE_SERVER_URL: databaseUrl,
      },
    },
  );
  await new Promise((resolve) => {
    child.on('exit', resolve);
    child.on('error', resolve);
  });
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) as Proof[];
  } catch {
    return [];
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
