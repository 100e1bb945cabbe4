import type { Centavos } from '@aparta/domain/money';
import { HELP_LINK_DAYS } from '@aparta/domain/help';
import { sql } from 'kysely';

import type { Tx } from '../../platform/db/db.ts';
import { moveState } from '../../platform/lifecycle.ts';
import { HELP_LINK, type HelpLinkEvent } from './help-link.ts';

export interface NewHelpLink {
  readonly purchaseId: number;
  readonly buyerId: number;
  readonly merchantId: number;
  readonly message: string;
  readonly goalCentavos: Centavos | null;
}

/** Makes a link to a purchase, whose lock the caller holds, and answers its id. */
export async function insertHelpLink(tx: Tx, link: NewHelpLink): Promise<string> {
  const { id } = await tx
    .insertInto('help_links')
    .values({
      purchase_id: link.purchaseId,
      buyer_id: link.buyerId,
      merchant_id: link.merchantId,
      message: link.message,
      goal_centavos: link.goalCentavos,
      expires_at: sql<Date>`app_now() + ${`${HELP_LINK_DAYS} days`}::interval`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Ends a live link; one that ended stays as it is. The caller holds its purchase's lock. */
export async function endHelpLink(tx: Tx, id: string, event: HelpLinkEvent): Promise<void> {
  await moveState(tx, HELP_LINK, { event, where: sql`id = ${id}`, set: { ended_at: sql`app_now()` } });
}
