import { createLayawayReference, getLayawayReference } from '@aparta/contract/layaway';
import type { CardPayment } from '@aparta/contract/payments';

import type { Db } from '../../platform/db/db.ts';
import { route, type Route, success } from '../../platform/http/route.ts';
import { createReference } from './create-reference.ts';
import { presentReference } from './present.ts';
import { readReference } from './read-reference.ts';

/** What a reference's screen is told of its payment. Payments build on layaways, so `compose.ts` brings them together. */
export interface PaymentsOfReference {
  /** The newest card attempt at a reference, whatever became of it. */
  newestAttempt(referenceId: number): Promise<CardPayment | null>;
  acceptsCards(merchantId: number): Promise<boolean>;
}

export function layawayRoutes(deps: {
  db: Db;
  referenceDays: number;
  payments: PaymentsOfReference;
}): Route[] {
  const shown = async (buyerId: number, id: number) => {
    const reference = await readReference(deps.db, buyerId, id);
    return success(
      presentReference(reference, {
        attempt: await deps.payments.newestAttempt(reference.id),
        acceptsCards: await deps.payments.acceptsCards(reference.merchantId),
      }),
    );
  };

  return [
    route(createLayawayReference, async ({ caller, body, address }) => {
      const request = { qrText: body.Referencia, repeat: body.repeat, sourceAddress: address };
      return shown(caller.id, await createReference(deps, caller.id, request));
    }),

    route(getLayawayReference, async ({ caller, params }) => shown(caller.id, params.id)),
  ];
}
