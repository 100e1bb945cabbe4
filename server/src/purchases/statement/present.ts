import { pesosFromCentavos as pesos } from '@aparta/contract/amount';
import type { Statement } from '@aparta/contract/statements';
import type { StatementLine } from '@aparta/domain/statement';

import type { AccountEvent } from './read-model.ts';
import type { BuyerStatement, Due } from './statement.ts';

export function presentStatement(statement: BuyerStatement): Statement {
  const { from, to, sums, isWhole } = statement;
  return {
    from,
    to,
    opening: pesos(statement.openingCentavos),
    sums: {
      reserved: pesos(sums.reservedCentavos),
      reversed: pesos(sums.reversedCentavos),
      applied: pesos(sums.paidCentavos),
      dropped: pesos(sums.droppedCentavos),
      fees: pesos(sums.feesCentavos),
      penalties: pesos(sums.penaltiesCentavos),
      refunded: pesos(sums.refundedCentavos),
      refundedToHelpers: pesos(sums.refundedToHelpersCentavos),
    },
    closing: pesos(statement.closingCentavos),
    lines: statement.lines.map(lineOf),
    dues: statement.dues.map(dueOf),
    isWhole,
  };
}

function lineOf(line: StatementLine<AccountEvent>): Statement['lines'][number] {
  const { kind, productName, tradeName, endedBy, method, last4, branch, payerName, folio, inReview } = line;
  return {
    kind,
    at: line.at.toISOString(),
    ventaId: line.purchaseId,
    productName,
    tradeName,
    endedBy,
    method,
    last4,
    branch,
    payerName,
    folio,
    numbers: [...line.numbers],
    numCxc: line.instalments,
    inReview,
    amount: pesos(line.amountCentavos),
    fee: pesos(line.feeCentavos),
    charge: pesos(line.chargeCentavos),
    credit: pesos(line.creditCentavos),
    balance: pesos(line.balanceCentavos),
  };
}

function dueOf(due: Due): Statement['dues'][number] {
  const { dueOn, purchaseId, productName, tradeName, number, instalments, state } = due;
  return {
    dueOn,
    ventaId: purchaseId,
    productName,
    tradeName,
    number,
    of: instalments,
    amount: pesos(due.amountCentavos),
    paid: pesos(due.paidCentavos),
    state,
  };
}
