import { decimal, parseDecimal, type Centavos } from './money.ts';

/** The payment-type constant PullApart of spec §3, which a layaway's reference begins with. */
const LAYAWAY_TYPE = '1';

/**
 * What a product's QR says. What is printed informs only: today's catalogue decides price and deposit, and
 * the printed figures are there to notice a change.
 */
export interface LayawayReference {
  readonly businessId: number;
  readonly productId: number;
  /** 0 while the reference is nobody's, as on a printed QR. */
  readonly buyerId: number;
  readonly printedPriceCentavos?: Centavos | undefined;
  readonly printedPayments?: number | undefined;
  readonly printedDepositCentavos?: Centavos | undefined;
}

export type LayawayReferenceProblem = 'empty' | 'not-a-layaway' | 'malformed';

export type ParsedLayawayReference =
  | { readonly ok: true; readonly value: LayawayReference }
  | { readonly ok: false; readonly problem: LayawayReferenceProblem };

/**
 * Reads what a buyer pasted or scanned: the reference, or a link that carries it as `ref`, either of them
 * URL-encoded or not. 'null' counts as empty (spec §5). Another type prefix, or no reference at all, is
 * `not-a-layaway`; one that begins well and cannot be read on is `malformed`. Without its printed figures, which only
 * inform, `1|businessId|productId|buyerId` is enough.
 */
export function parseLayawayReference(pasted: string): ParsedLayawayReference {
  const text = unwrap(pasted.trim());
  if (text === '' || text === 'null') return { ok: false, problem: 'empty' };
  const parts = text.split('|').map((part) => part.trim());
  if (parts[0] !== LAYAWAY_TYPE) return { ok: false, problem: 'not-a-layaway' };
  const value = read(parts);
  return value === undefined ? { ok: false, problem: 'malformed' } : { ok: true, value };
}

/** The QR's text, `1|businessId|productId|buyerId or 0|price|payments|deposit|0`; the unknown stays empty. */
export function buildLayawayReference(value: LayawayReference): string {
  const { businessId, productId, buyerId, printedPayments } = value;
  const price = value.printedPriceCentavos;
  const deposit = value.printedDepositCentavos;
  return [
    LAYAWAY_TYPE,
    businessId,
    productId,
    buyerId,
    price === undefined ? '' : decimal(price),
    printedPayments ?? '',
    deposit === undefined ? '' : decimal(deposit),
    0,
  ].join('|');
}

/** The link in the QR, `{origin}/?ref=` and the reference, URL-encoded. */
export function layawayLink(origin: string, reference: string): string {
  return `${origin.replace(/\/+$/, '')}/?ref=${encodeURIComponent(reference)}`;
}

function read(parts: string[]): LayawayReference | undefined {
  const [, business = '', product = '', buyer = '', price = '', payments = '', deposit = '', end] = parts;
  const isWhole = parts.length === 4 || (parts.length === 8 && end === '0');
  if (!isWhole) return undefined;
  const businessId = count(business);
  const productId = count(product);
  const buyerId = buyer === '0' ? 0 : count(buyer);
  if (businessId === undefined || productId === undefined || buyerId === undefined) return undefined;
  const value = {
    businessId,
    productId,
    buyerId,
    printedPriceCentavos: parseDecimal(price),
    printedPayments: count(payments),
    printedDepositCentavos: parseDecimal(deposit),
  };
  const isDamaged =
    (price !== '' && value.printedPriceCentavos === undefined) ||
    (payments !== '' && value.printedPayments === undefined) ||
    (deposit !== '' && value.printedDepositCentavos === undefined);
  return isDamaged ? undefined : value;
}

function count(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/** Takes a reference out of its link and its encoding, which chat and scanner apps sometimes nest. */
function unwrap(text: string): string {
  let inner = text;
  for (let layer = 0; layer < 3; layer += 1) {
    inner = decode(/[?&]ref=([^&#]*)/.exec(inner)?.[1] ?? inner);
  }
  return inner.trim();
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
