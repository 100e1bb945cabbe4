import { type Centavos, decimal, parseDecimal, zero } from '@aparta/domain/money';
import { stringify } from 'csv-stringify/sync';

import { type FileProblem, readRows } from '../../platform/file-rows.ts';
import { inertCell } from '../../platform/printed-text.ts';

/** One operation of a chain's day: money that a till took, and perhaps gave back that day. */
export interface DayOperation {
  readonly branch: string;
  readonly transactionId: string;
  readonly reference: string;
  readonly amountCentavos: Centavos;
  readonly authorisation: string;
  readonly isReversed: boolean;
  /** Mexico City time; '' where a chain does not say. */
  readonly at: string;
}

const COLUMNS = [
  'sucursal',
  'idtransaccion',
  'referencia',
  'importe',
  'autorizacion',
  'estado',
  'fecha',
] as const;
type Column = (typeof COLUMNS)[number];
/** A list without one of these would compare equal by leaving it out. */
const NEEDED = ['sucursal', 'idtransaccion', 'importe', 'estado'] as const;
const AUTHORISED = 'autorizada';
const REVERSED = 'revertida';

/** A chain's day file: CSV with a header and a line per operation. Refused operations moved nothing and are left out. */
export function writeDayFile(operations: readonly DayOperation[]): string {
  return stringify(
    operations.map((each) =>
      [
        each.branch,
        each.transactionId,
        each.reference,
        decimal(each.amountCentavos),
        each.authorisation,
        each.isReversed ? REVERSED : AUTHORISED,
        each.at,
      ].map(inertCell),
    ),
    { header: true, columns: [...COLUMNS], record_delimiter: 'windows' },
  );
}

/** What a chain's file says, or each of its cells that cannot be read. */
export function readDayFile(
  text: string,
): { operations: DayOperation[] } | { problems: readonly FileProblem<Column>[] } {
  const read = readRows<Column, DayOperation>(text, NEEDED, (cell, demand) => {
    const amountCentavos = parseDecimal(cell('importe'));
    demand(cell('idtransaccion') !== '', 'idtransaccion');
    demand(amountCentavos !== undefined, 'importe');
    demand(cell('estado') === AUTHORISED || cell('estado') === REVERSED, 'estado');
    return {
      branch: cell('sucursal'),
      transactionId: cell('idtransaccion'),
      reference: cell('referencia'),
      amountCentavos: amountCentavos ?? zero,
      authorisation: cell('autorizacion'),
      isReversed: cell('estado') === REVERSED,
      at: cell('fecha'),
    };
  });
  return 'problems' in read ? read : { operations: read.rows };
}

/** How one operation differs between our books and a chain's file. */
export interface DayDifference {
  readonly branch: string;
  readonly transactionId: string;
  readonly difference:
    | 'only in our books'
    | 'only in their file'
    | 'twice in their file'
    | 'amount'
    | 'reference'
    | 'state';
  readonly ours: string;
  readonly theirs: string;
}

/** Compares a day's operations by branch and transaction. Empty when both say the same. */
export function compareDay(ours: readonly DayOperation[], theirs: readonly DayOperation[]): DayDifference[] {
  const keyOf = (each: DayOperation) => JSON.stringify([each.branch, each.transactionId]);
  const reported = new Map<string, DayOperation>();
  const differences: DayDifference[] = [];
  const differ = (
    of: DayOperation,
    difference: DayDifference['difference'],
    our: DayOperation | undefined,
    their: DayOperation | undefined,
    word: (each: DayOperation) => string = sumOf,
  ) =>
    differences.push({
      branch: of.branch,
      transactionId: of.transactionId,
      difference,
      ours: our === undefined ? '' : word(our),
      theirs: their === undefined ? '' : word(their),
    });

  for (const their of theirs) {
    if (reported.has(keyOf(their))) differ(their, 'twice in their file', undefined, their);
    reported.set(keyOf(their), their);
  }
  for (const our of ours) {
    const their = reported.get(keyOf(our));
    reported.delete(keyOf(our));
    if (their === undefined) {
      // A chain may leave out what was taken and given back that day: it moved nothing.
      if (!our.isReversed) differ(our, 'only in our books', our, undefined);
      continue;
    }
    if (our.amountCentavos !== their.amountCentavos) differ(our, 'amount', our, their);
    // Printed in groups or not, it is the same number.
    if (their.reference !== '' && digitsOf(our.reference) !== digitsOf(their.reference)) {
      differ(our, 'reference', our, their, (each) => each.reference);
    }
    if (our.isReversed !== their.isReversed) differ(our, 'state', our, their, stateOf);
  }
  for (const their of reported.values()) differ(their, 'only in their file', undefined, their);
  return differences;
}

function sumOf(each: DayOperation): string {
  return `${decimal(each.amountCentavos)} ${stateOf(each)}`;
}

function stateOf(each: DayOperation): string {
  return each.isReversed ? REVERSED : AUTHORISED;
}

function digitsOf(reference: string): string {
  return reference.replace(/\D/g, '');
}
