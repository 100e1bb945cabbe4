import { describe, expect, test } from 'vitest';
import type { FiscalValues } from '../data/fiscal-clients.ts';
import { changed, normalised, personTypeOf, problemsOf, typeInRfc } from './fiscal-check.ts';

const PERSON: FiscalValues = {
  rfc: 'CACX7605101P8',
  alias: '',
  name: 'XOCHILT CASAS CHAVEZ',
  regime: '612',
  cfdiUse: 'G03',
  email: 'xochilt@correo.mx',
  phone: '',
  street: '',
  suburb: '',
  zip: '36257',
  chosenType: '',
};

test.each([
  ['', undefined],
  ['ca', undefined],
  ['cacx', 'fisica'],
  ['cacx-76', 'fisica'],
  ['eku', undefined],
  ['eku9', 'moral'],
  ['EKU9003173C9', 'moral'],
  ['ñ&a1', 'moral'],
])('the type of person shows from the first letters on: %j', (rfc, type) => {
  expect(typeInRfc(rfc)).toBe(type);
});

test('what was chosen counts until the RFC decides otherwise', () => {
  expect(personTypeOf({ ...PERSON, rfc: '', chosenType: 'moral' })).toBe('moral');
  expect(personTypeOf({ ...PERSON, chosenType: 'moral' })).toBe('fisica');
});

describe('a change', () => {
  test('to a company takes a regime away that only people have, and its use', () => {
    expect(changed(PERSON, { rfc: 'EKU9003173C9' })).toMatchObject({ regime: '', cfdiUse: '' });
  });

  test('of the regime keeps a use that SAT permits there, and else offers the usual one', () => {
    expect(changed({ ...PERSON, cfdiUse: 'I04' }, { regime: '606' })).toMatchObject({ cfdiUse: 'I04' });
    expect(changed(PERSON, { regime: '605' })).toMatchObject({ cfdiUse: 'S01' });
  });
});

test.each([
  [{}, {}],
  [{ rfc: 'cacx 760510-1p8', zip: ' 36257 ' }, {}],
  [{ rfc: 'CACX7605101P' }, { rfc: 'tooShort' }],
  [{ rfc: 'CACX7605101P89' }, { rfc: 'tooLong' }],
  [{ rfc: 'CACX7613101P8' }, { rfc: 'date' }],
  [{ rfc: 'XAXX010101000' }, { rfc: 'generic' }],
  // Only the check digit is wrong: a warning, not an error.
  [{ rfc: 'CACX7605101P7' }, {}],
  [{ zip: '3625' }, { zip: 'shape' }],
  [{ email: 'xochilt@correo' }, { email: 'shape' }],
  [
    { rfc: '', name: ' ', email: '', zip: '', regime: '', cfdiUse: '' },
    { rfc: 'empty', name: 'empty', email: 'empty', zip: 'empty', regime: 'empty', cfdiUse: 'empty' },
  ],
])('%j is reported before anything is sent', (typed, problems) => {
  expect(problemsOf({ ...PERSON, ...typed })).toEqual(problems);
});

test('a name is normalised as SAT writes it; a company suffix is only pointed out', () => {
  const company = { ...PERSON, rfc: 'EKU9003173C9', name: ' Escuela  Kemper Urgate, S.A. de C.V. ' };
  expect(normalised('name', company)).toBe('ESCUELA KEMPER URGATE, S.A. DE C.V.');
});
