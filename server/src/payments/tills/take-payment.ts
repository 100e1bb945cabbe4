import { centavos, type Centavos, subtract, zero } from '@aparta/domain/money';
import { parsePaymentReference } from '@aparta/domain/payment-reference';
import { feeFor } from '@aparta/domain/service-fee';

import type { Tx } from '../../platform/db/db.ts';
import { applyPayment } from '../../purchases/plans/apply-payment.ts';
import { type LockedPurchase, lockPurchaseOf } from '../../purchases/plans/store.ts';
import type { Log } from '../../platform/logging.ts';
import { paidInstalments } from './copy.ts';
import {
  answer,
  runOperation,
  type SignedInTill,
  type TillDeps,
  type TillPayable,
  type TillRequest,
} from './operation.ts';
import type { TillAnswer } from './store.ts';

/**
 * A till takes money for a purchase by the number of one of its instalments (rules/tills-and-cash#till-instalments): any amount
 * up to the whole balance, filled oldest first. The merchant's till fee, where it charges one, is inside the amount.
 */
export async function takePayment(
  deps: TillDeps,
  till: SignedInTill,
  request: TillRequest,
  log: Log,
): Promise<TillAnswer> {
  return runOperation(deps, till, 'payment', request, (tx) => lockInstalments(tx, request), log);
}

async function lockInstalments(tx: Tx, request: TillRequest): Promise<TillPayable> {
  const parsed = parsePaymentReference(request.reference);
  const purchase = parsed && (await lockPurchaseOf(tx, { prefix: parsed.prefix, id: Number(parsed.id) }));
  if (purchase === undefined) return { refusal: answer(1), merchantId: undefined };
  const { merchantId } = purchase;
  const feeCentavos = feeFor({ amountCentavos: purchase.feeCentavos, methods: purchase.feeMethods }, 'till');
  const refusal = refusalFor(purchase, request, feeCentavos);
  if (refusal !== undefined) return { refusal, merchantId };
  return {
    merchantId,
    async take(sourceId) {
      const principalCentavos = subtract(request.amountCentavos, feeCentavos);
      const money = { channel: 'till', sourceId, principalCentavos, feeCentavos } as const;
      const { folio, numbers, balanceCentavos } = await applyPayment(tx, purchase, money);
      return answer(0, paidInstalments(numbers, balanceCentavos), folio);
    },
  };
}

function refusalFor(
  purchase: LockedPurchase,
  { amountCentavos, balanceShownCentavos = purchase.balanceCentavos }: TillRequest,
  feeCentavos: Centavos,
): TillAnswer | undefined {
  if (purchase.state === 'cancelled') return answer(5);
  if (purchase.balanceCentavos === zero) return answer(3);
  if (balanceShownCentavos !== purchase.balanceCentavos) return answer(4);
  if (amountCentavos <= feeCentavos) return answer(4);
  return centavos(amountCentavos - feeCentavos) > purchase.balanceCentavos ? answer(4) : undefined;
}
