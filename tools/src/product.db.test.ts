import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished, test, expect } from 'vitest';
import { keptPorts } from './kept-ports.ts';
import { startPostgres } from './postgres.ts';
import { startProduct, type ProductOptions } from './product.ts';

const FAST = { fsync: 'off' };

/** A folder for a product, and how to start it there from the sources. */
function place(): { dataDir: string; database: string; start: typeof startHere } {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-product-'));
  fs.chmodSync(dataDir, 0o755);
  onTestFinished(() => fs.rmSync(dataDir, { recursive: true, force: true }));
  const startHere = async (more: Partial<ProductOptions> = {}) => {
    const product = await startProduct({
      dataDir,
      port: 3170,
      sandboxPort: 3180,
      databaseSettings: FAST,
      server: 'server/src/main.ts',
      ...more,
    });
    onTestFinished(() => product.stop());
    return product;
  };
  return { dataDir, database: path.join(dataDir, 'postgres'), start: startHere };
}

test('a product whose database was killed is broken, and says what to do', async () => {
  const { database, start } = place();
  const { broken } = await start();
  const [pid] = fs.readFileSync(path.join(database, 'postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(pid), 'SIGKILL');
  expect(await broken).toMatch(/^The database ended by itself; start again.+aparta-postgres\.log/);
});

test('a product over the database of a command is broken once that command is done', async () => {
  const { database, start } = place();
  const command = await startPostgres({ dataDir: database, settings: FAST });
  onTestFinished(() => command.stop());
  const { broken } = await start();
  await command.stop();
  expect(await broken).toMatch(/^The database ended with the command that had begun it; start again/);
});

// Elsewhere only one address is the machine's own without more ado.
test.runIf(process.platform === 'linux')('a product answers on the one address that HOST names', async () => {
  const { dataDir, start } = place();
  await start({ env: { HOST: '127.0.0.2' } });
  expect((await fetch('http://127.0.0.2:3170/healthz')).status).toBe(200);
  expect(keptPorts(dataDir), 'for the commands beside it').toEqual({ port: 3170, sandboxPort: 3180 });
});
