import { isEmailAddress } from '@aparta/domain/email-address';
import {
  defaultUse,
  isPermitted,
  isPostalCode,
  normaliseFiscalName,
  parseRfc,
  regimesFor,
  usesFor,
  type PersonType,
  type RfcProblem,
} from '@aparta/domain/fiscal';
import { FISCAL_FIELDS, type FiscalField, type FiscalValues } from '../data/fiscal-clients.ts';

/** `tooLong` and `tooShort` concern the RFC. `refused`: by the server or SAT. */
export type FiscalProblem = RfcProblem | 'tooShort' | 'tooLong' | 'exists' | 'refused';

export type FiscalProblems = Partial<Record<FiscalField, FiscalProblem>>;

const squeezed = (text: string) => text.toUpperCase().replace(/[^A-ZÑ&\d]/g, '');

/** The type of person by the RFC's leading letters: three for a company, four for a person. */
export function typeInRfc(text: string): PersonType | undefined {
  const parsed = parseRfc(text);
  if (parsed.ok) return parsed.personType;
  const [prefix = ''] = /^[A-ZÑ&]*/.exec(squeezed(text)) ?? [];
  if (prefix.length === 3 && squeezed(text).length > 3) return 'moral';
  return prefix.length === 4 ? 'fisica' : undefined;
}

/** The type whose regimes are offered: by the RFC, else as chosen. */
export function personTypeOf({ rfc, chosenType }: FiscalValues): PersonType | undefined {
  return typeInRfc(rfc) ?? (chosenType === '' ? undefined : chosenType);
}

/**
 * Applies one change: clears a regime that the type cannot have, and a use that SAT does not allow with it.
 */
export function changed(values: FiscalValues, change: Partial<FiscalValues>): FiscalValues {
  const next = { ...values, ...change };
  const type = personTypeOf(next);
  if (!type || !regimesFor(type).some(({ code }) => code === next.regime)) {
    return { ...next, regime: '', cfdiUse: '' };
  }
  const isAllowed = usesFor(next.regime).some(({ code }) => code === next.cfdiUse);
  return isAllowed ? next : { ...next, cfdiUse: defaultUse(next.regime) };
}

/** Normalises one field to SAT's spelling, on blur. */
export function normalised(field: FiscalField, values: FiscalValues): string {
  const text = values[field].normalize('NFC').trim();
  if (field === 'name') return normaliseFiscalName(text, personTypeOf(values) ?? 'fisica').name;
  if (field === 'zip' || field === 'email') return text.replace(/\s/g, '');
  if (field !== 'rfc') return text;
  const parsed = parseRfc(text);
  return parsed.ok ? parsed.rfc : text.toUpperCase();
}

/** Every field normalised, as it is sent. */
export function normalisedForm(values: FiscalValues): Record<FiscalField, string> {
  return Object.fromEntries(FISCAL_FIELDS.map((field) => [field, normalised(field, values)])) as Record<
    FiscalField,
    string
  >;
}

/** Errors that block submitting, by field. The server checks again. */
export function problemsOf(values: FiscalValues): FiscalProblems {
  const problems: FiscalProblems = {};
  const rfc = parseRfc(values.rfc);
  if (!rfc.ok) problems.rfc = rfc.problem === 'shape' ? shapeOf(values) : rfc.problem;
  for (const field of ['name', 'email', 'zip', 'regime', 'cfdiUse'] as const) {
    if (normalised(field, values) === '') problems[field] = 'empty';
  }
  if (!problems.email && !isEmailAddress(normalised('email', values))) problems.email = 'shape';
  if (!problems.zip && !isPostalCode(normalised('zip', values))) problems.zip = 'shape';
  if (rfc.ok && !problems.regime && !problems.cfdiUse) {
    if (!isPermitted(values.regime, values.cfdiUse, rfc.personType)) problems.cfdiUse = 'refused';
  }
  return problems;
}

function shapeOf(values: FiscalValues): FiscalProblem {
  const { length } = squeezed(values.rfc);
  const whole = personTypeOf(values) === 'moral' ? 12 : 13;
  if (length === whole) return 'shape';
  return length < whole ? 'tooShort' : 'tooLong';
}
