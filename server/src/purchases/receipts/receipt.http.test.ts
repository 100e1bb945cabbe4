import { formatDate, mexicoCityDate } from '@aparta/domain/calendar';
import { groupDigits } from '@aparta/domain/payment-reference';
import { randomUUID } from 'node:crypto';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { inGroups } from '@aparta/domain/in-groups';
import { makeBuyer } from '../../../test/make.ts';
import { textOfPdf } from '../../../test/pdf-text.ts';
import { CARDS, openShop, type Shop } from '../../../test/shop.ts';
import { type Bought, buy, openTill } from '../../../test/store-acts.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.close());

describe('a receipt', () => {
  test('names merchant, method, instalment n of m and what is left, on screen and as a PDF', async () => {
    await shop.db
      .updateTable('merchants')
      .set({ address: 'Av. Juárez 123, Puebla', phone: '222 123 4567' })
      .where('id', '=', shop.merchantId)
      .execute();
    // A name in any script is printed; a character that turns the line round is not.
    await shop.db
      .updateTable('buyers')
      .set({ name: '<img src=x onerror=alert(1)> \u202Eana' })
      .where('id', '=', shop.buyer.id)
      .execute();
    const { body } = await shop.pay(await shop.reference(), CARDS.approved);
    const { folio } = body.data;
    const receipt = await shop.ask(`GET /v1/Receipts/GetAsync/${folio}`, { token: shop.buyer.token });
    expect(receipt.body.data).toMatchObject({
      amount: 615,
      fee: 15,
      method: 'card',
      last4: '7669',
      parts: [{ number: 1, of: 3, amount: 600 }],
      balance: 2400,
      merchant: { id: shop.merchantId, address: 'Av. Juárez 123, Puebla', phone: '222 123 4567' },
    });

    const pdf = await shop.ask(`GET /v1/Receipts/PdfAsync/${folio}`, { token: shop.buyer.token });
    const bytes = Buffer.from(pdf.body.data.contentByteArray, 'base64');
    const text = textOfPdf(bytes);
    // A program that reads aloud finds its title, its rows, its language, and nothing of the drawing.
    expect(bytes.toString('latin1')).toMatch(
      /\/Marked true[^]*\/Lang \(es-MX\)|\/Lang \(es-MX\)[^]*\/Marked true/,
    );
    expect(bytes.toString('latin1').match(/\/S \/(H1|TR)\b/g)?.length).toBeGreaterThan(9);
    for (const words of [
      inGroups(folio),
      'PAGADO',
      'Pagados 1 de 3',
      'Guárdalo: con su folio',
      'Av. Juárez 123, Puebla',
      '222 123 4567',
      '<img src=x onerror=alert(1)> ana',
      'Pago 1 de 3',
      '$615.00 MXN',
      '$2,400.00 MXN',
      'terminada en 7669',
    ]) {
      expect(text).toContain(words);
    }
  });

  const read = async (folio: string, token: string) => {
    const screen = await shop.ask(`GET /v1/Receipts/GetAsync/${folio}`, { token });
    const pdf = await shop.ask(`GET /v1/Receipts/PdfAsync/${folio}`, { token });
    const bytes = Buffer.from(pdf.body.data.contentByteArray, 'base64');
    return { data: screen.body.data, text: textOfPdf(bytes), bytes };
  };
  const pay = async (bought: Bought, importe: number) => {
    const till = await openTill(shop);
    const ticket = { referencia: bought.numbers[2]!, importe, idtransaccion: randomUUID() };
    const { body } = await till.pay(ticket);
    expect(body.error).toBe(0);
    return { till, idtransaccion: ticket.idtransaccion, folio: body.autorizacion as string };
  };

  test('of money that fills several instalments names each of them, and what is left after it', async () => {
    const bought = await buy(shop);
    const first = await pay(bought, 1_300);
    const { text } = await read(first.folio, bought.buyer.token);
    expect(text).toMatch(new RegExp(`Tu número para pagar en caja\\s${groupDigits(bought.numbers[3]!)}`));
    const last = await pay(bought, 1_100);
    const one = await read(first.folio, bought.buyer.token);
    expect(one.data).toMatchObject({
      parts: [
        { number: 2, of: 3, amount: 1_200 },
        { number: 3, of: 3, amount: 100 },
      ],
      balance: 1_100,
    });
    for (const words of ['Pago 2 de 3', 'Pago 3 de 3', '$1,100.00 MXN', 'Caja del comercio'])
      expect(one.text).toContain(words);
    const paidOff = await read(last.folio, bought.buyer.token);
    expect(paidOff.data).toMatchObject({ balance: 0, nextDueOn: null });
    expect(paidOff.text).toContain('Liquidada');
    expect(paidOff.text).not.toContain('para pagar en caja');
  });

  test('of a purchase that was paid off since says what was left after it, and asks for none of it', async () => {
    const bought = await buy(shop);
    const first = await pay(bought, 500);
    const { text: then } = await read(first.folio, bought.buyer.token);
    expect(then).toMatch(/Quedó por pagar tras este pago\s\$1,900\.00 MXN/);
    expect(then).toContain('Próximo pago a más tardar el');
    await pay(bought, 1_900);
    const { text } = await read(first.folio, bought.buyer.token);
    expect(text).toMatch(/Quedó por pagar tras este pago\s\$1,900\.00 MXN/);
    expect(text).toContain(`Pagados 3 de 3 al ${formatDate(mexicoCityDate(new Date()))}`);
    expect(text).not.toMatch(/Te falta|Próximo pago/);
  });

  test('of money that was taken back, or goes back, says how much of it', async () => {
    const bought = await buy(shop);
    const { till, idtransaccion, folio } = await pay(bought, 700);
    expect((await till.reverse({ idtransaccion })).body.error).toBe(0);
    const reversed = await read(folio, bought.buyer.token);
    expect(reversed.data).toMatchObject({ amount: 700, refunded: 700, balance: 2_400 });
    expect(reversed.text).toContain('Devolución');
    const kept = await pay(bought, 300);
    expect((await read(kept.folio, bought.buyer.token)).data.refunded).toBe(0);
    await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${bought.id}`, {
      token: bought.buyer.token,
      body: {},
    });
    expect((await read(kept.folio, bought.buyer.token)).data).toMatchObject({
      refunded: 300,
      nextDueOn: null,
    });
  });

  test('of a long plan goes on over the page, line after line', async () => {
    await shop.db
      .updateTable('merchants')
      .set({ frequency_days: 1, plan_duration_days: 60 })
      .where('id', '=', shop.merchantId)
      .execute();
    const bought = await buy(shop);
    const { folio } = await pay(bought, 2_400);
    const { text, bytes } = await read(folio, bought.buyer.token);
    const shown = text.split('\n');
    const places = Array.from({ length: 60 }, (_, n) => shown.indexOf(`Pago ${n + 2} de 61`));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(bytes.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(3);
  });

  test('of a purchase that was cancelled says so, and asks for nothing', async () => {
    const { body } = await shop.pay(await shop.reference(), CARDS.approved);
    const { folio, ventaId } = body.data;
    await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${ventaId}`, {
      token: shop.buyer.token,
      body: {},
    });
    const receipt = await shop.ask(`GET /v1/Receipts/GetAsync/${folio}`, { token: shop.buyer.token });
    expect(receipt.body.data).toMatchObject({ cancelled: true, nextDueOn: null, refunded: 615 });
    const pdf = await shop.ask(`GET /v1/Receipts/PdfAsync/${folio}`, { token: shop.buyer.token });
    const text = textOfPdf(Buffer.from(pdf.body.data.contentByteArray, 'base64'));
    expect(text).toContain('Compra cancelada');
    expect(text).not.toContain('$2,400.00');
  });

  test('is its buyer’s alone', async () => {
    const { body } = await shop.pay(await shop.reference(), CARDS.approved);
    const other = await makeBuyer(shop.db);
    for (const path of ['GetAsync', 'PdfAsync']) {
      expect(
        (await shop.ask(`GET /v1/Receipts/${path}/${body.data.folio}`, { token: other.token })).status,
      ).toBe(404);
    }
  });
});
