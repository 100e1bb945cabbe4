import type { DateOnly } from '@aparta/domain/calendar';
import { LIST_FILTERS, type ListFilter } from '@aparta/domain/purchase-status';
import { sql } from 'kysely';
import { acceptsTills } from '../../accounts/service-accounts/read-model.ts';
import { builtOnce } from '../../platform/db/built-once.ts';
import type { Db } from '../../platform/db/db.ts';
import { TODAY_ONCE } from '../../platform/db/mexico-city.ts';
import { type ListedPurchase, withNames } from './read-model.ts';

/** A purchase as a place in the list's order. */
export interface ListPlace {
  /** The day that decides on all pages what is late, so that midnight between two of them hides none. */
  readonly day: DateOnly;
  readonly late: boolean;
  readonly id: number;
}

export interface PageOf {
  readonly buyerId: number;
  readonly filter: ListFilter;
  /** The page follows this purchase; the first page when undefined. */
  readonly after: ListPlace | undefined;
  /** At most {@link LONG_PAGE}. */
  readonly limit: number;
}

/** A purchase on a page. */
export type ListedRow = ListedPurchase & {
  /** Whether it is listed among the late ones. */
  readonly late: boolean;
  /** Whether its merchant takes money at tills, or at its own counter. */
  readonly hasTill: boolean;
};

// Literals in the statement: a generic plan that does not know how short a page is reads whole tables. Only
// two lengths, so that callers cannot fill the connections with prepared statements.
const SHORT_PAGE = 21;
const LONG_PAGE = 101;

/**
 * A page of a buyer's purchases, late ones first and then newest first, in one statement; on the first page
 * also how many there are. Only partly paid instalments come with their payments: the list shows no others.
 */
export async function findPurchasePage(
  db: Db,
  { buyerId, filter, after, limit }: PageOf,
): Promise<{ purchases: ListedRow[]; total: number | undefined }> {
  const { rows } = await db.executeQuery(
    pageOf(
      db,
      { buyerId, day: after?.day, id: after?.id ?? 0 },
      {
        filter,
        from: after === undefined ? 'start' : after.late ? 'late' : 'rest',
        length: limit <= SHORT_PAGE ? SHORT_PAGE : LONG_PAGE,
      },
    ),
  );
  return {
    purchases: rows.slice(0, limit),
    total: after === undefined ? (rows[0]?.total ?? 0) : undefined,
  };
}

/** Whose purchases, and what the page follows. */
interface Place {
  readonly buyerId: number;
  readonly day: DateOnly | undefined;
  readonly id: number;
}

interface Shape extends Pick<PageOf, 'filter'> {
  /** Where a page begins: at the first purchase, after a late one, or after another. */
  readonly from: 'start' | 'late' | 'rest';
  readonly length: number;
}

const pageOf = builtOnce((db, { buyerId, day, id }: Place, { filter, from, length }: Shape) => {
  const listed = ofBuyer(db, buyerId, filter);
  const most = sql.lit(length);
  const late = isLateOn(from === 'start' ? undefined : sql`${day}::date`);
  const part = (isLate: boolean) =>
    db
      .selectFrom(
        (from === (isLate ? 'late' : 'rest') ? listed.where('id', '<', id) : listed)
          .where(isLate ? late : sql<boolean>`(${late}) is not true`)
          .selectAll()
          .select(sql<boolean>`${sql.lit(isLate)}`.as('late'))
          .orderBy('id', 'desc')
          .limit(most)
          .as('part'),
      )
      .selectAll();
  // Each part reads the buyer's index until the page is full, so no more than two pages are ever sorted.
  const parts = from === 'rest' ? part(false) : part(true).unionAll(part(false));
  const page = db
    .selectFrom(parts.as('listed'))
    .selectAll()
    .orderBy('late', 'desc')
    .orderBy('id', 'desc')
    .limit(most);
  const total = listed.select(({ fn }) => fn.countAll<number>().as('count'));
  return withNames(db, page.as('p'), 'partly paid')
    .select(sql<boolean>`p.late`.as('late'))
    .select(acceptsTills(sql`p.merchant_id`).as('hasTill'))
    .select((from === 'start' ? sql<number | null>`(${total})` : sql<number | null>`null`).as('total'))
    .orderBy(sql`p.late`, 'desc')
    .orderBy('p.id', 'desc');
});

/** Whether a purchase is late on a day, as `standingOf` has it; today in Mexico City unless given. */
function isLateOn(day = TODAY_ONCE) {
  return sql<boolean>`next_due_on < ${day}`;
}

/** The filter of spec §4. A constraint keeps `paid_centavos` at what the instalments have. */
function ofBuyer(db: Db, buyerId: number, filter: ListFilter) {
  const own = db.selectFrom('purchases').where('buyer_id', '=', buyerId);
  switch (filter) {
    case LIST_FILTERS.all:
      return own;
    case LIST_FILTERS.active:
      return own.where('state', '=', 'active').whereRef('paid_centavos', '<', 'price_centavos');
    case LIST_FILTERS.paid_off:
      return own.where('state', '<>', 'cancelled').whereRef('paid_centavos', '=', 'price_centavos');
    case LIST_FILTERS.cancelled:
      return own.where('state', '=', 'cancelled');
  }
}
