import { pesosFromCentavos } from '@aparta/contract/amount';
import type { OwedRefund, RefundLine, ShopToday, TakenOnDay, Taking } from '@aparta/contract/counter-reports';
import { centavos, sum } from '@aparta/domain/money';
import { shortName } from '@aparta/domain/short-name';

import type { UncutDrawer } from '../../../payments/counter/cuts/read-model.ts';
import type { RefundRow, RefundSums } from './refunds.read-model.ts';
import type { DayTaken, OwedRefundRow, TakingRow } from './takings.read-model.ts';
import type { Collected, Figure, Morning } from './today.read-model.ts';

export function presentMorning(morning: Morning, drawers: readonly UncutDrawer[]): ShopToday {
  const { day, today, week, weeks, due, overdue, balances, expiring, refunds, toHandOver, claims } = morning;
  return {
    day,
    today: today.map((each) => ({ method: each.method, ...collected(each) })),
    week: week.map((each) => ({ method: each.method, ...collected(each) })),
    weeks: weeks.map((each) => ({ from: each.from, to: each.to, ...collected(each) })),
    due: due.map((each) => ({ days: each.days, ...figure(each) })),
    overdue: figure(overdue),
    balances: balances.map((each) => ({ age: each.age, ...figure(each) })),
    expiring: figure(expiring),
    refunds: figure(refunds),
    toHandOver: figure(toHandOver),
    claims: figure(claims),
    uncut: figure({
      // A drawer that gave back more than it took did so out of its float: nothing that came in lies in it.
      amountCentavos: sum(drawers.map(({ amountCentavos }) => centavos(Math.max(0, amountCentavos)))),
      count: drawers.length,
    }),
  };
}

const figure = ({ amountCentavos, count }: Figure) => ({ amount: pesosFromCentavos(amountCentavos), count });

const collected = ({ withdrawnCentavos, ...of }: Collected) => ({
  ...figure(of),
  withdrawn: pesosFromCentavos(withdrawnCentavos),
});

export const presentDayTaken = ({ day, ...of }: DayTaken): TakenOnDay => ({ day, ...collected(of) });

export function presentTaking(row: TakingRow): Taking {
  const {
    id,
    folio,
    at,
    method,
    amountCentavos,
    withdrawnCentavos,
    feeCentavos,
    purchaseId,
    takenBy,
    branch,
  } = row;
  return {
    id,
    folio,
    at: at.toISOString(),
    method,
    amount: pesosFromCentavos(amountCentavos),
    withdrawn: pesosFromCentavos(withdrawnCentavos),
    fee: pesosFromCentavos(feeCentavos),
    ...presentWhose(row),
    purchaseId,
    takenBy,
    branch,
  };
}

export function presentOwedRefund(row: OwedRefundRow): OwedRefund {
  const { id, since, amountCentavos, folio, payerName, last4, isTakenBack, purchaseId } = row;
  return {
    id,
    since: since.toISOString(),
    amount: pesosFromCentavos(amountCentavos),
    folio,
    ...presentWhose(row),
    payerName: payerName === null ? null : shortName(payerName),
    last4,
    storeReversed: isTakenBack,
    purchaseId,
  };
}

export function presentRefund(row: RefundRow): RefundLine {
  const { amountCentavos, at, owedAt, payerName, buyerName: _buyer, ...of } = row;
  return {
    ...of,
    at: at.toISOString(),
    owedAt: owedAt.toISOString(),
    amount: pesosFromCentavos(amountCentavos),
    ...presentWhose(row),
    payerName: payerName === null ? null : shortName(payerName),
  };
}

export const presentRefundSums = ({ done, open }: RefundSums) => ({ done: figure(done), open: figure(open) });

const presentWhose = ({ buyerName, productName }: Pick<TakingRow, 'buyerName' | 'productName'>) => ({
  buyer: shortName(buyerName ?? ''),
  productName: productName ?? '',
});
