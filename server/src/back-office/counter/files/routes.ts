import {
  saveCuts,
  saveInvoices,
  savePurchases,
  saveRefunds,
  saveSettlements,
  saveTakings,
} from '@aparta/contract/counter-files';
import { differenceIn, expectedIn } from '@aparta/domain/cut';
import {
  invoiceAsking,
  invoiceGroupWords,
  invoiceStands,
  methodWords,
  paymentFormWords,
  refundReason,
  refundStands,
  settlementParties,
  settlementWords,
} from '@aparta/domain/shop-copy';
import { shortName } from '@aparta/domain/short-name';

import { readNewestCuts } from '../../../payments/counter/cuts/read-cuts.ts';
import type { CutRow } from '../../../payments/counter/cuts/read-model.ts';
import type { Cell } from '../../../platform/csv.ts';
import type { Db } from '../../../platform/db/db.ts';
import { route, type Route, success } from '../../../platform/http/route.ts';
import { type CancelledSums, readCancelledSums } from '../cancelled-sums.read-model.ts';
import { demandSearch } from '../demand-search.ts';
import { listPaidInstalments, type PaidInstalmentRow } from '../invoices/invoices.read-model.ts';
import { showsFolio, standingOf } from '../invoices/standing.ts';
import { listShopPurchases, type ShopPurchaseRow } from '../purchases.read-model.ts';
import { countedFor, readTakingCursor, refuseTooLong, takingCursorOf } from '../reports/asked.ts';
import { listRefunds, type RefundRow } from '../reports/refunds.read-model.ts';
import { listTakings, type TakingRow } from '../reports/takings.read-model.ts';
import type { Settlement } from '../../settlements/store.ts';
import { listShopSettlements } from '../settlements/list-settlements.ts';
import { filesCopy } from './copy.ts';
import { MOST_LINES, saveList } from './save-list.ts';

/** The lists of a shop as files: what its screens list, as its people see it there. */
export function fileRoutes({ db }: { db: Db }): Route[] {
  return [
    route(savePurchases, async ({ caller, body: { format, show, search } }) => {
      const { merchantId } = caller;
      const sought = demandSearch(caller, search);
      const rows = await listShopPurchases(db, { merchantId, show, search: sought, limit: MOST_LINES + 1 });
      const cancelled = rows.filter(({ state }) => state === 'cancelled');
      const sums = await readCancelledSums(
        db,
        cancelled.map(({ id }) => id),
      );
      const { name, columns } = filesCopy.purchases;
      const lines = rows.map((row) => purchaseLine(row, sums.get(row.id)));
      // What was searched for may be a name or a telephone: that it was is enough.
      const of = { show, searched: search !== undefined };
      return success(await saveList(db, caller, format, { name, columns, lines }, of));
    }),

    route(saveTakings, async ({ caller, body: { format, cursor, ...of } }) => {
      refuseTooLong(of);
      const rows = await listTakings(db, {
        ...of,
        ...countedFor(caller),
        after: readTakingCursor(cursor),
        limit: MOST_LINES + 1,
      });
      const { name, columns } = filesCopy.takings;
      const list = { name, columns, lines: rows.map(takingLine) };
      const saved = await saveList(db, caller, format, list, { ...of, ...(cursor && { cursor }) });
      return success({ ...saved, next: saved.isWhole ? null : takingCursorOf(rows[MOST_LINES - 1]) });
    }),

    route(saveRefunds, async ({ caller, body: { format, cursor, ...of } }) => {
      refuseTooLong(of);
      const rows = await listRefunds(db, {
        ...of,
        ...countedFor(caller),
        after: cursor,
        limit: MOST_LINES + 1,
      });
      const { name, columns } = filesCopy.refunds;
      const list = { name, columns, lines: rows.map(refundLine) };
      const saved = await saveList(db, caller, format, list, { ...of, ...(cursor && { cursor }) });
      return success({ ...saved, next: saved.isWhole ? null : String(rows[MOST_LINES - 1]?.id) });
    }),

    route(saveInvoices, async ({ caller, body: { format, cursor, ...of } }) => {
      const rows = await listPaidInstalments(db, {
        merchantId: caller.merchantId,
        month: `${of.month}-01`,
        show: of.show,
        after: cursor,
        limit: MOST_LINES + 1,
      });
      const { name, columns } = filesCopy.invoices;
      const list = { name, columns, lines: rows.map(invoiceLine) };
      const saved = await saveList(db, caller, format, list, { ...of, ...(cursor && { cursor }) });
      return success({ ...saved, next: saved.isWhole ? null : String(rows[MOST_LINES - 1]?.allocationId) });
    }),

    route(saveSettlements, async ({ caller, body: { format, cursor } }) => {
      const rows = await listShopSettlements(db, caller, { before: cursor, limit: MOST_LINES + 1 });
      const { name, columns } = filesCopy.settlements;
      const list = { name, columns, lines: rows.map(settlementLine) };
      const saved = await saveList(db, caller, format, list, cursor === undefined ? {} : { cursor });
      return success({ ...saved, next: saved.isWhole ? null : String(rows[MOST_LINES - 1]?.id) });
    }),

    route(saveCuts, async ({ caller, body: { format, ...of } }) => {
      const rows = await readNewestCuts(db, caller, of.branchId, MOST_LINES + 1);
      const { name, columns } = filesCopy.cuts;
      return success(await saveList(db, caller, format, { name, columns, lines: rows.map(cutLine) }, of));
    }),
  ];
}

/** `sums` of a cancelled one. */
function purchaseLine(row: ShopPurchaseRow, sums: CancelledSums | undefined): Cell[] {
  const { kinds, states } = filesCopy.purchases;
  const isActive = row.state === 'active' || row.state === 'late';
  return [
    kinds[row.kind],
    row.id,
    row.reference,
    states[row.state],
    row.productName,
    shortName(row.buyerName),
    row.madeAt,
    { centavos: row.priceCentavos },
    { centavos: row.paidCentavos },
    { centavos: row.balanceCentavos },
    sums && { centavos: sums.refundedCentavos },
    sums && { centavos: sums.keptCentavos },
    isActive && row.nextDueOn !== null ? { on: row.nextDueOn } : null,
    row.state === 'late' ? row.lateDays : null,
    row.expiresAt,
    row.settledAt,
    row.keptIn,
    row.handedOverAt,
    row.handedOverBy,
  ];
}

/** What was taken back is below zero, its fee too. */
function takingLine(row: TakingRow): Cell[] {
  const { amountCentavos, withdrawnCentavos, feeCentavos } = row;
  return [
    row.folio,
    row.at,
    methodWords[row.method],
    { centavos: amountCentavos - withdrawnCentavos },
    { centavos: withdrawnCentavos > 0 ? 0 - feeCentavos : feeCentavos },
    shortName(row.buyerName ?? ''),
    row.productName,
    row.purchaseId,
    row.takenBy,
    row.branch,
  ];
}

function refundLine(row: RefundRow): Cell[] {
  const { methods, terminal, operator } = filesCopy.refunds;
  return [
    row.at,
    refundStands(row),
    row.folio,
    row.purchaseId,
    row.productName,
    shortName(row.buyerName ?? ''),
    row.payerName && shortName(row.payerName),
    row.last4 === null ? methods[row.method] : terminal(row.last4),
    { centavos: row.amountCentavos },
    refundReason(row),
    row.owedAt,
    row.handedOverBy ?? (row.paidBy === 'operator' ? operator : null),
    row.branch,
  ];
}

function invoiceLine(row: PaidInstalmentRow): Cell[] {
  const { invoice } = row;
  const standing = standingOf(row);
  const { paymentForm, state, reason, until } = standing;
  const shown = invoice !== null && showsFolio(invoice) ? invoice : undefined;
  return [
    row.paidAt,
    row.receiptFolio,
    row.purchaseId,
    row.productName,
    shortName(row.buyerName ?? ''),
    row.number,
    row.of,
    { centavos: row.amountCentavos },
    paymentFormWords(paymentForm),
    invoiceGroupWords[row.group],
    invoiceStands(state ?? undefined),
    reason,
    invoice?.rfc,
    shown?.folio,
    shown?.fiscalFolio,
    shown?.issuedAt && new Date(shown.issuedAt),
    until && { on: until },
    invoiceAsking(standing),
    row.cancelled.map(({ fiscalFolio }) => fiscalFolio).join(' '),
  ];
}

function settlementLine(of: Settlement): Cell[] {
  const { differenceCentavos } = of;
  return [
    of.id,
    { on: of.happenedOn },
    settlementWords(of),
    of.isVoided ? filesCopy.settlements.voided : null,
    { centavos: of.amountCentavos },
    { centavos: of.commissionCentavos },
    { centavos: Math.max(0, differenceCentavos) },
    { centavos: Math.max(0, 0 - differenceCentavos) },
    of.fromOn && { on: of.fromOn },
    of.toOn && { on: of.toOn },
    of.party && settlementParties[of.party],
    of.evidence,
  ];
}

function cutLine(cut: CutRow): Cell[] {
  return [
    cut.number,
    cut.branchName,
    cut.name,
    cut.closedBy,
    cut.fromAt,
    cut.untilAt,
    cut.movements,
    { centavos: cut.floatCentavos },
    { centavos: cut.cashTakenCentavos },
    { centavos: cut.cashReturnedCentavos },
    { centavos: expectedIn(cut) },
    { centavos: cut.countedCentavos },
    { centavos: differenceIn(cut, cut.countedCentavos) },
    cut.reason,
    cut.floatReason,
    { centavos: cut.terminalTakenCentavos },
    { centavos: cut.terminalReturnedCentavos },
  ];
}
