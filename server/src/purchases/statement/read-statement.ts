import type { DateOnly } from '@aparta/domain/calendar';
import {
  buildStatement,
  isStatementRange,
  MOST_STATEMENT_DAYS,
  MOST_STATEMENT_LINES,
} from '@aparta/domain/statement';

import type { Db } from '../../platform/db/db.ts';
import { Refusal } from '../../platform/refusal.ts';
import { readAccount } from './read-model.ts';
import { type BuyerStatement, stateOf } from './statement.ts';

export interface StatementOf {
  readonly buyerId: number;
  readonly from: DateOnly;
  readonly to: DateOnly;
}

/** A buyer's own account in some days. Refuses INVALID_INPUT for days in the wrong order, or too many. */
export async function readStatement(db: Db, { buyerId, from, to }: StatementOf): Promise<BuyerStatement> {
  if (!isStatementRange({ from, to }))
    throw new Refusal('INVALID_INPUT', {
      fields: { to: `at most ${MOST_STATEMENT_DAYS} days, none before the first` },
    });
  const { events, dues, buyerName, today, now } = await readAccount(db, { buyerId, from, to });
  const { isWhole, ...statement } = buildStatement(events, { from, to });
  return {
    from,
    to,
    buyerName,
    now,
    ...statement,
    dues: dues.slice(0, MOST_STATEMENT_LINES).map((due) => ({ ...due, state: stateOf(due, today) })),
    isWhole: isWhole && dues.length <= MOST_STATEMENT_LINES,
  };
}

/** A statement as a file. Refuses as {@link readStatement} does. */
export async function saveStatement(
  deps: { readonly db: Db; readonly productName: string },
  { format, ...of }: StatementOf & { readonly format: 'pdf' | 'csv' },
): Promise<{ fileName: string; bytes: Buffer }> {
  const statement = await readStatement(deps.db, of);
  const fileName = `estado-de-cuenta-${of.from}-a-${of.to}.${format}`;
  // What draws a PDF takes 15 MB: not before somebody asks for one.
  if (format === 'pdf') {
    const { statementPdf } = await import('./statement-pdf.ts');
    return { fileName, bytes: await statementPdf(statement, deps.productName) };
  }
  const { statementCsv } = await import('./statement-csv.ts');
  return { fileName, bytes: Buffer.from(statementCsv(statement)) };
}
