import type { Db } from '../../platform/db/db.ts';
import type { LegalKind } from '../../platform/db/tables.ts';
import { Refusal } from '../../platform/refusal.ts';
import { type LegalText, newestText } from './store.ts';

/** The wording in force. Refuses with NOT_FOUND while none is published. */
export async function readText(db: Db, kind: LegalKind): Promise<LegalText> {
  const text = await newestText(db, kind);
  if (text === undefined) throw new Refusal('NOT_FOUND');
  return text;
}
