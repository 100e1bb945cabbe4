import { addDays, type DateOnly, mexicoCityDate } from '@aparta/domain/calendar';
import { add, type Centavos, sum, zero } from '@aparta/domain/money';

import { lockMerchant } from '../../catalogue/merchants/store.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Collector, ReceiptChannel, SettlementParty } from '../../platform/db/tables.ts';
import { databaseNow } from '../../platform/db/transaction.ts';
import {
  depositReceived,
  differenceExplained,
  type LedgerEvent,
  mirrored,
  operationSettled,
  paidOut,
} from '../../ledger/books/postings.ts';
import { book, bookAll } from '../../ledger/books/store.ts';
import { markSettled, unmarkSettled } from '../../ledger/receipts/store.ts';
import { RefusedChange } from '../../platform/refused-change.ts';
import { listEventsOf, lockOnItsWay, sumHeld } from './read-model.ts';
import {
  findSettlement,
  hasExplanation,
  insertSettlement,
  listByEvidence,
  type Settlement,
} from './store.ts';

/** What shows that money moved. `evidence` has 1 to 300 characters and, however typed, stands for one movement of a merchant. */
interface Evidence {
  readonly evidence: string;
  readonly happenedOn: DateOnly;
}

interface Bounded extends Evidence {
  /** Somebody looked: more came than is on its way, or was paid than is held. */
  readonly isBeyond?: boolean | undefined;
}

export interface Deposit extends Bounded {
  readonly merchantId: number;
  readonly channel: ReceiptChannel;
  readonly chain?: string | undefined;
  /** The days, of Mexico City, that a chain or Tapi pays; `toOn` is `fromOn` unless given. */
  readonly fromOn?: DateOnly | undefined;
  readonly toOn?: DateOnly | undefined;
  /** Who has the money, where it is not who was agreed when it was collected. */
  readonly party?: Collector | undefined;
  readonly amountCentavos: Centavos;
  readonly commissionCentavos: Centavos;
}

export interface Recorded {
  readonly settlement: Settlement;
  /** It was recorded before with the same evidence, so nothing was written now. */
  readonly isAgain: boolean;
  readonly operations: number;
  /** What was on its way, held or owed before, in centavos, and what of it is left; not of what was recorded before. */
  readonly beforeCentavos?: number;
  readonly leftCentavos?: number;
}

/** In one deposit; more is a typing mistake. */
const MOST_DAYS = 62;

/**
 * Records what a provider, a chain or Tapi paid (rules/ledger#commission, rules/ledger#settlement). A chain's or Tapi's deposit
 * pays every operation of those days that is on its way, in full; what its sum is short or over stays as its difference until it is
 * explained. With the same evidence again it is the same deposit. Throws `RefusedChange`, also of more than is on its way unless
 * `isBeyond`.
 */
export async function recordDeposit(tx: Tx, deposit: Deposit): Promise<Recorded> {
  const { merchantId, channel, amountCentavos, commissionCentavos, evidence } = deposit;
  const days = daysOf(deposit);
  const round = await begin(tx, deposit);
  if (typeof round === 'object') {
    demandSame(round, { ...deposit, ...days, kind: 'deposit' });
    return { settlement: round, isAgain: true, operations: 0 };
  }
  const operations = days === undefined ? [] : await paidBy(tx, deposit, days);
  const party = deposit.party ?? operations[0]?.collectedBy ?? 'merchant';
  const beforeCentavos =
    channel === 'card'
      ? await sumHeld(tx, merchantId, 'card_clearing')
      : sum(operations.map((operation) => operation.amountCentavos));
  const bounds = within(deposit, 'on_its_way', beforeCentavos, add(amountCentavos, commissionCentavos));
  const settlementId = await insertSettlement(tx, {
    merchant_id: merchantId,
    kind: 'deposit',
    channel,
    chain: deposit.chain ?? null,
    from_on: days?.fromOn ?? null,
    to_on: days?.toOn ?? null,
    party,
    amount_centavos: amountCentavos,
    commission_centavos: commissionCentavos,
    of_id: null,
    happened_on: deposit.happenedOn,
    evidence,
    round,
  });
  await markSettled(
    tx,
    operations.map(({ receiptId }) => receiptId),
    settlementId,
  );
  await bookAll(tx, [
    depositReceived({ settlementId, merchantId, channel, party, amountCentavos, commissionCentavos }),
    ...operations.flatMap((operation): LedgerEvent[] =>
      channel === 'card' ? [] : [operationSettled({ settlementId, merchantId, channel, ...operation })],
    ),
  ]);
  return {
    settlement: await demandSettlement(tx, settlementId),
    isAgain: false,
    operations: operations.length,
    ...bounds,
  };
}

export interface Payout extends Bounded {
  readonly merchantId: number;
  /** Who was paid by the other. */
  readonly party: Collector;
  readonly amountCentavos: Centavos;
}

/**
 * Records that the operator paid the merchant, or the merchant the operator, once per evidence. Throws `RefusedChange`, also of more
 * than the one held, or the other owed, unless `isBeyond`.
 */
export async function recordPayout(tx: Tx, payout: Payout): Promise<Recorded> {
  const { merchantId, party, amountCentavos, evidence } = payout;
  const round = await begin(tx, payout);
  if (typeof round === 'object') {
    demandSame(round, { ...payout, kind: 'payout' });
    return { settlement: round, isAgain: true, operations: 0 };
  }
  const held = await sumHeld(tx, merchantId, 'operator_current');
  const bounds =
    party === 'merchant'
      ? within(payout, 'held', held, amountCentavos)
      : within(payout, 'owed', 0 - held, amountCentavos);
  const settlementId = await insertSettlement(tx, {
    ...nothingPaid,
    merchant_id: merchantId,
    kind: 'payout',
    party,
    amount_centavos: amountCentavos,
    of_id: null,
    happened_on: payout.happenedOn,
    evidence,
    round,
  });
  await book(tx, paidOut({ settlementId, merchantId, party, amountCentavos }));
  const settlement = await demandSettlement(tx, settlementId);
  return { settlement, isAgain: false, operations: 0, ...bounds };
}

export interface Explanation extends Evidence {
  /** The deposit that was less, or more, than its operations. */
  readonly ofId: number;
  /** Who has what was missing, or what was over. */
  readonly party: SettlementParty;
  /** The whole difference unless given. */
  readonly amountCentavos?: Centavos | undefined;
}

/**
 * Records who has the difference of a deposit, at most all of it and once per evidence (rules/ledger#settlement). Throws
 * `RefusedChange`.
 */
export async function explainDifference(tx: Tx, explanation: Explanation): Promise<Recorded> {
  const { ofId, party, evidence } = explanation;
  const { merchantId } = await demandSettlement(tx, ofId);
  const round = await begin(tx, { ...explanation, merchantId, amountCentavos: explanation.amountCentavos });
  if (typeof round === 'object') {
    demandSame(round, { ...explanation, kind: 'explanation' });
    return { settlement: round, isAgain: true, operations: 0 };
  }
  // Read again under the lock: another explanation may have come first.
  const { differenceCentavos } = await demandSettlement(tx, ofId);
  const left = Math.abs(differenceCentavos) as Centavos;
  if (left === 0) throw new RefusedChange('settlement_no_difference', { id: ofId });
  const amountCentavos = explanation.amountCentavos ?? left;
  if (amountCentavos > left) throw new RefusedChange('settlement_explains_too_much', { id: ofId });
  const isShort = differenceCentavos > 0;
  if (party === 'provider' && !isShort) throw new RefusedChange('settlement_commission_below');
  const settlementId = await insertSettlement(tx, {
    ...nothingPaid,
    merchant_id: merchantId,
    kind: 'explanation',
    party,
    amount_centavos: amountCentavos,
    of_id: ofId,
    happened_on: explanation.happenedOn,
    evidence,
    round,
  });
  await book(tx, differenceExplained({ settlementId, merchantId, ofId, party, isShort, amountCentavos }));
  return { settlement: await demandSettlement(tx, settlementId), isAgain: false, operations: 0 };
}

/**
 * Voids a deposit, a payout or an explanation that was a mistake: every event gets its mirror, and what a deposit brought is on
 * its way again. Returns what was voided. Throws `RefusedChange`, also while an explanation of its difference stands.
 */
export async function voidSettlement(tx: Tx, id: number, reason: string): Promise<Settlement> {
  const { merchantId } = await demandSettlement(tx, id);
  await lockMerchant(tx, merchantId);
  const settlement = await demandSettlement(tx, id);
  if (settlement.kind === 'void' || settlement.isVoided) throw new RefusedChange('settlement_voided', { id });
  if (await hasExplanation(tx, id)) throw new RefusedChange('settlement_explained', { id });
  demandEvidence(reason);
  const events = await listEventsOf(tx, settlement);
  await insertSettlement(tx, {
    ...nothingPaid,
    merchant_id: merchantId,
    kind: 'void',
    party: null,
    amount_centavos: settlement.amountCentavos,
    of_id: id,
    happened_on: mexicoCityDate(await databaseNow(tx)),
    evidence: reason,
    round: (await listByEvidence(tx, merchantId, reason)).length,
  });
  await bookAll(
    tx,
    events.map((event) => ({
      merchantId,
      kind: 'settlement_void',
      sourceId: String(event.id),
      transfers: mirrored(event.transfers),
    })),
  );
  await unmarkSettled(tx, id);
  return settlement;
}

const nothingPaid = { channel: null, chain: null, from_on: null, to_on: null } as const;

/** What is left of what was there. Throws where that is less than nothing: a slip would pass unseen into a report. */
function within(
  { isBeyond = false }: Bounded,
  of: 'on_its_way' | 'held' | 'owed',
  beforeCentavos: number,
  amountCentavos: Centavos,
): { readonly beforeCentavos: number; readonly leftCentavos: number } {
  const leftCentavos = beforeCentavos - amountCentavos;
  if (leftCentavos < 0 && !isBeyond)
    throw new RefusedChange(`settlement_beyond_${of}`, {
      before: beforeCentavos,
      amount: amountCentavos,
      over: 0 - leftCentavos,
    });
  return { beforeCentavos, leftCentavos };
}

async function demandSettlement(tx: Tx, id: number): Promise<Settlement> {
  const settlement = await findSettlement(tx, id);
  if (settlement === undefined) throw new RefusedChange('settlement_unknown', { id });
  return settlement;
}

function demandEvidence(evidence: string): void {
  if (evidence.length === 0 || evidence.length > 300) throw new RefusedChange('evidence_length');
}

/** Locks the merchant, and returns what stands with this evidence, or how many voided ones had it before. */
async function begin(
  tx: Tx,
  given: Evidence & { merchantId: number; amountCentavos: Centavos | undefined },
): Promise<Settlement | number> {
  const { merchantId, evidence, happenedOn } = given;
  if ((await lockMerchant(tx, merchantId)) === undefined)
    throw new RefusedChange('merchant_unknown', { id: merchantId });
  demandEvidence(evidence);
  if (given.amountCentavos === zero) throw new RefusedChange('settlement_zero');
  if (happenedOn > mexicoCityDate(await databaseNow(tx))) throw new RefusedChange('settlement_in_future');
  const before = await listByEvidence(tx, merchantId, evidence);
  const standing = before.filter(({ kind, isVoided }) => kind !== 'void' && !isVoided);
  return standing.find((each) => each.evidence === evidence) ?? standing[0] ?? before.length;
}

/** Evidence that was used before must come with the same facts. */
function demandSame(
  known: Settlement,
  said: { readonly [K in keyof Settlement]?: Settlement[K] | undefined },
): void {
  const fields = [
    'kind',
    'channel',
    'chain',
    'fromOn',
    'toOn',
    'party',
    'amountCentavos',
    'commissionCentavos',
    'ofId',
    'happenedOn',
  ] as const;
  if (fields.some((field) => said[field] !== undefined && said[field] !== known[field]))
    throw new RefusedChange('settlement_evidence_used', { id: known.id });
}

/** The days that a deposit pays; undefined for cards, whose provider does not name any. */
function daysOf({ channel, chain, fromOn, toOn = fromOn, party }: Deposit) {
  if ((channel === 'till') !== (chain !== undefined)) throw new RefusedChange('settlement_chain');
  if (channel === 'card') {
    if (fromOn !== undefined || toOn !== undefined) throw new RefusedChange('settlement_days');
    if (party === 'operator') throw new RefusedChange('settlement_card_party');
    return undefined;
  }
  if (fromOn === undefined || toOn === undefined || toOn < fromOn || toOn > addDays(fromOn, MOST_DAYS))
    throw new RefusedChange('settlement_days');
  return { fromOn, toOn };
}

async function paidBy(tx: Tx, deposit: Deposit, days: { fromOn: DateOnly; toOn: DateOnly }) {
  const { merchantId, channel, chain = null, party } = deposit;
  if (channel === 'card') return [];
  const pending = await lockOnItsWay(tx, { merchantId, channel, chain, ...days });
  if (pending.length === 0)
    throw new RefusedChange(
      chain === `mostrador-${merchantId}` ? 'settlement_of_a_counter' : 'settlement_nothing_pending',
    );
  const agreed = new Set(pending.map(({ collectedBy }) => collectedBy));
  if (agreed.size === 1) return pending;
  if (party === undefined) throw new RefusedChange('settlement_two_collectors');
  return pending.filter(({ collectedBy }) => collectedBy === party);
}
