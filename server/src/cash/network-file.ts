import { type Centavos, parseDecimal, zero } from '@aparta/domain/money';
import { parse } from 'csv-parse/sync';

/** One operation of the network's own list: cash that a store took, and perhaps gave back. */
export interface NetworkOperation {
  readonly operationId: string;
  readonly amountCentavos: Centavos;
  readonly isReversed: boolean;
}

const COLUMNS = ['operacion', 'importe', 'estado'] as const;
/** How a list may say what became of an operation; one that says nothing was paid. */
const STATES: Readonly<Record<string, boolean>> = { '': false, confirmada: false, revertida: true };

/** A cell that cannot be read, or no table at all. */
export interface NetworkFileProblem {
  readonly line: number;
  readonly column: (typeof COLUMNS)[number] | undefined;
  readonly found: string;
}

/** What the network's list says, a CSV with `operacion`, `importe` and perhaps `estado`; or every cell that cannot be read. */
export function readNetworkFile(
  text: string,
): { operations: NetworkOperation[] } | { problems: readonly NetworkFileProblem[] } {
  let records: Record<string, string>[];
  try {
    records = parse(text, {
      columns: true,
      bom: true,
      trim: true,
      skip_empty_lines: true,
      relax_column_count: true,
    });
  } catch (error) {
    return { problems: [{ line: 1, column: undefined, found: error instanceof Error ? error.message : '' }] };
  }
  const problems: NetworkFileProblem[] = [];
  const operations = records.map((record, index): NetworkOperation => {
    const cell = (name: (typeof COLUMNS)[number]) => record[name] ?? '';
    const demand = (isGood: boolean, column: (typeof COLUMNS)[number]) => {
      if (!isGood) problems.push({ line: index + 2, column, found: cell(column) });
    };
    const amountCentavos = parseDecimal(cell('importe'));
    const isReversed = STATES[cell('estado')];
    demand(cell('operacion') !== '', 'operacion');
    demand(amountCentavos !== undefined, 'importe');
    demand(isReversed !== undefined, 'estado');
    return {
      operationId: cell('operacion'),
      amountCentavos: amountCentavos ?? zero,
      isReversed: isReversed === true,
    };
  });
  return problems.length > 0 ? { problems } : { operations };
}
