import { centavosFromPesos } from '@aparta/contract/amount';
import { REFERENCE_STATUS, type LayawayReference } from '@aparta/contract/layaway';
import type { ReplyData } from '@aparta/contract/endpoint';
import type { getInstalment, InstalmentWithPayments } from '@aparta/contract/purchases';
import { formatDate, mexicoCityDate } from '@aparta/domain/calendar';
import { add, decimal, subtract, zero, type Centavos } from '@aparta/domain/money';
import { STATUS_CODES } from '@aparta/domain/purchase-status';
import { paths } from '../app/paths.ts';
import { cardAttempt, type CardAttempt } from '../data/payments.ts';
import { paymentsCopy as copy } from './copy.ts';

/** Something to pay by card: a layaway's deposit or an instalment. */
export interface Payable {
  /** The payment reference: prefix and ten-digit id. */
  readonly reference: string;
  readonly kind: 'layaway' | 'instalment';
  readonly merchantId: number;
  readonly productId: number;
  readonly tradeName: string;
  readonly productName: string;
  /** For example 'Apartado' or 'Pago 2 de 3'. */
  readonly part: string;
  /** Label of the principal among the line items. */
  readonly item: string;
  /** The deadline as half a sentence: 'vence el 22 nov 2026'. */
  readonly deadline: string;
  /** What is left to pay. */
  readonly principal: Centavos;
  /** The card's service fee, the same before and after paying. */
  readonly fee: Centavos;
  /** Principal plus fee. */
  readonly total: Centavos;
  /** `notYet`: another instalment of the purchase comes first. */
  readonly state: 'open' | 'paid' | 'expired' | 'cancelled' | 'notYet';
  readonly acceptsCards: boolean;
  /** The newest attempt. */
  readonly attempt: CardAttempt | null;
  readonly purchaseId: number | null;
  /** The four figures of the 3DS screen (spec §2). */
  readonly summary: { due: string; value: Centavos; paid: Centavos; balance: Centavos };
  /** URLs of its two screens, each a separate document, and of paying at a store. */
  readonly screens: { pay: string; threeDs: string; inStore?: string };
}

const states = {
  [REFERENCE_STATUS.waiting]: 'open',
  [REFERENCE_STATUS.paid]: 'paid',
  [REFERENCE_STATUS.expired]: 'expired',
  [REFERENCE_STATUS.cancelled]: 'cancelled',
} as const;

/**
 * A layaway's deposit. Its 3DS summary shows the reference's expiry, the deposit, 0.00 and the deposit again
 * (rules/card-attempts#3ds).
 */
export function layawayPayable(reference: LayawayReference): Payable {
  const expiresOn = mexicoCityDate(new Date(reference.expiresAt));
  const deposit = centavosFromPesos(reference.deposit);
  return {
    reference: reference.paymentReference,
    kind: 'layaway',
    merchantId: reference.businessId,
    productId: reference.productId,
    tradeName: reference.tradeName,
    productName: reference.productName,
    part: copy.deposit,
    item: copy.deposit,
    deadline: copy.payBy(formatDate(expiresOn)),
    principal: deposit,
    fee: centavosFromPesos(reference.cardFee),
    total: centavosFromPesos(reference.cardTotal),
    state: states[reference.Estatus],
    acceptsCards: reference.acceptsCards,
    attempt: reference.attempt && cardAttempt(reference.attempt),
    purchaseId: reference.ventaId,
    summary: { due: formatDate(expiresOn), value: deposit, paid: zero, balance: deposit },
    screens: {
      pay: paths.payLayaway(reference.id),
      threeDs: paths.threeDsLayaway(reference.id, reference.businessId, decimal(deposit)),
    },
  };
}

/**
 * An instalment of a purchase's plan, or undefined if it is not in it. Its 3DS summary is its own
 * Vencimiento, Valor, Pagos and Saldo (rules/card-attempts#3ds).
 */
export function instalmentPayable(
  { attempt, ...instalment }: ReplyData<typeof getInstalment>,
  plan: readonly InstalmentWithPayments[],
): Payable | undefined {
  const own = plan.find(({ id }) => id === instalment.id);
  if (!own) return undefined;
  const { id, ventaId: purchaseId } = own;
  const balance = centavosFromPesos(own.saldo);
  const fee = centavosFromPesos(instalment.cardFee);
  const due = formatDate(own.fechaVencimiento);
  const isCancelled = instalment.estatusVentaId === STATUS_CODES.cancelled;
  return {
    reference: own.paymentReference,
    kind: 'instalment',
    merchantId: instalment.businessId,
    productId: instalment.productId,
    tradeName: instalment.tradeName,
    productName: instalment.productName,
    part: copy.instalment(own.identificador, plan.length),
    item: copy.instalmentItem,
    deadline: own.late ? copy.wasDue(due) : copy.due(due),
    principal: balance,
    fee,
    total: add(balance, fee),
    state: isCancelled ? 'cancelled' : balance === zero ? 'paid' : own.visibleAlPago ? 'open' : 'notYet',
    acceptsCards: instalment.acceptsCards,
    // A till may reverse its part after the card paid the rest: an applied attempt that no longer covers the
    // balance is history.
    attempt:
      !attempt || (balance > zero && attempt.applied && isInPlan(attempt.folio, plan))
        ? null
        : cardAttempt(attempt),
    purchaseId,
    summary: {
      due,
      value: centavosFromPesos(own.valor),
      paid: centavosFromPesos(own.pagos),
      balance,
    },
    screens: {
      pay: paths.payInstalment(purchaseId, id),
      threeDs: paths.threeDsInstalment(purchaseId, id, instalment.businessId, decimal(balance)),
      inStore: paths.payInStore(purchaseId, id),
    },
  };
}

function isInPlan(folio: string | null, plan: readonly InstalmentWithPayments[]): boolean {
  return plan.some(({ cxcPagos }) => cxcPagos.some((payment) => payment.folio === folio));
}

/** The amount charged without the service fee. A paid instalment owes nothing, so only the attempt knows. */
export function principalCharged(payable: Payable, attempt: CardAttempt): Centavos {
  return subtract(attempt.charged, payable.fee);
}
