import { type Centavos, parseDecimal, zero } from '@aparta/domain/money';

import { type FileProblem, readRows } from '../../platform/file-rows.ts';

/** One operation of Tapi's own list: cash that a store took, and perhaps gave back. */
export interface CashFileOperation {
  readonly operationId: string;
  readonly amountCentavos: Centavos;
  readonly isReversed: boolean;
}

type Column = 'operacion' | 'importe' | 'estado';
/** The `estado` of an operation, by whether it was reversed; empty means paid. */
const STATES: ReadonlyMap<string, boolean> = new Map([
  ['', false],
  ['confirmada', false],
  ['revertida', true],
]);

/** What Tapi's list says, a CSV with `operacion`, `importe` and perhaps `estado`; or each cell that cannot be read. */
export function readCashFile(
  text: string,
): { operations: CashFileOperation[] } | { problems: readonly FileProblem<Column>[] } {
  const read = readRows<Column, CashFileOperation>(text, ['operacion', 'importe'], (cell, demand) => {
    const amountCentavos = parseDecimal(cell('importe'));
    const isReversed = STATES.get(cell('estado').toLowerCase());
    demand(/^.{1,100}$/.test(cell('operacion')), 'operacion');
    demand(amountCentavos !== undefined, 'importe');
    demand(isReversed !== undefined, 'estado');
    return {
      operationId: cell('operacion'),
      amountCentavos: amountCentavos ?? zero,
      isReversed: isReversed === true,
    };
  });
  return 'problems' in read ? read : { operations: read.rows };
}
