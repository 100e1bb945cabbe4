import { centavosFromPesos } from '@aparta/contract/amount';
import { REFERENCE_STATUS, type LayawayReference } from '@aparta/contract/layaway';
import type { CardPayment } from '@aparta/contract/payments';
import { addDays, daysBetween, formatDate, mexicoCityDate, type DateOnly } from '@aparta/domain/calendar';
import { decimal, sum, zero, type Centavos } from '@aparta/domain/money';
import { paths } from '../app/paths.ts';
import { paymentsCopy as copy } from './copy.ts';

/** What a card can pay, a layaway's deposit or an instalment, as the screens of this feature read it. */
export interface Payable {
  /** The payment reference: prefix and ten-digit id. */
  readonly reference: string;
  /** Which PosOperations call applies it (spec §4). */
  readonly kind: 'layaway';
  readonly merchantId: number;
  readonly productId: number;
  readonly tradeName: string;
  readonly productName: string;
  /** Which part of the price it is, in words: 'Apartado'. */
  readonly part: string;
  /** Until when it can be paid, in words: '22 nov 2026'. */
  readonly payBy: string;
  readonly principal: Centavos;
  readonly fee: Centavos;
  /** What the card pays: principal and fee. */
  readonly total: Centavos;
  readonly state: 'open' | 'paid' | 'expired' | 'cancelled';
  readonly acceptsCards: boolean;
  /** The newest attempt at it. */
  readonly attempt: CardPayment | null;
  readonly purchaseId: number | null;
  /** The four figures of the 3DS screen (spec §2). */
  readonly summary: { due: string; value: Centavos; paid: Centavos; balance: Centavos };
  /** How the purchase stands once this is paid. */
  readonly afterwards: {
    paidCount: number;
    count: number;
    left: Centavos;
    /** When the next one is due if this is paid on that day. */
    nextDueOn(paidOn: DateOnly): DateOnly | undefined;
  };
  /** Its two screens, each a document of its own. */
  readonly screens: { pay: string; threeDs: string };
}

const states = {
  [REFERENCE_STATUS.waiting]: 'open',
  [REFERENCE_STATUS.paid]: 'paid',
  [REFERENCE_STATUS.expired]: 'expired',
  [REFERENCE_STATUS.cancelled]: 'cancelled',
} as const;

/** A layaway's deposit. Its 3DS summary shows the reference's expiry, the deposit, 0.00 and the deposit (decisions §5). */
export function layawayPayable(reference: LayawayReference): Payable {
  const expiresOn = mexicoCityDate(new Date(reference.expiresAt));
  const deposit = centavosFromPesos(reference.deposit);
  const instalments = reference.instalments.toSorted((one, other) => one.number - other.number);
  const [first, next] = instalments;
  return {
    reference: reference.paymentReference,
    kind: 'layaway',
    merchantId: reference.businessId,
    productId: reference.productId,
    tradeName: reference.tradeName,
    productName: reference.productName,
    part: copy.deposit,
    payBy: formatDate(expiresOn),
    principal: deposit,
    fee: centavosFromPesos(reference.cardFee),
    total: centavosFromPesos(reference.cardTotal),
    state: states[reference.Estatus],
    acceptsCards: reference.acceptsCards,
    attempt: reference.attempt,
    purchaseId: reference.ventaId,
    summary: { due: formatDate(expiresOn), value: deposit, paid: zero, balance: deposit },
    afterwards: {
      paidCount: 1,
      count: instalments.length,
      left: sum(instalments.slice(1).map(({ amount }) => centavosFromPesos(amount))),
      // The plan is told as if its deposit were paid on the first one's day; the days between stay the same.
      nextDueOn: (paidOn) => first && next && addDays(paidOn, daysBetween(first.dueOn, next.dueOn)),
    },
    screens: {
      pay: paths.payLayaway(reference.id),
      threeDs: paths.threeDsLayaway(reference.id, reference.businessId, decimal(deposit)),
    },
  };
}
