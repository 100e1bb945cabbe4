import type { Centavos } from '@aparta/domain/money';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/db.ts';
import { IN_PLAY, type LayawayReference, references } from './read-model.ts';

/** A reference as its screens show it. */
export interface ShownReference extends LayawayReference {
  readonly buyerEmail: string;
  /** What stores took for its deposit and is owed back, while it has no purchase, also where a person assigned it. */
  readonly owedCentavos: Centavos;
  /** '' if the company has no logo. */
  readonly logoFileName: string;
  /** The number on the deposit's receipt, once it is paid. */
  readonly folio: string | null;
}

/** What is owed back of a reference `l`. */
const owedOf = sql<Centavos>`coalesce((
  select sum(f.amount_centavos) from receipts e join refunds f on f.receipt_id = e.id and f.state = 'owed'
  where e.buyer_id = l.buyer_id and e.channel = 'cash' and (f.layaway_reference_id = l.id or e.source_id in (
    select n.operation_id from cash_references c join cash_notices n on n.cash_reference_id = c.id
    where c.layaway_reference_id = l.id))), 0)::bigint`;

function shownReferences(db: Db | Tx, buyerId: number) {
  return references(db)
    .innerJoin('companies as c', 'c.id', 'm.company_id')
    .innerJoin('buyers as b', 'b.id', 'l.buyer_id')
    .select('b.email as buyerEmail')
    .select(sql<Centavos>`case when p.id is null then ${owedOf} else 0 end`.as('owedCentavos'))
    .select(sql<string>`case when c.logo is null then '' else c.logo_file_name end`.as('logoFileName'))
    .select((reference) =>
      reference
        .selectFrom('instalments as i')
        .innerJoin('allocations as a', 'a.instalment_id', 'i.id')
        .innerJoin('receipts as e', 'e.id', 'a.receipt_id')
        .whereRef('i.purchase_id', '=', 'p.id')
        .where('i.number', '=', 1)
        .orderBy('e.received_at')
        .orderBy('e.id')
        .limit(1)
        .select('e.folio')
        .as('folio'),
    )
    .where('l.buyer_id', '=', buyerId);
}

/** A buyer's own reference; undefined for any other. */
export async function findReference(
  db: Db | Tx,
  buyerId: number,
  id: number,
): Promise<ShownReference | undefined> {
  return shownReferences(db, buyerId).where('l.id', '=', id).executeTakeFirst();
}

const MOST_UNRESOLVED = 3;

/**
 * A buyer's references without a purchase of which a card attempt may still bring money, or money is owed back; the newest first. Each
 * of the buyer's is looked up by index first: joined or as `exists`, the planner may read all purchases and attempts instead.
 */
export async function findUnresolved(db: Db, buyerId: number): Promise<ShownReference[]> {
  const found = await db
    .selectFrom('layaway_references as l')
    .select('l.id')
    .where('l.buyer_id', '=', buyerId)
    .where((of) =>
      of(of.selectFrom('purchases').select('id').whereRef('layaway_reference_id', '=', 'l.id'), 'is', null),
    )
    .where((of) =>
      of.or([
        of(
          of
            .selectFrom('card_attempts')
            .select('id')
            .whereRef('reference_id', '=', 'l.id')
            .where('state', 'in', IN_PLAY)
            .limit(1),
          'is not',
          null,
        ),
        sql<boolean>`${owedOf} > 0`,
      ]),
    )
    .orderBy('l.created_at', 'desc')
    .orderBy('l.id', 'desc')
    .limit(MOST_UNRESOLVED)
    .execute();
  if (found.length === 0) return [];
  const ids = found.map(({ id }) => id);
  const shown = await shownReferences(db, buyerId).where('l.id', 'in', ids).execute();
  return shown.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
}
