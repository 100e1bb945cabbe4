import { centavosFromPesos } from '@aparta/contract/amount';
import type { ReplyData } from '@aparta/contract/endpoint';
import { getStatement, getStatementFile, type STATEMENT_FORMATS } from '@aparta/contract/statements';
import type { DateOnly } from '@aparta/domain/calendar';
import { subtract, sum } from '@aparta/domain/money';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { fileOf } from './file.ts';
import { PURCHASES } from './purchases-key.ts';

export type Range = { from: DateOnly; to: DateOnly };
export type StatementFormat = (typeof STATEMENT_FORMATS)[number];
export type Statement = ReturnType<typeof readStatement>;
export type StatementLine = Statement['lines'][number];
export type StatementDue = Statement['dues'][number];

export const statementQuery = ({ from, to }: Range) =>
  queryOptions({
    queryKey: [...PURCHASES, 'statement', from, to],
    queryFn: async ({ signal }) =>
      readStatement((await call(getStatement, { query: { from, to } }, { signal })).data),
  });

/** The same as a file. */
export async function statementFile({ from, to }: Range, format: StatementFormat): Promise<File> {
  const { data } = await call(getStatementFile, { query: { from, to, format } });
  return fileOf(data, format === 'pdf' ? 'application/pdf' : 'text/csv');
}

const centavos = centavosFromPesos;

function readStatement(wire: ReplyData<typeof getStatement>) {
  const { reserved, reversed, applied, dropped, fees, penalties, refunded, refundedToHelpers } = wire.sums;
  const dues = wire.dues.map(({ ventaId, of, ...due }) => ({
    ...due,
    purchaseId: ventaId,
    payments: of,
    amount: centavos(due.amount),
    paid: centavos(due.paid),
  }));
  const still = dues.filter(({ state }) => state !== 'cancelled');
  return {
    opening: centavos(wire.opening),
    closing: centavos(wire.closing),
    sums: {
      reserved: centavos(reserved),
      reversed: centavos(reversed),
      applied: centavos(applied),
      dropped: centavos(dropped),
      fees: centavos(fees),
      penalties: centavos(penalties),
      refunded: centavos(refunded),
      refundedToHelpers: centavos(refundedToHelpers),
    },
    /** Oldest first. */
    lines: wire.lines.map(({ ventaId, numCxc, at, ...line }) => ({
      ...line,
      at: new Date(at),
      purchaseId: ventaId ?? undefined,
      instalments: numCxc,
      amount: centavos(line.amount),
      fee: centavos(line.fee),
      charge: centavos(line.charge),
      credit: centavos(line.credit),
      balance: centavos(line.balance),
    })),
    dues,
    /** Of those that are not of an ended purchase: how many, what they come to, and what of it is not paid. */
    due: {
      count: still.length,
      amount: sum(still.map(({ amount }) => amount)),
      left: sum(still.map(({ amount, paid }) => subtract(amount, paid))),
    },
    isWhole: wire.isWhole,
  };
}
