import { centavos } from '@aparta/domain/money';
import type { ShopMailKind } from '@aparta/domain/shop-mails';

import { type JournalEntry, readJournal } from '../../ledger/books/journal.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { sendEmailTo } from '../../platform/email/outbox.ts';
import { type BookedFact, readFacts } from '../webhooks/events.read-model.ts';
import { listNewShops, listOwners, listWaiting, type WaitingMail } from './shop-mails.read-model.ts';
import { insertPlaces, movePlace, type ShopPlace, skipBooked, takePlaces } from './store.ts';

/** What the books say. */
const BOOKED = ['first_deposit', 'paid_off', 'cancelled'] as const satisfies ShopMailKind[];
const SHOPS_AT_ONCE = 100;
const READ_AT_ONCE = 200;

/**
 * Queues what owners are to be told as it happens; whether there may be more. What was booked is read on from each shop's place,
 * which moves in the same transaction; the rest is what waits now and has no email yet. Keys make each email one.
 */
export async function queueShopMails(db: Db): Promise<boolean> {
  return transaction(db, async (tx) => {
    await insertPlaces(tx, await listNewShops(tx));
    const places = await takePlaces(tx, SHOPS_AT_ONCE);
    for (const place of places) await readOn(tx, place);
    const waiting = await listWaiting(tx, READ_AT_ONCE);
    for (const mail of waiting) await queue(tx, mail);
    return places.length > 0 || waiting.length === READ_AT_ONCE;
  });
}

async function readOn(tx: Tx, place: ShopPlace): Promise<void> {
  const { merchantId } = place;
  const owners = (await listOwners(tx, merchantId)).filter(({ mails }) =>
    BOOKED.some((kind) => mails.includes(kind)),
  );
  // Who turns one on later is not told of what was before.
  if (owners.length === 0) return skipBooked(tx, merchantId);
  const entries = await readJournal(tx, [merchantId], place, READ_AT_ONCE);
  const last = entries.at(-1);
  if (last === undefined) return;
  const facts = await readFacts(tx, entries);
  const booked = entries.flatMap((entry) => (facts.get(entry.id) ?? []).map((fact) => ({ entry, fact })));
  for (const { entry, fact } of booked) {
    const { purchaseId } = fact;
    for (const kind of kindsOf(entry, fact))
      for (const { positionId, email } of owners.filter(({ mails }) => mails.includes(kind))) {
        const of = { positionId, merchantId, kind, subjectId: purchaseId, ...amountsOf(fact) };
        await queue(tx, { of, email, dedupeKey: `${positionId} ${kind} ${entry.id} ${purchaseId}` });
      }
  }
  await movePlace(tx, { merchantId, position: last.position, id: last.id });
}

/** What an entry of the books is to an owner, of one of its purchases. */
function kindsOf({ kind }: JournalEntry, fact: BookedFact): ShopMailKind[] {
  if (kind === 'cancel') return ['cancelled'];
  if (!kind.endsWith('_receipt') && kind !== 'suspense_resolved') return [];
  const isPaidOff = fact.paidCentavos === fact.priceCentavos;
  return [
    ...(fact.isDeposit ? (['first_deposit'] as const) : []),
    ...(isPaidOff ? (['paid_off'] as const) : []),
  ];
}

const amountsOf = ({ movedCentavos, keptCentavos }: BookedFact) => ({
  amountCentavos: centavos(movedCentavos - keptCentavos),
  keptCentavos,
});

const queue = (tx: Tx, { of, email, dedupeKey }: WaitingMail) =>
  sendEmailTo(tx, 'staff_shop_news', email, { ...of }, dedupeKey);
