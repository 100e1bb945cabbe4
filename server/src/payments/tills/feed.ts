import type { Centavos } from '@aparta/domain/money';
import { BEGINNING, type Place, readJournal } from '../../ledger/books/journal.ts';
import type { Db } from '../../platform/db/db.ts';
import type { SignedInTill } from './operation.ts';
import { listOperations } from './store.ts';

/** So much of the books is looked through for a page: other money of the merchants stands between. */
const SCANNED = 500;

/** Money that a till took or, as an entry of its own, gave back. */
export interface FeedEntry {
  readonly isReversal: boolean;
  readonly operation: 'layaway' | 'payment';
  readonly branch: string;
  readonly transactionId: string;
  readonly reference: string;
  readonly amountCentavos: Centavos;
  readonly authorisation: string;
  readonly merchantId: number;
  readonly purchaseId: number;
  readonly at: Date;
}

export interface FeedPage {
  readonly entries: readonly FeedEntry[];
  /** Where the next page begins. */
  readonly next: Place;
  /** Whether there is more at once. */
  readonly more: boolean;
}

/** A page of what tills of the account's chain did for its merchants, from a place on (rules/tills-and-cash#feed). */
export async function readFeed(
  db: Db,
  { chain, merchantIds }: SignedInTill,
  { after = BEGINNING, limit }: { readonly after: Place | undefined; readonly limit: number },
): Promise<FeedPage> {
  const scanned = await readJournal(db, merchantIds, after, SCANNED);
  const ofTills = scanned.filter(({ kind }) => kind === 'till_receipt' || kind === 'till_reversal');
  const operations = await listOperations(
    db,
    chain,
    ofTills.map(({ sourceId }) => sourceId),
  );
  const found = ofTills.flatMap((booked) => {
    const operation = operations.get(booked.sourceId);
    const { kind, merchantId, occurredAt: at } = booked;
    // A till takes money for one purchase at a time.
    const [purchaseId] = booked.purchaseIds;
    if (operation === undefined || purchaseId === undefined) return [];
    const entry = { ...operation, isReversal: kind === 'till_reversal', merchantId, purchaseId, at };
    return [{ booked, entry }];
  });
  const page = found.slice(0, limit);
  const isCut = found.length > page.length;
  const { position, id } = (isCut ? page.at(-1)?.booked : scanned.at(-1)) ?? after;
  return {
    entries: page.map(({ entry }) => entry),
    next: { position, id },
    more: isCut || scanned.length === SCANNED,
  };
}
