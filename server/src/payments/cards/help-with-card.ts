import { createHash } from 'node:crypto';

import {
  isHelperSum,
  MOST_HELPERS_AT_ONCE,
  MOST_HELPS_A_DAY,
  MOST_REJECTIONS_A_DAY,
  REJECTIONS_THAT_CLOSE,
} from '@aparta/domain/help';
import { add, type Centavos, centavos, centavosToPesos } from '@aparta/domain/money';
import { feeFor } from '@aparta/domain/service-fee';

import type { Db, Tx } from '../../platform/db/db.ts';
import { refusedBy, transaction } from '../../platform/db/transaction.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { KeyRing } from '../../platform/secrets.ts';
import { readHelpCode } from '../../purchases/help-links/help-code.ts';
import { lockHelped } from '../../purchases/help-links/lock-helped.ts';
import { findHelped, type HelpedPurchase } from '../../purchases/help-links/read-model.ts';
import { type HELP_WORK, refuseWithoutWork } from '../../purchases/help-links/refuse-without-work.ts';
import { findCurrentCredential } from '../card-keys/store.ts';
import { countHelps, findHelperAttempt } from './help.read-model.ts';
import {
  type CallerContext,
  openOrRefuse,
  recordCharge,
  type RecordedCharge,
  refuseWhilePaused,
  sendCharge,
  type StartDeps,
} from './send-charge.ts';
import { sameContent } from './start-card-payment.ts';
import type { Attempt } from './store.ts';

export interface HelpDeps extends StartDeps {
  readonly keyRing: KeyRing;
  readonly helpWork: typeof HELP_WORK;
}

export interface HelpRequest {
  readonly code: string;
  /** As the helper was shown it, fee inside. */
  readonly totalCentavos: Centavos;
  readonly name: string;
  readonly email: string;
  readonly intentId: string;
  readonly workProof: string;
  readonly token: string;
  readonly sessionId: string | undefined;
  readonly userAgent: string | undefined;
}

/** What a link leads to now. Refuses NOT_FOUND, the same for one that was revoked, expired, closed or invented. */
export async function readHelped(
  { db, keyRing }: { readonly db: Db; readonly keyRing: KeyRing },
  code: string,
): Promise<HelpedPurchase & { readonly cardKey: string }> {
  const linkId = readHelpCode(keyRing, code);
  const helped = linkId === undefined ? undefined : await findHelped(db, linkId);
  if (helped === undefined) throw new Refusal('NOT_FOUND');
  const credential = await findCurrentCredential(db, helped.merchantId);
  return { ...helped, cardKey: credential?.publicKey ?? '' };
}

/**
 * Pays by a help link with a card token, always with 3DS (rules/helping#paying): recorded, sent and resolved as a buyer's own
 * attempt, beside which it stands. The same intent with the same content answers the same attempt again.
 *
 * Refuses NOT_FOUND, AMOUNT_CHANGED, PURCHASE_SETTLED, INTENT_CONFLICT, CARDS_NOT_ACCEPTED, MERCHANT_MISCONFIGURED,
 * TOO_MANY_REJECTIONS, TOO_MANY and PROVIDER_DOWN; in each case nothing was sent. INVALID_INPUT without the work.
 */
export async function helpWithCard(
  deps: HelpDeps,
  request: HelpRequest,
  caller: CallerContext,
): Promise<Attempt> {
  refuseWithoutWork(request, deps.helpWork);
  const linkId = readHelpCode(deps.keyRing, request.code);
  if (linkId === undefined) throw new Refusal('NOT_FOUND');
  const started = await transaction(deps.db, (tx) => record(deps, tx, linkId, request, caller)).catch(
    (error: unknown) => {
      throw INTENT_TAKEN.has(refusedBy(error) ?? '') ? new Refusal('INTENT_CONFLICT') : error;
    },
  );
  if ('state' in started) return started;
  const details = {
    token: request.token,
    description: started.productName,
    customer: { email: request.email, phone: '', street: '', number: '', postalCode: '' },
    sessionId: request.sessionId,
    userAgent: request.userAgent,
  };
  return sendCharge(deps, { ...started.charge, committedAt: performance.now() }, details, caller);
}

/** Browsers make these ids at random: another payment has it. */
const INTENT_TAKEN: ReadonlySet<string> = new Set([
  'card_attempts_helpers_intent_once',
  'card_attempts_intent_once',
]);

interface Fresh {
  readonly charge: Omit<RecordedCharge, 'committedAt'>;
  readonly productName: string;
}

async function record(
  deps: HelpDeps,
  tx: Tx,
  linkId: string,
  request: HelpRequest,
  caller: CallerContext,
): Promise<Attempt | Fresh> {
  const { helped, purchase } = await lockHelped(tx, linkId);
  const intentHash = hashOf(linkId, request);
  const before = await findHelperAttempt(tx, request.intentId);
  if (before !== undefined) return sameContent(before, intentHash);

  const { balanceCentavos } = purchase;
  if (balanceCentavos === 0) throw new Refusal('PURCHASE_SETTLED');
  const feeCentavos = feeFor({ amountCentavos: purchase.feeCentavos, methods: purchase.feeMethods }, 'card');
  const principalCentavos = centavos(Math.max(request.totalCentavos - feeCentavos, 0));
  if (!isHelperSum(balanceCentavos, principalCentavos))
    throw new Refusal('AMOUNT_CHANGED', { amount: centavosToPesos(add(balanceCentavos, feeCentavos)) });
  const { merchantId, buyerId } = purchase;
  const credential = await findCurrentCredential(tx, merchantId);
  if (credential === undefined) throw new Refusal('CARDS_NOT_ACCEPTED');
  const keys = openOrRefuse(deps, credential, caller.log);
  await refuseCardTesters(deps, tx, { linkId, buyerId, merchantId, sourceAddress: caller.sourceAddress });
  refuseWhilePaused(deps);
  const recorded = await recordCharge(deps, tx, {
    buyerId,
    merchantId,
    credentialId: credential.id,
    referenceId: helped.referenceId,
    intentId: request.intentId,
    intentHash,
    principalCentavos,
    feeCentavos,
    sourceAddress: caller.sourceAddress,
    requestId: caller.requestId,
    payer: { helpLinkId: linkId, payerName: request.name, payerEmail: request.email },
  });
  return { charge: { ...recorded, keys, request3ds: true }, productName: purchase.productName };
}

/** Refuses what card testers do (rules/helping#card-testing). What is under way counts as rejected: many at once try no more cards. */
async function refuseCardTesters(
  { cardLimits: limits }: HelpDeps,
  tx: Tx,
  subject: Parameters<typeof countHelps>[1],
): Promise<void> {
  const seen = await countHelps(tx, subject);
  if (seen.linkRejections + seen.linkSubmitting >= REJECTIONS_THAT_CLOSE)
    throw new Refusal('TOO_MANY_REJECTIONS', { retryAfterSeconds: 60 });
  if (
    seen.linkOpen >= MOST_HELPERS_AT_ONCE ||
    seen.linkToday >= MOST_HELPS_A_DAY ||
    seen.buyerRejections >= MOST_REJECTIONS_A_DAY ||
    seen.merchantRejections >= limits.rejectionsPerMerchant ||
    seen.addressAttempts >= limits.attemptsPerAddress ||
    seen.addressRejectedCards >= limits.rejectedCardsPerAddress ||
    seen.cardRejections >= limits.rejectionsPerCard
  )
    throw new Refusal('TOO_MANY', { retryAfterSeconds: 900 });
}

function hashOf(linkId: string, { totalCentavos, name, email, token }: HelpRequest): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([linkId, totalCentavos, name, email, token]))
    .digest();
}
