import fs from 'node:fs';
import { Agent, request } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openStaffSession } from '@aparta/server/accounts/staff/session';
import { openDb } from '@aparta/server/platform/db/db';
import { migrate } from '@aparta/server/platform/db/migrate';
import { transaction } from '@aparta/server/platform/db/transaction';
import { freePort } from '@aparta/server/test/free-port';
import { startProgram } from '@aparta/tools/program';
import pg from 'pg';
import { type DurablePostgres, startDurablePostgres } from './durable-postgres.ts';
import { compareInTurns, roundsOf } from './in-turns.ts';
import { printNote, printTable } from './report.ts';

/** Purchases of the one merchant. */
const SIZES = { small: 1_000, large: 100_000 } as const;
/** Over which they were made, as many each day. */
const DAYS = 300;
const BRANCHES = 4;
/** Enough that none calls more often than one may. */
const OWNERS = 50;
const PER_ROUND = 40;
/** Times the figure of the small shop. */
const MOST = 1.5;

interface Shop {
  readonly ask: (path: string, turn: number) => Promise<{ readonly data: unknown }>;
  readonly samples: Samples;
  close(): Promise<void>;
}

/** What is looked for in a shop. */
interface Samples {
  readonly from: string;
  readonly to: string;
  readonly ids: readonly number[];
  readonly folios: readonly string[];
  readonly names: readonly string[];
  readonly phones: readonly string[];
}

/** The calls of an owner's pages, and how to know that each answered something. */
const CALLS: Readonly<Record<string, (of: Samples, turn: number) => string>> = {
  'the morning': () => 'today',
  'purchases, all': () => 'purchases?show=all',
  'purchases, active': () => 'purchases?show=active',
  'purchases, late': () => 'purchases?show=late',
  'purchases, late 61 days': () => 'purchases?show=late_61',
  'purchases, due in 5 days': () => 'purchases?show=due_5',
  'purchases, paid off': () => 'purchases?show=paid_off',
  'purchases, cancelled': () => 'purchases?show=cancelled',
  'search, purchase number': ({ ids }, turn) => `purchases?search=${ids[turn % ids.length]}`,
  'search, folio': ({ folios }, turn) => `purchases?search=${folios[turn % folios.length]}`,
  'search, end of a telephone': ({ phones }, turn) => `purchases?search=${phones[turn % phones.length]}`,
  'search, first name': () => 'purchases?search=lucia',
  'search, whole name': ({ names }, turn) =>
    `purchases?search=${encodeURIComponent(names[turn % names.length] ?? '')}`,
  'takings of a week': ({ from, to }) => `takings?from=${from}&to=${to}`,
};

/**
 * Prints how long an owner waits for the shop's morning and its lists, with 1,000 and with 100,000 purchases of the merchant,
 * over HTTP, one call at a time, the two shops in turns.
 */
export async function benchShop(log: (line: string) => void): Promise<void> {
  const postgres = await startDurablePostgres();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-bench-shop-'));
  const shops: Shop[] = [];
  try {
    for (const [name, purchases] of Object.entries(SIZES)) {
      log(`Filling a shop with ${purchases.toLocaleString('en')} purchases`);
      shops.push(await openShop(postgres, name, purchases, path.join(folder, name)));
    }
    const [small, large] = shops as [Shop, Shop];
    log('Reading as its owner');
    const rows: string[][] = [];
    for (const [call, pathOf] of Object.entries(CALLS)) {
      const ask = async ({ ask: get, samples }: Shop, turn: number) => {
        await get(pathOf(samples, turn), turn);
      };
      const shares = { p50: 0.5, p95: 0.95 };
      rows.push(
        ...(await compareInTurns({ call, small, large, ask, perRound: PER_ROUND, shares, most: MOST })),
      );
    }
    const sizes = Object.values(SIZES).map((purchases) => `${purchases.toLocaleString('en')} purchases`);
    printTable(`A shop's pages, ms per call: ${roundsOf(PER_ROUND)}`, [
      ['call', '', ...sizes, 'ratio', 'aim'],
      ...rows,
    ]);
    printNote('Over HTTP from another process; one server and one database for each size.');
  } finally {
    for (const shop of shops) await shop.close();
    await postgres.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function openShop(
  postgres: DurablePostgres,
  name: string,
  purchases: number,
  logFile: string,
): Promise<Shop> {
  const url = await postgres.create(name);
  await migrate(url);
  await postgres.run(name, [...historyOf(purchases), 'vacuum analyze']);
  const [tokens, samples] = [await signIn(url), await sample(url)];
  const port = await freePort();
  const server = await startProgram({
    name: `server of the ${name} shop`,
    file: fileURLToPath(new URL('served-program.ts', import.meta.url)),
    env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: url, PORT: String(port) },
    readyUrl: `http://127.0.0.1:${port}/readyz`,
    logFile,
  });
  const agent = new Agent({ keepAlive: true });
  return {
    samples,
    ask: (where, turn) => get(agent, port, `/v1/counter/${where}`, tokens[turn % tokens.length] ?? ''),
    async close() {
      agent.destroy();
      await server.stop();
    },
  };
}

async function signIn(url: string): Promise<string[]> {
  const db = openDb({ url, role: 'none', max: 2 });
  try {
    const owners = await db.selectFrom('staff_positions').select('id').where('role', '=', 'owner').execute();
    return await transaction(db, async (tx) => {
      const tokens: string[] = [];
      for (const { id } of owners) tokens.push((await openStaffSession(tx, id, { passwordHash: '-' })).token);
      return tokens;
    });
  } finally {
    await db.destroy();
  }
}

async function sample(url: string): Promise<Samples> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Samples>(`
      with chosen as (
        select p.id, r.folio, b.name, right(b.phone, 4) as phone from purchases p join buyers b on b.id = p.buyer_id
          join instalments i on i.purchase_id = p.id and i.number = 1
          join allocations a on a.instalment_id = i.id join receipts r on r.id = a.receipt_id
        order by hashint8(p.id) limit 100)
      select json_agg(id) as ids, json_agg(folio) as folios, json_agg(name) as names, json_agg(phone) as phones,
        ((now() ${MEXICO})::date - 6)::text as "from", (now() ${MEXICO})::date::text as "to"
      from chosen`);
    const [samples] = rows;
    if (samples === undefined) throw new Error('nothing was filled in');
    return samples;
  } finally {
    await client.end();
  }
}

/** One call with a bearer token; answers the reply's body. Throws unless it is 200 and holds something. */
function get(agent: Agent, port: number, where: string, token: string): Promise<{ data: unknown }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const call = request({ agent, host: '127.0.0.1', port, path: where, headers }, (response) => {
      response.setEncoding('utf8');
      let text = '';
      response.on('data', (part: string) => (text += part));
      response.on('end', () => {
        if (response.statusCode !== 200 || /"(?:purchases|takings)":\[\]/.test(text))
          reject(new Error(`GET ${where}: ${response.statusCode} ${text}`));
        else resolve(JSON.parse(text) as { data: unknown });
      });
      response.on('error', reject);
    });
    call.on('error', reject);
    call.end();
  });
}

const FIRST_BUYER = 1_001;
const FIRST_PURCHASE = 10_001;
const names = (list: string) => `(array['${list.split(' ').join("','")}'])`;
const FIRST_NAMES = names(
  'Ana Lucía José María Luis Sofía Juan Elena Pedro Rosa Diego Clara Raúl Inés Hugo Alma Iván Nora Omar Eva',
);
const SURNAMES = names(
  'García López Torres Mora Herrera Ruiz Vega Soto Ríos Luna Cruz Reyes Ortiz Núñez Peña Ibarra Salas Mena Rojas Lara',
);
const MEXICO = `at time zone 'America/Mexico_City'`;

/**
 * A shop of so many purchases of four instalments, made as many each day. Of a hundred, three are cancelled, three stop paying
 * after their deposit, six pay twelve days late, and the others before the day. Half of the money comes to counters, whose drawers
 * are cut each day. Triggers are off: what is written adds up, and the sums are counted as a migration counts them.
 */
function historyOf(purchases: number): string[] {
  const buyers = Math.ceil(purchases / 2.5);
  const number = 'place * 4 + number';
  return [
    'set session_replication_role = replica',
    `insert into companies (name, logo_file_name) values ('Grupo', 'grupo.jpg')`,
    `insert into merchants (company_id, business_name, trade_name, deposit_basis_points, frequency_days, plan_duration_days)
     values (1, 'Muebles', 'Muebles', 2500, 30, 90)`,
    `insert into products (merchant_id, name, description, sku, sale_price_centavos)
     select 1, 'Sala ' || n, 'Tres plazas, gris', 'SALA-' || n, 40000 from generate_series(1, 100) n`,
    `insert into buyers (email, user_name, name, phone, password_hash, email_confirmed_at)
     select 'buyer-' || n || '@example.mx', 'Ana', ${FIRST_NAMES}[1 + n % 20] || ' ' || ${SURNAMES}[1 + n / 20 % 20] || ' ' ||
       ${SURNAMES}[1 + n / 400 % 20], '222' || lpad((n * 7919 % 10000000)::text, 7, '0'), '-', now() from generate_series(1, ${buyers}) n`,
    `insert into branches (merchant_id, name) select 1, 'Centro ' || n from generate_series(1, ${BRANCHES}) n`,
    `insert into staff (email, name, password_hash)
     select 'owner-' || n || '@example.mx', 'Luis Mora', '-' from generate_series(1, ${OWNERS + BRANCHES}) n`,
    `insert into staff_positions (staff_id, merchant_id, role)
     select id, 1, case when row_number() over (order by email) > ${BRANCHES} then 'owner' else 'cashier' end from staff`,
    `insert into staff_position_branches (position_id, merchant_id, role, branch_id)
     select id, 1, role, row_number() over (order by id) from staff_positions where role = 'cashier'`,
    `insert into service_accounts (kind, merchant_id, chain, user_name, secret_hash)
     values ('counter', 1, 'mostrador-1', 'mostrador-1', '')`,

    `create temporary table plan as select place, ${FIRST_PURCHASE} + place as id, place * 19 % 100 as fate,
       now() - (${purchases} - place) * interval '${DAYS} days' / ${purchases} as made_at
     from generate_series(0, ${purchases - 1}) place`,
    `create temporary table schedule as select *, case when paid_at <= now() then 10000 else 0 end as paid from (
       select place, id as purchase_id, number, 5000000000 + ${number} as id, (made_at ${MEXICO})::date + 30 * (number - 1) as due_on,
         case when number = 1 then made_at when fate < 6 then null
           when fate < 12 then made_at + (30 * (number - 1) + 12) * interval '1 day'
           else made_at + (30 * (number - 1) - 1 - place % 5) * interval '1 day' end as paid_at
       from plan cross join generate_series(1, 4) number) its`,
    `create temporary table payment as
     select *, 'F' || lpad((${number})::text, 9, '0') as folio, gen_random_uuid() as source,
       (array['till', 'card', 'till', 'cash'])[1 + (place + number) % 4] as channel, place % ${BRANCHES} as branch
     from schedule where paid > 0`,
    'analyze',
    `insert into payment_references (id, kind, prefix) select 1000000000 + place, 'layaway', '1' from plan`,
    `insert into payment_references (id, kind, prefix) select id, 'instalment', number::text from schedule`,
    `insert into layaway_references (id, buyer_id, merchant_id, product_id, state, price_centavos, deposit_centavos,
       deposit_basis_points, frequency_days, plan_duration_days, service_fee_centavos, service_fee_methods, penalty_centavos,
       created_at, expires_at, closed_at)
     select 1000000000 + place, ${FIRST_BUYER} + place * 31 % ${buyers}, 1, 1 + place % 100, 'paid', 40000, 10000, 2500, 30, 90, 0,
       '{}', 0, made_at, made_at + interval '2 days', made_at
     from plan`,
    `insert into purchases (id, buyer_id, merchant_id, product_id, layaway_reference_id, state, product_name,
       product_description, price_centavos, deposit_centavos, paid_centavos, next_due_on, service_fee_centavos,
       service_fee_methods, penalty_centavos, penalty_free_until, created_at, cancelled_at)
     overriding system value
     select plan.id, l.buyer_id, 1, l.product_id, l.id, case when fate < 3 then 'cancelled' else 'active' end,
       'Sala ' || l.product_id, 'Tres plazas, gris', 40000, 10000, sums.paid, case when fate >= 3 then sums.next_due_on end, 0, '{}', 0,
       made_at + interval '5 days', made_at, case when fate < 3 then least(now(), made_at + interval '10 days') end
     from plan join layaway_references l on l.id = 1000000000 + place
       join (select purchase_id, sum(paid) as paid, min(due_on) filter (where paid = 0) as next_due_on from schedule group by 1) sums on sums.purchase_id = plan.id order by place`,
    `insert into instalments (id, purchase_id, number, due_on, amount_centavos, paid_centavos)
     select id, purchase_id, number, due_on, 10000, paid from schedule order by id`,
    `insert into till_operations (id, service_account_id, chain, branch, transaction_id, body_hash, operation, reference,
       amount_centavos, state, error, message, authorisation, created_at)
     select source, account.id, 'mostrador-1', 'Centro ' || branch + 1, folio, '', 'payment', number::text || payment.id, paid,
       'authorised', 0, '', folio, paid_at
     from payment, service_accounts account where channel = 'till' order by paid_at`,
    `insert into counter_operations (till_operation_id, merchant_id, request_id, position_id, branch_id, method, amount_centavos,
       tendered_centavos, created_at, cut_id)
     select source, 1, gen_random_uuid(), at.position_id, at.branch_id, 'cash', paid, paid, paid_at,
       case when paid_at < now() - interval '1 day' then md5(at.branch_id || ' ' || paid_at::date)::uuid end
     from payment join staff_position_branches at on at.branch_id = branch + 1 where channel = 'till' order by paid_at`,
    `insert into counter_cuts (id, merchant_id, branch_id, number, position_id, closed_by, from_at, until_at, movements,
       float_centavos, cash_taken_centavos, cash_returned_centavos, terminal_taken_centavos, terminal_returned_centavos, counted_centavos)
     select cut_id, 1, branch_id, row_number() over (partition by branch_id order by min(created_at)), position_id, position_id,
       min(created_at), max(created_at), count(*), 0, sum(amount_centavos), 0, 0, 0, sum(amount_centavos)
     from counter_operations where cut_id is not null group by cut_id, branch_id, position_id`,
    `insert into receipts (channel, source_id, merchant_id, buyer_id, amount_centavos, folio, received_at, paid_at)
     select channel, source, 1, l.buyer_id, paid, folio, paid_at, paid_at
     from payment join layaway_references l on l.id = 1000000000 + place order by paid_at`,
    `insert into allocations (receipt_id, target, instalment_id, amount_centavos, created_at)
     select r.id, 'instalment', payment.id, paid, r.paid_at from receipts r join payment using (folio) order by r.id`,
    `insert into refunds (receipt_id, cause, method, state, amount_centavos, created_at, done_at)
     select r.id, 'cancel', 'cash', case when cancelled_at > now() - interval '5 days' then 'owed' else 'done' end, 10000,
       cancelled_at, case when cancelled_at > now() - interval '5 days' then null else cancelled_at end
     from purchases p join instalments i on i.purchase_id = p.id and i.number = 1 join allocations a on a.instalment_id = i.id
       join receipts r on r.id = a.receipt_id
     where p.state = 'cancelled'`,
    // Made in the last two days, and not paid yet.
    `insert into payment_references (id, kind, prefix) select 4000000000 + place, 'layaway', '1' from plan
     where made_at > now() - interval '2 days'`,
    `insert into layaway_references (id, buyer_id, merchant_id, product_id, price_centavos, deposit_centavos,
       deposit_basis_points, frequency_days, plan_duration_days, service_fee_centavos, service_fee_methods, penalty_centavos,
       created_at, expires_at)
     select 4000000000 + place, ${FIRST_BUYER} + place * 31 % ${buyers}, 1, 1 + (place + 1) % 100, 40000, 10000, 2500, 30, 90, 0,
       '{}', 0, made_at, made_at + interval '2 days'
     from plan where made_at > now() - interval '2 days'`,
    'set session_replication_role = origin',
    'analyze',
    'select mend_merchant_sums()',
    'select fold_merchant_sums(1000000)',
  ];
}
