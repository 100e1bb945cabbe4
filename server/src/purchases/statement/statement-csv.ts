import { MOST_STATEMENT_LINES } from '@aparta/domain/statement';
import { whatOf } from '@aparta/domain/statement-copy';

import { type Cell, writeCsv } from '../../platform/csv.ts';
import { howOf, statementCopy as copy } from './copy.ts';
import type { BuyerStatement } from './statement.ts';

type Column = (typeof copy.columns)[number];

/** A line by its columns; the others are empty. */
const row = (cells: Partial<Record<Column, Cell>>): Cell[] => copy.columns.map((column) => cells[column]);

/** A statement for a spreadsheet: its lines between both balances, then what was due. */
export function statementCsv({ from, to, lines, dues, ...statement }: BuyerStatement): string {
  return writeCsv(copy.columns, [
    row({ Fecha: { on: from }, Movimiento: copy.opening, Saldo: { centavos: statement.openingCentavos } }),
    ...lines.map((line) =>
      row({
        Fecha: line.at,
        Comercio: line.tradeName,
        Compra: line.purchaseId,
        Producto: line.productName,
        Movimiento: whatOf(line),
        Cómo: howOf(line),
        'Quién pagó': line.payerName,
        Folio: line.folio,
        Importe: line.kind === 'ended' ? null : { centavos: line.amountCentavos },
        'Cargo por servicio': moved(line.feeCentavos),
        Cargo: moved(line.chargeCentavos),
        Abono: moved(line.creditCentavos),
        Saldo: { centavos: line.balanceCentavos },
      }),
    ),
    ...(statement.isWhole ? [] : [row({ Movimiento: copy.notWhole(MOST_STATEMENT_LINES) })]),
    row({ Fecha: { on: to }, Movimiento: copy.closing, Saldo: { centavos: statement.closingCentavos } }),
    ...dues.map((due) =>
      row({
        Comercio: due.tradeName,
        Compra: due.purchaseId,
        Producto: due.productName,
        Movimiento: copy.due(due.number, due.instalments),
        Importe: { centavos: due.amountCentavos },
        'Vencía el': { on: due.dueOn },
        'Pagado de lo que vencía': { centavos: due.paidCentavos },
      }),
    ),
  ]);
}

const moved = (centavos: number): Cell => (centavos > 0 ? { centavos } : null);
