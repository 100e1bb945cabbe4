import pg from 'pg';

const PROBE_MS = 2_000;
const SEARCH_MS = 4_000; // below the pool's own patience, so that its callers read our reason
const AGAIN_AFTER_MS = 150;

const SEVERAL_HOSTS = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]+)(.*)$/;

/** Finds, among the servers of one address, the one that takes writes. */
export interface PrimaryFinder {
  /** The one that was found last; asks all of them when it was forgotten. Rejects when within 4 s none takes writes. */
  find(): Promise<{ host: string; port: number }>;
  /** To be called when a connection was lost or refused: the next `find` asks anew. */
  forget(): void;
}

/**
 * The addresses of each server that `postgres://user:password@one:5432,two:5432/name` lists, in libpq's own notation; its
 * `target_session_attrs` is dropped, because we only ever want the one that takes writes. One host is one address.
 */
export function serversOf(url: string): string[] {
  const [, start = '', hosts = '', rest = ''] = SEVERAL_HOSTS.exec(url) ?? [];
  if (!hosts.includes(',')) return [url];
  const kept = rest.replace(/([?&])target_session_attrs=[^&]*&?/, '$1').replace(/[?&]$/, '');
  return hosts.split(',').map((host) => `${start}${host}${kept}`);
}

/** One search at a time, whoever asks. Where two say that they take writes, the one that was promoted last is right. */
export function primaryFinder(servers: readonly string[]): PrimaryFinder {
  let found: { host: string; port: number } | undefined;
  let searching: Promise<{ host: string; port: number }> | undefined;

  async function search(): Promise<{ host: string; port: number }> {
    for (const end = Date.now() + SEARCH_MS; ;) {
      const timelines = await Promise.all(servers.map(timelineOf));
      const newest = timelines
        .filter((timeline) => timeline !== undefined)
        .toSorted()
        .at(-1);
      const server = newest === undefined ? undefined : servers[timelines.indexOf(newest)];
      if (server !== undefined) {
        const { hostname, port } = new URL(server);
        return { host: hostname.replace(/^\[(.+)\]$/, '$1'), port: Number(port || 5432) };
      }
      if (Date.now() > end) throw new Error('no database server takes writes');
      await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
    }
  }

  return {
    async find() {
      if (found !== undefined) return found;
      searching ??= search().finally(() => (searching = undefined));
      found = await searching;
      return found;
    },
    forget() {
      found = undefined;
    },
  };
}

/** How often this server's history was taken over by a promotion, as eight hexadecimal digits; undefined: it takes no writes. */
async function timelineOf(url: string): Promise<string | undefined> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: PROBE_MS,
    query_timeout: PROBE_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ file: string | null }>(
      'select case when not pg_is_in_recovery() then pg_walfile_name(pg_current_wal_lsn()) end as file',
    );
    return rows[0]?.file?.slice(0, 8);
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => {});
  }
}
