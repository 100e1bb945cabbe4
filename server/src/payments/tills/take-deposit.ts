import type { Centavos } from '@aparta/domain/money';
import { parsePaymentReference } from '@aparta/domain/payment-reference';
import { feeFor, totalFor } from '@aparta/domain/service-fee';

import type { Tx } from '../../platform/db/db.ts';
import { lockUnit } from '../../purchases/holds/find-unit.ts';
import { planPurchase, reserve } from '../../purchases/layaways/reserve.ts';
import type { LayawayReference } from '../../purchases/layaways/read-model.ts';
import { lockReference } from '../../purchases/layaways/store.ts';
import type { Log } from '../../platform/logging.ts';
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
 * A till takes the deposit of a layaway reference (rules/tills-and-cash#till-deposits): exactly the deposit with its till fee,
 * of a live, unpaid reference. An open card attempt does not stop it: the card's money is then returned.
 */
export async function takeDeposit(
  deps: TillDeps,
  till: SignedInTill,
  request: TillRequest,
  log: Log,
): Promise<TillAnswer> {
  return runOperation(deps, till, 'layaway', request, (tx) => lockDeposit(tx, request), log);
}

async function lockDeposit(tx: Tx, request: TillRequest): Promise<TillPayable> {
  const parsed = parsePaymentReference(request.reference);
  const reference = parsed?.prefix === '1' ? await lockReference(tx, Number(parsed.id)) : undefined;
  if (reference === undefined) return { refusal: answer(1), merchantId: undefined };
  const { merchantId } = reference;
  const policy = { amountCentavos: reference.feeCentavos, methods: reference.feeMethods };
  const dueCentavos = totalFor(reference.depositCentavos, policy, 'till');
  const refusal = refusalFor(reference, request.amountCentavos, dueCentavos);
  if (refusal !== undefined) return { refusal, merchantId };
  const unit = await lockUnit(tx, reference, request);
  if (unit === undefined) return { refusal: answer(10), merchantId };
  const planned = planPurchase(tx, reference);
  // Refused for something else, the call never comes to it.
  planned.catch(() => undefined);
  return {
    merchantId,
    async take(sourceId) {
      const money = {
        channel: 'till',
        sourceId,
        feeCentavos: feeFor(policy, 'till'),
        unit,
        planned,
      } as const;
      const { folio } = await reserve(tx, reference, money);
      return answer(0, undefined, folio);
    },
  };
}

function refusalFor(
  reference: LayawayReference,
  amountCentavos: Centavos,
  dueCentavos: Centavos,
): TillAnswer | undefined {
  if (reference.state === 'cancelled' || reference.purchaseState === 'cancelled') return answer(5);
  if (reference.state === 'paid' || reference.purchaseId !== null) return answer(3);
  if (reference.state === 'expired' || reference.expiresAt <= reference.now) return answer(2);
  return amountCentavos === dueCentavos ? undefined : answer(4);
}
