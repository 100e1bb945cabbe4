import { type Centavos, parseDecimal } from '@aparta/domain/money';
import { SaxesParser, type SaxesTagNS } from 'saxes';

import type { Receiver } from '../provider/port.ts';

/** The fields of a stamped CFDI that are compared with what was paid. */
export interface StampedCfdi {
  readonly fiscalFolio: string;
  /** The merchant's series and number, '' without one. */
  readonly folio: string;
  readonly totalCentavos: Centavos | undefined;
  readonly currency: string;
  readonly kind: string;
  readonly paymentForm: string;
  readonly paymentMethod: string;
  readonly issuerRfc: string;
  readonly receiverRfc: string;
  readonly postalCode: string;
  readonly taxRegime: string;
  readonly cfdiUse: string;
}

/** What an invoice must say, from what was paid and requested. */
export interface AgreedCfdi {
  readonly fiscalFolio: string;
  readonly amountCentavos: Centavos;
  readonly paymentForm: string;
  /** '' while the merchant's RFC is unknown: then it is not compared. */
  readonly issuerRfc: string;
  readonly receiver: Pick<Receiver, 'rfc' | 'postalCode' | 'taxRegime' | 'cfdiUse'>;
}

const CFDI = 'http://www.sat.gob.mx/cfd/4';
const STAMP = 'http://www.sat.gob.mx/TimbreFiscalDigital';
const DEEPEST = 30;

class NotACfdi extends Error {}

/**
 * Reads a stamped CFDI 4.0. Undefined for anything else: not UTF-8, not well formed, with a DOCTYPE, of another version, or
 * with one of its parts twice. Reads nothing outside the bytes and expands no entity of its own.
 */
export function readCfdi(xml: Buffer): StampedCfdi | undefined {
  try {
    return readParts(new TextDecoder('utf-8', { fatal: true }).decode(xml));
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

type Part = 'invoice' | 'issuer' | 'receiver' | 'stamp';

function readParts(text: string): StampedCfdi {
  const parts = new Map<Part, SaxesTagNS>();
  const open: string[] = [];
  const parser = new SaxesParser({ xmlns: true, position: false });
  const refuse = (why: string): never => {
    throw new NotACfdi(why);
  };
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => refuse('a DOCTYPE'));
  parser.on('opentag', (tag) => {
    if (open.push(`{${tag.uri}}${tag.local}`) > DEEPEST) refuse('too deep');
    const part = PARTS[open.join('/')];
    if (part === undefined) return;
    if (parts.has(part)) refuse('a part twice');
    parts.set(part, tag);
  });
  parser.on('closetag', () => open.pop());
  parser.write(text).close();

  const partOf = (name: Part) => parts.get(name) ?? refuse('a part missing');
  const [invoice, receiver, stamp] = [partOf('invoice'), partOf('receiver'), partOf('stamp')];
  return {
    fiscalFolio: valueOf(stamp, 'UUID'),
    folio: `${valueOf(invoice, 'Serie')}${valueOf(invoice, 'Folio')}`.slice(0, 60),
    totalCentavos: parseDecimal(valueOf(invoice, 'Total').replace(/(\.\d\d)0+$/, '$1')),
    currency: valueOf(invoice, 'Moneda'),
    kind: valueOf(invoice, 'TipoDeComprobante'),
    paymentForm: valueOf(invoice, 'FormaPago'),
    paymentMethod: valueOf(invoice, 'MetodoPago'),
    issuerRfc: valueOf(partOf('issuer'), 'Rfc'),
    receiverRfc: valueOf(receiver, 'Rfc'),
    postalCode: valueOf(receiver, 'DomicilioFiscalReceptor'),
    taxRegime: valueOf(receiver, 'RegimenFiscalReceptor'),
    cfdiUse: valueOf(receiver, 'UsoCFDI'),
  };
}

/** A part counts only where the CFDI has it. */
const PARTS: Readonly<Record<string, Part>> = {
  [`{${CFDI}}Comprobante`]: 'invoice',
  [`{${CFDI}}Comprobante/{${CFDI}}Emisor`]: 'issuer',
  [`{${CFDI}}Comprobante/{${CFDI}}Receptor`]: 'receiver',
  [`{${CFDI}}Comprobante/{${CFDI}}Complemento/{${STAMP}}TimbreFiscalDigital`]: 'stamp',
};

function valueOf(tag: SaxesTagNS, name: string): string {
  return tag.attributes[name]?.value.trim() ?? '';
}

/**
 * The fields of a stamped CFDI that differ from what was agreed, by name. The receiver's name is not compared: SAT did that, and
 * providers write it in their own manner.
 */
export function differencesOf(cfdi: StampedCfdi, agreed: AgreedCfdi): string[] {
  const { receiver } = agreed;
  const isSo: Record<string, boolean> = {
    total: cfdi.totalCentavos === agreed.amountCentavos,
    currency: cfdi.currency === 'MXN',
    kind: cfdi.kind === 'I',
    paymentForm: cfdi.paymentForm === agreed.paymentForm,
    paymentMethod: cfdi.paymentMethod === 'PUE',
    issuer: agreed.issuerRfc === '' || cfdi.issuerRfc === agreed.issuerRfc,
    receiver: cfdi.receiverRfc === receiver.rfc,
    postalCode: cfdi.postalCode === receiver.postalCode,
    taxRegime: cfdi.taxRegime === receiver.taxRegime,
    cfdiUse: cfdi.cfdiUse === receiver.cfdiUse,
    fiscalFolio: cfdi.fiscalFolio.toLowerCase() === agreed.fiscalFolio.toLowerCase(),
  };
  return Object.keys(isSo).filter((name) => isSo[name] === false);
}
