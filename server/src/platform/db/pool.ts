import { Socket } from 'node:net';
import pg from 'pg';
import { clientClass } from './client.ts';
import { primaryFinder, serversOf, type PrimaryFinder } from './primary.ts';

/** Longer than any statement may take on the server: after it the other side is gone without a word. */
const SILENCE_MS = 15_000;

/** A new connection's first list takes 15 ms, for what it has to learn of tables and plans; quiet shops should not pay it each time. */
const IDLE_MS = 600_000;

export interface PoolOptions {
  /** A `postgres://` address; several hosts, separated by commas, are one primary and its standbys. */
  readonly url: string;
  /** Most connections at once. */
  readonly max: number;
  /** Server settings of each connection, as `name=value`. */
  readonly settings?: readonly string[];
  /** How long a statement may stay without an answer before its connection is given up. 15 s when absent; 0: for ever. */
  readonly silenceMs?: number;
  readonly onError?: ((error: Error) => void) | undefined;
}

/** A pool that outlives the database: lost connections are dropped and made again, at the server that takes writes. */
export function openPool({ url, max, settings = [], silenceMs = SILENCE_MS, onError }: PoolOptions): pg.Pool {
  const servers = serversOf(url);
  const primary = servers.length > 1 ? primaryFinder(servers) : undefined;
  const pool = new pg.Pool({
    connectionString: servers[0] ?? url,
    max,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    Client: clientClass(silenceMs),
    pipeline: true, // statements asked in one turn do not wait for each other
    stream: () => new DatabaseSocket(primary),
    ...(settings.length > 0 && { options: settings.map((setting) => `-c ${setting}`).join(' ') }),
    ...(primary !== undefined && { onConnect: (client: pg.ClientBase) => refuseStandby(client, primary) }),
  });
  // Without listeners an administrator's restart of the database would end the process.
  const failed = (error: Error) => {
    primary?.forget();
    onError?.(error);
  };
  pool.on('error', failed);
  pool.on('connect', (client) => client.on('error', failed));
  return pool;
}

/**
 * Connects to the server that takes writes, where there are several. Sends in one piece what is written in one turn: each
 * write of its own wakes the server, and costs more than the rest.
 */
class DatabaseSocket extends Socket {
  readonly #primary: PrimaryFinder | undefined;
  #isGathering = false;

  constructor(primary: PrimaryFinder | undefined) {
    super();
    this.#primary = primary;
    if (primary !== undefined) this.on('error', () => primary.forget());
  }

  // `not_sent` stands for the overloads, which a method cannot restate.
  override connect(...to: never[]): this {
    if (this.#primary === undefined) return this.#connect(...(to as unknown as [number, string]));
    this.#primary.find().then(
      ({ host, port }) => this.#connect(port, host),
      (error: Error) => this.destroy(error),
    );
    return this;
  }

  #connect(port: number, host: string): this {
    super.connect(port, host);
    // Where it connects, Node puts its own over the one below.
    Reflect.deleteProperty(this, 'write');
    return this;
  }

  override write(...chunk: never[]): boolean {
    if (!this.#isGathering) {
      this.#isGathering = true;
      this.cork();
      process.nextTick(() => {
        this.#isGathering = false;
        this.uncork();
      });
    }
    return super.write(...(chunk as unknown as [Uint8Array]));
  }
}

/** A server that was demoted since it was found is left again. */
async function refuseStandby(client: pg.ClientBase, primary: PrimaryFinder): Promise<void> {
  const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
  if (rows[0]?.standby === false) return;
  primary.forget();
  throw new Error('the database server takes no writes any more');
}
