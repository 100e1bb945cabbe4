import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  defaultUse,
  isIvaRate,
  isPermitted,
  isPostalCode,
  netOfIva,
  normaliseFiscalName,
  parseRfc,
  paymentForm,
  regimesFor,
  rfcCheckDigitMatches,
  usesFor,
  type IvaRate,
} from './fiscal.ts';
import { centavos, type Centavos } from './money.ts';
import { CFDI_USES, TAX_REGIMES } from './sat-tables.ts';

describe('an RFC', () => {
  const COMPANIES = [
    'EKU9003173C9',
    'URE180429TM6',
    'XIA190128J61',
    'IIA040805DZ4',
    'H&E951128469',
    'SAT970701NN3',
  ];
  const PEOPLE = [
    'CACX7605101P8',
    'JUFA7608212V6',
    'FUNK671228PH6',
    'MISC491214B86',
    'KAHO641101B39',
    'COSC8001137NA',
  ];

  it('tells a company from a person by its length, and its check digit fits', () => {
    for (const rfc of COMPANIES) expect(parseRfc(rfc)).toEqual({ ok: true, rfc, personType: 'moral' });
    for (const rfc of PEOPLE) expect(parseRfc(rfc)).toEqual({ ok: true, rfc, personType: 'fisica' });
    expect([...COMPANIES, ...PEOPLE].filter((rfc) => !rfcCheckDigitMatches(rfc))).toEqual([]);
  });

  it('has one check digit that fits, of the eleven', () => {
    for (const rfc of [...COMPANIES, ...PEOPLE]) {
      const fitting = [...'0123456789A'].filter((digit) => rfcCheckDigitMatches(rfc.slice(0, -1) + digit));
      expect(fitting).toEqual([rfc.at(-1)]);
    }
  });

  it('is read as people type it', () => {
    for (const typed of [
      ' eku-900317-3c9 ',
      'EKU 900317 3C9',
      'eku\u2011900317\u20133c9',
      '\u200beku9003173c9\n',
    ]) {
      expect(parseRfc(typed), typed).toMatchObject({ ok: true, rfc: 'EKU9003173C9' });
    }
    // Ñ in one character or in two: characters count, not bytes.
    for (const typed of ['ñuña760821 2v6', 'n\u0303un\u0303a7608212v6']) {
      expect(parseRfc(typed), typed).toEqual({ ok: true, rfc: 'ÑUÑA7608212V6', personType: 'fisica' });
    }
  });

  it.each([
    ['', 'empty'],
    [' - ', 'empty'],
    ['XAXX010101000', 'generic'],
    ['xexx-010101-000', 'generic'],
    ['EKU9003173C', 'shape'],
    ['EKU9003173C99X', 'shape'],
    ['ZZEKU9003173C9', 'shape'],
    ['EKÜ9003173C9', 'shape'],
    ['EK19003173C9', 'shape'],
    ['EKU9003173CB', 'shape'],
    ['EKU9003173C9; DROP', 'shape'],
    ['EKU9013173C9', 'date'],
    ['EKU9002303C9', 'date'],
    ['EKU9902293C9', 'date'],
    ['EKU0000003C9', 'date'],
  ])('%j is refused: %s', (typed, problem) => {
    expect(parseRfc(typed)).toEqual({ ok: false, problem });
  });

  it('may be of 29 February in a leap year, 2000 among them', () => {
    for (const date of ['000229', '960229', '240229']) expect(parseRfc(`EKU${date}3C9`).ok, date).toBe(true);
  });

  it('with a wrong check digit is read all the same', () => {
    expect(parseRfc('AAA010101AAA')).toMatchObject({ ok: true, personType: 'moral' });
    expect(rfcCheckDigitMatches('AAA010101AAA')).toBe(false);
  });

  it('is never thrown at, and reading it twice changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        const parsed = parseRfc(text);
        expect(parsed.ok ? parseRfc(parsed.rfc) : parsed).toEqual(parsed);
      }),
    );
  });
});

describe('a name', () => {
  it('is written as in SAT’s register', () => {
    expect(normaliseFiscalName('  maría  josé\tnúñez ', 'fisica').name).toBe('MARÍA JOSÉ NÚÑEZ');
    expect(normaliseFiscalName('Nun\u0303ez\u200b y Cía', 'fisica').name).toBe('NUÑEZ Y CÍA');
  });

  it.each([
    'Escuela Kemper Urgate, S.A. de C.V.',
    'ESCUELA KEMPER URGATE SA DE CV',
    'Escuela Kemper Urgate S. A. de C. V.',
    'ESCUELA KEMPER URGATE S.A.DE C.V',
    'Escuela Kemper Urgate S. de R.L. de C.V.',
    'Escuela Kemper Urgate S DE RL MI',
    'Escuela Kemper Urgate S.A.P.I. de C.V.',
    'Escuela Kemper Urgate SAPIB de CV',
    'Escuela Kemper Urgate S.A.B. de C.V.',
    'Escuela Kemper Urgate S.A.S.',
    'Escuela Kemper Urgate, A.C.',
    'Escuela Kemper Urgate S.C.',
    'Escuela Kemper Urgate S.C. de R.L. de C.V.',
    'Escuela Kemper Urgate SPR de RL',
    'Escuela Kemper Urgate S. en C. por A.',
    'Escuela Kemper Urgate SA de CV SOFOM ENR',
    'Escuela Kemper Urgate, Sociedad Anónima de Capital Variable',
    'ESCUELA KEMPER URGATE SOCIEDAD CIVIL',
  ])('of a company is suggested without its type: %s', (typed) => {
    expect(normaliseFiscalName(typed, 'moral').withoutSuffix).toBe('ESCUELA KEMPER URGATE');
  });

  it('keeps what only looks like a company’s type', () => {
    for (const name of ['MATERIALES CASA', 'LA CASA DE CV LUX', 'S.A. DE C.V.', 'BANCA MASAC', 'GRUPO SCA']) {
      expect(normaliseFiscalName(name, 'moral'), name).toEqual({ name, withoutSuffix: undefined });
    }
    expect(normaliseFiscalName('Ana Sa', 'fisica').withoutSuffix).toBeUndefined();
  });

  it('is settled by one pass, however long it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), (text) => {
        const { name } = normaliseFiscalName(text, 'moral');
        expect(normaliseFiscalName(name, 'moral').name).toBe(name);
      }),
    );
    // A pattern that went back and forth would not end within the test's time.
    expect(normaliseFiscalName('S .,'.repeat(100_000), 'moral').name).toHaveLength(400_000);
  });
});

describe('SAT’s tables', () => {
  const codes = (rows: readonly { readonly code: string }[]) => rows.map(({ code }) => code);
  const G_AND_I = 'G01 G02 G03 I01 I02 I03 I04 I05 I06 I07 I08'.split(' ');
  const D = 'D01 D02 D03 D04 D05 D06 D07 D08 D09 D10'.split(' ');

  it('are whole: 19 regimes, 24 uses, and no use of a regime that is none', () => {
    expect([TAX_REGIMES.length, CFDI_USES.length]).toEqual([19, 24]);
    const known = new Set(codes(TAX_REGIMES));
    expect(CFDI_USES.flatMap((use) => use.regimes.filter((regime) => !known.has(regime)))).toEqual([]);
  });

  it('offer a company and a person their own regimes', () => {
    expect(codes(regimesFor('moral'))).toEqual('601 603 610 620 622 623 624 626'.split(' '));
    expect(codes(regimesFor('fisica'))).toEqual(
      '605 606 607 608 610 611 612 614 615 616 621 625 626'.split(' '),
    );
  });

  // Told apart from the table: what the columns of SAT's catalogue come to, regime by regime.
  it.each([
    ['601 603 620 621 622 623 624 626', [...G_AND_I, 'S01'], 'G03'],
    ['606 612 625', [...G_AND_I, ...D, 'S01'], 'G03'],
    ['605 607 608 611 614 615', [...D, 'S01'], 'S01'],
    ['616', ['G02', 'S01'], 'S01'],
    ['610', ['S01'], 'S01'],
  ])(
    'offer receivers in %s the uses that SAT takes, and never payroll or payments',
    (regimes, uses, usual) => {
      for (const regime of regimes.split(' ')) {
        expect(codes(usesFor(regime)), regime).toEqual(uses);
        expect(defaultUse(regime), regime).toBe(usual);
      }
    },
  );

  it('permit exactly what they offer, of all regimes, uses and persons', () => {
    for (const personType of ['fisica', 'moral'] as const) {
      for (const regime of codes(TAX_REGIMES)) {
        const offered = codes(regimesFor(personType)).includes(regime) ? codes(usesFor(regime)) : [];
        const permitted = codes(CFDI_USES).filter((use) => isPermitted(regime, use, personType));
        expect(permitted, `${regime} ${personType}`).toEqual(offered);
      }
    }
    expect(isPermitted('609', 'G03', 'moral')).toBe(false);
    expect(isPermitted('605', 'CN01', 'fisica')).toBe(false);
    expect(usesFor('')).toEqual([]);
  });
});

it('takes five digits for a postal code, and nothing else', () => {
  expect(['01000', '97000'].every(isPostalCode)).toBe(true);
  expect(['', '1000', '010000', '0100O', '٠١٠٠٠', '01000\n'].some(isPostalCode)).toBe(false);
});

describe('the form of payment', () => {
  const paid = (...parts: [Parameters<typeof paymentForm>[0][number]['method'], number][]) =>
    paymentForm(parts.map(([method, amount]) => ({ method, amountCentavos: centavos(amount) })));

  it('is how the instalment was really paid', () => {
    expect(paid(['card-credit', 1])).toBe('04');
    expect(paid(['card-unknown', 1])).toBe('04');
    expect(paid(['card-debit', 1])).toBe('28');
    expect(paid(['card-prepaid', 1])).toBe('28');
    expect(paid(['till', 1])).toBe('01');
    expect(paid(['cash', 1])).toBe('01');
  });

  it('is that of the largest sum, and a card’s where sums are equal', () => {
    expect(paid(['card-credit', 5], ['cash', 6])).toBe('01');
    expect(paid(['cash', 6], ['card-debit', 4], ['till', 1], ['card-prepaid', 4])).toBe('28');
    expect(paid(['cash', 5], ['card-debit', 5])).toBe('28');
    expect(paid(['cash', 5], ['card-debit', 5], ['card-credit', 5])).toBe('04');
    expect(() => paid()).toThrow(RangeError);
  });
});

describe('IVA taken out of what was paid', () => {
  const RATES: IvaRate[] = [0, 800, 1600];
  /** Totals that lie this many centavos apart are alike: 25 centavos of net make 25, 27 and 29 in all. */
  const PERIOD = { 0: 25, 800: 27, 1600: 29 };
  const amounts = fc.integer({ min: 1, max: 99_999_999_999 }).map(centavos);

  const halfUp = (dividend: bigint, divisor: bigint) => (dividend * 2n + divisor) / (divisor * 2n);
  /** What SAT's rules make of a line: SubTotal and IVA in two decimals, of the line's amount in as many as it has. */
  function stamped(priceMicropesos: number, rate: IvaRate): { subTotal: number; iva: number } {
    const price = BigInt(priceMicropesos);
    return {
      subTotal: Number(halfUp(price, 10_000n)),
      iva: Number(halfUp(price * BigInt(rate), 10_000n * 10_000n)),
    };
  }
  function expectExact(total: Centavos, rate: IvaRate) {
    const { priceMicropesos, netCentavos, ivaCentavos } = netOfIva(total, rate);
    expect(netCentavos + ivaCentavos).toBe(total);
    expect(stamped(priceMicropesos, rate)).toEqual({ subTotal: netCentavos, iva: ivaCentavos });
  }
  const isReachable = (total: number, rate: IvaRate) =>
    Array.from({ length: total + 1 }, (_, net) => stamped(net * 10_000, rate)).some(
      ({ subTotal, iva }) => subTotal + iva === total,
    );

  it.each(RATES)(
    'makes every total exact at %i basis points: one period, and every period like it',
    (rate) => {
      const period = PERIOD[rate];
      for (let total = 1; total <= period; total += 1) expectExact(centavos(total), rate);
      fc.assert(
        fc.property(
          fc.integer({ min: 1, max: period }),
          fc.integer({ min: 0, max: 1_000_000_000 }),
          (first, n) => {
            const [low, high] = [
              netOfIva(centavos(first), rate),
              netOfIva(centavos(first + n * period), rate),
            ];
            expect(high.netCentavos - low.netCentavos).toBe(n * 25);
            expect(high.priceMicropesos - low.priceMicropesos).toBe(n * 250_000);
            expectExact(centavos(first + n * period), rate);
          },
        ),
      );
    },
  );

  it('needs six decimals for 4 totals in 29 at 16 % and for 2 in 27 at 8 %: no centavo price makes those', () => {
    for (const rate of RATES) {
      const totals = Array.from({ length: PERIOD[rate] }, (_, index) => index + 1);
      const inSixDecimals = totals.filter(
        (total) => netOfIva(centavos(total), rate).priceMicropesos % 10_000 !== 0,
      );
      expect(inSixDecimals).toEqual(totals.filter((total) => !isReachable(total, rate)));
      expect(inSixDecimals).toHaveLength(PERIOD[rate] - 25);
    }
  });

  it('gives a price that a JSON number says exactly', () => {
    fc.assert(
      fc.property(amounts, fc.constantFrom(...RATES), (total, rate) => {
        const { priceMicropesos } = netOfIva(total, rate);
        const decimals = String(priceMicropesos)
          .padStart(7, '0')
          .replace(/(\d{6})$/, '.$1');
        expect(priceMicropesos / 1_000_000).toBe(Number(decimals));
        expect((priceMicropesos / 1_000_000).toFixed(6)).toBe(decimals);
      }),
    );
  });

  it('knows SAT’s three rates and no other', () => {
    expect([0, 800, 1600].every(isIvaRate)).toBe(true);
    expect([-1, 16, 1100, 1600.5, NaN].some(isIvaRate)).toBe(false);
    expect(() => netOfIva(centavos(100), 1100 as IvaRate)).toThrow(RangeError);
  });
});
