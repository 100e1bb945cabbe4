import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { answer3ds } from '../../../test/card-acts.ts';
import { makeBranch, makeMerchant, makeStaff } from '../../../test/make.ts';
import { textOfPdf } from '../../../test/pdf-text.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';
import { EVIDENCE_COPY as copy } from './copy.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

test('the evidence of a purchase says what was agreed with its texts, each payment as its bank saw it, and who took the goods', async () => {
  const { db, merchantId, buyer } = shop;
  const branchId = await makeBranch(db, merchantId, 'Centro');
  const { token: owner } = await makeStaff(db, { merchantId, role: 'owner', name: 'Rosa Méndez' });
  await sql`with text as (insert into legal_texts (kind, version, body, sha256)
      values ('terms', '2026-11', 'Los términos', sha256('Los términos'::bytea)) returning id)
    insert into consents (buyer_id, legal_text_id) select ${buyer.id}, id from text`.execute(db);
  const intentId = randomUUID();
  const reference = await shop.reference();
  await shop.pay(reference, CARDS.threeDs, { intentId });
  await answer3ds(shop, intentId, 'approve');
  await shop.ask(`GET /v1/Clib/GetAttemptAsync/${intentId}`, { token: buyer.token });
  const { id } = await db.selectFrom('purchases').select('id').executeTakeFirstOrThrow();
  const save = async (token: string) =>
    (await shop.ask(`POST /v1/counter/purchases/${id}/evidence`, { token })).body;
  const read = async () => {
    const { fileName, contentByteArray } = (await save(owner)).data;
    expect(fileName).toBe(`constancia-${id}.pdf`);
    return textOfPdf(Buffer.from(contentByteArray, 'base64'));
  };
  await db
    .insertInto('claims')
    .values({
      purchase_id: id,
      buyer_id: buyer.id,
      merchant_id: merchantId,
      folio: 'K7Q2M9XW4T',
      notes: 'No ha llegado',
      due_at: new Date(Date.now() + 86_400_000),
    })
    .execute();
  // One that its buyer took back, and claimed again.
  await sql`update claims set state = 'withdrawn', ended_at = app_now() where purchase_id = ${id}`.execute(
    db,
  );
  await db
    .insertInto('claims')
    .values({
      purchase_id: id,
      buyer_id: buyer.id,
      merchant_id: merchantId,
      folio: 'M4P8R2XZ7Q',
      notes: 'Sigue sin llegar',
      due_at: new Date(Date.now() + 86_400_000),
    })
    .execute();
  const claimed = await read();
  for (const words of [
    copy.deliveryIn(15),
    copy.claim('K7Q2 M9XW 4T'),
    'No ha llegado',
    copy.claimStates.withdrawn,
    copy.claim('M4P8 R2XZ 7Q'),
    'Sigue sin llegar',
    copy.claimStates.open,
  ])
    expect(claimed).toContain(words);

  const { paymentReference } = reference;
  const later = await db
    .selectFrom('payment_references')
    .select('reference')
    .where('kind', '=', 'instalment')
    .where('prefix', '<>', '1')
    .execute();
  const folios: string[] = [];
  for (const { reference: number } of later) {
    const body = {
      id: randomUUID(),
      branchId,
      reference: number,
      amount: 1200,
      method: 'cash',
      tendered: 1200,
    };
    folios.push((await shop.ask('POST /v1/counter/payments', { token: owner, body })).body.data.folio);
  }
  const collector = 'Luz Reyes Soto';
  await shop.ask(`PUT /v1/Sales/PickupCollectorAsync/${id}`, { token: buyer.token, body: { collector } });
  const { code } = (await shop.ask(`GET /v1/Sales/PickupAsync/${id}`, { token: buyer.token })).body.data;
  const handed = await shop.ask('POST /v1/counter/hand-overs', {
    token: owner,
    body: {
      id: randomUUID(),
      branchId,
      purchaseId: id,
      digits: code.digits,
      signature: [
        [0, 0, 500, 400],
        [10, 900, 800, 20],
      ],
    },
  });
  expect(handed.status).toBe(200);

  const text = (await read()).replaceAll(/\s+/g, ' ');
  const [attempt] = await db.selectFrom('card_attempts').selectAll().execute();
  const consents = await db
    .selectFrom('consents as c')
    .innerJoin('legal_texts as t', 't.id', 'c.legal_text_id')
    .where('c.buyer_id', '=', buyer.id)
    .select(['t.version', 't.sha256'])
    .execute();
  expect(consents).not.toEqual([]);
  const flat = text.replaceAll(' ', '');
  for (const said of [
    paymentReference,
    '$3,000.00',
    '$600.00',
    attempt?.provider_payment_id ?? 'no payment',
    'respuesta AP-PAI01',
    '3DS: pedido',
    'atendió Rosa Méndez, Centro',
    ...folios,
    collector,
    'Rosa Méndez',
    copy.signature,
    'Apartado pagado',
    ...consents.flatMap(({ version, sha256 }) => [`versión ${version}`, sha256.toString('hex').slice(0, 24)]),
  ])
    expect(flat).toContain(said.replaceAll(' ', ''));

  expect(
    (await save((await makeStaff(db, { merchantId: await makeMerchant(db), role: 'owner' })).token)).code,
  ).toBe('NOT_FOUND');
  const acts = await db
    .selectFrom('staff_acts')
    .select('subject_id')
    .where('act', '=', 'save_evidence')
    .execute();
  expect(acts.map(({ subject_id: subject }) => subject)).toEqual([String(id), String(id)]);
});
