import type { Centavos } from '@aparta/domain/money';

import type { Tx } from '../../platform/db/db.ts';
import type { HelpNewsKind } from '../../platform/email/help-copy.ts';
import { sendEmailTo } from '../../platform/email/outbox.ts';
import type { Attempt } from './store.ts';

/** Emails a helper what became of what they gave; nothing for a buyer's own attempt, or once their address is forgotten. */
export async function notifyHelper(
  tx: Tx,
  { id, payerEmail }: Attempt,
  kind: HelpNewsKind,
  amountCentavos: Centavos,
  dedupeKey = `card:${id}`,
): Promise<void> {
  if (payerEmail === null) return;
  await sendEmailTo(tx, kind, payerEmail, { attemptId: id, amountCentavos }, dedupeKey);
}
