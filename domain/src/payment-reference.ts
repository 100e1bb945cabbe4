/**
 * The number in the bar code: a prefix, and the ten-digit id of what is paid. The last digit of the id is
 * Damm's check digit, which notices every single wrong digit and every swap of neighbours.
 */
export interface PaymentReference {
  /** '1' for a layaway, else the instalment's number (spec §3). */
  readonly prefix: string;
  readonly id: string;
}

// The quasigroup of order 10 in H. M. Damm's thesis of 2004: row the interim digit, column the next one.
const DAMM = [
  '0317598642',
  '7092154863',
  '4206871359',
  '1750983426',
  '6123045978',
  '3674209581',
  '5869720134',
  '8945362017',
  '9438617205',
  '2581436790',
];

function damm(digits: string): string {
  let interim = '0';
  for (const digit of digits) interim = DAMM[Number(interim)]?.[Number(digit)] ?? '';
  return interim;
}

/** The tenth digit of an id. Throws RangeError unless given nine digits that do not start with 0. */
export function dammCheckDigit(nineDigits: string): string {
  if (!/^[1-9]\d{8}$/.test(nineDigits)) throw new RangeError(`not nine digits: ${nineDigits}`);
  return damm(nineDigits);
}

/** Whether a text is ten digits that do not start with 0 and whose check digit is right. */
export function isPaymentReferenceId(id: string): boolean {
  return /^[1-9]\d{9}$/.test(id) && damm(id) === '0';
}

/** Reads a reference as typed or scanned, spaces and dashes apart. Undefined when it cannot be one. */
export function parsePaymentReference(text: string): PaymentReference | undefined {
  const [, prefix, id] = /^([1-9]\d{0,2})(\d{10})$/.exec(text.replace(/[\s\u2010-\u2015-]/g, '')) ?? [];
  return prefix !== undefined && id !== undefined && isPaymentReferenceId(id) ? { prefix, id } : undefined;
}

/** Prefix and id as one number. Throws RangeError when it could not be read back. */
export function buildPaymentReference(prefix: string | number, id: string): string {
  const reference = `${prefix}${id}`;
  if (parsePaymentReference(reference)?.id !== id) {
    throw new RangeError(`not a payment reference: ${prefix} and ${id}`);
  }
  return reference;
}

/** Groups of four from the left, for the eye: `1100 0048 213`. */
export function groupDigits(reference: string): string {
  return reference.replace(/\d{4}(?=\d)/g, '$& ');
}
