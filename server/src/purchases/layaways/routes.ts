import {
  createLayawayReference,
  getLayawayReference,
  listUnresolvedLayaways,
} from '@aparta/contract/layaway';
import type { CardPayment } from '@aparta/contract/payments';

import type { Db } from '../../platform/db/db.ts';
import { route, type Route, success } from '../../platform/http/route.ts';
import { createReference } from './create-reference.ts';
import { presentReference } from './present.ts';
import { findUnresolved, type ShownReference } from './shown.read-model.ts';
import { readReference } from './read-reference.ts';

/** What a reference's screen shows of its payment. Payments come after purchases, so `compose.ts` passes them in. */
export interface PaymentsOfReference {
  /** The newest card attempt at a reference, in any state. */
  newestAttempt(referenceId: number): Promise<CardPayment | null>;
  /** '' where no card is taken. */
  cardKeyOf(merchantId: number): Promise<string>;
}

export function layawayRoutes(deps: {
  db: Db;
  referenceDays: number;
  payments: PaymentsOfReference;
}): Route[] {
  const present = async (reference: ShownReference) =>
    presentReference(reference, {
      attempt: await deps.payments.newestAttempt(reference.id),
      cardKey: await deps.payments.cardKeyOf(reference.merchantId),
    });
  const shown = async (buyerId: number, id: number) =>
    success(await present(await readReference(deps.db, buyerId, id)));

  return [
    route(createLayawayReference, async ({ caller, body, address }) => {
      const request = { qrText: body.Referencia, repeat: body.repeat, sourceAddress: address };
      return shown(caller.id, await createReference(deps, caller.id, request));
    }),

    route(getLayawayReference, async ({ caller, params }) => shown(caller.id, params.id)),

    route(listUnresolvedLayaways, async ({ caller }) =>
      success(await Promise.all((await findUnresolved(deps.db, caller.id)).map(present))),
    ),
  ];
}
