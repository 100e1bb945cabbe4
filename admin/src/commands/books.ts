import { proveAndRemember } from '@aparta/server/ledger/books/prove-and-remember';
import { PROOFS, type Proof } from '@aparta/server/ledger/books/proofs.read-model';
import { sumAccounts } from '@aparta/server/ledger/books/in-hands.read-model';
import { createLog } from '@aparta/server/platform/logging';
import { ACCOUNT_WORDS, inOrder } from '@aparta/server/back-office/settlements/copy';
import { type Command, reads } from '../command.ts';
import { money } from '../print.ts';
import { BOOKS as says, PROOF_WORDS } from './books-copy.ts';

export const bookCommands: readonly Command[] = [
  // Only the proof itself is saved, as the nightly job saves it.
  reads({
    name: 'books check',
    says: 'Prueba que los libros cuadran y dice cuánto hay en cada cuenta. Termina con 1 si algo está roto',
    examples: [['books check', 'Se puede correr a cualquier hora, con la tienda abierta']],
    async run({ db, parts }) {
      const { broken, tookMs } = await proveAndRemember(parts.jobs, createLog('silent'));
      const accounts = await sumAccounts(db);
      const proofs = Object.keys(PROOFS) as Proof[];
      const lines = proofs.map((proof) => {
        const found = broken.find((each) => each.proof === proof);
        return found === undefined
          ? `${says.holds} ${PROOF_WORDS[proof]}`
          : `${says.broken} ${PROOF_WORDS[proof]}: ${found.subjects.join(', ')}`;
      });
      const width = Math.max(...accounts.map(({ account }) => ACCOUNT_WORDS[account].length));
      const sums = inOrder(accounts).map(({ account, total }) => {
        return `      ${ACCOUNT_WORDS[account].padEnd(width)}${money(total).padStart(20)}`;
      });
      const end =
        broken.length === 0 ? says.good(proofs.length, tookMs) : says.bad(broken.length, proofs.length);
      return {
        text: [...lines, ...sums, end].join('\n'),
        json: { holds: broken.length === 0, broken, tookMs, accounts },
        ...(broken.length > 0 && { exitCode: 1 }),
      };
    },
  }),
];
