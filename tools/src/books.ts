import fs from 'node:fs';
import path from 'node:path';
import { centavos, formatMoney } from '@aparta/domain/money';
import { openDb, type Db } from '@aparta/server/db/db';
import { isMigrated } from '@aparta/server/db/ready';
import { PROOFS, proveBooks } from '@aparta/server/ledger/proofs';
import { sumAccounts } from '@aparta/server/ledger/store';
import { startPostgres } from './postgres.ts';
import { runCommand, say } from './run-command.ts';
import { settingsFromEnvironment } from './settings.ts';
import { StartFailure } from './start-failure.ts';

/** A table or role that is not there: nothing was ever migrated. */
const UNKNOWN_TO_THE_DATABASE = ['42P01', '22023'];

/**
 * Proves the books: one line per proof, with what breaks it, then what each account holds. Reads only, so it may
 * run beside a working product; ends with 1 when a proof is broken.
 */
await runCommand(async () => {
  const { dataDir, databaseUrl } = settingsFromEnvironment();
  const folder = path.join(dataDir, 'postgres');
  if (!databaseUrl && !fs.existsSync(folder)) {
    throw new StartFailure(
      `There is no database in ${dataDir}: set DATA_DIR or DATABASE_URL to where it is.`,
    );
  }
  const postgres = databaseUrl ? undefined : await startPostgres({ dataDir: folder });
  const db = openDb({ url: databaseUrl ?? postgres?.url ?? '', max: 1 });
  try {
    if (!(await isUpToDate(db))) {
      throw new StartFailure('The database is not up to date: run npm run migrate first.');
    }
    const broken = await proveBooks(db);
    for (const proof of Object.keys(PROOFS)) {
      const found = broken.find((each) => each.proof === proof);
      console.log(found ? `BROKEN  ${proof}: ${found.subjects.join(', ')}` : `ok      ${proof}`);
    }
    for (const { account, total } of await sumAccounts(db)) {
      const amount = `${total < 0 ? '-' : ''}${formatMoney(centavos(Math.abs(total)))}`;
      console.log(`        ${account.padEnd(22)}${amount.padStart(20)}`);
    }
    if (broken.length === 0) return say('The books hold');
    say(`The books do not hold: ${broken.length} of ${Object.keys(PROOFS).length} proofs are broken`);
    process.exitCode = 1;
  } finally {
    await db.destroy();
    await postgres?.stop();
  }
});

async function isUpToDate(db: Db): Promise<boolean> {
  try {
    return await isMigrated(db);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (UNKNOWN_TO_THE_DATABASE.includes(code ?? '')) return false;
    throw new StartFailure(`The database does not answer: ${message || code}.`, { cause: error });
  }
}
