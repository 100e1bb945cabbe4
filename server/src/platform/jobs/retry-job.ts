import { sql } from 'kysely';
import type { Tx } from '../db/db.ts';

/** Lets a job that gave up run again; `named` is its key, or its id if it has none. False when it is not in the queue. */
export async function retryJob(tx: Tx, task: string, named: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select retry_job(${task}, ${named}) as found`.execute(tx);
  return rows[0]?.found === true;
}
