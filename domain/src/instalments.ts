import type { DateOnly } from './calendar.ts';
import type { Centavos } from './money.ts';
import { STATUS_CODES, type PurchaseStatusCode } from './purchase-status.ts';

/** What these rules read of an instalment; number 1 is the deposit. */
export interface Instalment {
  readonly number: number;
  readonly dueOn: DateOnly;
  /** What is left to pay of it, `saldo` without the fee. */
  readonly balanceCentavos: Centavos;
}

/** The one instalment that may be paid now: the oldest unpaid of an active purchase. */
export function nextPayable<T extends Instalment>(
  statusCode: PurchaseStatusCode,
  instalments: readonly T[],
): T | undefined {
  if (statusCode !== STATUS_CODES.active) return undefined;
  return instalments
    .filter((instalment) => instalment.balanceCentavos > 0)
    .reduce<T | undefined>(
      (oldest, next) => (oldest === undefined || next.number < oldest.number ? next : oldest),
      undefined,
    );
}

/** `visibleAlPago`: whether the pay button shows on this instalment (spec §4). */
export function isVisibleForPayment(
  statusCode: PurchaseStatusCode,
  instalments: readonly Instalment[],
  number: number,
): boolean {
  return nextPayable(statusCode, instalments)?.number === number;
}

/** Whether the invoice button shows: nothing left to pay of it, and the purchase not cancelled (spec §4). */
export function mayBeInvoiced(statusCode: PurchaseStatusCode, instalment: Instalment): boolean {
  return statusCode === STATUS_CODES.active && instalment.balanceCentavos === 0;
}

/**
 * Whether something of it is unpaid after its due day; the due day itself is still in time. All states that a screen shows are
 * put together in web/src/data/instalments.ts.
 */
export function isLate(instalment: Instalment, today: DateOnly): boolean {
  return instalment.balanceCentavos > 0 && instalment.dueOn < today;
}

/** Whether a number is the purchase's last, where 'Ultimo pago a realizar!' shows. */
export function isLastPayment(instalments: readonly Instalment[], number: number): boolean {
  return instalments.length > 0 && number === Math.max(...instalments.map((each) => each.number));
}
