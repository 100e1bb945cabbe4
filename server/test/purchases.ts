import { randomUUID } from 'node:crypto';

import { allocateOldestFirst } from '@aparta/domain/allocation';
import { centavos, zero } from '@aparta/domain/money';
import { sql } from 'kysely';

import { type Db, openDb, type Tx } from '../src/platform/db/db.ts';
import type { ReceiptChannel } from '../src/platform/db/tables.ts';
import { transaction } from '../src/platform/db/transaction.ts';
import { newReferenceIds } from '../src/purchases/references/reference-ids.ts';
import { lockUnit } from '../src/purchases/holds/find-unit.ts';
import { reserve } from '../src/purchases/layaways/reserve.ts';
import { lockReference } from '../src/purchases/layaways/store.ts';
import { openClaim } from '../src/purchases/claims/open-claim.ts';
import { receiveMoney } from '../src/purchases/plans/apply-payment.ts';
import { lockPurchase } from '../src/purchases/plans/store.ts';
import { makeReference } from './make.ts';

export interface MadePurchase {
  readonly id: number;
  /** By number. */
  readonly instalmentIds: readonly number[];
}

/** What brought the money of a made payment, as its provider would have left it: the proofs look for it. */
async function makeSource(
  tx: Tx,
  { channel, sourceId, purchaseId }: { channel: ReceiptChannel; sourceId: string; purchaseId: number },
): Promise<void> {
  if (channel === 'till') {
    await sql`insert into service_accounts (kind, user_name, secret_hash, chain)
      values ('till', 'caja de las pruebas', '', 'MADE') on conflict do nothing`.execute(tx);
    await sql`
      insert into till_operations (id, service_account_id, chain, branch, transaction_id, body_hash, operation, reference,
        amount_centavos, state, error, message)
      select r.source_id::uuid, t.id, 'MADE', '1', r.source_id, '', 'payment', ${String(purchaseId)}, r.amount_centavos,
        'authorised', 0, ''
      from receipts r, service_accounts t where r.channel = 'till' and r.source_id = ${sourceId} and t.chain = 'MADE'`.execute(
      tx,
    );
  }
  if (channel === 'cash')
    await sql`
      insert into cash_notices (provider, operation_id, body_hash, status, amount_centavos, currency, outcome)
      select 'tapi', source_id, '', 'confirmed', amount_centavos, 'MXN', 'applied'
      from receipts where channel = 'cash' and source_id = ${sourceId}`.execute(tx);
}

/** A reserved product: its deposit paid at a till. `db` may live in the past (`clockOffset`). */
export async function makePurchase(
  db: Db,
  given: { buyerId: number; merchantId: number; productId: number },
): Promise<MadePurchase> {
  const referenceId = await makeReference(db, given);
  const { purchaseId } = await transaction(db, async (tx) => {
    const reference = (await lockReference(tx, referenceId))!;
    const sourceId = randomUUID();
    const reserved = await reserve(tx, reference, {
      channel: 'till',
      sourceId,
      feeCentavos: zero,
      unit: (await lockUnit(tx, reference))!,
    });
    await makeSource(tx, { channel: 'till', sourceId, purchaseId: reserved.purchaseId });
    return reserved;
  });
  const instalments = await db
    .selectFrom('instalments')
    .select('id')
    .where('purchase_id', '=', purchaseId)
    .orderBy('number')
    .execute();
  return { id: purchaseId, instalmentIds: instalments.map(({ id }) => id) };
}

/**
 * Applies money to a purchase, oldest instalment first, without a till or a provider; returns its folio.
 */
export async function payPurchase(
  db: Db,
  purchaseId: number,
  amountCentavos: number,
  {
    channel = 'till',
    sourceId = randomUUID(),
    feeCentavos = 0,
  }: { channel?: ReceiptChannel; sourceId?: string; feeCentavos?: number } = {},
): Promise<string> {
  return transaction(db, async (tx) => {
    // What a notice brings meanwhile waits for the lock, as at a till.
    const { merchantId, buyerId, instalments } = (await lockPurchase(tx, purchaseId))!;
    const { parts } = allocateOldestFirst(instalments, centavos(amountCentavos));
    const { folio } = await receiveMoney(
      tx,
      { channel, sourceId, merchantId, buyerId },
      {
        purchaseId,
        parts: parts.map((part) => ({
          instalmentId: instalments.find(({ number }) => number === part.number)!.id,
          amountCentavos: part.amountCentavos,
        })),
        feeCentavos: centavos(feeCentavos),
      },
    );
    await makeSource(tx, { channel, sourceId, purchaseId });
    return folio;
  });
}

/**
 * Begins a card payment of a purchase's second instalment, without a provider, in a state; returns what decides it later. Of several
 * purchases another one is the first, and names the reference.
 */
export async function payByCard(
  db: Db,
  purchase: MadePurchase & { buyerId: number; merchantId: number; productId: number },
  state: 'pending_3ds' | 'unknown' | 'held',
  whose: 'buyer' | 'helper' | 'several' = 'buyer',
): Promise<(later: Db, to: 'not_charged' | 'abandoned') => Promise<void>> {
  const { buyerId, merchantId } = purchase;
  const first = whose === 'several' ? await makePurchase(db, purchase) : purchase;
  await sql`
    insert into provider_credentials (merchant_id, provider, public_key, secret_ciphertext, secret_key_id)
    values (${merchantId}, 'clip', 'test_x', '\\x00', 'k') on conflict do nothing`.execute(db);
  const { rows: links } = await sql<{ id: string }>`
    insert into help_links (purchase_id, buyer_id, merchant_id, message, expires_at)
    select ${purchase.id}, ${buyerId}, ${merchantId}, '', app_now() + interval '30 days' where ${whose === 'helper'} returning id`.execute(
    db,
  );
  const linkId = links[0]?.id ?? null;
  const id = randomUUID();
  await transaction(db, async (tx) => {
    await sql`
      insert into card_attempts (id, buyer_id, merchant_id, credential_id, reference_id, intent_id, intent_hash, state, principal_centavos,
        fee_centavos, of_several, help_link_id, payer_name, payer_email)
      select ${id}, ${buyerId}, ${merchantId}, id, ${first.instalmentIds[1]}, ${randomUUID()}, '\\x00', 'submitting', 120000,
        0, ${whose === 'several'}, ${linkId}, ${linkId && 'Rosa'}, ${linkId && 'rosa@example.mx'}
      from provider_credentials where merchant_id = ${merchantId} limit 1`.execute(tx);
    for (const each of whose === 'several' ? [first, purchase] : [])
      await sql`
        insert into card_attempt_parts (attempt_id, purchase_id, instalment_id, amount_centavos)
        values (${id}, ${each.id}, ${each.instalmentIds[1]}, 60000)`.execute(tx);
  });
  const move = async (at: Db, to: string) => {
    await sql`
      with was as (select state from card_attempts where id = ${id}),
        moved as (update card_attempts set state = ${to}, state_since = app_now() where id = ${id})
      insert into state_history (subject_kind, subject_id, from_state, to_state)
      select 'card_attempt', ${id}, state, ${to} from was`.execute(at);
  };
  await move(db, state);
  return move;
}

/** A purchase of $3,000 that was paid whole so many days ago. */
export async function makeSettled(
  { ownerUrl }: { readonly ownerUrl: string },
  given: { buyerId: number; merchantId: number; productId: number },
  daysAgo = 16,
): Promise<MadePurchase> {
  const past = openDb({ url: ownerUrl, role: 'none', max: 1, clockOffset: `-${daysAgo} days` });
  try {
    const made = await makePurchase(past, given);
    await payPurchase(past, made.id, 240_000);
    return made;
  } finally {
    await past.destroy();
  }
}

/** One of those, claimed by its buyer. */
export async function makeClaimed(
  server: { readonly db: Db; readonly ownerUrl: string },
  given: { buyerId: number; merchantId: number; productId: number },
): Promise<MadePurchase & { readonly claimFolio: string }> {
  const made = await makeSettled(server, given);
  const { folio } = await openClaim(server, given.buyerId, made.id, 'Dicen que no ha llegado');
  return { ...made, claimFolio: folio };
}

/**
 * Many purchases at once, for the buyers in turn, each of `instalments` of 100.00 with its deposit paid at a till. They are
 * inserted into the tables without ledger events, so the books do not prove: tests that prove them make purchases one by one.
 */
export async function makeManyPurchases(
  db: Db,
  given: {
    buyerIds: readonly number[];
    merchantId: number;
    productId: number;
    purchases: number;
    instalments: number;
  },
): Promise<void> {
  const { merchantId, productId, purchases, instalments } = given;
  await transaction(db, async (tx) => {
    const layaways = await newReferenceIds(tx, purchases);
    const plans = await newReferenceIds(tx, purchases * instalments);
    await sql`
      insert into payment_references (id, kind, prefix)
      select id, 'layaway', '1' from unnest(${layaways}::bigint[]) as id`.execute(tx);
    await sql`
      insert into layaway_references (id, buyer_id, merchant_id, product_id, state,
        price_centavos, deposit_centavos, deposit_basis_points, frequency_days, plan_duration_days,
        service_fee_centavos, service_fee_methods, penalty_centavos, expires_at, closed_at)
      select id, (${[...given.buyerIds]}::bigint[])[1 + (place - 1) % ${given.buyerIds.length}],
        ${merchantId}, ${productId}, 'paid', ${instalments * 10_000}, 10000, 2000, 30, 60,
        1500, array['card'], 0, app_now() + interval '2 days', app_now()
      from unnest(${layaways}::bigint[]) with ordinality as made (id, place)`.execute(tx);
    const { rows } = await sql<{ id: number }>`
      insert into purchases (buyer_id, merchant_id, product_id, layaway_reference_id,
        product_name, product_description, price_centavos, deposit_centavos, paid_centavos,
        service_fee_centavos, service_fee_methods, penalty_centavos, penalty_free_until)
      select buyer_id, merchant_id, product_id, l.id, 'Sala Nórdica', '',
        price_centavos, deposit_centavos, deposit_centavos,
        1500, array['card'], 0, app_now() + interval '5 days'
      from unnest(${layaways}::bigint[]) with ordinality as made (id, place)
        join layaway_references l on l.id = made.id
      order by place
      returning id`.execute(tx);
    const ids = rows.map(({ id }) => id);
    await sql`
      insert into payment_references (id, kind, prefix)
      select id, 'instalment', (1 + (place - 1) % ${instalments})::text
      from unnest(${plans}::bigint[]) with ordinality as made (id, place)`.execute(tx);
    await sql`
      insert into instalments (id, purchase_id, number, due_on, amount_centavos, paid_centavos)
      select id, (${ids}::bigint[])[1 + (place - 1) / ${instalments}], number,
        current_date + 30 * (number - 1), 10000, case when number = 1 then 10000 else 0 end
      from unnest(${plans}::bigint[]) with ordinality as made (id, place),
        lateral (select (1 + (place - 1) % ${instalments})::int as number) as its`.execute(tx);
    await sql`
      with money as (
        insert into receipts (channel, source_id, merchant_id, buyer_id, amount_centavos, folio)
        select 'till', gen_random_uuid(), merchant_id, buyer_id, 10000, 'MADE-' || id
        from purchases where id = any (${ids})
        returning id, folio)
      insert into allocations (receipt_id, target, instalment_id, amount_centavos)
      select money.id, 'instalment', i.id, 10000
      from money join instalments i on 'MADE-' || i.purchase_id = money.folio and i.number = 1`.execute(tx);
  });
}
