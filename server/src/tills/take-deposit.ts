import { createHash, randomUUID } from 'node:crypto';
import type { Centavos } from '@aparta/domain/money';
import { parsePaymentReference } from '@aparta/domain/payment-reference';
import { feeFor, totalFor } from '@aparta/domain/service-fee';
import type { Db, Tx } from '../db/db.ts';
import { refusedBy, transaction } from '../db/transaction.ts';
import { reserve } from '../layaway/reserve.ts';
import { type LayawayReference, lockReference } from '../layaway/store.ts';
import type { Log } from '../logging.ts';
import { raiseAlarm } from '../payments/store.ts';
import { NOT_YOUR_CHAIN, OVER_THE_CAP, TILL_MESSAGES, type TillError } from './copy.ts';
import { findOperation, insertOperation, sumToday, type TillAnswer, type TillKey } from './store.ts';

export interface DepositRequest {
  readonly reference: string;
  readonly amountCentavos: Centavos;
  readonly chain: string;
  readonly branch: string;
  readonly transactionId: string;
}

export interface TillDeps {
  readonly db: Db;
  /** What one branch may take in a day: a stolen credential ends there (payments.md threat 9). */
  readonly tillCapCentavos: Centavos;
}

const answer = (
  error: TillError,
  message: string = TILL_MESSAGES[error],
  authorisation = '',
): TillAnswer => ({
  error,
  message,
  authorisation,
});

/**
 * A till takes the deposit of a layaway reference (payments.md §1.9): exactly the deposit with its till fee, of a live, unpaid
 * reference. Idempotent on (chain, branch, transaction): the same call gets the same answer, refusals too; the same key with
 * another body is error 6. An open card attempt does not stop it: the card's money is then returned.
 */
export async function takeDeposit(
  deps: TillDeps,
  till: { credentialId: string; chain: string },
  request: DepositRequest,
  log: Log,
): Promise<TillAnswer> {
  if (request.chain !== till.chain) {
    await raiseAlarm(deps.db, 'till_foreign_chain', till.credentialId, { chain: request.chain });
    log.error(
      { credentialId: till.credentialId, chain: request.chain },
      'a till named a chain that is not its own',
    );
    return answer(99, NOT_YOUR_CHAIN);
  }
  const key: TillKey = { ...request, credentialId: till.credentialId };
  const bodyHash = createHash('sha256')
    .update(JSON.stringify(['layaway', request.reference, request.amountCentavos]))
    .digest();
  try {
    return await transaction(deps.db, (tx) => takeOnce(deps, tx, key, bodyHash, request, log));
  } catch (error) {
    // Two calls with one key and different references do not share a lock: they meet here.
    if (refusedBy(error) !== 'till_operations_once') throw error;
    return transaction(deps.db, async (tx) => (await replay(tx, key, bodyHash)) ?? answer(99));
  }
}

async function replay(tx: Tx, key: TillKey, bodyHash: Buffer): Promise<TillAnswer | undefined> {
  const before = await findOperation(tx, key);
  if (before === undefined) return undefined;
  return before.bodyHash.equals(bodyHash) ? before : answer(6);
}

async function takeOnce(
  deps: TillDeps,
  tx: Tx,
  key: TillKey,
  bodyHash: Buffer,
  request: DepositRequest,
  log: Log,
): Promise<TillAnswer> {
  const parsed = parsePaymentReference(request.reference);
  const reference = parsed?.prefix === '1' ? await lockReference(tx, Number(parsed.id)) : undefined;
  // After the lock, so that a call that waited for its twin sees what became of it.
  const before = await replay(tx, key, bodyHash);
  if (before !== undefined) return before;
  const id = randomUUID();
  const refused =
    refusalFor(reference, request.amountCentavos) ??
    (await overCap(deps, tx, key, request.amountCentavos, log));
  const given = refused ?? answer(0, undefined, await take(tx, reference, id));
  await insertOperation(tx, {
    ...key,
    ...given,
    id,
    bodyHash,
    operation: 'layaway',
    reference: request.reference.slice(0, 40),
    amountCentavos: request.amountCentavos,
  });
  log.info(
    {
      error: given.error,
      credentialId: key.credentialId,
      branch: key.branch,
      transactionId: key.transactionId,
    },
    'till operation',
  );
  return given;
}

function refusalFor(
  reference: LayawayReference | undefined,
  amountCentavos: Centavos,
): TillAnswer | undefined {
  if (reference === undefined) return answer(1);
  if (reference.state === 'paid' || reference.purchaseId !== null) return answer(3);
  if (reference.state === 'cancelled') return answer(5);
  if (reference.state === 'expired' || reference.expiresAt <= reference.now) return answer(2);
  const due = totalFor(
    reference.depositCentavos,
    { amountCentavos: reference.feeCentavos, methods: reference.feeMethods },
    'till',
  );
  return amountCentavos === due ? undefined : answer(4);
}

async function overCap(
  deps: TillDeps,
  tx: Tx,
  key: TillKey,
  amountCentavos: Centavos,
  log: Log,
): Promise<TillAnswer | undefined> {
  if ((await sumToday(tx, key)) + amountCentavos <= deps.tillCapCentavos) return undefined;
  await raiseAlarm(tx, 'till_over_cap', `${key.credentialId} ${key.branch}`, { amountCentavos });
  log.error({ credentialId: key.credentialId, branch: key.branch }, 'a branch went over its cap of the day');
  return answer(99, OVER_THE_CAP);
}

async function take(tx: Tx, reference: LayawayReference | undefined, operationId: string): Promise<string> {
  if (reference === undefined) throw new Error('nothing to take');
  const feeCentavos = feeFor(
    { amountCentavos: reference.feeCentavos, methods: reference.feeMethods },
    'till',
  );
  return (await reserve(tx, reference, { channel: 'till', sourceId: operationId, feeCentavos })).folio;
}
