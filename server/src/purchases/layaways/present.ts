import type { LayawayReference as WireReference } from '@aparta/contract/layaway';
import { REFERENCE_STATUS } from '@aparta/contract/layaway';
import { pesosFromCentavos } from '@aparta/contract/amount';
import type { CardPayment } from '@aparta/contract/payments';
import { mexicoCityDate } from '@aparta/domain/calendar';
import { buildLayawayReference } from '@aparta/domain/layaway-reference';
import { add } from '@aparta/domain/money';
import { buildPlan } from '@aparta/domain/plan';
import { feeFor, totalFor } from '@aparta/domain/service-fee';
import type { ShownReference } from './shown.read-model.ts';

/** The layaway reference of spec §3, with its frozen terms, its plan and the card payment that was tried last. */
export function presentReference(
  reference: ShownReference,
  beside: { attempt: CardPayment | null; cardKey: string },
): WireReference {
  const policy = { amountCentavos: reference.feeCentavos, methods: reference.feeMethods };
  const plan = buildPlan(
    {
      priceCentavos: reference.priceCentavos,
      depositBasisPoints: reference.depositBasisPoints,
      frequencyDays: reference.frequencyDays,
      durationDays: reference.planDurationDays,
    },
    // Until it is paid, the plan is shown as if it were paid today.
    mexicoCityDate(
      reference.state === 'paid' && reference.closedAt !== null ? reference.closedAt : reference.now,
    ),
  );
  return {
    Id: reference.id,
    id: reference.id,
    Referencia: buildLayawayReference({
      businessId: reference.merchantId,
      productId: reference.productId,
      buyerId: reference.buyerId,
      printedPriceCentavos: reference.priceCentavos,
      printedPayments: plan.length,
      printedDepositCentavos: reference.depositCentavos,
    }),
    IpOrigen: reference.sourceAddress,
    Fecha: reference.createdAt.toISOString(),
    Estatus: statusOf(reference),
    paymentReference: reference.reference,
    expiresAt: reference.expiresAt.toISOString(),
    businessId: reference.merchantId,
    productId: reference.productId,
    tradeName: reference.tradeName,
    productName: reference.productName,
    productDescription: reference.productDescription,
    logofileName: reference.logoFileName,
    price: pesosFromCentavos(reference.priceCentavos),
    deposit: pesosFromCentavos(reference.depositCentavos),
    cardFee: pesosFromCentavos(feeFor(policy, 'card')),
    tillFee: pesosFromCentavos(feeFor(policy, 'till')),
    cardTotal: pesosFromCentavos(totalFor(reference.depositCentavos, policy, 'card')),
    tillTotal: pesosFromCentavos(add(reference.depositCentavos, feeFor(policy, 'till'))),
    cashFee: pesosFromCentavos(feeFor(policy, 'cash')),
    cashTotal: pesosFromCentavos(totalFor(reference.depositCentavos, policy, 'cash')),
    instalments: plan.map(({ number, dueOn, amountCentavos }) => ({
      number,
      dueOn,
      amount: pesosFromCentavos(amountCentavos),
    })),
    deliveryDays: reference.deliveryDays,
    endDaysLate: reference.endDaysLate,
    acceptsCards: beside.cardKey !== '',
    cardKey: beside.cardKey,
    attempt: beside.attempt,
    owedBack: pesosFromCentavos(reference.owedCentavos),
    owedToCard: pesosFromCentavos(reference.owedToCardCentavos),
    ventaId: reference.purchaseId,
    folio: reference.folio,
  };
}

/** One that is out of time reads as expired, also before the job has expired it. */
function statusOf(reference: ShownReference): WireReference['Estatus'] {
  switch (reference.state) {
    case 'open':
      return reference.expiresAt > reference.now ? REFERENCE_STATUS.waiting : REFERENCE_STATUS.expired;
    case 'paid':
      return REFERENCE_STATUS.paid;
    case 'expired':
      return REFERENCE_STATUS.expired;
    case 'cancelled':
      return REFERENCE_STATUS.cancelled;
  }
}
