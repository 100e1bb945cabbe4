import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import type { Db } from './db.ts';
import { openPool } from './pool.ts';
import { serversOf } from './primary.ts';

/** Wrong password, and no such role where no password is asked for. */
const NOT_LET_IN = ['28P01', '28000'];

/**
 * Makes the login of `serverUrl`, where it does not get in yet, and lets it work as the server and no more (docs/security.md).
 * `owner` is connected as the login that owns the schema; a server that is to use that very login stays as it is.
 */
export async function admitServer(owner: pg.ClientBase, serverUrl: string): Promise<void> {
  const { user: login = '', password: secret } = new pg.Client({
    connectionString: serversOf(serverUrl)[0] ?? serverUrl,
  });
  const { rows } = await owner.query<{ isOwner: boolean; exists: boolean }>(
    `select $1 = current_user as "isOwner", exists (select from pg_roles where rolname = $1) as exists`,
    [login],
  );
  if (rows[0]?.isOwner === true) return;
  const name = pg.escapeIdentifier(login);
  const given = !secret ? '' : ` password ${pg.escapeLiteral(verifierOf(secret))}`;
  try {
    if (rows[0]?.exists !== true) await owner.query(`create role ${name} login${given}`);
    else if (secret && !(await getsIn(serverUrl))) await owner.query(`alter role ${name} login${given}`);
    await owner.query(
      `do $$ begin
         if not (pg_has_role(${pg.escapeLiteral(login)}, 'aparta_app', 'member')
             and pg_has_role(${pg.escapeLiteral(login)}, 'aparta_worker', 'member')) then
           grant aparta_app, aparta_worker to ${name};
         end if;
       end $$`,
    );
    // Who mends the database sees what the servers ask of it, and may end it. A login that somebody else made is not ours to give.
    await owner.query(
      `do $$ begin
         if not pg_has_role(${pg.escapeLiteral(login)}, 'usage') then grant ${name} to current_user; end if;
       exception when insufficient_privilege then null;
       end $$`,
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown';
    throw new Error(`the login ${login} of DATABASE_URL could not be made: ${reason}`, { cause: error });
  }
}

/** What a login may do that the server's must not, one sentence each; none when it is the server's alone. */
export async function loginProblems(db: Db): Promise<string[]> {
  const { rows } = await sql<{ login: string; isMighty: boolean; ownsSchema: boolean; isOperator: boolean }>`
    select session_user as login, rolsuper or rolcreaterole or rolbypassrls or rolreplication as "isMighty",
      has_schema_privilege(session_user, 'public', 'create') as "ownsSchema",
      pg_has_role(session_user, 'aparta_operator', 'member') as "isOperator"
    from pg_roles where rolname = session_user`.execute(db);
  const [is] = rows;
  if (is === undefined || !(is.isMighty || is.ownsSchema || is.isOperator)) return [];
  const owns = is.isMighty ? 'administers the database server' : 'may change the schema';
  return [
    `DATABASE_URL signs in as ${is.login}, which ${is.isMighty || is.ownsSchema ? owns : 'may do what operators do'}; ` +
      'give that address to the migration as DATABASE_OWNER_URL, and the server a login of its own',
  ];
}

async function getsIn(url: string): Promise<boolean> {
  const pool = openPool({ url, max: 1 });
  try {
    await pool.query('select 1');
    return true;
  } catch (error) {
    if (NOT_LET_IN.includes((error as { code?: string }).code ?? '')) return false;
    throw error;
  } finally {
    await pool.end();
  }
}

/** What the database stores of a password (RFC 5803), so that the password itself is in no statement and no log. */
function verifierOf(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, 4_096, 32, 'sha256');
  const keyed = (words: string) => createHmac('sha256', salted).update(words).digest();
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64');
  return `SCRAM-SHA-256$4096:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`;
}
