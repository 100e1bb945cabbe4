import { createHash } from 'node:crypto';
import { raiseAlert, resolveAlerts } from '../../platform/alerts.ts';
import { afterCommit } from '../../platform/db/after-commit.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { together } from '../../platform/db/together.ts';
import { refusedBy, transaction } from '../../platform/db/transaction.ts';
import { isWithdrawn } from '../../ledger/receipts/store.ts';
import { enqueue } from '../../platform/jobs/enqueue.ts';
import type { Log } from '../../platform/logging.ts';
import type { Instrumentation } from '../../platform/telemetry/instrumentation.ts';
import { isNonsense, paidMoment } from '../../ledger/receipts/paid-at.ts';
import { type CashReference, findNamed, closeTaken } from '../../purchases/cash-references/store.ts';
import { lockReference } from '../../purchases/layaways/store.ts';
import { lockPurchase } from '../../purchases/plans/store.ts';
import { applyCash, type CashSubject, reverseCash } from './cash-money.ts';
import { applyDeposit } from './deposit-money.ts';
import type { CashOperation, CashProvider } from './port.ts';
import { findNotice, findReferenceOf, insertNotice, type Notice } from './store.ts';

const ASK_AGAIN_MS = 30_000;

export interface NoticeDeps {
  readonly db: Db;
  readonly cash: CashProvider;
  readonly instrumentation?: Instrumentation;
}

/**
 * Takes a notice that carries Tapi's key. Anybody with that key could have sent it, so Tapi is asked about the operation and only
 * its answer moves money (rules/threats#forged-cash-notices); while it does not answer, a job asks again. Never refuses: cash that
 * cannot be applied has an outcome too (rules/tills-and-cash#cash-notices).
 */
export async function takeNotice(deps: NoticeDeps, received: CashOperation, log: Log): Promise<void> {
  const { operationId } = received;
  const found = await deps.cash.findOperation(operationId);
  switch (found.kind) {
    case 'found':
      if (isAtOdds(received, found.operation)) {
        await raiseAlert(deps.db, 'cash_notice_changed', operationId, { noticed: received.amountCentavos });
        log.error({ operationId }, 'a notice says something else than the cash network');
      }
      // Tapi may show it as under way for a while, and sends no second notice.
      if (isFinal(received) && !isFinal(found.operation)) return askLater(deps, operationId);
      await takeOperation(deps, found.operation, log);
      return;
    case 'not_found':
      await raiseAlert(deps.db, 'cash_notice_unknown', operationId, {});
      log.error({ operationId }, 'a notice tells of an operation that the cash network does not know');
      // Perhaps not yet: the job asks once more, then the alert is for a person.
      return askLater(deps, operationId);
    case 'unreachable':
      log.warn({ operationId, why: found.why }, 'the cash network does not say what became of an operation');
      return askLater(deps, operationId);
  }
}

async function askLater({ db }: NoticeDeps, operationId: string): Promise<void> {
  const options = { key: `cash:${operationId}`, afterMs: ASK_AGAIN_MS };
  await transaction(db, (tx) => enqueue(tx, 'check_cash_operation', { operationId }, options));
}

/** A store took the money, or gave it back. */
const isFinal = ({ status }: CashOperation) => status === 'confirmed' || status === 'reversed';

/** Whether a notice names another sum, currency or reference than Tapi; what it leaves out agrees. */
function isAtOdds(received: CashOperation, known: CashOperation): boolean {
  return (
    (received.amountCentavos !== undefined && received.amountCentavos !== known.amountCentavos) ||
    (received.currency !== '' && received.currency !== known.currency) ||
    (received.reference !== undefined && received.reference !== known.reference)
  );
}

/** Tapi did not say what became of an operation, or not yet. */
export class NothingSaid extends Error {
  /** How its call failed, or `still under way`. */
  readonly why: string;

  constructor(message: string, why: string) {
    super(message);
    this.why = why;
  }
}

/**
 * Asks Tapi about an operation, for the job: throws {@link NothingSaid} while it does not answer, so that the queue tries again
 * with back-off. False when Tapi does not know it.
 */
export async function checkCashOperation(deps: NoticeDeps, operationId: string, log: Log): Promise<boolean> {
  const found = await deps.cash.findOperation(operationId);
  if (found.kind === 'unreachable')
    throw new NothingSaid(`the cash network does not answer: ${found.why}`, found.why);
  if (found.kind === 'found') {
    if (found.operation.status === 'processing')
      throw new NothingSaid('a cash operation is still under way', 'still under way');
    await takeOperation(deps, found.operation, log);
    await resolveAlerts(deps.db, ['cash_notice_unknown'], [operationId]);
    return true;
  }
  await raiseAlert(deps.db, 'cash_notice_unknown', operationId, {});
  return false;
}

/**
 * Books an operation of Tapi once: the same again does nothing, the same with other contents raises an alert. `known` when
 * nothing had to be done.
 */
export async function takeOperation(
  deps: NoticeDeps,
  operation: CashOperation,
  log: Log,
): Promise<Notice['outcome'] | 'known'> {
  // An operation still under way, or failed, moved no money: the confirmed one comes with the same number.
  if (!isFinal(operation)) return 'known';
  try {
    const { operationId, reverses = operationId } = operation;
    const keys = [`cash ${operationId}`, `cash ${reverses}`];
    const outcome = await together(deps.db, { keys }, (tx) => takeOnce(tx, operation, log));
    deps.instrumentation?.cashNotice(outcome);
    log.info({ operationId: operation.operationId, status: operation.status, outcome }, 'cash operation');
    return outcome;
  } catch (error) {
    // Two notices of one operation with different references share no lock: they meet here, and the first one counts.
    const constraint = refusedBy(error);
    if (constraint !== 'cash_notices_once' && constraint !== 'receipts_money_arrives_once') throw error;
    await raiseAlert(deps.db, 'cash_notice_twice', operation.operationId, {});
    return 'known';
  }
}

async function takeOnce(tx: Tx, operation: CashOperation, log: Log): Promise<Notice['outcome'] | 'known'> {
  const { operationId, status, reverses } = operation;
  const reference =
    (await findNamed(tx, operation)) ??
    (reverses === undefined ? undefined : await findReferenceOf(tx, reverses));
  const subject = await lockSubject(tx, reference);

  // Read after the lock, so that it stays true.
  const original = status === 'reversed' ? await findNotice(tx, reverses ?? operationId) : undefined;
  // A reversal that names another reference than its operation paid is for a person.
  const reversible = original?.cashReferenceId === reference?.id ? subject : NO_SUBJECT;
  const before = await findNotice(tx, operationId);
  const notice = {
    bodyHash: hashOf(operation),
    cashReferenceId: reference?.id ?? null,
    status,
    amountCentavos: operation.amountCentavos ?? null,
    currency: operation.currency,
    paidAt: operation.paidAt ?? null,
  };
  if (before !== undefined) {
    // Tapi reversed the same operation since.
    if (status === 'reversed' && before.status !== 'reversed')
      return (await isWithdrawn(tx, 'cash', operationId))
        ? 'known'
        : reverseCash(tx, operation, original, reversible, reference);
    const isExpected = before.outcome === 'noted' && status === 'reversed';
    if (!isExpected && !before.bodyHash.equals(notice.bodyHash))
      await raiseAlert(tx, 'cash_notice_changed', operationId, { status });
    return 'known';
  }
  const outcome =
    status === 'reversed'
      ? await reverseCash(tx, operation, original, reversible, reference)
      : await receive(tx, operation, { reference, subject }, log);
  await insertNotice(tx, { ...notice, operationId, outcome });
  // Reversed before we heard of it: however late its own notice comes, the operation brings no money.
  if (original === undefined && reverses !== undefined && reverses !== operationId)
    await insertNotice(tx, { ...notice, operationId: reverses, outcome: 'noted' });
  return outcome;
}

/** Applies cash that a store took, or leaves it unapplied for a person. */
async function receive(
  tx: Tx,
  operation: CashOperation,
  of: { readonly reference: CashReference | undefined; readonly subject: CashSubject },
  log: Log,
): Promise<'applied' | 'owed_back' | 'unapplied'> {
  const { operationId: sourceId, amountCentavos, paidAt } = operation;
  const { reference } = of;
  const { layaway, purchase } = of.subject;
  const head = layaway ?? purchase;
  if (
    reference === undefined ||
    head === undefined ||
    amountCentavos === undefined ||
    operation.currency !== 'MXN'
  ) {
    // Without an owner or a sum no merchant's books can carry it: a person checks the notice itself.
    await raiseAlert(tx, 'unapplied_cash', sourceId, { amountCentavos, currency: operation.currency });
    return 'unapplied';
  }
  const bounds = { since: reference.createdAt, now: head.now };
  // The notice keeps what Tapi said.
  if (isNonsense(paidAt, bounds))
    afterCommit(tx, () =>
      log.warn(
        { operationId: sourceId, paidAt },
        'cash cannot have been paid when Tapi says: it counts as paid now',
      ),
    );
  await closeTaken(tx, reference.id);
  const paid = paidMoment(paidAt, bounds);
  if (layaway !== undefined) return applyDeposit(tx, layaway, sourceId, amountCentavos, paid);
  return purchase === undefined
    ? 'unapplied'
    : applyCash(tx, purchase, sourceId, amountCentavos, paid, reference);
}

const NO_SUBJECT: CashSubject = { layaway: undefined, purchase: undefined };

/** Locks what a reference pays, its head first (rules/ledger#lock-order). */
async function lockSubject(tx: Tx, reference: CashReference | undefined): Promise<CashSubject> {
  if (reference === undefined) return NO_SUBJECT;
  const layaway =
    reference.layawayReferenceId === null ? undefined : await lockReference(tx, reference.layawayReferenceId);
  const purchaseId = reference.purchaseId ?? layaway?.purchaseId ?? undefined;
  return { layaway, purchase: purchaseId === undefined ? undefined : await lockPurchase(tx, purchaseId) };
}

function hashOf({
  status,
  reference,
  externalRequestId,
  amountCentavos,
  currency,
  reverses,
}: CashOperation): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([status, reference, externalRequestId, amountCentavos, currency, reverses]))
    .digest();
}
