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

/** The fiscal form (§2) as it is typed, by wire names. */
export const FISCAL_FIELDS = [
  'rfc',
  'alias',
  'name',
  'regime',
  'cfdiUse',
  'email',
  'phone',
  'street',
  'suburb',
  'zip',
] as const;
export type FiscalField = (typeof FISCAL_FIELDS)[number];
/** `chosenType` counts only while the RFC does not tell. */
export type FiscalValues = Record<FiscalField, string> & { chosenType: PersonType | '' };

/** `tooLong` and `tooShort` are of an RFC: letters or digits missing or left over. `refused`: the server or SAT said no. */
export type FiscalProblem = RfcProblem | 'tooShort' | 'tooLong' | 'exists' | 'refused';

export type FiscalProblems = Partial<Record<FiscalField, FiscalProblem>>;

const squeezed = (text: string) => text.toUpperCase().replace(/[^A-ZÑ&\d]/g, '');

/** The type that an RFC tells from its first letters on: three before the date are a company's, four a person's. */
export function typeInRfc(text: string): PersonType | undefined {
  const parsed = parseRfc(text);
  if (parsed.ok) return parsed.personType;
  const [letters = ''] = /^[A-ZÑ&]*/.exec(squeezed(text)) ?? [];
  if (letters.length === 3 && squeezed(text).length > 3) return 'moral';
  return letters.length === 4 ? 'fisica' : undefined;
}

/** Whose regimes are offered: what the RFC tells, else what was chosen. */
export function personTypeOf({ rfc, chosenType }: FiscalValues): PersonType | undefined {
  return typeInRfc(rfc) ?? (chosenType === '' ? undefined : chosenType);
}

/** What is typed after one change: a regime that the person cannot be in goes, a use that SAT does not allow there too. */
export function changed(values: FiscalValues, change: Partial<FiscalValues>): FiscalValues {
  const next = { ...values, ...change };
  const type = personTypeOf(next);
  if (!type || !regimesFor(type).some(({ code }) => code === next.regime)) {
    return { ...next, regime: '', cfdiUse: '' };
  }
  const isAllowed = usesFor(next.regime).some(({ code }) => code === next.cfdiUse);
  return isAllowed ? next : { ...next, cfdiUse: defaultUse(next.regime) };
}

/** One field the way SAT writes it, for when it is left. */
export function normalised(field: FiscalField, values: FiscalValues): string {
  const text = values[field].normalize('NFC').trim();
  if (field === 'name') return normaliseFiscalName(text, personTypeOf(values) ?? 'fisica').name;
  if (field === 'zip' || field === 'email') return text.replace(/\s/g, '');
  if (field !== 'rfc') return text;
  const parsed = parseRfc(text);
  return parsed.ok ? parsed.rfc : text.toUpperCase();
}

/** What keeps a form from being sent, field by field. The server checks again. */
export function problemsOf(values: FiscalValues): FiscalProblems {
  const problems: FiscalProblems = {};
  const rfc = parseRfc(values.rfc);
  if (!rfc.ok) problems.rfc = rfc.problem === 'shape' ? shapeOf(values) : rfc.problem;
  for (const field of ['name', 'email', 'zip', 'regime', 'cfdiUse'] as const) {
    if (normalised(field, values) === '') problems[field] = 'empty';
  }
  if (!problems.email && !/^[!-?A-~]+@[!-?A-~]+\.[!-?A-~]+$/.test(normalised('email', values)))
    problems.email = 'shape';
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
