import { describe, expect, test } from 'vitest';

import { type FiscalProblems, readFiscalData } from './fiscal-data.ts';

const ANA = {
  rfc: 'MISC491214B86',
  name: 'Cecilia Miranda Sánchez',
  alias: '',
  email: 'ana@example.mx',
  phone: '',
  taxRegime: '612',
  cfdiUse: 'G03',
  street: '',
  suburb: '',
  postalCode: '72000',
};

const problemsOf = (changes: Partial<typeof ANA>): FiscalProblems => {
  const read = readFiscalData({ ...ANA, ...changes });
  return read.ok ? {} : read.problems;
};

describe('a tax identity as a buyer types it', () => {
  test('is kept the way SAT writes it', () => {
    const typed = { ...ANA, rfc: ' misc-491214-b86 ', name: '  Cecilia  Miranda\u200b Sa\u0301nchez ' };
    expect(readFiscalData(typed)).toEqual({
      ok: true,
      data: { ...ANA, name: 'CECILIA MIRANDA SÁNCHEZ' },
    });
  });

  test.each<[string, Partial<typeof ANA>, FiscalProblems]>([
    ['no RFC', { rfc: ' ' }, { rfc: 'empty' }],
    ['something else', { rfc: '<script>' }, { rfc: 'shape' }],
    ['a date that is none', { rfc: 'MISC491314B86' }, { rfc: 'date' }],
    ['the RFC of everybody', { rfc: 'XAXX010101000' }, { rfc: 'generic' }],
    ['digits of another script', { rfc: 'MISC４９１２１４B86' }, { rfc: 'shape' }],
    ['no name', { name: '\u200b' }, { name: 'empty' }],
    ['a bar in the name', { name: 'A|B' }, { name: 'shape' }],
    ['half a character', { name: 'A\ud800B' }, { name: 'shape' }],
    ['a name that capitals make longer', { name: 'ß'.repeat(128) }, { name: 'length' }],
    ['a postal code of four digits', { postalCode: '7200' }, { postalCode: 'shape' }],
    ['a postal code of another script', { postalCode: '٧٢٠٠٠' }, { postalCode: 'shape' }],
    ['no email address', { email: '' }, { email: 'empty' }],
    ['two email addresses', { email: 'a@b.mx,c@d.mx' }, { email: 'shape' }],
    ['a regime of companies', { taxRegime: '601' }, { taxRegime: 'not_permitted' }],
    ['a regime that is none', { taxRegime: '999' }, { taxRegime: 'not_permitted' }],
    ['a use that the regime has not', { taxRegime: '605' }, { cfdiUse: 'not_permitted' }],
    ['payroll as use', { taxRegime: '605', cfdiUse: 'CN01' }, { cfdiUse: 'not_permitted' }],
    [
      'several at once',
      { rfc: 'X', name: '', postalCode: '', email: '@', cfdiUse: 'ZZ9' },
      { rfc: 'shape', name: 'empty', postalCode: 'empty', email: 'shape' },
    ],
  ])('%s: is refused by name', (_what, changes, problems) => {
    expect(problemsOf(changes)).toEqual(problems);
  });

  test('of a company may be a regime and a use of companies', () => {
    expect(problemsOf({ rfc: 'H&E951128469', taxRegime: '601', cfdiUse: 'I04' })).toEqual({});
    expect(problemsOf({ rfc: 'H&E951128469', taxRegime: '601', cfdiUse: 'D01' })).toEqual({
      cfdiUse: 'not_permitted',
    });
  });
});
