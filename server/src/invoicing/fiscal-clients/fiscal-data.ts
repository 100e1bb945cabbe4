import { isEmailAddress } from '@aparta/domain/email-address';
import { isPermitted, isPostalCode, normaliseFiscalName, parseRfc, regimesFor } from '@aparta/domain/fiscal';

import type { FaultyField, Receiver } from '../provider/port.ts';

/** A tax identity as SAT knows it, normalised. */
export type FiscalData = Receiver;

/** A field of a tax identity that SAT may refuse. */
export type FiscalField = FaultyField;

/**
 * What is wrong with a field of the fiscal form, including the problems of an RFC (rules/providers#receiver-data,
 * rules/providers#rfc).
 */
export type FiscalProblem = 'empty' | 'shape' | 'date' | 'generic' | 'length' | 'not_permitted';

export type FiscalProblems = Readonly<Partial<Record<FaultyField, FiscalProblem>>>;

export type ReadFiscalData =
  | { readonly ok: true; readonly data: Receiver }
  | { readonly ok: false; readonly problems: FiscalProblems };

/** The names on the wire of the fields that may be at fault (spec §3, ClientSat). */
export const WIRE_FIELD = {
  rfc: 'rfc',
  name: 'name',
  postalCode: 'zip',
  taxRegime: 'regime',
  cfdiUse: 'cfdiUse',
  email: 'email',
} as const satisfies Record<FaultyField, string>;

/** The problems by the names on the wire, for the `fields` of a refusal. */
export function wireFields(problems: FiscalProblems): Record<string, string> {
  return Object.fromEntries(
    Object.entries(problems).map(([field, problem]) => [WIRE_FIELD[field as FaultyField], problem]),
  );
}

const LONGEST_NAME = 254; // c_Nombre of CFDI 4.0

/** Normalises a fiscal form as SAT wants it, or names every problem, one per field. */
export function readFiscalData(form: Receiver): ReadFiscalData {
  const problems: Partial<Record<FaultyField, FiscalProblem>> = {};
  const rfc = parseRfc(form.rfc);
  if (!rfc.ok) problems.rfc = rfc.problem;
  const { name } = normaliseFiscalName(form.name, rfc.ok ? rfc.personType : 'fisica');
  const nameProblem = problemOfName(name);
  if (nameProblem !== undefined) problems.name = nameProblem;
  if (!isPostalCode(form.postalCode)) problems.postalCode = form.postalCode === '' ? 'empty' : 'shape';
  if (!isEmailAddress(form.email)) {
    problems.email = form.email === '' ? 'empty' : 'shape';
  }
  // The RFC alone tells the type of person, which decides what is permitted.
  if (rfc.ok && !regimesFor(rfc.personType).some(({ code }) => code === form.taxRegime)) {
    problems.taxRegime = form.taxRegime === '' ? 'empty' : 'not_permitted';
  } else if (rfc.ok && !isPermitted(form.taxRegime, form.cfdiUse, rfc.personType)) {
    problems.cfdiUse = form.cfdiUse === '' ? 'empty' : 'not_permitted';
  }
  if (!rfc.ok || Object.keys(problems).length > 0) return { ok: false, problems };
  return {
    ok: true,
    data: {
      rfc: rfc.rfc,
      name,
      alias: form.alias.toWellFormed(),
      email: form.email,
      phone: form.phone.toWellFormed(),
      taxRegime: form.taxRegime,
      cfdiUse: form.cfdiUse,
      street: form.street.toWellFormed(),
      suburb: form.suburb.toWellFormed(),
      postalCode: form.postalCode,
    },
  };
}

/** `|` separates the fields of the text that is signed, so no name may contain one. */
function problemOfName(name: string): FiscalProblem | undefined {
  if (name === '') return 'empty';
  if (name.length > LONGEST_NAME) return 'length';
  return name.includes('|') || !name.isWellFormed() ? 'shape' : undefined;
}
