import { mexicoCityDate } from '@aparta/domain/calendar';
import { fillsOfSum } from '@aparta/domain/buyer-sums';
import { add, type Centavos, centavosToPesos, subtract } from '@aparta/domain/money';
import { parsePaymentReference } from '@aparta/domain/payment-reference';
import { feeFor } from '@aparta/domain/service-fee';

import type { Db, Tx } from '../../platform/db/db.ts';
import { refusedBy, transaction } from '../../platform/db/transaction.ts';
import {
  type LockedPurchase,
  lockPurchase,
  lockPurchaseOf,
  type OwedInstalment,
} from '../../purchases/plans/store.ts';
import type { Log } from '../../platform/logging.ts';
import type { CashProvider } from './port.ts';
import { lockReference } from '../../purchases/layaways/store.ts';
import { saveDepositNumber, refuseTooMany, requestDeposit } from './issue-deposit.ts';
import { numberExpiry } from './number-expiry.ts';
import { type CashPayable, readPayable } from './payable.ts';
import { Refusal } from '../../platform/refusal.ts';
import {
  type CashReference,
  closeIssued,
  closeRequest,
  findRequested,
  findValid,
  insertRequest,
  markIssued,
  markRefused,
} from '../../purchases/cash-references/store.ts';

/** A cash reference and what it pays. */
export interface IssuedReference {
  readonly reference: CashReference;
  readonly payable: CashPayable;
}

export interface IssueDeps {
  readonly db: Db;
  readonly cash: CashProvider;
}

/** How often the balance may change while Tapi is asked, before the buyer is told to wait. */
const MOST_ROUNDS = 3;

/** What a buyer wants to pay at a store. */
export interface WantedReference {
  /** As printed. */
  readonly reference: string;
  /** A sum of the plan, without fee; undefined for what is left of the instalment. A deposit is paid whole. */
  readonly chosenCentavos: Centavos | undefined;
}

/**
 * Issues the number by which stores take cash: for an instalment's purchase, valid until 23:59 Mexico City two days on and never when
 * its plan may end, or for a layaway's deposit, as long as its terms stand (rules/tills-and-cash#cash-references). A valid one for today's sum is returned; else Tapi is asked for one, outside any
 * transaction; a request whose answer was lost is repeated with its own id. Refuses NOT_FOUND, REFERENCE_PAID,
 * REFERENCE_CANCELLED, REFERENCE_EXPIRED, SOLD_OUT, AMOUNT_CHANGED, TOO_LATE_FOR_STORES, TOO_MANY, CASH_REFERENCE_REFUSED and
 * PROVIDER_DOWN.
 */
export async function issueCashReference(
  deps: IssueDeps,
  buyerId: number,
  wanted: WantedReference,
  log: Log,
): Promise<IssuedReference> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const requested = await transaction(deps.db, (tx) => requestOrFind(tx, buyerId, wanted));
    const payable = await readPayable(deps.db, buyerId, requested);
    if (requested.providerReference !== null) return { reference: requested, payable };
    const whose = { identifier: wanted.reference, email: payable.buyerEmail, buyerId };
    const kept = await askNetwork(deps, requested, whose, log);
    if (kept !== undefined) return { reference: kept, payable };
  }
  throw new Refusal('PROVIDER_DOWN', { retryAfterSeconds: 5 });
}

/**
 * Asks Tapi for a number, and keeps it; undefined when another one is needed. Refuses CASH_REFERENCE_REFUSED and PROVIDER_DOWN.
 */
export async function askNetwork(
  deps: IssueDeps,
  requested: CashReference,
  {
    identifier,
    email,
    buyerId,
  }: { readonly identifier: string; readonly email: string; readonly buyerId: number },
  log: Log,
): Promise<CashReference | undefined> {
  const outcome = await deps.cash.issue({
    externalRequestId: requested.id,
    identifier,
    amountCentavos: requested.amountCentavos,
    payerEmail: email,
    buyerId,
    expiresOn: mexicoCityDate(requested.expiresAt),
  });
  if (outcome.kind === 'issued') return saveOrRefuse(deps, requested, outcome.reference, log);
  log.warn({ cashReferenceId: requested.id, outcome: outcome.kind }, 'the cash network gave no reference');
  // After a lost answer the next call asks for the same reference.
  if (outcome.kind !== 'unreachable') await transaction(deps.db, (tx) => markRefused(tx, requested.id));
  throw outcome.kind === 'refused'
    ? new Refusal('CASH_REFERENCE_REFUSED')
    : new Refusal('PROVIDER_DOWN', { retryAfterSeconds: 60 });
}

async function saveOrRefuse(
  { db }: IssueDeps,
  requested: CashReference,
  providerReference: string,
  log: Log,
): Promise<CashReference | undefined> {
  try {
    return await transaction(db, (tx) => keep(tx, requested, providerReference));
  } catch (error) {
    if (refusedBy(error) !== 'cash_references_number_once') throw error;
    // Cash by that number pays something else.
    log.error({ cashReferenceId: requested.id }, 'the cash network gave a number that another reference has');
    await transaction(db, (tx) => markRefused(tx, requested.id));
    throw new Refusal('CASH_REFERENCE_REFUSED');
  }
}

async function requestOrFind(
  tx: Tx,
  buyerId: number,
  { reference, chosenCentavos }: WantedReference,
): Promise<CashReference> {
  const parsed = parsePaymentReference(reference);
  if (parsed === undefined) throw new Refusal('NOT_FOUND');
  const layaway = parsed.prefix === '1' ? await lockReference(tx, Number(parsed.id)) : undefined;
  if (layaway !== undefined) return requestDeposit(tx, buyerId, layaway, chosenCentavos);
  const purchase = await lockPurchaseOf(tx, { prefix: parsed.prefix, id: Number(parsed.id) });
  const instalment = purchase?.instalments.find(({ id }) => id === Number(parsed.id));
  if (purchase?.buyerId !== buyerId || instalment === undefined) throw new Refusal('NOT_FOUND');
  if (purchase.state === 'cancelled') throw new Refusal('REFERENCE_CANCELLED');
  if (instalment.balanceCentavos === 0) throw new Refusal('REFERENCE_PAID', { ventaId: purchase.id });

  const valid = await findValid(tx, instalment.id);
  if (chosenCentavos === undefined && valid?.isChosen === true && stillStands(purchase, valid)) return valid;
  const isChosen = chosenCentavos !== undefined && chosenCentavos !== instalment.balanceCentavos;
  const principal = isChosen ? chosenCentavos : instalment.balanceCentavos;
  const amountCentavos = add(principal, cashFeeOf(purchase));
  if (isChosen && fillsOfSum(purchase.instalments, principal) === undefined)
    throw new Refusal('AMOUNT_CHANGED', {
      amount: centavosToPesos(dueByCash(purchase, instalment)),
      all: centavosToPesos(add(purchase.balanceCentavos, cashFeeOf(purchase))),
    });
  if (valid?.amountCentavos === amountCentavos && valid.isChosen === isChosen) return valid;
  const requested = await findRequested(tx, { payableId: instalment.id, amountCentavos, isChosen });
  if (requested !== undefined) return requested;
  await refuseTooMany(tx, buyerId);
  return insertRequest(tx, {
    payableId: instalment.id,
    purchaseId: purchase.id,
    layawayReferenceId: null,
    merchantId: purchase.merchantId,
    amountCentavos,
    isChosen,
    expiresAt: await numberExpiry(tx, purchase),
  });
}

/** What stores are asked to take where no sum is chosen: the balance of an instalment with the fee of cash. */
function dueByCash(purchase: LockedPurchase, instalment: OwedInstalment): Centavos {
  return add(instalment.balanceCentavos, cashFeeOf(purchase));
}

function cashFeeOf({ feeCentavos, feeMethods }: LockedPurchase): Centavos {
  return feeFor({ amountCentavos: feeCentavos, methods: feeMethods }, 'cash');
}

/** Whether the plan still takes the sum that was chosen. */
function stillStands(purchase: LockedPurchase, { amountCentavos }: CashReference): boolean {
  return fillsOfSum(purchase.instalments, subtract(amountCentavos, cashFeeOf(purchase))) !== undefined;
}

/**
 * Keeps the number that Tapi gave, and returns the valid one: two tabs that asked at once get the same. Undefined when the balance
 * changed meanwhile: the number is closed, and another one is needed.
 */
async function keep(
  tx: Tx,
  requested: CashReference,
  providerReference: string,
): Promise<CashReference | undefined> {
  if (requested.purchaseId === null) return saveDepositNumber(tx, requested, providerReference);
  if (requested.helper !== null) {
    await lockPurchase(tx, requested.purchaseId);
    // Whether it is wanted still is read with it: theirs is one of many, and replaces none.
    await markIssued(tx, requested.id, providerReference, 'issued_to_helper');
    return { ...requested, providerReference };
  }
  const purchase = await lockPurchase(tx, requested.purchaseId);
  const instalment = purchase?.instalments.find(({ id }) => id === requested.payableId);
  const isOwed = instalment !== undefined && instalment.balanceCentavos > 0;
  const chosen = requested.isChosen && isOwed && purchase && stillStands(purchase, requested);
  const due = chosen ? requested.amountCentavos : purchase && instalment && dueByCash(purchase, instalment);
  const valid = await findValid(tx, requested.payableId);
  const isWanted = due === requested.amountCentavos && valid?.amountCentavos !== due;
  if (isWanted) await closeIssued(tx, requested.payableId);
  else await closeRequest(tx, requested.id);
  await markIssued(tx, requested.id, providerReference);
  const kept = await findValid(tx, requested.payableId);
  return kept?.amountCentavos === due ? kept : undefined;
}
