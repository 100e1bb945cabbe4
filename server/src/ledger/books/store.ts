import { sql } from 'kysely';
import { writtenTogether } from '../../platform/db/batch.ts';
import { builtOnce } from '../../platform/db/built-once.ts';
import type { Tx } from '../../platform/db/db.ts';
import { rowsAs } from '../../platform/db/rows.ts';
import { defer } from '../../platform/db/transaction.ts';
import type { LedgerEvent, Transfer } from './postings.ts';

/** Books an event with all its transfers. `ledger_events_once` refuses one that is booked already. */
export const book = writtenTogether<LedgerEvent>(bookAll);

/** {@link book} for many events. */
export async function bookAll(tx: Tx, events: readonly LedgerEvent[]): Promise<void> {
  const legs = events.flatMap(({ kind, sourceId, transfers }) =>
    transfers.map((transfer, index) => ({ kind, source_id: sourceId, leg: index + 1, ...transfer })),
  );
  await defer(
    tx,
    booking(tx, { events: events.map((event) => ({ ...event, legs: event.transfers.length })), legs }),
  );
}

interface Booked {
  readonly events: readonly (LedgerEvent & { readonly legs: number })[];
  readonly legs: readonly (Transfer & {
    readonly kind: string;
    readonly source_id: string;
    readonly leg: number;
  })[];
}

const booking = builtOnce(
  (_, { events, legs }: Booked) => sql`
    with event as (
      insert into ledger_events (merchant_id, kind, source_id, legs)
      select * from ${rowsAs(
        'event',
        { merchantId: 'bigint', kind: 'text', sourceId: 'text', legs: 'int' },
        events,
      )} returning id, legs, merchant_id, kind, source_id
    )
    insert into ledger_transfers
      (event_id, leg, legs, merchant_id, debit, debit_subject, credit, credit_subject, amount_centavos)
    select event.id, leg, event.legs, event.merchant_id, debit, "debitSubject", credit, "creditSubject", "amountCentavos"
    from event join ${rowsAs(
      'transfer',
      {
        kind: 'text',
        source_id: 'text',
        leg: 'int',
        debit: 'text',
        debitSubject: 'text',
        credit: 'text',
        creditSubject: 'text',
        amountCentavos: 'bigint',
      },
      legs,
    )} using (kind, source_id)`,
);
