import { createLayawayReference, getLayawayReference } from '@aparta/contract/layaway';

import type { Db } from '../db/db.ts';
import { route, type Route, success } from '../http/route.ts';
import { presentAttempt } from '../payments/present.ts';
import { createReference } from './create-reference.ts';
import { presentReference } from './present.ts';
import { readReference } from './read-reference.ts';

export function layawayRoutes(deps: { db: Db; referenceDays: number }): Route[] {
  const shown = async (buyerId: number, id: number) => {
    const { reference, newest, acceptsCards } = await readReference(deps.db, buyerId, id);
    const attempt = newest === undefined ? null : presentAttempt(newest.attempt, newest.outcome);
    return success(presentReference(reference, { attempt, acceptsCards }));
  };

  return [
    route(createLayawayReference, async ({ caller, body, address }) => {
      const request = { qrText: body.Referencia, repeat: body.repeat, sourceAddress: address };
      return shown(caller.id, await createReference(deps, caller.id, request));
    }),

    route(getLayawayReference, async ({ caller, params }) => shown(caller.id, params.id)),
  ];
}
