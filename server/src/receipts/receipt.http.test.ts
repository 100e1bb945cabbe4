import { inflateSync } from 'node:zlib';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { makeBuyer } from '../../test/make.ts';
import { CARDS, openShop, type Shop } from '../../test/shop.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.close());

/** The text of a PDF made of standard fonts: its compressed streams, and the strings shown in them. */
function textOf(pdf: Buffer): string {
  const raw = pdf.toString('latin1');
  const shown: string[] = [];
  for (const match of raw.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)) {
    let content: string;
    try {
      content = inflateSync(Buffer.from(match[1]!, 'latin1')).toString('latin1');
    } catch {
      continue;
    }
    for (const line of content.matchAll(/\[(.*?)\]\s*TJ/g)) {
      shown.push(
        [...line[1]!.matchAll(/<([0-9a-f]+)>/g)]
          .map((hex) => Buffer.from(hex[1]!, 'hex').toString('latin1'))
          .join(''),
      );
    }
  }
  return shown.join('\n');
}

describe('a receipt', () => {
  test('names merchant, method, instalment n of m and what is left, on screen and as a PDF', async () => {
    await shop.db
      .updateTable('merchants')
      .set({ address: 'Av. Juárez 123, Puebla', phone: '222 123 4567' })
      .where('id', '=', shop.merchantId)
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
      merchant: { address: 'Av. Juárez 123, Puebla', phone: '222 123 4567' },
    });

    const pdf = await shop.ask(`GET /v1/Receipts/PdfAsync/${folio}`, { token: shop.buyer.token });
    const bytes = Buffer.from(pdf.body.data.contentByteArray, 'base64');
    const text = textOf(bytes);
    for (const words of [
      folio,
      'Av. Juárez 123, Puebla',
      '222 123 4567',
      'Pago 1 de 3',
      '$615.00 MXN',
      '$2,400.00 MXN',
      'terminada en 7669',
    ]) {
      expect(text).toContain(words);
    }
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
