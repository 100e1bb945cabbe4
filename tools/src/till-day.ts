import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { mexicoCityDate } from '@aparta/domain/calendar';
import { compareDay, readDayFile, writeDayFile } from '@aparta/server/tills/day-file';
import { listDay } from '@aparta/server/tills/store';
import { runCommand, say } from './run-command.ts';
import { StartFailure } from './start-failure.ts';
import { withBooks } from './with-books.ts';

const USAGE = `Usage:
  npm run till-day -- --chain CHAIN [--day YYYY-MM-DD] [--out FILE]        the day file, as CSV
  npm run till-day -- --chain CHAIN [--day YYYY-MM-DD] --compare FILE      what their file and our books say differently`;

/**
 * A chain's day: its operations as a CSV, or how the file that the chain sent differs from the books (payments.md P12). Reads
 * only; ends with 1 when something differs or the file cannot be read.
 */
await runCommand(async () => {
  const { chain, day = mexicoCityDate(new Date()), out, compare } = asked();
  await withBooks(async (db) => {
    const ours = await listDay(db, chain, day);
    if (compare === undefined) {
      const file = writeDayFile(ours);
      if (out === undefined) process.stdout.write(file);
      else fs.writeFileSync(out, file);
      return out === undefined
        ? undefined
        : say(`${ours.length} operations of ${chain} on ${day} are in ${out}`);
    }
    const theirs = readDayFile(read(compare));
    if ('problems' in theirs)
      throw new StartFailure(`${compare} cannot be read:\n  ${theirs.problems.join('\n  ')}`);
    const differences = compareDay(ours, theirs.operations);
    for (const { branch, transactionId, difference, ours: our, theirs: their } of differences) {
      console.log(`${branch}  ${transactionId}  ${difference}  ours: ${our || '-'}  theirs: ${their || '-'}`);
    }
    if (differences.length === 0) return say(`${chain} on ${day}: ${ours.length} operations, no difference`);
    say(`${chain} on ${day}: ${differences.length} differences`);
    process.exitCode = 1;
  });
});

function asked() {
  try {
    const { values } = parseArgs({
      options: {
        chain: { type: 'string' },
        day: { type: 'string' },
        out: { type: 'string' },
        compare: { type: 'string' },
      },
    });
    const { chain, day } = values;
    if (chain === undefined) throw new Error('--chain is missing');
    if (day !== undefined && !/^\d{4}-\d\d-\d\d$/.test(day)) throw new Error('--day is not YYYY-MM-DD');
    return { ...values, chain };
  } catch (error) {
    throw new StartFailure(`${(error as Error).message}\n${USAGE}`);
  }
}

function read(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    throw new StartFailure(`There is no file ${file}.`);
  }
}
