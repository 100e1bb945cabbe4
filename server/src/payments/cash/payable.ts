import { mexicoCityDate } from '@aparta/domain/calendar';
import type { Centavos } from '@aparta/domain/money';
import { buildPlan } from '@aparta/domain/plan';
import type { PaymentMethod } from '@aparta/domain/service-fee';

import type { Db } from '../../platform/db/db.ts';
import type { CashReference } from '../../purchases/cash-references/store.ts';
import { readReference } from '../../purchases/layaways/read-reference.ts';
import { readPurchaseOfInstalment } from '../../purchases/overview/detail.ts';

/** What a cash reference pays, as its screen shows it. */
export interface CashPayable {
  /** Null for a deposit: there is no purchase yet. */
  readonly purchaseId: number | null;
  readonly instalmentId: number | null;
  /** Of a deposit. */
  readonly layawayReferenceId: number | null;
  /** Its place in the plan; the deposit is the first. */
  readonly number: number;
  readonly of: number;
  /** When the instalment is due; the last day on which the deposit can be paid. */
  readonly dueOn: string;
  readonly tradeName: string;
  readonly productName: string;
  readonly buyerEmail: string;
  readonly feeCentavos: Centavos;
  readonly feeMethods: readonly PaymentMethod[];
}

/** What a cash reference pays. Refuses NOT_FOUND, for another buyer's too. */
export async function readPayable(db: Db, buyerId: number, reference: CashReference): Promise<CashPayable> {
  const { payableId, layawayReferenceId } = reference;
  if (layawayReferenceId !== null) {
    const layaway = await readReference(db, buyerId, layawayReferenceId);
    const terms = {
      priceCentavos: layaway.priceCentavos,
      depositBasisPoints: layaway.depositBasisPoints,
      frequencyDays: layaway.frequencyDays,
      durationDays: layaway.planDurationDays,
    };
    const { tradeName, productName, buyerEmail, feeCentavos, feeMethods } = layaway;
    return {
      purchaseId: null,
      instalmentId: null,
      layawayReferenceId,
      number: 1,
      of: buildPlan(terms, mexicoCityDate(layaway.now)).length,
      dueOn: mexicoCityDate(layaway.expiresAt),
      tradeName,
      productName,
      buyerEmail,
      feeCentavos,
      feeMethods,
    };
  }
  const purchase = await readPurchaseOfInstalment(db, buyerId, payableId);
  const instalment = purchase.instalments.find(({ id }) => id === payableId);
  const { tradeName, productName, buyerEmail, feeCentavos, feeMethods } = purchase;
  return {
    purchaseId: purchase.id,
    instalmentId: payableId,
    layawayReferenceId,
    number: instalment?.number ?? 0,
    of: purchase.instalments.length,
    dueOn: instalment?.dueOn ?? '',
    tradeName,
    productName,
    buyerEmail,
    feeCentavos,
    feeMethods,
  };
}
