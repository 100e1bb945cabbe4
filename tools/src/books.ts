import { centavos, formatMoney } from '@aparta/domain/money';
import { PROOFS, proveBooks } from '@aparta/server/ledger/proofs';
import { sumAccounts } from '@aparta/server/ledger/store';
import { runCommand, say } from './run-command.ts';
import { withBooks } from './with-books.ts';

/**
 * Proves the books: one line per proof, with what breaks it, then what each account holds. Reads only, so it may
 * run beside a working product; ends with 1 when a proof is broken.
 */
await runCommand(() =>
  withBooks(async (db) => {
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
  }),
);
