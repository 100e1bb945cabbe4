import { centavos, percentOf, subtract, type Centavos } from './money.ts';
import { CFDI_USES, TAX_REGIMES } from './sat-tables.ts';

/** What SAT knows persons as: people, and companies of every kind. */
export type PersonType = 'fisica' | 'moral';

export interface TaxRegime {
  readonly code: string;
  readonly name: string;
  readonly personTypes: readonly PersonType[];
}

export interface CfdiUse {
  readonly code: string;
  readonly name: string;
  readonly personTypes: readonly PersonType[];
  readonly regimes: readonly string[];
}

/** `generic`: one of the RFCs for buyers without one, which an invoice to a name cannot carry. */
export type RfcProblem = 'empty' | 'shape' | 'date' | 'generic';

export type ParsedRfc =
  | { readonly ok: true; readonly rfc: string; readonly personType: PersonType }
  | { readonly ok: false; readonly problem: RfcProblem };

const GENERIC_RFCS = ['XAXX010101000', 'XEXX010101000'];

/**
 * Reads an RFC as typed: in any case, with spaces and hyphens. Its length tells the person's type. The check digit
 * is not looked at, because SAT itself has given out wrong ones.
 */
export function parseRfc(text: string): ParsedRfc {
  const rfc = text
    .toUpperCase()
    .normalize('NFC')
    .replace(/[\s\p{Pd}\p{Cf}]/gu, '');
  if (rfc === '') return { ok: false, problem: 'empty' };
  if (GENERIC_RFCS.includes(rfc)) return { ok: false, problem: 'generic' };
  const [, initials = '', date] = /^([A-ZÑ&]{3,4})(\d{6})[A-Z\d]{2}[A\d]$/.exec(rfc) ?? [];
  if (date === undefined) return { ok: false, problem: 'shape' };
  if (!isDate(date)) return { ok: false, problem: 'date' };
  return { ok: true, rfc, personType: initials.length === 3 ? 'moral' : 'fisica' };
}

/** Whether six digits are a day. The century is not said; every leap year of 19YY is one of 20YY too. */
function isDate(yymmdd: string): boolean {
  const [year = 0, month = 0, day = 0] = (yymmdd.match(/../g) ?? []).map(Number);
  const date = new Date(Date.UTC(2000 + year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** The place of a character is what it is worth in the check digit. */
const WORTH = '0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ';

/** Whether a parsed RFC ends in the digit that its other characters ask for: a mismatch is worth a warning, no more. */
export function rfcCheckDigitMatches(rfc: string): boolean {
  const twelve = [...rfc.padStart(13, ' ')].slice(0, -1);
  const total = twelve.reduce((before, character, at) => before + WORTH.indexOf(character) * (13 - at), 0);
  return rfc.endsWith('0123456789A'.charAt((11 - (total % 11)) % 11));
}

/** A company's type as it stands at the end of a name, with or without its dots and spaces. */
const COMPANY_SUFFIX = companySuffix([
  'SOCIEDAD AN[OÓ]NIMA PROMOTORA DE INVERSI[OÓ]N( BURS[AÁ]TIL)?',
  'SOCIEDAD AN[OÓ]NIMA( BURS[AÁ]TIL)?',
  'SOCIEDAD DE RESPONSABILIDAD LIMITADA',
  'SOCIEDAD POR ACCIONES SIMPLIFICADA',
  'SOCIEDAD COOPERATIVA( DE R L)?',
  'SOCIEDAD CIVIL',
  'ASOCIACI[OÓ]N CIVIL',
  'INSTITUCI[OÓ]N DE ASISTENCIA PRIVADA',
  'S A P I( B)?',
  'S A( B| S)?',
  'S( C| P R| C DE P)? DE R L( M I)?',
  'S P R DE R I',
  'S C( L)?',
  'S N C',
  'S EN (N )?C( POR A)?',
  'A C',
  'I A P',
  'A B P',
]);

function companySuffix(types: readonly string[]): RegExp {
  const spelled = `(${types.join('|')})( DE (C V|CAPITAL VARIABLE))?( S O F O M)?( E (N )?R)?`;
  // Between two letters of an abbreviation and between words alike: nothing, a dot, a comma, a space.
  return new RegExp(`[\\s,]+${spelled.replaceAll(' ', '[.,\\s]*')}[.,\\s]*$`, 'u');
}

export interface FiscalName {
  /** In capitals, with single spaces: the letters are as typed. */
  readonly name: string;
  /**
   * A company's name without its type ('S.A. DE C.V.'), which SAT's register writes apart. Undefined where there is
   * none. A suggestion to be shown: some names do end in such letters.
   */
  readonly withoutSuffix: string | undefined;
}

/** A name the way SAT's register writes it. */
export function normaliseFiscalName(text: string, personType: PersonType): FiscalName {
  const name = text
    .toUpperCase()
    .normalize('NFC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const shorter = personType === 'moral' ? name.replace(COMPANY_SUFFIX, '').trim() : name;
  return { name, withoutSuffix: shorter === name ? undefined : shorter };
}

/** Whether a text can be a Mexican postal code. Which exist is known to SAT alone. */
export function isPostalCode(text: string): boolean {
  return /^\d{5}$/.test(text);
}

/** Payroll, and the receipts of payments: uses of documents that no shop issues to a buyer. */
const NOT_A_PURCHASE = ['CN01', 'CP01'];

const USES: readonly CfdiUse[] = CFDI_USES.filter((use) => !NOT_A_PURCHASE.includes(use.code));

/** The tax regimes that a person of this type may be in, in SAT's order. */
export function regimesFor(personType: PersonType): readonly TaxRegime[] {
  return TAX_REGIMES.filter((regime: TaxRegime) => regime.personTypes.includes(personType));
}

/** What a buyer in a regime may use an invoice for, in SAT's order; none for a code that is no regime. */
export function usesFor(regime: string): readonly CfdiUse[] {
  return USES.filter((use) => use.regimes.includes(regime));
}

/** The use that most buyers in a regime want: expenses where they may deduct them, else 'without tax effects'. */
export function defaultUse(regime: string): string {
  return usesFor(regime).some((use) => use.code === 'G03') ? 'G03' : 'S01';
}

/** Whether SAT takes the three together (CFDI40157 to CFDI40161). */
export function isPermitted(regime: string, use: string, personType: PersonType): boolean {
  return (
    regimesFor(personType).some(({ code }) => code === regime) &&
    usesFor(regime).some(({ code, personTypes }) => code === use && personTypes.includes(personType))
  );
}

/** SAT's c_FormaPago as far as this product is paid: cash, credit card, debit card. */
export type PaymentForm = '01' | '04' | '28';

/** How a part of an instalment was really paid; `card-unknown` where nobody said which kind of card it was. */
export type PaidWith = 'card-credit' | 'card-debit' | 'card-prepaid' | 'card-unknown' | 'till' | 'cash';

const FORM_OF: Record<PaidWith, PaymentForm> = {
  'card-credit': '04',
  'card-unknown': '04',
  'card-debit': '28',
  'card-prepaid': '28',
  till: '01',
  cash: '01',
};

/** The one form that an invoice names: that of the largest sum; of equal ones 04 before 28, a card before cash. Throws for no parts. */
export function paymentForm(
  parts: readonly { readonly method: PaidWith; readonly amountCentavos: Centavos }[],
): PaymentForm {
  const sums = new Map<PaymentForm, number>();
  for (const { method, amountCentavos } of parts) {
    sums.set(FORM_OF[method], (sums.get(FORM_OF[method]) ?? 0) + amountCentavos);
  }
  const largest = Math.max(...sums.values());
  const form = (['04', '28', '01'] as const).find((each) => sums.get(each) === largest);
  if (form === undefined) throw new RangeError('nothing was paid');
  return form;
}

/** The rates of IVA that SAT's table knows (c_TasaOCuota), in basis points: none, the border region, the general one. */
export type IvaRate = 0 | 800 | 1600;

const IVA_RATES: readonly number[] = [0, 800, 1600] satisfies IvaRate[];

/** Whether basis points are a rate of IVA. */
export function isIvaRate(basisPoints: number): basisPoints is IvaRate {
  return IVA_RATES.includes(basisPoints);
}

export interface NetPrice {
  /** The price before IVA of one unit, in millionths of a peso: what makes an invoice's total exact. */
  readonly priceMicropesos: number;
  /** The invoice's SubTotal. */
  readonly netCentavos: Centavos;
  /** The invoice's IVA. */
  readonly ivaCentavos: Centavos;
}

const MICROPESOS_PER_CENTAVO = 10_000;

/**
 * Takes IVA out of what was paid, so that SubTotal plus IVA, each rounded half up to the centavo, is the total again.
 * At 16 % no price in centavos does so for 4 totals in 29 (2 in 27 at 8 %): there the price gets the six decimals that
 * a CFDI allows. Elsewhere it stays at two, so that nothing hangs on when the provider rounds. Throws for another rate.
 */
export function netOfIva(totalCentavos: Centavos, basisPoints: IvaRate): NetPrice {
  if (!isIvaRate(basisPoints)) throw new RangeError(`no rate of IVA: ${String(basisPoints)}`);
  const netCentavos = centavos(divideHalfUp(BigInt(totalCentavos) * 10_000n, 10_000 + basisPoints));
  const ivaCentavos = subtract(totalCentavos, netCentavos);
  const isWhole = percentOf(netCentavos, basisPoints) === ivaCentavos;
  const priceMicropesos = isWhole
    ? netCentavos * MICROPESOS_PER_CENTAVO
    : divideHalfUp(BigInt(totalCentavos) * 100_000_000n, 10_000 + basisPoints);
  return { priceMicropesos, netCentavos, ivaCentavos };
}

function divideHalfUp(dividend: bigint, divisor: number): number {
  return Number((dividend * 2n + BigInt(divisor)) / BigInt(divisor * 2));
}
