import { getLatePurchases } from '@aparta/contract/late-purchases';
import type { CardPayment } from '@aparta/contract/payments';
import {
  getInstalment,
  getSale,
  listInstalments,
  listPurchases as list,
  writeListCursor,
} from '@aparta/contract/purchases';

import { takesAtTill } from '../../accounts/service-accounts/read-model.ts';
import type { Db } from '../../platform/db/db.ts';
import { route, type Route, success } from '../../platform/http/route.ts';
import { readDelivery } from '../claims/delivery.ts';
import { findKeptUnit } from '../holds/read-model.ts';
import { readCancelBill } from '../cancelling/end-with-refunds.ts';
import { anyRefundOf } from '../cancelling/read-model.ts';
import { readPurchase, readPurchaseOfInstalment } from './detail.ts';
import { listLateWith } from './late.read-model.ts';
import { listPurchases } from './list.ts';
import { listTakenBack } from './taken-back.read-model.ts';
import {
  presentInstalments,
  presentLate,
  presentOneInstalment,
  presentSale,
  presentSummary,
  presentWaiting,
} from './present.ts';

/** What a purchase's screens show of card payments. Payments come after purchases, so `compose.ts` passes them in. */
export interface PaymentsOfPurchase {
  /** The newest card attempt at an instalment, in any state. */
  newestAttempt(instalmentId: number): Promise<CardPayment | null>;
  /** '' where no card is taken. */
  cardKeyOf(merchantId: number): Promise<string>;
}

export function purchaseRoutes({ db, payments }: { db: Db; payments: PaymentsOfPurchase }): Route[] {
  return [
    route(list, async ({ caller, params, query: { status, limit, cursor } }) => {
      const request = { buyerId: params.buyerId, filter: status, limit, after: cursor };
      const { purchases, next, total, waiting, unresolved } = await listPurchases(db, caller, request);
      return {
        ...success(purchases.map(presentSummary)),
        next: next === undefined ? null : writeListCursor(next),
        total: total ?? null,
        waiting: waiting.map(presentWaiting),
        unresolved,
      };
    }),

    route(listInstalments, async ({ caller, params }) =>
      success(presentInstalments(await readPurchase(db, caller.id, params.saleId))),
    ),

    route(getInstalment, async ({ caller, params }) => {
      const purchase = await readPurchaseOfInstalment(db, caller.id, params.id);
      const [attempt, cardKey, hasTill] = await Promise.all([
        payments.newestAttempt(params.id),
        payments.cardKeyOf(purchase.merchantId),
        takesAtTill(db, purchase.merchantId),
      ]);
      return success(presentOneInstalment(purchase, params.id, { attempt, cardKey, hasTill }));
    }),

    route(getLatePurchases, async ({ caller, params }) =>
      success((await listLateWith(db, caller.id, params.saleId)).map(presentLate)),
    ),

    route(getSale, async ({ caller, params }) => {
      const purchase = await readPurchase(db, caller.id, params.id);
      const { cancelledAt } = purchase;
      const [cardKey, hasTill, bill, kept, delivery, hasRefunds, takenBack] = await Promise.all([
        payments.cardKeyOf(purchase.merchantId),
        takesAtTill(db, purchase.merchantId),
        cancelledAt === null ? undefined : readCancelBill(db, { ...purchase, cancelledAt }),
        findKeptUnit(db, purchase.id),
        readDelivery(db, caller.id, purchase.id),
        anyRefundOf(db, purchase.id),
        purchase.endedBy === 'reversal' ? listTakenBack(db, purchase.id) : [],
      ]);
      const acceptsCards = cardKey !== '';
      return success(
        presentSale(purchase, { acceptsCards, hasTill, bill, kept, delivery, hasRefunds, takenBack }),
      );
    }),
  ];
}
