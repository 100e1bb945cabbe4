import { createHash } from 'node:crypto';
import pg from 'pg';
import { primaryFinder, serversOf, type PrimaryFinder } from './primary.ts';

/** Longer than any statement may take on the server: after it the other side is gone without a word. */
const SILENCE_MS = 15_000;
const SILENCE = 'Query read timeout'; // pg's own words

const names = new Map<string, string>();

interface PoolConfig extends pg.PoolConfig {
  primary?: PrimaryFinder | undefined;
}

/**
 * Names each parameterised statement, so that PostgreSQL plans it once per connection (it doubles throughput of joined reads);
 * sends at once what is asked at once; drops a connection that went silent; connects to the server that takes writes, where
 * there are several.
 */
class OurClient extends pg.Client {
  constructor(config: PoolConfig = {}) {
    super(config);
    const { primary } = config;
    if (primary !== undefined) connectToPrimary(this, primary);
  }

  // pg's overloads cannot be restated; the cast below keeps them
  override query = ((...args: unknown[]) => {
    const query = pg.Client.prototype.query as (...all: unknown[]) => unknown;
    holdBack(streamOf(this));
    const result = query.apply(this, named(args));
    if (result instanceof Promise) {
      result.catch((error: unknown) => {
        if (error instanceof Error && error.message === SILENCE) streamOf(this).destroy(error);
      });
    }
    return result;
  }) as pg.Client['query'];
}

function named(args: unknown[]): unknown[] {
  const [text, values, ...rest] = args;
  if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) return args;
  let name = names.get(text);
  if (name === undefined) {
    // Bounded, here and on the server: texts with a varying number of parameters must not fill the memory.
    if (names.size >= 2_000) return args;
    name = createHash('sha256').update(text).digest('hex').slice(0, 32);
    names.set(text, name);
  }
  return [{ name, text, values }, ...rest];
}

/** Statements asked in one turn leave in one piece, at its end: each write of its own wakes the server, and costs more than the rest. */
function holdBack(stream: Wire['stream']): void {
  stream.cork();
  process.nextTick(() => stream.uncork());
}

interface Wire {
  readonly stream: { destroy(error?: Error): void; cork(): void; uncork(): void };
  on(
    event: 'parameterStatus',
    listen: (told: { parameterName: string; parameterValue: string }) => void,
  ): void;
}
const wireOf = (client: pg.Client) => (client as unknown as { connection: Wire }).connection;
const streamOf = (client: pg.Client) => wireOf(client).stream;

/** `connect` first asks where; a server that tells us it is a standby is left again. */
function connectToPrimary(client: pg.Client, primary: PrimaryFinder): void {
  let isStandby = false;
  wireOf(client).on('parameterStatus', ({ parameterName, parameterValue }) => {
    if (parameterName === 'in_hot_standby') isStandby = parameterValue === 'on';
  });
  async function connect(): Promise<void> {
    try {
      Object.assign(client, await primary.find());
      await (pg.Client.prototype.connect as () => Promise<unknown>).call(client);
      if (!isStandby) return;
      await client.end();
      throw new Error('the database server takes no writes any more');
    } catch (error) {
      primary.forget();
      throw error;
    }
  }
  Object.assign(client, {
    connect: (done?: (error?: unknown) => void) =>
      done === undefined ? connect() : void connect().then(() => done(), done),
  });
}

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
  const config: PoolConfig = {
    connectionString: servers[0] ?? url,
    max,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    query_timeout: silenceMs,
    pipeline: true, // `together` does not wait between its statements; whoever awaits each one sees no difference
    ...(settings.length > 0 && { options: settings.map((setting) => `-c ${setting}`).join(' ') }),
    Client: OurClient,
    primary,
  };
  const pool = new pg.Pool(config);
  // Without listeners an administrator's restart of the database would end the process.
  const failed = (error: Error) => {
    primary?.forget();
    onError?.(error);
  };
  pool.on('error', failed);
  pool.on('connect', (client) => client.on('error', failed));
  return pool;
}
