import { zero } from '@aparta/domain/money';
import { raiseAlert } from '../../platform/alerts.ts';
import { afterCommit } from '../../platform/db/after-commit.ts';
import type { Db } from '../../platform/db/db.ts';
import { together } from '../../platform/db/together.ts';
import type { Log } from '../../platform/logging.ts';
import type { ProviderPayment } from '../card-provider/port.ts';
import { returnMoney } from './attempt-money.ts';
import { leftOf } from './observe.ts';
import { lockPayable } from './payable.ts';
import { isKnownPayment } from './read-model.ts';
import { insertAttempt, lockAttempt, readAttempt } from './store.ts';

/**
 * Returns a second payment that carries an attempt's reference: it becomes an attempt of its own, born `returned`
 * (rules/card-attempts#second-payment). Nothing happens if it is known already or holds no money.
 */
export async function returnSecondPayment(
  db: Db,
  attemptId: string,
  payment: ProviderPayment,
  log: Log,
): Promise<void> {
  // If a part went back already, the refund of the whole will be blocked, for a person.
  if (leftOf(payment) === 0) return;
  await together(db, { keys: [`attempt ${attemptId}`] }, async (tx) => {
    const unlocked = await readAttempt(tx, attemptId);
    if (unlocked === undefined || unlocked.providerPaymentId === payment.id) return;
    const payable = await lockPayable(tx, unlocked);
    const first = await lockAttempt(tx, attemptId);
    if (first === undefined || (await isKnownPayment(tx, first.merchantId, payment.id))) return;
    const born = await insertAttempt(tx, {
      buyerId: first.buyerId,
      merchantId: first.merchantId,
      credentialId: first.credentialId,
      referenceId: first.referenceId,
      intentId: null,
      intentHash: null,
      state: 'returned',
      principalCentavos: payment.amountCentavos,
      feeCentavos: zero,
      capturedCentavos: payment.amountCentavos,
      providerPaymentId: payment.id,
      detailCode: payment.detailCode,
      sourceAddress: '',
      requestId: first.requestId,
      payer: first,
    });
    const second = await lockAttempt(tx, born.id);
    if (second !== undefined) await returnMoney({ tx, payable }, second, payment);
    await raiseAlert(tx, 'second_payment', attemptId, { paymentId: payment.id });
    afterCommit(tx, () =>
      log.error({ attemptId, paymentId: payment.id }, 'a second payment carries the reference of an attempt'),
    );
  });
}
