import { type Centavos, parseDecimal } from '@aparta/domain/money';
import { SaxesParser, type SaxesTagNS } from 'saxes';

/** What a stamped CFDI says of what we can compare. */
export interface StampedCfdi {
  readonly fiscalFolio: string;
  /** The merchant's series and number, '' without one. */
  readonly folio: string;
  readonly totalCentavos: Centavos | undefined;
  readonly currency: string;
  readonly kind: string;
  readonly paymentForm: string;
  readonly paymentMethod: string;
  readonly receiverRfc: string;
}

/** What an invoice should say, by what was paid and asked for. */
export interface AgreedCfdi {
  readonly fiscalFolio: string;
  readonly amountCentavos: Centavos;
  readonly paymentForm: string;
  readonly receiverRfc: string;
}

const CFDI = 'http://www.sat.gob.mx/cfd/4';
const STAMP = 'http://www.sat.gob.mx/TimbreFiscalDigital';
const DEEPEST = 30;

class NotACfdi extends Error {}

/**
 * Reads a stamped CFDI 4.0. Undefined for whatever is none: not UTF-8, not well formed, with a DOCTYPE, of another version or
 * with one of its parts twice. Nothing outside the bytes is read and no entity is made up.
 */
export function readCfdi(xml: Buffer): StampedCfdi | undefined {
  try {
    return readParts(new TextDecoder('utf-8', { fatal: true }).decode(xml));
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

type Part = 'invoice' | 'receiver' | 'stamp';

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

  const [invoice, receiver, stamp] = [parts.get('invoice'), parts.get('receiver'), parts.get('stamp')];
  if (invoice === undefined || receiver === undefined || stamp === undefined) return refuse('a part missing');
  return {
    fiscalFolio: valueOf(stamp, 'UUID'),
    folio: `${valueOf(invoice, 'Serie')}${valueOf(invoice, 'Folio')}`.slice(0, 60),
    totalCentavos: parseDecimal(valueOf(invoice, 'Total').replace(/(\.\d\d)0+$/, '$1')),
    currency: valueOf(invoice, 'Moneda'),
    kind: valueOf(invoice, 'TipoDeComprobante'),
    paymentForm: valueOf(invoice, 'FormaPago'),
    paymentMethod: valueOf(invoice, 'MetodoPago'),
    receiverRfc: valueOf(receiver, 'Rfc'),
  };
}

/** Only in its own place is a part what its name says. */
const PARTS: Readonly<Record<string, Part>> = {
  [`{${CFDI}}Comprobante`]: 'invoice',
  [`{${CFDI}}Comprobante/{${CFDI}}Receptor`]: 'receiver',
  [`{${CFDI}}Comprobante/{${CFDI}}Complemento/{${STAMP}}TimbreFiscalDigital`]: 'stamp',
};

function valueOf(tag: SaxesTagNS, name: string): string {
  return tag.attributes[name]?.value.trim() ?? '';
}

/** What of a stamped CFDI is not as agreed, by name; empty when all of it is. */
export function differencesOf(cfdi: StampedCfdi, agreed: AgreedCfdi): string[] {
  const isSo: Record<string, boolean> = {
    total: cfdi.totalCentavos === agreed.amountCentavos,
    currency: cfdi.currency === 'MXN',
    kind: cfdi.kind === 'I',
    paymentForm: cfdi.paymentForm === agreed.paymentForm,
    paymentMethod: cfdi.paymentMethod === 'PUE',
    receiver: cfdi.receiverRfc === agreed.receiverRfc,
    fiscalFolio: cfdi.fiscalFolio.toLowerCase() === agreed.fiscalFolio.toLowerCase(),
  };
  return Object.keys(isSo).filter((name) => isSo[name] === false);
}
