import type { Db } from '../../platform/db/db.ts';
import { knownMigrations } from '../../platform/db/migrate.ts';
import { tryToWrite } from '../../platform/db/ready.ts';
import {
  countChannels,
  findOverdueJob,
  lastBackup,
  listMerchantGaps,
  listOpenAlerts,
  listTextsInForce,
  type OpenAlert,
} from './read-model.ts';

/** What keeps an installation from its first payment (`stops`), or only limits it. */
export type Gap =
  | {
      readonly kind: 'text_missing' | 'text_is_template';
      readonly stops: true;
      readonly text: 'terms' | 'privacy';
    }
  | { readonly kind: 'no_merchant' | 'no_product' | 'no_payment_channel'; readonly stops: true }
  | { readonly kind: 'database_takes_no_writes'; readonly stops: true; readonly why: string }
  | { readonly kind: 'job_overdue'; readonly stops: true; readonly job: string; readonly minutes: number }
  | { readonly kind: 'test_key'; readonly stops: true; readonly merchant: Named }
  | { readonly kind: 'no_till' | 'no_backup' | 'backup_is_old'; readonly stops: false }
  | {
      readonly kind: 'products_not_invoiced';
      readonly stops: false;
      readonly merchant: Named;
      readonly count: number;
    }
  | {
      readonly kind:
        | 'no_till_collects'
        | 'no_card_key'
        | 'no_products'
        | 'no_address'
        | 'no_phone'
        | 'no_rfc'
        | 'no_invoicing';
      readonly stops: false;
      readonly merchant: Named;
    };

export interface Named {
  readonly id: number;
  readonly name: string;
}

export interface Readiness {
  readonly gaps: readonly Gap[];
  readonly alerts: readonly OpenAlert[];
  readonly lastBackupAt: Date | null;
  /** The newest migration; it and all before it are done, or these queries would have failed. */
  readonly migration: string;
}

/** Checks all that a payment needs, as far as the database knows: that it takes writes, and that its jobs are done. */
export async function checkReadiness(db: Db, { production }: { production: boolean }): Promise<Readiness> {
  const texts = await listTextsInForce(db);
  const merchants = await listMerchantGaps(db);
  const channels = await countChannels(db);
  const gaps: Gap[] = [];
  const why = await tryToWrite(db).catch((error: Error) => error.message);
  if (why !== undefined) gaps.push({ kind: 'database_takes_no_writes', stops: true, why });
  const overdue = await findOverdueJob(db);
  if (overdue !== undefined) gaps.push({ kind: 'job_overdue', stops: true, ...overdue });
  for (const text of ['terms', 'privacy'] as const) {
    const inForce = texts.find(({ kind }) => kind === text);
    if (inForce === undefined) gaps.push({ kind: 'text_missing', stops: true, text });
    else if (inForce.is_template && production) gaps.push({ kind: 'text_is_template', stops: true, text });
  }
  if (merchants.length === 0) gaps.push({ kind: 'no_merchant', stops: true });
  else if (merchants.every(({ products }) => products === 0)) gaps.push({ kind: 'no_product', stops: true });
  if (channels.keys === 0 && channels.tills === 0) gaps.push({ kind: 'no_payment_channel', stops: true });
  else if (channels.tills === 0) gaps.push({ kind: 'no_till', stops: false });
  for (const { id, name, card_key, ...has } of merchants) {
    const merchant = { id, name };
    if (card_key === null) gaps.push({ kind: 'no_card_key', stops: false, merchant });
    else if (production && card_key.startsWith('test_'))
      gaps.push({ kind: 'test_key', stops: true, merchant });
    if (channels.tills > 0 && has.tills === 0)
      gaps.push({ kind: 'no_till_collects', stops: false, merchant });
    if (has.products === 0) gaps.push({ kind: 'no_products', stops: false, merchant });
    if (has.address === '') gaps.push({ kind: 'no_address', stops: false, merchant });
    if (has.phone === '') gaps.push({ kind: 'no_phone', stops: false, merchant });
    if (has.rfc === '') gaps.push({ kind: 'no_rfc', stops: false, merchant });
    if (has.invoicing_business_uuid === '') gaps.push({ kind: 'no_invoicing', stops: false, merchant });
    else if (has.products_not_invoiced > 0) {
      const count = has.products_not_invoiced;
      gaps.push({ kind: 'products_not_invoiced', stops: false, merchant, count });
    }
  }
  const backup = await lastBackup(db);
  if (backup.is_old) gaps.push({ kind: backup.at === null ? 'no_backup' : 'backup_is_old', stops: false });
  return {
    gaps,
    alerts: await listOpenAlerts(db),
    lastBackupAt: backup.at,
    migration: (await knownMigrations()).at(-1) ?? '',
  };
}
