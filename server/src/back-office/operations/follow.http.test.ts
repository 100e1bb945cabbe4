import { randomUUID } from 'node:crypto';

import { mexicoCityDate } from '@aparta/domain/calendar';
import { centavos } from '@aparta/domain/money';
import { groupDigits } from '@aparta/domain/payment-reference';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { chargeElsewhere, runRefunds } from '../../../test/card-acts.ts';
import { makeBuyer } from '../../../test/make.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';
import { openTill, storeNumber } from '../../../test/store-acts.ts';
import { raiseAlert } from '../../platform/alerts.ts';
import { createLog } from '../../platform/logging.ts';
import { findPayments } from './find-payment.ts';
import { readStory, type Happening } from './payment-history.read-model.ts';
import type { Match } from './payment-search.read-model.ts';
import { listWaiting } from './waiting.read-model.ts';

const log = createLog('silent');

let shop: Shop;
/** A purchase with a card payment, a till payment and a store reference, and then cancelled. */
let life: { purchaseId: number; email: string; clues: Record<string, string> };
beforeAll(async () => {
  shop = await openShop();
  const buyer = await makeBuyer(shop.db);
  await shop.db.updateTable('buyers').set({ phone: '222 555 0876' }).where('id', '=', buyer.id).execute();
  const as = { token: buyer.token };
  const intentId = randomUUID();
  const reference = await shop.reference(as);
  const paid = await shop.pay(reference, CARDS.approved, { ...as, intentId });
  const purchaseId: number = paid.body.data.ventaId;
  const attempt = await shop.attempt(intentId);
  const plan = await shop.ask(`GET /v1/Cxc/ByBusinesidVentaidDateD/${purchaseId}`, as);
  const [, second, third] = plan.body.data;
  const till = await openTill(shop);
  const transaction = `T-${randomUUID()}`;
  const charged = await till.pay({
    referencia: groupDigits(second.paymentReference), // as it is printed
    importe: 1_200,
    idtransaccion: transaction,
  });
  const bought = {
    id: purchaseId,
    buyer,
    instalmentIds: [],
    numbers: [undefined, undefined, undefined, third.paymentReference],
  };
  const cash = await storeNumber(shop, bought, 3);
  const quote = await shop.ask(`GET /v1/Sales/CancelQuoteAsync/${purchaseId}`, as);
  await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${purchaseId}`, {
    ...as,
    body: { saleStatusId: 2, cancelNotes: 'Ya no', refundShown: quote.body.data.refund },
  });
  await runRefunds(shop);
  const receipt = await shop.db
    .selectFrom('receipts')
    .select('folio')
    .where('source_id', '=', attempt.id)
    .executeTakeFirstOrThrow();
  life = {
    purchaseId,
    email: buyer.email,
    clues: {
      'the printed reference of the layaway': reference.paymentReference,
      'the printed reference of an instalment, as it is grouped': second.paymentReference.replace(
        /.{4}/g,
        '$& ',
      ),
      'the folio, in small letters': receipt.folio.toLowerCase(),
      'the provider’s payment': attempt.provider_payment_id,
      'our attempt': attempt.id,
      'the till’s own number': transaction,
      'the till’s authorisation': charged.body.autorizacion,
      'the number that stores take': cash.body.data.references[0].value,
      'the purchase’s number': String(purchaseId),
      'the email address, as it was typed': ` ${buyer.email.toUpperCase()} `,
      'the telephone, as it is said on one': '+52 (222) 555-0876',
    },
  };
});
afterAll(() => shop.close());

const follow = async (text: string) => findPayments(shop.db, { by: 'text', text });

describe('a payment is found', () => {
  test('by anything that somebody may have in their hand', async () => {
    for (const [what, clue] of Object.entries(life.clues)) {
      const found = await follow(clue);
      expect(
        found.map(({ purchaseId }) => purchaseId),
        what,
      ).toEqual([life.purchaseId]);
    }
  });

  test('by its sum and its day in Mexico City', async () => {
    const on = mexicoCityDate(new Date());
    const byCard = await findPayments(shop.db, { by: 'amount', amountCentavos: centavos(61_500), on });
    expect(byCard.map(({ purchaseId }) => purchaseId)).toContain(life.purchaseId);
    const none = await findPayments(shop.db, { by: 'amount', amountCentavos: centavos(61_499), on });
    expect(none).toEqual([]);
  });

  test('never by what only looks like a clue', async () => {
    for (const text of [
      '',
      ' ',
      '11',
      "' or 1=1 --",
      '%',
      '0',
      'x'.repeat(500),
      '\u0000'.replace('\u0000', '?'),
    ])
      expect(await follow(text), text).toEqual([]);
  });
});

describe('its story', () => {
  let story: Happening[];
  beforeAll(async () => {
    const [match] = await follow(String(life.purchaseId));
    story = await readStory(shop.db, match as Match);
  });
  const kinds = () =>
    story.map(({ kind, facts }) => `${kind} ${facts['kind'] ?? facts['topic'] ?? facts['to'] ?? ''}`.trim());

  test('has every chapter, in order', () => {
    const received = kinds();
    for (const chapter of [
      'reference_made',
      'attempt_made',
      'state_moved applied',
      'reference_closed',
      'purchase_made',
      'receipt_made',
      'booked card_receipt',
      'till_called',
      'booked till_receipt',
      'cash_reference_made',
      'purchase_cancelled',
      'booked cancel',
      'refund_owed',
      'booked card_refund',
      'refund_done',
      'email layaway_paid',
      'email instalment_paid',
      'email purchase_cancelled',
      'email refund_done',
    ])
      expect(received, chapter).toContain(chapter);
    const moments = story.map(({ at }) => at.getTime());
    expect(moments).toEqual(moments.toSorted((a, b) => a - b));
  });

  test('adds up to the books', () => {
    const sum = (kind: string) =>
      story.reduce((total, { kind: is, facts }) => total + (is === kind ? Number(facts['amount']) : 0), 0);
    expect(sum('receipt_made')).toBe(61_500 + 120_000);
    expect(sum('refund_owed')).toBe(61_500 + 120_000);
  });

  test('tells nothing that could be used against the buyer', () => {
    const text = JSON.stringify(story);
    for (const secret of ['nonce', 'token', 'hash', 'secret']) expect(text).not.toContain(secret);
  });
});

describe('what waits for a person', () => {
  test('is listed with what it is about, and no longer once it is dealt with', async () => {
    await chargeElsewhere(shop, randomUUID(), CARDS.approved);
    await shop.job.sweep_card_payments({}, log);
    const held = randomUUID();
    const { token } = await makeBuyer(shop.db);
    await shop.pay(await shop.reference({ token }), CARDS.oddDetail, { token, intentId: held });
    const { id: heldId } = await shop.attempt(held);
    await raiseAlert(shop.db, 'merchant_not_swept', '7', {});

    const waiting = await listWaiting(shop.db);
    expect(waiting.map(({ kind }) => kind).toSorted()).toEqual([
      'alert', // the merchant's; those of held money are told by it
      'held',
      'held_unknown',
      'refund_in_cash', // of the till payment of the cancelled purchase
    ]);
    expect(waiting.find(({ kind }) => kind === 'held')).toMatchObject({
      id: heldId,
      amountCentavos: 61_500,
      merchant: 'Muebles del Centro',
    });

    const [unknown] = await follow(waiting.find(({ kind }) => kind === 'held_unknown')?.id ?? '');
    expect(unknown).toMatchObject({ purchaseId: null, referenceId: null, merchant: 'Muebles del Centro' });
    const story = await readStory(shop.db, unknown as Match);
    expect(story.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['attempt_made', 'receipt_made', 'booked']),
    );
    await sql`update alerts set resolved_at = app_now()`.execute(shop.db);
    expect((await listWaiting(shop.db)).map(({ kind }) => kind)).not.toContain('alert');
  });
});
