import { type RawBuilder, sql, type Selectable } from 'kysely';

import type { Db, Tx } from './db/db.ts';
import type { AuditLogTable } from './db/tables.ts';
import { transaction } from './db/transaction.ts';

/** What a change is about: `merchant 7`, `payment 1c0…`. */
export interface Subject {
  readonly kind: string;
  readonly id: string | number;
}

/** What was done, and to what. `detail` never holds a secret. */
export interface AuditEntry {
  readonly subject: Subject;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Who made the change, with which command. */
export interface Act {
  readonly actor: string;
  readonly command: string;
}

/** Writes one line of the audit log: in the transaction of the change, where there is one. */
export async function recordAct(tx: Tx, { actor, command }: Act, entry: AuditEntry): Promise<void> {
  await tx
    .insertInto('audit_log')
    .values({
      actor,
      command,
      subject_kind: entry.subject.kind,
      subject_id: String(entry.subject.id),
      detail: JSON.stringify(entry.detail),
    })
    .execute();
}

/** Rolls a rehearsal back once everything was done and checked. */
class Rehearsed extends Error {}

/**
 * Makes an operator's change: `work` and its line of the audit log in one transaction, repeated as `transaction` does.
 * A rehearsal does all of it, the commit's constraints included, and rolls it back.
 */
export async function audited<T extends AuditEntry>(
  db: Db,
  act: Act,
  work: (tx: Tx) => Promise<T>,
  { rehearse = false } = {},
): Promise<T> {
  let done: T | undefined;
  try {
    return await transaction(db, async (tx) => {
      done = await work(tx);
      await recordAct(tx, act, done);
      if (!rehearse) return done;
      await sql`set constraints all immediate`.execute(tx);
      throw new Rehearsed();
    });
  } catch (error) {
    if (error instanceof Rehearsed && done !== undefined) return done;
    throw error;
  }
}

/** The newest lines, at most `limit`; of one subject, or of one kind of them, when it is given. */
export async function listActs(
  db: Db,
  { subject, limit }: { subject?: { kind: string; id?: string | undefined } | undefined; limit: number },
): Promise<Selectable<AuditLogTable>[]> {
  return db
    .selectFrom('audit_log')
    .selectAll()
    .$if(subject !== undefined, (query) => query.where('subject_kind', '=', subject?.kind ?? ''))
    .$if(subject?.id !== undefined, (query) => query.where('subject_id', '=', subject?.id ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/**
 * How far numbers on paper that come from no sequence jump over those that were given out after `moment`, the last that is known,
 * and that a restore forgot (docs/production.md#after-a-restore).
 */
export function gapOfRestores(moment: RawBuilder<unknown>): RawBuilder<number> {
  return sql`(select 10000 * count(*)::int from audit_log where subject_kind = 'restore' and at > ${moment})`;
}

/** What the log speaks of: `merchant`, `refund`. */
export async function listSubjectKinds(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('audit_log')
    .select('subject_kind')
    .distinct()
    .orderBy('subject_kind')
    .execute();
  return rows.map(({ subject_kind }) => subject_kind);
}
