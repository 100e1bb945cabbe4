import { pesosFromCentavos } from '@aparta/contract/amount';
import type { ShopPurchase, ShopPurchaseStory } from '@aparta/contract/counter-purchases';
import { shortName } from '@aparta/domain/short-name';

import type { PurchaseReceipt } from '../operations/purchases.read-model.ts';
import { presentShopRefund } from '../../payments/counter/present.ts';
import { presentClaim } from '../../purchases/claims/present.ts';
import { planEndOf } from '../../purchases/ending/read-model.ts';
import { presentPlanChanges } from '../../purchases/moving/present.ts';
import { presentEnding } from '../../purchases/overview/present.ts';
import { standingOf } from '../../purchases/overview/standing.ts';
import type { PurchaseStory, TakenAtCounter } from './purchase.read-model.ts';
import type { ShopPurchaseRow } from './purchases.read-model.ts';

export function presentShopPurchase(row: ShopPurchaseRow): ShopPurchase {
  const end = row.endTerms === null ? undefined : planEndOf({ ...row.endTerms, now: row.now });
  return {
    kind: row.kind,
    id: row.id,
    reference: row.reference,
    state: row.state,
    productName: row.productName,
    buyer: shortName(row.buyerName),
    madeAt: row.madeAt.toISOString(),
    price: pesosFromCentavos(row.priceCentavos),
    paid: pesosFromCentavos(row.paidCentavos),
    balance: pesosFromCentavos(row.balanceCentavos),
    listed: pesosFromCentavos(row.listedCentavos),
    nextDueOn: row.nextDueOn,
    lateDays: row.lateDays,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    settledAt: row.settledAt?.toISOString() ?? null,
    keptIn: row.keptIn,
    handedOverAt: row.handedOverAt?.toISOString() ?? null,
    ends: end === undefined ? null : { endsOn: end.endsOn, warned: end.warned },
  };
}

/** `mayFindBuyers`: whether the reader may have the buyer's whole name and telephone. */
export function presentStory(
  line: ShopPurchaseRow,
  story: PurchaseStory,
  mayFindBuyers: boolean,
): ShopPurchaseStory {
  const { purchase, receipts, refunds, takenAtCounter, emails, handOver, claim, frozen } = story;
  const { instalments } = standingOf(purchase);
  return {
    ...presentShopPurchase(line),
    cancelledAt: purchase.cancelledAt?.toISOString() ?? null,
    handedOver:
      handOver === undefined
        ? null
        : {
            at: handOver.at.toISOString(),
            branch: handOver.branchName,
            by: handOver.handedBy,
            collector: handOver.collectorName,
            signed: handOver.isSigned,
          },
    claim: claim === undefined ? null : presentClaim(claim),
    endedBy: purchase.endedBy,
    ending: presentEnding(purchase),
    cancelNotes: purchase.cancelNotes,
    mayEnd: purchase.state === 'active',
    contact: mayFindBuyers ? { name: purchase.buyerName, phone: purchase.buyerPhone } : null,
    schedule: instalments.map(({ number, dueOn, amountCentavos, balanceCentavos, late }) => ({
      number,
      dueOn,
      amount: pesosFromCentavos(amountCentavos),
      balance: pesosFromCentavos(balanceCentavos),
      late,
    })),
    planChanges: presentPlanChanges(purchase.changes),
    frozen: {
      penalty: pesosFromCentavos(frozen.penaltyCentavos),
      penaltyFreeUntil: frozen.penaltyFreeUntil.toISOString(),
      deliveryDays: frozen.deliveryDays,
    },
    payments: receipts.map((receipt) =>
      presentPayment(
        receipt,
        takenAtCounter.find(({ folio }) => folio === receipt.folio),
      ),
    ),
    refunds: refunds.map(presentShopRefund),
    emails: emails.map(({ topic, at, state }) => ({ topic, at: at.toISOString(), state })),
  };
}

const METHODS = { card: 'card', till: 'till', cash: 'store' } as const;

function presentPayment(
  receipt: PurchaseReceipt,
  atCounter: TakenAtCounter | undefined,
): ShopPurchaseStory['payments'][number] {
  return {
    folio: receipt.folio,
    at: receipt.paidAt.toISOString(),
    method: atCounter === undefined ? METHODS[receipt.channel] : `counter_${atCounter.method}`,
    amount: pesosFromCentavos(receipt.amountCentavos),
    fee: pesosFromCentavos(receipt.feeCentavos),
    withdrawn: pesosFromCentavos(receipt.withdrawnCentavos),
    numbers: [...receipt.instalments],
    takenBy: atCounter?.takenBy ?? null,
    branch: atCounter?.branch ?? null,
  };
}
