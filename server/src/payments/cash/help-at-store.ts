import {
  isHelperSum,
  MOST_AT_STORES_A_DAY,
  MOST_AT_STORES_AN_HOUR,
  WAITING_AT_STORES,
} from '@aparta/domain/help';
import { add, type Centavos, centavos, centavosToPesos } from '@aparta/domain/money';
import { feeFor } from '@aparta/domain/service-fee';

import type { Db, Tx } from '../../platform/db/db.ts';
import { refusedBy, transaction } from '../../platform/db/transaction.ts';
import { ipPrefixOf } from '../../platform/limiter.ts';
import type { Log } from '../../platform/logging.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { KeyRing } from '../../platform/secrets.ts';
import {
  type CashReference,
  findHelpersNumber,
  insertRequest,
} from '../../purchases/cash-references/store.ts';
import { readHelpCode } from '../../purchases/help-links/help-code.ts';
import { lockHelped } from '../../purchases/help-links/lock-helped.ts';
import { type HELP_WORK, refuseWithoutWork } from '../../purchases/help-links/refuse-without-work.ts';
import { countNumbers, findStoreHelp, type StoreHelp } from './help.read-model.ts';
import { askNetwork, type IssueDeps } from './issue-reference.ts';
import { numberExpiry } from './number-expiry.ts';

export interface StoreHelpDeps extends IssueDeps {
  readonly keyRing: KeyRing;
  readonly helpWork: typeof HELP_WORK;
}

export interface StoreHelpRequest {
  readonly code: string;
  /** As the helper was shown it, fee inside. */
  readonly totalCentavos: Centavos;
  readonly name: string;
  readonly email: string;
  readonly intentId: string;
  readonly workProof: string;
}

/**
 * Gives a helper a number by which stores take the sum that they chose, for as long as a buyer's (rules/helping#at-stores); nothing
 * of it counts against the buyer. The same intent with the same content gets the same number.
 *
 * Refuses NOT_FOUND, AMOUNT_CHANGED, PURCHASE_SETTLED, INTENT_CONFLICT, TOO_LATE_FOR_STORES, TOO_MANY, CASH_REFERENCE_REFUSED and
 * PROVIDER_DOWN; INVALID_INPUT without the work.
 */
export async function helpAtStore(
  deps: StoreHelpDeps,
  request: StoreHelpRequest,
  { sourceAddress, log }: { readonly sourceAddress: string; readonly log: Log },
): Promise<StoreHelp> {
  refuseWithoutWork(request, deps.helpWork);
  const linkId = readHelpCode(deps.keyRing, request.code);
  const sourceIpPrefix = ipPrefixOf(sourceAddress);
  const { number, identifier, buyerId } = await transaction(deps.db, (tx) =>
    requestNumber(tx, linkId, request, sourceIpPrefix),
  ).catch((error: unknown) => {
    // Browsers make these ids at random: another number has it.
    throw refusedBy(error) === 'cash_references_helpers_intent_once' ? new Refusal('INTENT_CONFLICT') : error;
  });
  if (number.providerReference === null)
    await askNetwork(deps, number, { identifier, email: request.email, buyerId }, log);
  return readStoreHelp(deps.db, request.intentId);
}

/** What became of a helper's number, by the id that their browser gave it. Refuses NOT_FOUND. */
export async function readStoreHelp(db: Db, intentId: string): Promise<StoreHelp> {
  const help = await findStoreHelp(db, intentId);
  if (help === undefined) throw new Refusal('NOT_FOUND');
  return help;
}

async function requestNumber(
  tx: Tx,
  linkId: string | undefined,
  { intentId, totalCentavos, name, email }: StoreHelpRequest,
  sourceIpPrefix: string,
): Promise<{ readonly number: CashReference; readonly identifier: string; readonly buyerId: number }> {
  const { helped, purchase } = await lockHelped(tx, linkId);
  const { buyerId, balanceCentavos } = purchase;
  const helper = { linkId: linkId ?? '', name, email, intentId };
  const of = { identifier: helped.printedReference, buyerId };
  const before = await findHelpersNumber(tx, intentId);
  if (before !== undefined) {
    const isSame =
      before.amountCentavos === totalCentavos &&
      before.helper?.linkId === helper.linkId &&
      before.helper.name === name &&
      before.helper.email === email;
    if (!isSame) throw new Refusal('INTENT_CONFLICT');
    return { number: before, ...of };
  }
  if (balanceCentavos === 0) throw new Refusal('PURCHASE_SETTLED');
  const feeCentavos = feeFor({ amountCentavos: purchase.feeCentavos, methods: purchase.feeMethods }, 'cash');
  const principalCentavos = centavos(Math.max(totalCentavos - feeCentavos, 0));
  if (!isHelperSum(balanceCentavos, principalCentavos))
    throw new Refusal('AMOUNT_CHANGED', { amount: centavosToPesos(add(balanceCentavos, feeCentavos)) });
  await refuseFlood(tx, { linkId: helper.linkId, purchaseId: purchase.id, sourceIpPrefix });
  const number = await insertRequest(tx, {
    payableId: helped.referenceId,
    purchaseId: purchase.id,
    layawayReferenceId: null,
    merchantId: purchase.merchantId,
    amountCentavos: totalCentavos,
    isChosen: true,
    expiresAt: await numberExpiry(tx, purchase),
    helper: { ...helper, sourceIpPrefix },
  });
  return { number, ...of };
}

/** Refuses TOO_MANY: nobody fills the network with numbers by a link. */
async function refuseFlood(tx: Tx, of: Parameters<typeof countNumbers>[1]): Promise<void> {
  const { waitingAtLink, ofPurchaseToday, ofAddress } = await countNumbers(tx, of);
  if (
    waitingAtLink >= WAITING_AT_STORES ||
    ofPurchaseToday >= MOST_AT_STORES_A_DAY ||
    ofAddress >= MOST_AT_STORES_AN_HOUR
  )
    throw new Refusal('TOO_MANY', { retryAfterSeconds: 3_600 });
}
