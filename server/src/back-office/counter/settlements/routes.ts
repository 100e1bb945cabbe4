import { pesosFromCentavos } from '@aparta/contract/amount';
import { listShopSettlements as listAll, type ShopSettlement } from '@aparta/contract/counter-settlements';
import { centavos } from '@aparta/domain/money';

import type { Db } from '../../../platform/db/db.ts';
import { route, type Route, success } from '../../../platform/http/route.ts';
import type { Settlement } from '../../settlements/store.ts';
import { listShopSettlements } from './list-settlements.ts';

export function shopSettlementRoutes({ db }: { db: Db }): Route[] {
  return [
    route(listAll, async ({ caller }) =>
      success((await listShopSettlements(db, caller)).map(presentSettlement)),
    ),
  ];
}

function presentSettlement(of: Settlement): ShopSettlement {
  const { id, kind, channel, chain, fromOn, toOn, party, ofId, happenedOn, evidence, isVoided } = of;
  return {
    id,
    kind,
    channel,
    chain,
    from: fromOn,
    to: toOn,
    party,
    amount: pesosFromCentavos(of.amountCentavos),
    commission: pesosFromCentavos(of.commissionCentavos),
    missing: pesosFromCentavos(centavos(Math.max(0, of.differenceCentavos))),
    over: pesosFromCentavos(centavos(Math.max(0, 0 - of.differenceCentavos))),
    happenedOn,
    evidence,
    voided: isVoided,
    ofId,
  };
}
