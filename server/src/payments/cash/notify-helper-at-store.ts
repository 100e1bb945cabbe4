import type { Centavos } from '@aparta/domain/money';

import type { Tx } from '../../platform/db/db.ts';
import type { HelpNewsKind } from '../../platform/email/help-copy.ts';
import { sendEmailTo } from '../../platform/email/outbox.ts';
import type { CashReference } from '../../purchases/cash-references/store.ts';

/** Emails a helper what became of their cash; nothing for a buyer's own number, or once their address is forgotten. */
export async function notifyHelperAtStore(
  tx: Tx,
  number: CashReference | undefined,
  operationId: string,
  kind: HelpNewsKind,
  amountCentavos: Centavos,
): Promise<void> {
  const email = number?.helper?.email ?? undefined;
  if (number === undefined || email === undefined) return;
  await sendEmailTo(tx, kind, email, { operationId, amountCentavos }, `cash:${operationId}`);
}
