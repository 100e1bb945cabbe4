import fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Operator, seatOperator } from '../../test/operator.ts';

let operator: Operator;
beforeAll(async () => {
  operator = await seatOperator();
});
afterAll(() => operator.close());

/** Without triggers and foreign keys. */
const plant = (...statements: string[]) =>
  operator.asOwner([`set session_replication_role = 'replica'`, ...statements].join(';'));

/** An event that claims this many legs, and has one, of $1,234.50. */
const event = (legs: number) => `
  with event as (insert into ledger_events (merchant_id, kind, source_id, legs)
    values (1, 'settlement_void', 'planted-${legs}', ${legs}) returning id)
  insert into ledger_transfers
    select id, 1, ${legs}, 1, 'merchant_funds', '1', 'card_clearing', '1', 123450 from event`;

const remembered = () => operator.db.selectFrom('book_proofs').select('broken').orderBy('id').execute();

describe('books check', () => {
  test('says of each proof that it holds and what every account has, and is remembered like the nightly one', async () => {
    await plant(event(1));
    const { code, out } = await operator.run('books check');
    expect(out).toMatch(/^BIEN  cada asiento tiene todas sus partes, y cada parte su asiento$/m);
    expect(out).not.toContain('ROTO');
    expect(out).toMatch(/^ +En manos del comercio +\$1,234\.50$/m);
    expect(out).toMatch(/^ +Tarjetas por depositar +-\$1,234\.50$/m);
    expect(out).toMatch(/^ +En aclaración +\$0\.00$/m);
    const ends = out.split('\n').flatMap((line) => (/^ .*\$/.test(line) ? line.length : []));
    expect(new Set(ends).size).toBe(1);
    expect(out).toMatch(/Los libros cuadran: \d+ pruebas en \d+ ms\.\n$/);
    expect(code).toBe(0);
    expect(await remembered()).toEqual([{ broken: 0 }]);
  });

  test('names what breaks a proof, ends with 1 and raises an alert', async () => {
    await plant(event(2));
    const { code, out } = await operator.run('books check');
    expect(out).toMatch(/^ROTO  cada asiento tiene todas sus partes, y cada parte su asiento: \d+$/m);
    expect(out).toMatch(/^BIEN  ninguna cuenta está debajo de cero$/m);
    expect(out).toMatch(/Los libros NO cuadran: 1 de \d+ pruebas están rotas\.\n$/);
    expect(code).toBe(1);
    expect(await remembered()).toEqual([{ broken: 0 }, { broken: 1 }]);
    const { kind } = await operator.db.selectFrom('alerts').select('kind').executeTakeFirstOrThrow();
    expect(kind).toBe('books_broken');
    // The tests that follow need the books as they were.
    await plant(`delete from ledger_events where legs = 2`, `delete from ledger_transfers where legs = 2`);
  });
});

/** A day of a chain and of Tapi: 600.00 at 23:59 on the 20th in Mexico City, 700.00 a minute later. */
async function liveThrough(): Promise<void> {
  const till = `insert into service_accounts (id, kind, user_name, secret_hash, chain)
    values ('00000000-0000-4000-8000-000000000001', 'till', 'norte', 'x', 'NORTE')`;
  const operation = (n: number, at: string, amount: number) => `
    insert into till_operations (service_account_id, chain, branch, transaction_id, body_hash, operation, reference,
      amount_centavos, state, error, message, authorisation, created_at)
    values ('00000000-0000-4000-8000-000000000001', 'NORTE', '7', 'T-${n}', '\\x00', 'payment', '21234567890', ${amount},
      'authorised', 0, '', 'A${n}', '${at}')`;
  const notice = (n: number, at: string, amount: number) => `
    insert into cash_notices (provider, operation_id, body_hash, status, amount_centavos, currency, outcome, paid_at, received_at)
    values ('tapi', 'op-${n}', '\\x00', 'confirmed', ${amount}, 'MXN', 'applied', '${at}', '2026-11-25T12:00:00Z')`;
  const [before, after] = ['2026-11-21T05:59:00Z', '2026-11-21T06:00:00Z'];
  await plant(
    till,
    operation(1, before, 60_000),
    operation(2, after, 70_000),
    notice(1, before, 60_000),
    notice(2, after, 70_000),
  );
}

const write = (name: string, ...lines: string[]) => operator.file(name, Buffer.from(`${lines.join('\n')}\n`));

describe('a day', () => {
  beforeAll(liveThrough);

  test('of a chain is written to the second of midnight in Mexico City, and compares equal to itself', async () => {
    const out = operator.file('dia.csv', Buffer.alloc(0));
    await operator.done(`till day NORTE --day 2026-11-20 --out ${out}`);
    const shown = await operator.run('till day NORTE --day 2026-11-20');
    expect(shown.out.trim()).toBe(fs.readFileSync(out, 'utf8').trim());
    expect(shown.out).toContain('7,T-1,21234567890,600.00,A1,autorizada,2026-11-20T23:59:00');
    expect(shown.out).not.toContain('T-2');
    const same = await operator.run(`till compare NORTE --day 2026-11-20 --file ${out}`);
    expect(same).toMatchObject({ code: 0, out: 'NORTE, 2026-11-20: 1 operaciones, ninguna diferencia.\n' });
  });

  test('of a chain that says otherwise ends with 1 and says where', async () => {
    const theirs = write(
      'suyo.csv',
      'sucursal,idtransaccion,referencia,importe,autorizacion,estado,fecha',
      '7,T-1,21234567890,599.00,,autorizada,',
    );
    const { code, out } = await operator.run(`till compare NORTE --day 2026-11-20 --file ${theirs}`);
    expect(code).toBe(1);
    expect(out).toMatch(/7 +T-1 +otra cantidad +600\.00 autorizada +599\.00 autorizada/);
  });

  test('of the network is compared by operation, as the network counts its days', async () => {
    const same = write('red.csv', 'operacion,importe', 'op-1,600.00');
    expect((await operator.run(`cash compare --day 2026-11-20 --file ${same}`)).code).toBe(0);
    const other = write('red2.csv', 'operacion,importe,estado', 'op-2,700,revertida', 'op-3,50,');
    const found = await operator.run(`cash compare --day 2026-11-21 --file ${other} --json`);
    expect(found.code).toBe(1);
    expect(JSON.parse(found.out)).toMatchObject([
      { transactionId: 'op-2', difference: 'state' },
      { transactionId: 'op-3', difference: 'only in their file' },
    ]);
  });

  test('of the network is compared once it is over, is noted, and what only the network has is asked for', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const file = write('red3.csv', 'operación;IMPORTE', 'op-1;600.00', 'op-9;"1,200.00"');
    const later = write('red5.csv', 'operacion,importe');
    const early = await operator.run(`cash compare --day ${tomorrow} --file ${later}`);
    expect([early.code, early.err]).toEqual([
      1,
      `El día ${tomorrow} todavía no termina: compárelo mañana.\n`,
    ]);
    const bad = await operator.run(`cash compare --day 2026-11-20 --file ${file}`);
    expect([bad.code, bad.err]).toEqual([1, expect.stringContaining('Línea 3, importe')]);
    const good = write('red4.csv', 'operación;IMPORTE', 'op-1;599.00', 'op-9;1200');
    const { code, out } = await operator.run(`cash compare --day 2026-11-20 --file ${good}`);
    expect([code, out]).toEqual([1, expect.stringContaining('Se pregunta a la red por 1 que no conocíamos')]);
    const { rows: asked } = await operator.asOwner(
      `select key, payload from graphile_worker._private_jobs where key like 'cash:%' and key <> 'cash:op-3'`,
    );
    expect(asked).toEqual([{ key: 'cash:op-9', payload: { operationId: 'op-9' } }]);
    const { rows: noted } = await operator.asOwner(
      `select detail from audit_log where subject_kind = 'cash_day' and subject_id = '2026-11-20' order by id desc`,
    );
    expect(noted[0].detail).toMatchObject({ operations: 1, theirs: 2, differences: 2 });
  });

  test('is compared as Excel saves a list in Mexico, in its old encoding, and with accents that came apart', async () => {
    await plant(`insert into till_operations (service_account_id, chain, branch, transaction_id, body_hash, operation, reference,
        amount_centavos, state, error, message, authorisation, created_at)
      values ('00000000-0000-4000-8000-000000000001', 'NORTE', 'Juárez', 'T-3', '\\x00', 'payment', '21234567890', 60000,
        'authorised', 0, '', 'A3', '2026-11-18T18:00:00Z')`);
    const list = 'sucursal;idtransacción;importe;estado\r\nJuárez;T-3;600.00;autorizada\r\n';
    const saved = { latin: Buffer.from(list, 'latin1'), apart: Buffer.from(list.normalize('NFD')) };
    for (const [name, bytes] of Object.entries(saved)) {
      const file = operator.file(`${name}.csv`, bytes);
      const { code, out } = await operator.run(`till compare NORTE --day 2026-11-18 --file ${file}`);
      expect([code, out]).toEqual([0, 'NORTE, 2026-11-18: 1 operaciones, ninguna diferencia.\n']);
    }
    const cash = operator.file('red6.csv', Buffer.from('operación;importe\r\nop-1;600.00\r\n', 'latin1'));
    expect((await operator.run(`cash compare --day 2026-11-20 --file ${cash}`)).code).toBe(0);
  });

  test.each([
    ['cash compare --day 2026-11-20', 'operation,amount\nop-1,600', 'Falta la columna operacion'],
    ['cash compare --day 2026-11-20', '', 'Falta la columna operacion. Las que hay: ninguna'],
    ['till compare NORTE --day 2026-11-20', 'sucursal,importe\n7,600', 'Falta la columna idtransaccion'],
  ])('is not compared with a list of other columns: %s', async (line, list, says) => {
    const { code, out, err } = await operator.run(`${line} --file ${write('otro.csv', list)}`);
    expect([code, out, err]).toEqual([1, '', expect.stringContaining(says)]);
  });

  test('of a chain that no till has is none, and not a day without operations', async () => {
    const file = write('nada.csv', 'sucursal,idtransaccion,importe,estado');
    for (const line of ['till day NOPE', `till compare NOPE --day 2026-11-20 --file ${file}`]) {
      const { code, out, err } = await operator.run(line);
      expect([code, out, err]).toEqual([1, '', expect.stringContaining('Ninguna caja es de la cadena NOPE')]);
    }
  });

  test('that cannot be read says which line and why, and compares nothing', async () => {
    const bad = write('mal.csv', 'operacion,importe,estado', ',seis,pagada');
    const { code, err } = await operator.run(`cash compare --day 2026-11-20 --file ${bad}`);
    expect(code).toBe(1);
    expect(err).toContain('Línea 2, operacion: está vacío');
    expect(err).toContain('Línea 2, importe: no se entiende «seis»');
    expect(err).toContain('Línea 2, estado: no se entiende «pagada»');
  });

  test.each([
    ['op-1,6"0', 'Línea 2: no se entiende como CSV, hay comillas en medio de un dato'],
    ['op-1,"60', 'Línea 2: no se entiende como CSV, unas comillas no se cierran'],
    ['"op"-1,60', 'Línea 2: no se entiende como CSV, hay texto después de las comillas que cierran un dato'],
    ['\n\nop-1,60\n\nop-2,seis', 'Línea 6, importe: no se entiende «seis»'],
  ])('with %j is told in Spanish, by its line', async (rows, says) => {
    const { code, err } = await operator.run(
      `cash compare --day 2026-11-20 --file ${write('comillas.csv', 'operacion,importe', rows)}`,
    );
    expect([code, err.split('\n').at(1)?.trim()]).toEqual([1, says]);
  });
});
