import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  buildLayawayReference,
  layawayLink,
  parseLayawayReference,
  type LayawayReference,
} from './layaway-reference.ts';
import { centavos } from './money.ts';

const QR = '1|1|7|0|3000.00|3|600.00|0';
const VALUE: LayawayReference = {
  businessId: 1,
  productId: 7,
  buyerId: 0,
  printedPriceCentavos: centavos(300_000),
  printedPayments: 3,
  printedDepositCentavos: centavos(60_000),
};

const ids = fc.integer({ min: 1, max: 999_999_999_999_999 });
const prints = fc.option(fc.integer({ min: 0, max: 99_999_999_999 }).map(centavos), { nil: undefined });
const references: fc.Arbitrary<LayawayReference> = fc.record({
  businessId: ids,
  productId: ids,
  buyerId: fc.oneof(fc.constant(0), ids),
  printedPriceCentavos: prints,
  printedPayments: fc.option(fc.integer({ min: 1, max: 120 }), { nil: undefined }),
  printedDepositCentavos: prints,
});

describe('a layaway reference', () => {
  it('says which product of which merchant, and what was printed with it', () => {
    expect(parseLayawayReference(QR)).toEqual({ ok: true, value: VALUE });
    expect(buildLayawayReference(VALUE)).toBe(QR);
  });

  it('is read back from itself and from its link, encoded or not', () => {
    fc.assert(
      fc.property(references, (value) => {
        const text = buildLayawayReference(value);
        const link = layawayLink('https://aparta.example', text);
        for (const pasted of [text, ` ${text}\n`, encodeURIComponent(text), link, encodeURIComponent(link)]) {
          expect(parseLayawayReference(pasted)).toEqual({ ok: true, value });
        }
      }),
    );
  });

  it('travels in a link beside whatever else a chat app adds', () => {
    const link = layawayLink('https://aparta.example/', QR);
    expect(link).toBe('https://aparta.example/?ref=1%7C1%7C7%7C0%7C3000.00%7C3%7C600.00%7C0');
    expect(parseLayawayReference(`${link}&utm_source=chat%#top`)).toEqual({ ok: true, value: VALUE });
    expect(parseLayawayReference(`https://aparta.example/?a=1&ref=${QR}`)).toEqual({
      ok: true,
      value: VALUE,
    });
  });

  it('is looked for in whatever was pasted, and what cannot be decoded is read as it stands', () => {
    expect(layawayLink('https://aparta.example//', QR)).toBe(layawayLink('https://aparta.example', QR));
    expect(parseLayawayReference('https://aparta.example/?ref=%20')).toEqual({ ok: false, problem: 'empty' });
    expect(parseLayawayReference('1|1|7|0%')).toEqual({ ok: false, problem: 'malformed' });
  });

  it.each(['1|1|7|0', ' 1 | 1|7 |0 ', '1 | 1 | 7 | 0 |  |  |  | 0'])(
    'is read without its printed figures, and with blanks around its bars: "%s"',
    (text) => {
      const { businessId, productId, buyerId } = VALUE;
      expect(parseLayawayReference(text)).toEqual({ ok: true, value: { businessId, productId, buyerId } });
    },
  );

  it.each(['', '  ', 'null', ' null ', 'https://aparta.example/?ref=', 'https://aparta.example/?ref=null'])(
    'counts as empty when it is "%s"',
    (text) => {
      expect(parseLayawayReference(text)).toEqual({ ok: false, problem: 'empty' });
    },
  );

  it.each([
    '2|1|7|0|3000.00|3|600.00|0',
    '11|1|7|0|3000.00|3|600.00|0',
    'hola',
    'https://aparta.example/',
    '%',
    '|',
  ])('is not one of a layaway when it is "%s"', (text) => {
    expect(parseLayawayReference(text)).toEqual({ ok: false, problem: 'not-a-layaway' });
  });

  it.each([
    '1',
    '1|1|7|0|3000.00|3|600.00',
    '1|1|7|0|3000.00|3|600.00|0|0',
    '1|1|7|0|3000.00|3|600.00|1',
    '1|0|7|0|3000.00|3|600.00|0',
    '1|1|-7|0|3000.00|3|600.00|0',
    '1|1|7||3000.00|3|600.00|0',
    '1|1|7|x|3000.00|3|600.00|0',
    '1|1|7|0|3,000.00|3|600.00|0',
    '1|1|7|0|3000.00|0|600.00|0',
    '1|1|7|0|3000.00|3|600.005|0',
    '1|9999999999999999|7|0|3000.00|3|600.00|0',
  ])('cannot be read when it is "%s"', (text) => {
    expect(parseLayawayReference(text)).toEqual({ ok: false, problem: 'malformed' });
  });

  it('answers anything at all that a buyer may paste', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(typeof parseLayawayReference(text).ok).toBe('boolean');
        expect(typeof parseLayawayReference(`1|${text}`).ok).toBe('boolean');
      }),
    );
  });
});
