import { sumOwnRefunds } from '../../ledger/refunds/store.ts';
import { raiseAlert } from '../../platform/alerts.ts';
import { add, zero } from '@aparta/domain/money';
import { afterCommit } from '../../platform/db/after-commit.ts';
import { databaseNow, transaction } from '../../platform/db/transaction.ts';
import { recordReceipt } from '../../ledger/receipts/record-receipt.ts';
import type { Log } from '../../platform/logging.ts';
import { openCredential } from '../card-keys/credential.ts';
import { listSweptCredentials, type SealedCredential } from '../card-keys/store.ts';
import type { ProviderPayment } from '../card-provider/port.ts';
import { leftOf, observe } from './observe.ts';
import { AROUND_MS, watchProviderClock } from './provider-clock.ts';
import { isKnownPayment } from './read-model.ts';
import { resolveAttempt, type ResolveDeps } from './resolve-attempt.ts';
import { returnSecondPayment } from './second-payment.ts';
import { findAttempt, insertAttempt } from './store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** From and to, in ms from now: three days. The last hour is apart, since only older lists stand still while they are read. */
const WINDOWS = [
  [-3 * DAY_MS, -2 * DAY_MS],
  [-2 * DAY_MS, -DAY_MS],
  [-DAY_MS, -HOUR_MS],
  [-HOUR_MS, AROUND_MS],
] as const;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Compares each merchant's payments of the last three days with our attempts (rules/card-attempts#sweep): late approvals are
 * applied, second payments returned, and money that no attempt explains (after a restore) is held. A merchant that cannot be
 * read does not stop the others.
 */
export async function sweepCardPayments(deps: ResolveDeps, log: Log): Promise<void> {
  const now = (await databaseNow(deps.db)).getTime();
  const readAt = performance.now();
  const watch = (at: Date) =>
    watchProviderClock(deps.db, at.getTime() - now - (performance.now() - readAt), log);
  for (const sealed of await listSweptCredentials(deps.db)) {
    for (const [index, [from, to]] of WINDOWS.entries()) {
      const isSwept = await sweepWindow(
        { ...deps, watch },
        sealed,
        new Date(now + from),
        new Date(now + to),
        log,
      );
      // New payments may disturb the last window; tomorrow's sweep reads it again.
      if (isSwept || index === WINDOWS.length - 1) continue;
      await raiseAlert(deps.db, 'merchant_not_swept', String(sealed.merchantId), { window: index });
    }
  }
}

async function sweepWindow(
  deps: ResolveDeps & { readonly watch: (at: Date) => Promise<void> },
  sealed: SealedCredential,
  from: Date,
  to: Date,
  log: Log,
): Promise<boolean> {
  try {
    const listed = await deps.card.list(openCredential(deps, sealed), from, to);
    if (listed.kind !== 'payments') {
      log.warn({ merchantId: sealed.merchantId, why: listed.why }, 'a merchant could not be swept');
      return false;
    }
    if (listed.at !== undefined) await deps.watch(listed.at);
    for (const payment of listed.payments) {
      await compare(deps, sealed, payment, log).catch((err: unknown) =>
        log.error(
          { err, merchantId: sealed.merchantId, paymentId: payment.id },
          'a payment could not be swept',
        ),
      );
    }
    return true;
  } catch (err) {
    log.error({ err, merchantId: sealed.merchantId }, 'a merchant could not be swept');
    return false;
  }
}

async function compare(
  deps: ResolveDeps,
  sealed: SealedCredential,
  payment: ProviderPayment,
  log: Log,
): Promise<void> {
  const reference = payment.externalReference;
  // Every charge of ours names its attempt; anything else is the merchant's own business.
  if (reference === undefined || !UUID.test(reference)) return;
  const attempt = await findAttempt(deps.db, reference);
  if (attempt === undefined) return adopt(deps, sealed, payment, log);
  // Two merchants may share an account at the provider: each attempt is swept with its own merchant.
  if (attempt.merchantId !== sealed.merchantId) return;
  if (attempt.providerPaymentId !== null && attempt.providerPaymentId !== payment.id) {
    return returnSecondPayment(deps.db, attempt.id, payment, log);
  }
  const observation = observe(
    {
      attemptId: attempt.id,
      totalCentavos: add(attempt.principalCentavos, attempt.feeCentavos),
      refundsExplained: await sumOwnRefunds(deps.db, attempt.id),
      threeDsOrigins: deps.threeDsOrigins,
    },
    payment,
  );
  const known =
    (attempt.state === 'applied' || attempt.state === 'returned') && observation.kind === 'approved';
  if (!known && observation.kind !== 'processing')
    await resolveAttempt(deps, attempt.id, { by: 'sweep', observation, log });
}

/** Books a payment that no attempt explains as held, in suspense, for a person (rules/card-attempts#unknown-payment). */
async function adopt(
  deps: ResolveDeps,
  sealed: SealedCredential,
  payment: ProviderPayment,
  log: Log,
): Promise<void> {
  if (leftOf(payment) === 0) return;
  await transaction(deps.db, async (tx) => {
    if (await isKnownPayment(tx, sealed.merchantId, payment.id)) return;
    const { id } = await insertAttempt(tx, {
      buyerId: null,
      merchantId: sealed.merchantId,
      credentialId: sealed.id,
      referenceId: null,
      intentId: null,
      intentHash: null,
      state: 'held',
      principalCentavos: payment.amountCentavos,
      feeCentavos: zero,
      capturedCentavos: payment.amountCentavos,
      providerPaymentId: payment.id,
      detailCode: payment.detailCode,
      sourceAddress: '',
      requestId: '',
    });
    await recordReceipt(
      tx,
      { channel: 'card', sourceId: id, merchantId: sealed.merchantId, buyerId: null },
      { to: 'suspense', amountCentavos: payment.amountCentavos },
    );
    await raiseAlert(tx, 'unknown_payment', payment.id, { merchantId: sealed.merchantId });
    afterCommit(tx, () =>
      log.error(
        { merchantId: sealed.merchantId, paymentId: payment.id },
        'the provider has a payment that nobody knows',
      ),
    );
  });
}
