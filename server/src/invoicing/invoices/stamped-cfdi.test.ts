import { centavos } from '@aparta/domain/money';
import { describe, expect, test } from 'vitest';

import { differencesOf, readCfdi } from './stamped-cfdi.ts';

const FOLIO = '6F1B0C7A-0B0E-4E2E-9C43-2A4C2B9F3E11';
const STAMP = `<t:TimbreFiscalDigital xmlns:t="http://www.sat.gob.mx/TimbreFiscalDigital" UUID="${FOLIO}"/>`;

const RECEIVER = `<Receptor Rfc="H&amp;E951128469" DomicilioFiscalReceptor="72000" RegimenFiscalReceptor="601"
  UsoCFDI="G03"/>`;

function cfdi({ before = '', attributes = '', receiver = RECEIVER, inside = STAMP } = {}) {
  return Buffer.from(`${before}<Comprobante xmlns="http://www.sat.gob.mx/cfd/4" Version="4.0" Serie="A" Folio="1001"
    Total="1200.00" Moneda="MXN" TipoDeComprobante="I" FormaPago="04" MetodoPago="PUE" ${attributes}>
    <Emisor Rfc="LBV150312AB1"/>${receiver}<Complemento>${inside}</Complemento></Comprobante>`);
}

const READ = {
  fiscalFolio: FOLIO,
  folio: 'A1001',
  totalCentavos: 120_000,
  currency: 'MXN',
  kind: 'I',
  paymentForm: '04',
  paymentMethod: 'PUE',
  issuerRfc: 'LBV150312AB1',
  receiverRfc: 'H&E951128469',
  postalCode: '72000',
  taxRegime: '601',
  cfdiUse: 'G03',
};
const AGREED = {
  fiscalFolio: FOLIO.toLowerCase(),
  amountCentavos: centavos(120_000),
  paymentForm: '04',
  issuerRfc: 'LBV150312AB1',
  receiver: { rfc: 'H&E951128469', postalCode: '72000', taxRegime: '601', cfdiUse: 'G03' },
};

describe('what SAT stamped', () => {
  test('is read whatever prefix, BOM and decimals it is written with', () => {
    expect(readCfdi(cfdi({ before: '\ufeff<?xml version="1.0" encoding="utf-8"?>' }))).toEqual(READ);
    const text = cfdi().toString();
    const prefixed = text
      .replaceAll(/<(\/?)(Comprobante|Emisor|Receptor|Complemento)/g, '<$1cfdi:$2')
      .replace('xmlns=', 'xmlns:cfdi=')
      .replace('1200.00', '1200.000000');
    expect(readCfdi(Buffer.from(prefixed))).toEqual(READ);
  });

  test.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['a page', Buffer.from('<html><body>Error</body></html>')],
    ['half of it', cfdi().subarray(0, 200)],
    ['another encoding', Buffer.from(cfdi({ attributes: 'Sello="ñ"' }).toString('utf8'), 'latin1')],
    ['of another version', Buffer.from(cfdi().toString().replace('cfd/4', 'cfd/3'))],
    ['without its stamp', cfdi({ inside: '' })],
    ['with two stamps', cfdi({ inside: STAMP + STAMP })],
    ['with two receivers', cfdi({ receiver: RECEIVER + RECEIVER })],
    ['with a receiver elsewhere', cfdi({ receiver: '', inside: STAMP + RECEIVER })],
    ['with a stamp that somebody else named', cfdi({ inside: STAMP.replace('sat.gob.mx', 'sat.example') })],
    [
      'of a file on this computer',
      cfdi({ before: '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>' }),
    ],
    ['with an entity of its own', cfdi({ attributes: 'Sello="&x;"' })],
    ['with an attribute twice', cfdi({ attributes: 'Total="1.00"' })],
    ['deeper than any invoice', cfdi({ inside: `${'<a>'.repeat(40)}${'</a>'.repeat(40)}` })],
  ])('is none: %s', (_what, bytes) => {
    expect(readCfdi(bytes)).toBeUndefined();
  });

  test('agrees when all of it is what was paid and asked for', () => {
    expect(differencesOf(READ as never, AGREED)).toEqual([]);
    // The merchant's RFC is not known everywhere.
    expect(differencesOf({ ...READ, issuerRfc: 'X' } as never, { ...AGREED, issuerRfc: '' })).toEqual([]);
  });

  test.each([
    ['total', { totalCentavos: centavos(139_200) }],
    ['total', { totalCentavos: undefined }],
    ['currency', { currency: 'USD' }],
    ['kind', { kind: 'E' }],
    ['paymentForm', { paymentForm: '01' }],
    ['paymentMethod', { paymentMethod: 'PPD' }],
    ['issuer', { issuerRfc: 'EZA080917QX4' }],
    ['postalCode', { postalCode: '72197' }],
    ['taxRegime', { taxRegime: '612' }],
    ['cfdiUse', { cfdiUse: 'D01' }],
    ['receiver', { receiverRfc: 'XAXX010101000' }],
    ['fiscalFolio', { fiscalFolio: '' }],
  ])('differs in its %s', (name, changes) => {
    expect(differencesOf({ ...READ, ...changes } as never, AGREED)).toEqual([name]);
  });
});
