import { createHash, randomUUID } from 'node:crypto';

import type { Centavos } from '@aparta/domain/money';

import { raiseAlert } from '../../platform/alerts.ts';
import { afterCommit } from '../../platform/db/after-commit.ts';
import { standsOrFallsWithAll } from '../../platform/db/batch.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { together } from '../../platform/db/together.ts';
import { refusedBy, transaction } from '../../platform/db/transaction.ts';
import { type Limiter, limitKey, secondsFull } from '../../platform/limiter.ts';
import type { Log } from '../../platform/logging.ts';
import { Refusal } from '../../platform/refusal.ts';

import { ACCOUNT_OVER_THE_CAP, TAKEN_BACK, TILL_MESSAGES, type TillError } from './copy.ts';
import {
  findOperation,
  insertOperation,
  storedReference,
  branchName,
  lockBranch,
  type Standing,
  type TillAnswer,
  type TillKey,
  type TillOperation,
} from './store.ts';

export interface TillDeps {
  readonly db: Db;
  readonly limiter: Limiter;
  readonly tillCaps: TillCaps;
}

/** What may be taken in a day of Mexico City: a stolen account ends there (rules/threats#stolen-till). */
export interface TillCaps {
  readonly perBranchCentavos: Centavos;
  /** A branch is whatever the till says; its account is not. */
  readonly perAccountCentavos: Centavos;
  /**
   * Unknown references that an account may ask for in an hour: more are no typing errors (rules/threats#forged-references,
   * rules/threats#walking-ids).
   */
  readonly unknownPerHour: number;
}

/** A till that signed in, the one chain that it may act for, and the merchants that it collects for. */
export interface SignedInTill {
  readonly serviceAccountId: string;
  readonly chain: string;
  readonly merchantIds: readonly number[];
  readonly formerIds?: TillKey['formerIds'];
  /** What its caller writes beside an operation that takes money, or takes it back, in its transaction. */
  readonly beside?: (tx: Tx, operationId: string) => Promise<void>;
}

export interface TillRequest {
  readonly reference: string;
  readonly amountCentavos: Centavos;
  /** What whoever takes it saw of a purchase's balance: another one would be filled otherwise than they say. */
  readonly balanceShownCentavos?: Centavos | undefined;
  readonly chain: string;
  readonly branch: string;
  readonly transactionId: string;
}

/**
 * What a till's reference stands for: why no money can be taken, or how an operation's money is booked and answered. It is
 * locked, so this stays true to the end of the transaction. `merchantId`: whose it is, unless it is nobody's.
 */
export type TillPayable =
  | { readonly refusal: TillAnswer; readonly merchantId: number | undefined }
  | { readonly merchantId: number; take(operationId: string): Promise<TillAnswer> };

export function answer(
  error: TillError,
  message: string = TILL_MESSAGES[error],
  authorisation = '',
): TillAnswer {
  return { error, message, authorisation };
}

/** Refuses a till that names another chain than its own, with an alert (rules/threats#stolen-till). */
export async function refuseForeignChain(
  deps: TillDeps,
  till: SignedInTill,
  chain: string,
  log: Log,
): Promise<TillAnswer | undefined> {
  if (chain === till.chain) return undefined;
  await raiseAlert(deps.db, 'till_foreign_chain', till.serviceAccountId, { chain });
  log.error({ serviceAccountId: till.serviceAccountId, chain }, 'a till named a chain that is not its own');
  return answer(13);
}

/**
 * Takes money at a till, once per (chain, branch, transaction) (rules/tills-and-cash#till-operations). The same call gets the
 * same answer, refusals too; the same key with another body is error 6; one that was reversed, before it came or since, is
 * error 7. An account that enumerates references gets error 15 for the rest of the hour, whatever it asks.
 */
export async function runOperation(
  deps: TillDeps,
  till: SignedInTill,
  operation: 'layaway' | 'payment',
  request: TillRequest,
  lockPayable: (tx: Tx) => Promise<TillPayable>,
  log: Log,
): Promise<TillAnswer> {
  const foreign = await refuseForeignChain(deps, till, request.chain, log);
  if (foreign !== undefined) return foreign;
  const given = await runOnce(deps, till, operation, request, lockPayable, log);
  if (given.error === 1) await countUnknownReference(deps, till.serviceAccountId);
  if (given.error === 15) {
    await raiseAlert(deps.db, 'till_unknown_references', till.serviceAccountId, { branch: request.branch });
    log.error(
      { serviceAccountId: till.serviceAccountId },
      'a till asks for too many references that are nobody’s',
    );
  }
  return given;
}

export const FOREIGN_MERCHANT = 'a till asked for a merchant that is not its own';

/** Tells of a till that asked for a reference of a merchant that it does not collect for. */
export async function alertForeignMerchant(
  db: Db | Tx,
  serviceAccountId: string,
  asked: { readonly merchantId: number; readonly branch: string },
): Promise<void> {
  await raiseAlert(db, 'till_foreign_merchant', serviceAccountId, { ...asked });
}

/** The limiter's name for an account's unknown references. */
const UNKNOWN_REFERENCES = 'till-unknown';

/** Counts a reference that is nobody's, or nobody's for this account. */
export async function countUnknownReference(
  { limiter }: Pick<TillDeps, 'limiter'>,
  serviceAccountId: string,
): Promise<void> {
  await limiter.count(UNKNOWN_REFERENCES, serviceAccountId, 3_600);
}

/** How many seconds an account waits that asked for more numbers that are nobody's than it may in an hour; 0 for any other. */
export async function secondsToWait(
  { db, tillCaps }: Pick<TillDeps, 'db' | 'tillCaps'>,
  serviceAccountId: string,
): Promise<number> {
  return secondsFull(db, limitKey(UNKNOWN_REFERENCES, serviceAccountId), tillCaps.unknownPerHour);
}

async function runOnce(
  deps: TillDeps,
  till: SignedInTill,
  operation: 'layaway' | 'payment',
  request: TillRequest,
  lockPayable: (tx: Tx) => Promise<TillPayable>,
  log: Log,
): Promise<TillAnswer> {
  const key = keyOf(till, request);
  const { amountCentavos } = request;
  const bodyHash = createHash('sha256')
    .update(JSON.stringify([operation, request.reference, amountCentavos]))
    .digest();
  try {
    const joining = { keys: keysOf(key, request), shares: [branchName(key)], mayBeRefused: true } as const;
    return await together(deps.db, joining, async (tx) => {
      const payable = await lockPayable(tx);
      // After the lock: a call that waited for its twin sees what became of it.
      const standing = await lockBranch(tx, {
        ...key,
        limitKey: limitKey(UNKNOWN_REFERENCES, till.serviceAccountId),
        times: deps.tillCaps.unknownPerHour,
      });
      const before = replay(standing.before, bodyHash);
      if (before !== undefined) return before;
      const id = randomUUID();
      const decided = await decide(deps, tx, { till, key, payable, standing, amountCentavos }, log);
      if ('take' in decided) await till.beside?.(tx, id);
      const given = 'take' in decided ? await decided.take(id) : decided.refusal;
      await insertOperation(tx, {
        ...key,
        ...given,
        id,
        bodyHash,
        operation,
        state: given.error === 0 ? 'authorised' : 'refused',
        reference: storedReference(request.reference),
        amountCentavos,
      });
      const { serviceAccountId, branch, transactionId } = key;
      const line = { operation, error: given.error, serviceAccountId, branch, transactionId };
      afterCommit(tx, () => log.info(line, 'till operation'));
      return given;
    });
  } catch (error) {
    // A reversal that comes first has nothing to lock: the two meet here.
    demandTwin(error);
    return transaction(deps.db, async (tx) => replay(await findOperation(tx, key), bodyHash) ?? answer(99));
  }
}

/** A till's key of what it asks for. */
export function keyOf(
  { serviceAccountId, formerIds }: SignedInTill,
  { chain, branch, transactionId }: Pick<TillKey, 'chain' | 'branch' | 'transactionId'>,
): TillKey {
  return { serviceAccountId, ...(formerIds && { formerIds }), chain, branch, transactionId };
}

/** Goes on where an operation of the same key came meanwhile. Refuses SESSION_DEAD a till whose account was revoked meanwhile. */
export function demandTwin(error: unknown): void {
  const constraint = refusedBy(error);
  if (constraint === 'till_operations_of_a_live_account') throw new Refusal('SESSION_DEAD');
  if (constraint !== 'till_operations_once') throw error;
}

/** The same operation, and the same reference, are decided one after the other. */
function keysOf({ serviceAccountId, chain, branch, transactionId }: TillKey, { reference }: TillRequest) {
  return [
    `reference ${reference}`,
    JSON.stringify(['operation', serviceAccountId, chain, branch, transactionId]),
  ];
}

function replay(before: TillOperation | undefined, bodyHash: Buffer): TillAnswer | undefined {
  if (before === undefined) return undefined;
  if (before.state === 'reversed_first') return answer(7, TAKEN_BACK);
  if (!before.bodyHash.equals(bodyHash)) return answer(6);
  return before.state === 'reversed' ? answer(7, TAKEN_BACK) : before;
}

interface Call {
  readonly till: SignedInTill;
  readonly key: TillKey;
  readonly payable: TillPayable;
  readonly standing: Standing;
  readonly amountCentavos: Centavos;
}

/** Decides a call that is new: the account's refusal comes first, then whose it is, the reference's, then the day's caps. */
async function decide(deps: TillDeps, tx: Tx, call: Call, log: Log): Promise<TillPayable> {
  const { merchantId } = call.payable;
  if (call.standing.isFull) return { refusal: answer(15), merchantId };
  if (merchantId !== undefined && !call.till.merchantIds.includes(merchantId)) {
    const { serviceAccountId, branch } = call.key;
    await alertForeignMerchant(tx, serviceAccountId, { merchantId, branch });
    afterCommit(tx, () => log.error({ serviceAccountId, branch, merchantId }, FOREIGN_MERCHANT));
    // As of one that is nobody's.
    return { refusal: answer(1), merchantId };
  }
  if ('refusal' in call.payable) return call.payable;
  const refusal = await overCap(deps, tx, call, log);
  return refusal === undefined ? call.payable : { refusal, merchantId };
}

async function overCap(
  deps: TillDeps,
  tx: Tx,
  { key, standing, amountCentavos }: Call,
  log: Log,
): Promise<TillAnswer | undefined> {
  const { ofBranch, ofAccount } = standing;
  const isBranch = ofBranch.centavos + amountCentavos > deps.tillCaps.perBranchCentavos;
  // Without a lock, so that a chain's tills do not wait for each other: branches at once may exceed it by what they take.
  const isAccount = ofAccount.centavos + amountCentavos > deps.tillCaps.perAccountCentavos;
  if (!isBranch && !isAccount) {
    for (const taken of [ofBranch, ofAccount]) taken.centavos += amountCentavos;
    standsOrFallsWithAll(tx);
    return undefined;
  }
  const { serviceAccountId, branch } = key;
  const subject = isBranch ? `${serviceAccountId} ${branch}` : serviceAccountId;
  await raiseAlert(tx, 'till_over_cap', subject, { amountCentavos });
  afterCommit(tx, () =>
    log.error({ serviceAccountId, branch, isAccount }, 'a till went over a cap of the day'),
  );
  return answer(14, isBranch ? undefined : ACCOUNT_OVER_THE_CAP);
}
