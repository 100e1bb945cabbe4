import { openDb } from '@aparta/server/platform/db/db';
import { type BrokenProof, proveBooks } from '@aparta/server/ledger/books/proofs.read-model';

/** What is wrong with the books of the database at `url`: nothing when they hold. Reads only; `books.ts` is the command. */
export async function brokenProofs(url: string): Promise<BrokenProof[]> {
  const db = openDb({ url, max: 1 });
  try {
    return await proveBooks(db);
  } finally {
    await db.destroy();
  }
}
