import { sql } from 'kysely';

import type { Passwords } from '../../accounts/credentials/passwords.ts';
import type { Db } from '../../platform/db/db.ts';

/** The demo's accounts. Whoever has the source knows their secrets. */
export const DEMO_BUYERS = ['demo@aparta.mx', 'otra@aparta.mx'] as const;
/** The people of the first merchant: owner, manager, cashier. Their password is the buyers'. */
export const DEMO_STAFF = ['duena@aparta.mx', 'encargado@aparta.mx', 'caja@aparta.mx'] as const;
export const DEMO_BUYERS_PASSWORD = 'aparta-demo-2026';
export const DEMO_SERVICE_ACCOUNTS = [
  { userName: 'caja-demo', password: 'caja-demo-2026' },
  { userName: 'integrador-demo', password: 'integrador-demo-2026' },
] as const;

/** The card keys that every sandbox knows. */
const SANDBOX_KEYS = 'a0000000-0000-4000-8000-%';

/**
 * What of the demo would let anybody in, or give goods away, in production; one sentence each. An account counts with the demo's
 * password alone, a buyer's only where the mailbox was confirmed: a stranger who signs up like one must stop nothing.
 */
export async function demoProblems(db: Db, { verify }: Pick<Passwords, 'verify'>): Promise<string[]> {
  const { rows } = await sql<{ name: string; hash: string }>`
    select email as name, password_hash as hash from buyers
      where email = any(${[...DEMO_BUYERS]}::text[]) and email_confirmed_at is not null
    union all select user_name, secret_hash from service_accounts
      where user_name = any(${DEMO_SERVICE_ACCOUNTS.map(({ userName }) => userName)}::text[]) and revoked_at is null
    union all select s.email, s.password_hash from staff s
      where s.email = any(${[...DEMO_STAFF]}::text[])
        and exists (select from staff_positions p where p.staff_id = s.id and p.revoked_at is null)
    order by 1`.execute(db);
  const demos: string[] = [];
  for (const { name, hash } of rows) {
    const own = DEMO_SERVICE_ACCOUNTS.find(({ userName }) => userName === name);
    if (await verify(hash, own?.password ?? DEMO_BUYERS_PASSWORD)) demos.push(name);
  }
  const merchants = await db
    .selectFrom('provider_credentials')
    .where('retired_at', 'is', null)
    .where('public_key', 'like', SANDBOX_KEYS)
    .select('merchant_id as id')
    .orderBy('merchant_id')
    .execute();
  return [
    ...(demos.length > 0 ? [`accounts of the demo, with its passwords: ${demos.join(', ')}`] : []),
    ...(merchants.length > 0
      ? [`merchants with card keys of the sandbox: ${merchants.map(({ id }) => id).join(', ')}`]
      : []),
  ];
}
