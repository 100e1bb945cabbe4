import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import type { RawStatement, Value } from './raw-transaction.ts';

/** Connections of the thin server: as many as the product has for calls. */
const POOL = 8;

const PAID = 'from payable where id = $1';
const AMOUNT = 120_000;

/** The least that a payment can be: something is owed, money comes for it once, and one book balances. */
export const MINIMAL_TABLES = [
  'create table payable (id bigint primary key, paid bigint not null default 0)',
  `create table money (id bigint generated always as identity primary key, payable_id bigint not null references payable,
     source_id uuid not null unique, amount bigint not null check (amount > 0))`,
  'create table part (money_id bigint not null references money, payable_id bigint not null, amount bigint not null)',
  'create table posting (money_id bigint not null, debit text not null, credit text not null, amount bigint not null)',
];

const TEXTS = [
  'begin',
  `select id, paid ${PAID} for no key update`,
  'insert into money (payable_id, source_id, amount) values ($1, $2, $3) returning id',
  'insert into part (money_id, payable_id, amount) values ($1, $2, $3)',
  'insert into posting (money_id, debit, credit, amount) values ($1, $2, $3, $4)',
  'update payable set paid = paid + $2 where id = $1',
  'commit',
] as const;

const constant = (value: unknown): Value => ({ from: 'constant', value });
const payable: Value = { from: 'input', name: 'reference' };
const money: Value = { from: 'answer', statement: 2, column: 'id' };
const VALUES: readonly (readonly Value[])[] = [
  [],
  [payable],
  [payable, { from: 'program', nth: 0 }, constant(AMOUNT)],
  [money, payable, constant(AMOUNT)],
  [money, constant('till_clearing'), constant('layaway_deposits'), constant(AMOUNT)],
  [payable, constant(AMOUNT)],
  [],
];

/** The seven statements of a minimal payment, for pgbench. */
export const MINIMAL: readonly RawStatement[] = TEXTS.map((sent, place) => ({
  text: sent,
  values: VALUES[place] ?? [],
}));

export interface ThinServer {
  /** Pays by a call over HTTP. Throws unless it is 200. */
  pay(id: number): Promise<void>;
  close(): Promise<void>;
}

/** Node's own HTTP server doing the seven statements, and nothing else, for each call. */
export async function openThinServer(url: string): Promise<ThinServer> {
  const pool = new pg.Pool({ connectionString: url, max: POOL });
  pool.on('error', () => {}); // the server may end before the last connection has
  const asked = (place: number, ...values: unknown[]) => ({
    name: `s${place}`,
    text: TEXTS[place] ?? '',
    values,
  });
  const pay = async (id: number) => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query(asked(1, id));
      const { rows } = await client.query<{ id: string }>(asked(2, id, randomUUID(), AMOUNT));
      const [made] = rows;
      await client.query(asked(3, made?.id, id, AMOUNT));
      await client.query(asked(4, made?.id, 'till_clearing', 'layaway_deposits', AMOUNT));
      await client.query(asked(5, id, AMOUNT));
      await client.query('commit');
    } finally {
      client.release();
    }
  };
  const server = createServer((call, reply) => {
    void text(call)
      .then((body) => pay((JSON.parse(body) as { id: number }).id))
      .then(
        () => reply.end('{"error":0}'),
        (error: unknown) => reply.writeHead(500).end(String(error)),
      );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  return {
    async pay(id) {
      const call = request({ agent, host: '127.0.0.1', port, method: 'POST' });
      call.end(JSON.stringify({ id }));
      const [reply] = (await once(call, 'response')) as [IncomingMessage];
      const said = await text(reply);
      if (reply.statusCode !== 200) throw new Error(`the thin server said ${reply.statusCode}: ${said}`);
    },
    async close() {
      agent.destroy();
      server.close();
      await pool.end();
    },
  };
}
