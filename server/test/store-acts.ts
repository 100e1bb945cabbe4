import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { CompiledQuery, type RawBuilder, sql } from 'kysely';
import { proveBooks } from '../src/ledger/books/proofs.read-model.ts';
import type { Answer } from './app.ts';
import { type MadeBuyer, makeBuyer, makeServiceAccount } from './make.ts';
import { makePurchase } from './purchases.ts';
import type { Shop } from './shop.ts';

/** A purchase of 3,000.00 whose deposit of 600.00 is paid, with two instalments of 1,200.00 to come. */
export interface Bought {
  readonly id: number;
  readonly buyer: MadeBuyer;
  readonly instalmentIds: readonly number[];
  /** As printed, by number: `[undefined, first, second, third]`. */
  readonly numbers: readonly (string | undefined)[];
}

/** Buys as a new buyer, so that a test's purchases do not affect each other. */
export async function buy(
  shop: Shop,
  given: { productId?: number; buyer?: MadeBuyer } = {},
): Promise<Bought> {
  const buyer = given.buyer ?? (await makeBuyer(shop.db));
  const { id, instalmentIds } = await makePurchase(shop.db, {
    buyerId: buyer.id,
    merchantId: shop.merchantId,
    productId: given.productId ?? shop.productId,
  });
  return {
    id,
    buyer,
    instalmentIds,
    numbers: [undefined, ...instalmentIds.map((instalment, at) => `${at + 1}${instalment}`)],
  };
}

export interface Standing {
  readonly state: string;
  /** Centavos paid, of the purchase and of each instalment. */
  readonly paid: number;
  readonly parts: number[];
}

export async function standing(shop: Shop, purchaseId: number): Promise<Standing> {
  const { state, paid_centavos: paid } = await shop.db
    .selectFrom('purchases')
    .select(['state', 'paid_centavos'])
    .where('id', '=', purchaseId)
    .executeTakeFirstOrThrow();
  const instalments = await shop.db
    .selectFrom('instalments')
    .select('paid_centavos')
    .where('purchase_id', '=', purchaseId)
    .orderBy('number')
    .execute();
  return { state, paid, parts: instalments.map((each) => each.paid_centavos) };
}

export type Ticket = Partial<
  Record<'referencia' | 'importe' | 'compañia' | 'sucursal' | 'idtransaccion', string | number>
>;

/** A till of a chain, with its four calls. A ticket needs a reference and an amount; the rest has defaults. */
export interface Till {
  readonly id: string;
  readonly token: string;
  call(path: string, ticket: object, token?: string): Promise<Answer>;
  pay(ticket: Ticket, token?: string): Promise<Answer>;
  deposit(ticket: Ticket): Promise<Answer>;
  query(ticket: Ticket): Promise<Answer>;
  reverse(ticket: Ticket): Promise<Answer>;
}

export async function openTill(shop: Shop, chain = 'ELEKTRA', merchantIds?: number[]): Promise<Till> {
  const { id, token } = await makeServiceAccount(shop.db, {
    kind: 'till',
    chain,
    ...(merchantIds && { merchantIds }),
  });
  const call = (path: string, ticket: object, as = token) =>
    shop.ask(`POST /PosOperations/${path}`, {
      token: as,
      body: { compañia: chain, sucursal: '7', idtransaccion: randomUUID(), ...ticket },
    });
  return {
    id,
    token,
    call,
    pay: (ticket, as) => call('payment', ticket, as),
    deposit: (ticket) => call('OnLayaway', ticket),
    query: (ticket) => call('query', ticket),
    reverse: (ticket) => call('reverse', ticket),
  };
}

/** Throws unless the books prove: for the end of each test that shares a shop. */
export async function mustBalance(shop: Shop): Promise<void> {
  const broken = await proveBooks(shop.db);
  if (broken.length > 0) throw new Error(`the books do not hold: ${JSON.stringify(broken)}`);
}

/** Runs a statement as the database's owner, which may change what the application may not. What it begins, it has to end. */
export async function asOwner(shop: Shop, statement: string, values: unknown[] = []): Promise<any[]> {
  return (await shop.db.executeQuery<any>(CompiledQuery.raw(statement, values))).rows;
}

/** A statement that may say of a purchase what its plan does not, which the commit refuses; its shop's sums are left as they are. */
export const besideItsPlan = (statement: string): string => `
  alter table purchases disable trigger purchases_still_add_up; ${statement};
  alter table purchases enable trigger purchases_still_add_up`;

/** Makes a purchase late, with both warnings sent, so that its rule may end it in so many days; returns what undoes that. */
export async function letEndIn(shop: Shop, purchaseId: number, days: number): Promise<() => Promise<void>> {
  await asOwner(
    shop,
    besideItsPlan(
      `update purchases set end_days_late = 30, next_due_on = (now() at time zone 'America/Mexico_City')::date - 30 + ${days}
       where id = ${purchaseId}`,
    ),
  );
  await sql`
    with warned as (
      insert into end_warnings (purchase_id, due_on, step, ends_on)
      select id, next_due_on, step, next_due_on + 30 from purchases, unnest(array['first', 'last']) step where id = ${purchaseId}
      returning id, step)
    insert into outbox (topic, dedupe_key, recipient, facts, state, sent_at)
    select 'end_warned', 'end_warning:' || id, 'a@example.mx', '{}', 'sent',
      now() + (${days}::int - case step when 'first' then 14 else 3 end) * interval '1 day' from warned`.execute(
    shop.db,
  );
  return async () => {
    await asOwner(
      shop,
      besideItsPlan(
        `update purchases p set end_days_late = null, next_due_on = (select min(due_on) from instalments
         where purchase_id = p.id and paid_centavos < amount_centavos) where id = ${purchaseId}`,
      ),
    );
  };
}

/** Listens on a socket, so that the stores' notices reach the shop. */
export async function hearStores(shop: Shop): Promise<void> {
  await shop.app.listen({ host: '127.0.0.1', port: 0 });
  const address = shop.app.server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  await shop.control('POST /control/product', { origin: `http://127.0.0.1:${address.port}` });
}

/** The buyer asks for the number that stores take cash for. */
export async function storeNumber(shop: Shop, bought: Bought, number = 2, monto?: number): Promise<Answer> {
  return shop.ask('POST /v1/Tapi/GenerateReference', {
    token: bought.buyer.token,
    body: { generationData: [{ identifierValue: bought.numbers[number], ...(monto && { monto }) }] },
  });
}

/**
 * Makes two calls meet, round after round: in the first two rounds one after the other, in both orders, so that each outcome
 * occurs on any computer; then at once, taking turns to be first. The answers are in the order of the calls.
 */
export async function meet<A, B>(
  round: number,
  first: () => Promise<A>,
  second: () => Promise<B>,
): Promise<[A, B]> {
  const isTurned = round % 2 === 1;
  if (round < 2) {
    if (!isTurned) return [await first(), await second()];
    const late = await second();
    return [await first(), late];
  }
  if (!isTurned) return Promise.all([first(), second()]);
  const [late, early] = await Promise.all([second(), first()]);
  return [early, late];
}

/**
 * Waits until what was booked can be read as final: a reader of the books stops at the oldest transaction of the whole
 * PostgreSQL, which may be another test's.
 */
export async function booksAreFinal({ db }: Shop): Promise<void> {
  const number = async (query: RawBuilder<{ at: string }>) => BigInt((await query.execute(db)).rows[0]!.at);
  const now = await number(sql`select pg_current_xact_id()::text as at`);
  const until = performance.now() + 20_000;
  while ((await number(sql`select pg_snapshot_xmin(pg_current_snapshot())::text as at`)) <= now) {
    if (performance.now() > until) throw new Error('a transaction of this PostgreSQL does not end');
    await delay(20);
  }
}
