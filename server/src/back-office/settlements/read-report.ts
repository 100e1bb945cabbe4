import { mexicoCityDate } from '@aparta/domain/calendar';

import type { Db } from '../../platform/db/db.ts';
import { RefusedChange } from '../../platform/refused-change.ts';
import { buildReport, type SettlementReport } from './report.ts';
import {
  findReported,
  listLegs,
  type Period,
  sumOnItsWay,
  sumPeriod,
  sumReceipts,
} from './report.read-model.ts';

/** A merchant's report over some days of Mexico City, read on one snapshot. Throws `RefusedChange`: report_days, report_future, merchant_unknown. */
export async function readReport(db: Db, period: Period): Promise<SettlementReport> {
  if (period.to < period.from) throw new RefusedChange('report_days');
  if (period.to > mexicoCityDate(new Date())) throw new RefusedChange('report_future', { day: period.to });
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const merchant = await findReported(tx, period.merchantId);
      if (merchant === undefined) throw new RefusedChange('merchant_unknown', { id: period.merchantId });
      return buildReport({
        merchant,
        period,
        legs: await listLegs(tx, period),
        sums: await sumPeriod(tx, period),
        receipts: await sumReceipts(tx, period),
        onItsWay: await sumOnItsWay(tx, period),
      });
    });
}
