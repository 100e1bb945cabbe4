import type { CardPayment } from '@aparta/contract/payments';
import { pesosFromCentavos } from '@aparta/contract/amount';
import { add, zero } from '@aparta/domain/money';
import type { AttemptState } from './attempt.ts';
import { adviceFor, shownDetail } from './advice.ts';
import type { AttemptOutcome } from './read-model.ts';
import type { Attempt } from './store.ts';

/** What the spec's `data.status` says of each state (spec §4, §7). Only `applied` is ever `approved` with AP-PAI01. */
const STATUS = {
  submitting: { status: 'pending', code: '' },
  pending_3ds: { status: 'pending', code: 'PE-3DS01' },
  unknown: { status: 'pending', code: '' },
  held: { status: 'pending', code: '' },
  rejected: { status: 'rejected', code: undefined },
  not_charged: { status: 'rejected', code: '' },
  abandoned: { status: 'cancelled', code: '' },
  applied: { status: 'approved', code: 'AP-PAI01' },
  returned: { status: 'approved', code: '' },
} as const satisfies Record<AttemptState, { status: string; code: string | undefined }>;

const CARD_TYPES: Readonly<Record<string, 'credit' | 'debit' | 'prepaid'>> = {
  credit_card: 'credit',
  debit_card: 'debit',
  prepaid_card: 'prepaid',
};

/** An attempt as its buyer, or its merchant's integrator, sees it. */
export function presentAttempt(attempt: Attempt, outcome: AttemptOutcome | undefined): CardPayment {
  const { status, code } = STATUS[attempt.state];
  const detail = attempt.detailCode ?? '';
  const totalCentavos = add(attempt.principalCentavos, attempt.feeCentavos);
  return {
    id: attempt.providerPaymentId ?? '',
    status,
    status_detail: { code: code ?? shownDetail(detail), message: '' },
    pending_action: { url: attempt.state === 'pending_3ds' ? (attempt.threeDsUrl ?? '') : '' },
    amount: pesosFromCentavos(totalCentavos),
    currency: 'MXN',
    intentoId: attempt.intentId ?? attempt.id,
    state: attempt.state,
    applied: attempt.state === 'applied',
    referencia: outcome?.reference ?? '',
    ventaId: attempt.ofSeveral ? null : (outcome?.purchaseId ?? null),
    folio: outcome?.folio ?? null,
    paidAt: attempt.state === 'applied' ? (outcome?.paidAt?.toISOString() ?? null) : null,
    card:
      attempt.cardLast4 === null
        ? null
        : { type: CARD_TYPES[attempt.cardType ?? ''] ?? 'other', last4: attempt.cardLast4 },
    createdAt: attempt.createdAt.toISOString(),
    advice: attempt.state === 'rejected' ? adviceFor(detail) : null,
    returnReason: attempt.returnReason,
    refund:
      outcome === undefined || outcome.refundCentavos === null
        ? null
        : {
            amount: pesosFromCentavos(outcome.refundCentavos),
            done: outcome.refundDone === true,
            ...(attempt.state === 'returned' &&
              attempt.capturedCentavos !== totalCentavos && { otherSum: true }),
          },
    plan: attempt.state === 'applied' && !attempt.ofSeveral ? planOf(outcome) : null,
    ...(attempt.ofSeveral && {
      compras: (outcome?.shares ?? []).map(({ purchaseId, productName, amountCentavos, leftCentavos }) => ({
        ventaId: purchaseId,
        producto: productName,
        monto: pesosFromCentavos(amountCentavos),
        saldo: pesosFromCentavos(leftCentavos),
      })),
    }),
  };
}

function planOf(outcome: AttemptOutcome | undefined): CardPayment['plan'] {
  if (!outcome || outcome.instalments === null || outcome.paidInstalments === null) return null;
  return {
    count: outcome.instalments,
    paid: outcome.paidInstalments,
    left: pesosFromCentavos(outcome.leftCentavos ?? zero),
    nextDueOn: outcome.nextDueOn,
  };
}
