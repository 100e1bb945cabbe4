import { formatMoment } from '@aparta/domain/calendar';
import { differenceIn, expectedIn, formatDifference } from '@aparta/domain/cut';
import { inGroups } from '@aparta/domain/in-groups';
import { formatMoney } from '@aparta/domain/money';

import { INK, INNER, MARGIN, openPaper, QUIET } from '../../../platform/paper.ts';
import { printable } from '../../../platform/printed-text.ts';
import { CUT_COPY as copy } from './copy.ts';
import type { CutRow, CutWithMovements, Movement } from './read-model.ts';

/** A closed cut on paper: the count, its sums, and each movement in it. */
export async function cutPdf({ cut, list }: CutWithMovements, productName: string): Promise<Buffer> {
  const title = copy.title(cut.number);
  const { pdf, root, line, rule, finish } = await openPaper({
    title,
    author: productName,
    createdAt: cut.untilAt,
  });
  const said = { width: INNER, structParent: root };
  pdf.font('Helvetica-Bold').fontSize(10).fillColor(QUIET);
  pdf.text(printable(productName), MARGIN, MARGIN, { ...said, structType: 'P' });
  pdf.fontSize(20).fillColor(INK);
  pdf.text(title, { ...said, structType: 'H1' });
  pdf.moveDown(0.4);
  line(copy.branch, cut.branchName);
  line(copy.whose, cut.name);
  line(copy.closedBy, cut.closedBy);
  line(copy.from, formatMoment(cut.fromAt));
  line(copy.until, formatMoment(cut.untilAt));
  rule();
  line(copy.float, formatMoney(cut.floatCentavos));
  line(copy.cashTaken, formatMoney(cut.cashTakenCentavos));
  line(copy.cashReturned, formatDifference(0 - cut.cashReturnedCentavos));
  line(copy.expected, formatDifference(expectedIn(cut)), true);
  line(copy.counted, formatMoney(cut.countedCentavos), true);
  line(copy.difference, differenceWords(cut), true);
  line(copy.reason, cut.reason ?? '');
  line(copy.floatReason, cut.floatReason ?? '');
  rule();
  line(copy.terminalTaken, formatMoney(cut.terminalTakenCentavos));
  line(copy.terminalReturned, formatDifference(0 - cut.terminalReturnedCentavos));
  rule();
  pdf.font('Helvetica-Bold').fontSize(11).fillColor(INK);
  pdf.text(copy.movements(cut.movements), MARGIN, pdf.y, { ...said, structType: 'H2' });
  pdf.moveDown(0.4);
  for (const movement of list) line(movementLabel(movement), movementSum(movement));
  if (list.length < cut.movements) line(copy.newest(list.length), ' ');
  return finish();
}

function differenceWords(cut: CutRow): string {
  const difference = differenceIn(cut, cut.countedCentavos);
  const size = formatDifference(Math.abs(difference));
  return difference === 0 ? copy.even : difference < 0 ? copy.short(size) : copy.over(size);
}

function movementLabel({ at, folio }: Movement): string {
  return `${formatMoment(at)}\n${inGroups(folio)}`;
}

function movementSum({ kind, method, amountCentavos, isReversed }: Movement): string {
  const words = [
    kind === 'returned' ? copy.returned : '',
    method === 'cash' ? copy.cash : copy.terminal,
    isReversed ? copy.reversed : '',
  ].filter(Boolean);
  return `${formatDifference(kind === 'returned' ? 0 - amountCentavos : amountCentavos)} (${words.join(', ')})`;
}
