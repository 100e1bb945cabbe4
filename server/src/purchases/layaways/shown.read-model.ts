import type { Centavos } from '@aparta/domain/money';
import { type RawBuilder, sql } from 'kysely';
import { builtOnce } from '../../platform/db/built-once.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { RefundMethod } from '../../platform/db/tables.ts';
import { IN_PLAY, type LayawayReference, references } from './read-model.ts';

/** A reference as its screens show it. */
export interface ShownReference extends LayawayReference {
  readonly buyerEmail: string;
  /** What was paid for its deposit and the shop owes back, while it has no purchase, also of cash that a person assigned to it. */
  readonly owedCentavos: Centavos;
  /** The same of cards, still to go back to them. */
  readonly owedToCardCentavos: Centavos;
  /** '' if the company has no logo. */
  readonly logoFileName: string;
  /** The number on the deposit's receipt, once it is paid. */
  readonly folio: string | null;
}

/** What is owed back of a reference `l`, in these ways. */
const owedOf = (...methods: readonly RefundMethod[]) => sql<Centavos>`coalesce((
  select sum(f.amount_centavos) from receipts e join refunds f on f.receipt_id = e.id
  where e.buyer_id = l.buyer_id and f.state not in ('done', 'moved_to_cash')
    and f.method in (${sql.join(methods.map((method) => sql.lit(method)))})
    and (f.layaway_reference_id = l.id
      or e.channel = 'card' and f.attempt_id in (select id from card_attempts where reference_id = l.id)
      or e.channel = 'cash' and e.source_id in (
        select n.operation_id from cash_references c join cash_notices n on n.cash_reference_id = c.id
        where c.layaway_reference_id = l.id))), 0)::bigint`;

const whileNoPurchase = (owed: RawBuilder<Centavos>) =>
  sql<Centavos>`case when p.id is null then ${owed} else 0 end`;

function shownReferences(db: Db | Tx, buyerId: number) {
  return references(db)
    .innerJoin('companies as c', 'c.id', 'm.company_id')
    .innerJoin('buyers as b', 'b.id', 'l.buyer_id')
    .select('b.email as buyerEmail')
    .select(whileNoPurchase(owedOf('cash')).as('owedCentavos'))
    .select(whileNoPurchase(owedOf('card')).as('owedToCardCentavos'))
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
 * of the buyer's is looked up by index first: joined or as `exists`, the planner may read all attempts instead.
 */
export async function findUnresolved(db: Db, buyerId: number): Promise<ShownReference[]> {
  const ids = await listUnresolved(db, buyerId);
  if (ids.length === 0) return [];
  const shown = await shownReferences(db, buyerId).where('l.id', 'in', ids).execute();
  return shown.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
}

/** Which those are. */
export async function listUnresolved(db: Db, buyerId: number): Promise<number[]> {
  const { rows } = await db.executeQuery(unresolvedOf(db, { buyerId }));
  return rows.map(({ id }) => id);
}

const unresolvedOf = builtOnce((db, { buyerId }: { buyerId: number }) =>
  db
    .selectFrom('layaway_references as l')
    .select('l.id')
    .where('l.buyer_id', '=', buyerId)
    // It has a purchase when it is paid, and only then: the books' proofs say so.
    .where('l.state', '<>', 'paid')
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
        sql<boolean>`${owedOf('cash', 'card')} > 0`,
      ]),
    )
    .orderBy('l.created_at', 'desc')
    .orderBy('l.id', 'desc')
    .limit(MOST_UNRESOLVED),
);
