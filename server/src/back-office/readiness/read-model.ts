import { sql } from 'kysely';

import type { Db } from '../../platform/db/db.ts';
import type { LegalKind } from '../../platform/db/tables.ts';
import { transaction } from '../../platform/db/transaction.ts';

/** The newest text of each kind. */
export async function listTextsInForce(db: Db): Promise<{ kind: LegalKind; is_template: boolean }[]> {
  return db
    .selectFrom('legal_texts')
    .distinctOn('kind')
    .select(['kind', 'is_template'])
    .orderBy('kind')
    .orderBy('id', 'desc')
    .execute();
}

/** Every merchant, with what it may lack. */
export async function listMerchantGaps(db: Db) {
  return db
    .selectFrom('merchants')
    .select(['id', 'trade_name as name', 'address', 'phone', 'rfc', 'invoicing_business_uuid'])
    .select(
      sql<number>`(select count(*) from products where merchant_id = merchants.id and withdrawn_at is null)`.as(
        'products',
      ),
    )
    .select(
      sql<number>`(select count(*) from products
        where merchant_id = merchants.id and withdrawn_at is null and invoicing_product_uuid = '')`.as(
        'products_not_invoiced',
      ),
    )
    .select(
      sql<
        string | null
      >`(select public_key from provider_credentials where merchant_id = merchants.id and retired_at is null)`.as(
        'card_key',
      ),
    )
    .select(
      sql<number>`(select count(*) from till_merchants t join service_accounts a on a.id = t.service_account_id
        where t.merchant_id = merchants.id and a.revoked_at is null)`.as('tills'),
    )
    .orderBy('id')
    .execute();
}

/** How many merchants take cards, and how many till accounts there are. */
export async function countChannels(db: Db): Promise<{ keys: number; tills: number }> {
  const { rows } = await sql<{ keys: number; tills: number }>`
    select (select count(*) from provider_credentials where retired_at is null) as keys,
      (select count(*) from service_accounts where kind = 'till' and revoked_at is null) as tills
  `.execute(db);
  return rows[0] ?? { keys: 0, tills: 0 };
}

/** When the database was last backed up, and whether that is over 26 hours ago: then a nightly backup failed. */
export async function lastBackup(db: Db): Promise<{ at: Date | null; is_old: boolean }> {
  const { rows } = await sql<{ at: Date | null; is_old: boolean }>`
    select max(at) as at, coalesce(max(at) < app_now() - interval '26 hours', true) as is_old
    from audit_log where subject_kind = 'backup'
  `.execute(db);
  return rows[0] ?? { at: null, is_old: true };
}

/** The job that is due longest, once that is over five minutes (the alert JobsNotRun): no worker takes it. */
export async function findOverdueJob(db: Db): Promise<{ job: string; minutes: number } | undefined> {
  return transaction(db, async (tx) => {
    // The queue is not the application's to read, nor an operator's; their login may.
    await sql`set local role none`.execute(tx);
    const { rows } = await sql<{ job: string; minutes: number }>`
      select task_identifier || ' ' || coalesce(key, id::text) as job, floor(extract(epoch from now() - run_at) / 60)::int as minutes
      from graphile_worker.jobs
      where run_at < now() - interval '5 minutes' and locked_at is null and attempts < max_attempts
      order by run_at limit 1`.execute(tx);
    return rows[0];
  });
}

/** An alert that is not resolved, and how often it was raised. */
export interface OpenAlert {
  readonly kind: string;
  readonly subject: string;
  /** Of what stopped it, '' where it has none. */
  readonly code: string;
  readonly times: number;
  readonly last_at: Date;
  /** What is known of it. */
  readonly detail: unknown;
}

/** Alerts that are not resolved, without those of refunds that wait quietly, newest first. */
export async function listOpenAlerts(db: Db): Promise<OpenAlert[]> {
  return db
    .selectFrom('alerts')
    .select(['kind', 'subject', 'times', 'last_at', 'detail'])
    .select(sql<string>`coalesce(detail ->> 'code', '')`.as('code'))
    .where('resolved_at', 'is', null)
    .where(
      sql<boolean>`not (kind = 'refund_blocked' and exists (
        select from refunds where id::text = subject and state = 'blocked' and quiet_until > app_now()))`,
    )
    .orderBy('last_at', 'desc')
    .execute();
}
