import { centavos } from '@aparta/domain/money';
import { type Payment, pesosFromCentavos } from '@aparta/provider-wire/clip';
import { type Acquirer, changePayment, presentPaymentOf } from './acquirer.ts';
import { approved, cancelled, type PaymentRow, rejected } from './payment.ts';
import { addRefund } from './refunds.ts';

export type PaymentMove =
  | { move: 'approve' | 'cancel' | 'dispute' }
  | { move: 'reject'; detail?: string | undefined }
  | { move: 'refund'; amount: number };

/** The buyer's answer in the bank's window. Undefined for no such payment; one that was decided stays as it is. */
export function answerChallenge(acquirer: Acquirer, id: string, approve: boolean): PaymentRow | undefined {
  const row = acquirer.payments.get(id);
  if (row === undefined || row.status !== 'pending' || row.challenge === null) return row;
  const accepted = approve && row.challenge === 'obeysButton';
  return changePayment(acquirer, accepted ? approved(row, acquirer.clock.now()) : rejected(row, 'RE-3DS01'));
}

/** What the merchant does in Clip's panel, or the bank by itself. Only amounts are checked. Undefined for no such payment. */
export function movePayment(acquirer: Acquirer, id: string, move: PaymentMove): Payment | undefined {
  const row = acquirer.payments.get(id);
  if (row === undefined) return undefined;
  if (move.move === 'approve') changePayment(acquirer, approved(row, acquirer.clock.now()));
  if (move.move === 'reject') changePayment(acquirer, rejected(row, move.detail ?? 'RE-ISS02'));
  if (move.move === 'cancel') changePayment(acquirer, cancelled(row));
  if (move.move === 'dispute') acquirer.payments.put({ ...row, disputed: true });
  if (move.move === 'refund')
    addRefund(acquirer, row, Math.min(move.amount, pesosFromCentavos(remaining(row))), 'panel');
  return presentPaymentOf(acquirer, acquirer.payments.get(id) ?? row);
}

const remaining = (row: PaymentRow) => centavos(row.capturedCentavos - row.refundedCentavos);
