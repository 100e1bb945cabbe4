import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../platform/db/db.ts';
import type { Log } from '../../platform/logging.ts';

/** Rows of one statement, and statements of one night for each kind: what is left waits for the next. */
const AT_ONCE = 1_000;
const MOST_ROUNDS = 100;

const of = (table: string, where: RawBuilder<unknown>) =>
  sql`ctid = any (array(select ctid from ${sql.table(table)} where ${where} limit ${AT_ONCE}))`;
const gone = (table: string, where: RawBuilder<unknown>) =>
  sql`delete from ${sql.table(table)} where ${of(table, where)}`;

/** What is let go, and when. Money is never in here: the books, and what they refer to, stay. */
const PRUNED: Readonly<Record<string, RawBuilder<unknown>>> = {
  sessions: gone(
    'sessions',
    sql`expires_at < app_now() - interval '7 days' or revoked_at < app_now() - interval '7 days'`,
  ),
  'service account sessions': gone(
    'service_account_sessions',
    sql`expires_at < app_now() - interval '7 days'`,
  ),
  'password codes': gone('password_resets', sql`expires_at < app_now()`),
  'email codes': gone('email_confirmations', sql`expires_at < app_now()`),
  'rate counters': gone('rate_counters', sql`expire < extract(epoch from app_now()) * 1000`),
  // The row stays: its key is what keeps an email from being written twice.
  'emails’ words': sql`
    update outbox set facts = '{}', recipient = '' where ${of(
      'outbox',
      sql`state <> 'waiting' and created_at < app_now() - interval '90 days' and (facts <> '{}' or recipient <> '')`,
    )}`,
  // Where the bank's window was, and from where the buyer called: of use while a payment is disputed, not after.
  'payments’ addresses': sql`
    update card_attempts set three_ds_url = null, source_address = '', source_ip_prefix = '' where ${of(
      'card_attempts',
      sql`state not in ('submitting', 'pending_3ds', 'unknown', 'held') and created_at < app_now() - interval '180 days'
        and (three_ds_url is not null or source_address <> '')`,
    )}`,
  // The limits look back an hour.
  'card fingerprints': sql`
    update card_attempts set card_fingerprint = null where ${of(
      'card_attempts',
      sql`card_fingerprint is not null and created_at < app_now() - interval '2 days'`,
    )}`,
  'references’ addresses': sql`
    update layaway_references set source_address = '' where ${of(
      'layaway_references',
      sql`state <> 'open' and created_at < app_now() - interval '180 days' and source_address <> ''`,
    )}`,
};

/** Lets go of what nobody needs any more, a thousand rows at a time. Safe to run at any time, and twice at once. */
export async function prune(db: Db, log: Log): Promise<void> {
  for (const [what, statement] of Object.entries(PRUNED)) {
    await inRounds(what, log, async () => Number((await statement.execute(db)).numAffectedRows ?? 0n));
  }
  await inRounds('resolved alerts', log, async () => {
    const { rows } = await sql<{ gone: number }>`select prune_alerts(${AT_ONCE}) as gone`.execute(db);
    return rows[0]?.gone ?? 0;
  });
}

async function inRounds(what: string, log: Log, once: () => Promise<number>): Promise<void> {
  let rows = 0;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const more = await once();
    rows += more;
    if (more < AT_ONCE) break;
  }
  if (rows > 0) log.info({ what, rows }, 'let go');
}
