import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Operator, seatOperator } from '../../test/operator.ts';

const LOGO = fileURLToPath(new URL('../../../docs/pictures/reference.png', import.meta.url));

/** No provider answers. */
const NOBODY_THERE = {
  TAPI_LOGIN_BASE: 'http://127.0.0.1:9',
  TAPI_API_BASE: 'http://127.0.0.1:9',
  FACTURA_GREEN_BASE: 'http://127.0.0.1:9',
  SMTP_URL: 'smtp://127.0.0.1:9',
};

let operator: Operator;
beforeAll(async () => {
  operator = await seatOperator({ ...NOBODY_THERE, SERVICE_FEE_POLICY: 'all:12.50' });
  await operator.done(['company', 'add', 'Grupo Mueblero']);
});
afterAll(() => operator.close());

const add = (changes: Record<string, string> = {}) =>
  Object.entries({
    company: '1',
    'business-name': 'Muebles del Valle SA de CV',
    'trade-name': 'Muebles del Valle',
    deposit: '20',
    frequency: '30',
    duration: '60',
    ...changes,
  }).reduce<string[]>((line, [option, value]) => [...line, `--${option}`, value], ['merchant', 'add']);

describe('a merchant', () => {
  test('has its plan told in words, and the fee of the settings until it has its own', async () => {
    const { code, out } = await operator.run(add({ rfc: 'mdv-190604-kt7', penalty: '1,200.50' }));
    expect(code).toBe(0);
    expect(out).toContain('20 % de apartado y 2 pagos más, cada 30 días; se termina en 60 días.');
    expect(out).toContain('apartado de $600.00 y 2 de $1,200.00');
    expect(out).toContain('$12.50 por pago con tarjeta, caja, tienda');
    expect(await operator.done('merchant show 1')).toMatchObject({
      rfc: 'MDV190604KT7',
      penaltyCentavos: 120_050,
      serviceFeeCentavos: 1_250,
    });
  });

  test.each([
    [{ frequency: '0' }, 2, 'No es un número entero mayor que cero'],
    [{ deposit: '0' }, 1, 'El apartado debe quedar entre cero y el precio'],
    [{ deposit: '100' }, 1, 'El apartado debe quedar entre cero y el precio'],
    [{ frequency: '1', duration: '400' }, 1, 'más de 120 pagos'],
    [{ rfc: 'NO-ES-RFC' }, 1, 'El RFC no es válido'],
    [{ email: 'sin arroba' }, 1, 'El correo no es válido'],
    [{ 'trade-name': 'x'.repeat(121) }, 1, 'nombre comercial: debe tener de 1 a 120'],
    [
      { 'trade-name': 'Paga en evil.com' },
      1,
      'nombre comercial: «Paga en evil.com» se lee como una dirección',
    ],
    [{ company: '9' }, 1, 'No hay ninguna empresa 9'],
    [{ fee: 'efectivo:3' }, 2, 'No es una comisión'],
    [{ 'invoice-cut-off': '367' }, 2, 'No es un plazo'],
    [{ 'invoice-cut-off': '-1' }, 2, 'No es un plazo'],
  ])('with %o is refused in a sentence', async (changes, code, says) => {
    expect(await operator.run(add(changes as Record<string, string>))).toMatchObject({
      code,
      err: expect.stringContaining(says),
    });
  });

  test('gets no plan that one of its products on sale could not be paid by', async () => {
    await operator.products(1, 'sku,nombre,precio\nCH-1,Chicle,0.03');
    const refused = await operator.run('merchant edit 1 --duration 90');
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.err).toMatch(/^Producto \d+, Chicle: el resto no da ni un centavo para cada pago/);
    const { id } = (await operator.done('product list 1'))[0];
    await operator.done(`product withdraw ${id}`);
    const edited = await operator.run('merchant edit 1 --duration 90 --fee none');
    expect(edited.out).toContain('Plan antes: 20 % de apartado y 2 pagos más');
    expect(edited.out).toContain('Plan ahora: 20 % de apartado y 3 pagos más');
    expect(edited.out).toContain('Comisión ahora: sin comisión');
  });
});

test('a merchant has a last day to ask for an invoice only if they say so', async () => {
  expect((await operator.run('merchant show 1')).out).toMatch(/Plazo para facturar +sin límite/);
  const set = await operator.run('merchant edit 1 --invoice-cut-off 5');
  expect(set.out).toContain(
    'Comercio 1: cambió plazo para facturar.\nPlazo para facturar antes: sin límite\n',
  );
  expect(set.out).toContain('Plazo para facturar ahora: hasta 5 días después de que termina el mes del pago');
  expect(await operator.done('merchant show 1')).toMatchObject({ invoiceCutOffDays: 5 });
  await operator.done('merchant edit 1 --invoice-cut-off 0');
  expect(await operator.done('merchant edit 1 --invoice-cut-off none')).toMatchObject({
    before: { invoiceCutOffDays: 0 },
    after: { invoiceCutOffDays: null },
  });
});

test('plans end by themselves only if their merchant says after how many days, enough for two warnings', async () => {
  expect((await operator.run('merchant show 1')).out).toMatch(/Fin por atraso +nunca terminan solas/);
  for (const days of ['29', '366', 'x'])
    expect((await operator.run(`merchant edit 1 --end-days-late ${days}`)).err).toContain('de 30 a 365');
  const set = await operator.run('merchant edit 1 --end-days-late 45');
  expect(set.out).toContain('Fin por atraso ahora: terminan solas con 45 días vencido');
  expect(await operator.done('merchant edit 1 --end-days-late none')).toMatchObject({
    before: { endDaysLate: 45 },
    after: { endDaysLate: null },
  });
});

test('buyers change their plans only as often and as far as their merchant says', async () => {
  expect((await operator.run('merchant show 1')).out).toMatch(/Cambios de fecha +ninguno/);
  expect((await operator.run('merchant edit 1 --moves-allowed 13')).err).toContain('de 0 a 12');
  expect((await operator.run('merchant edit 1 --move-days 61')).err).toContain('de 1 a 60');
  const set = await operator.run('merchant edit 1 --moves-allowed 2 --move-days 10');
  expect(set.out).toContain('Cambios de fecha ahora: 2 por compra, cada uno hasta 10 días más tarde');
  expect(await operator.done('merchant edit 1 --moves-allowed 0')).toMatchObject({
    before: { movesAllowed: 2 },
    after: { movesAllowed: 0 },
  });
});

describe('a logo', () => {
  test('is drawn anew, small, without what came with the file, under a name of its content', async () => {
    const { fileName } = await operator.done(['company', 'logo', 'set', '1', LOGO]);
    const { logo } = await operator.db.selectFrom('companies').select('logo').executeTakeFirstOrThrow();
    expect(fileName).toMatch(/^1-logo-[0-9a-f]{16}\.png$/);
    const [width, height] = [logo!.readUInt32BE(16), logo!.readUInt32BE(20)];
    expect(Math.max(width, height)).toBe(512);
    const [company] = await operator.done('company list');
    expect(company).toMatchObject({ hasLogo: true, logoFileName: fileName });
  });

  test('that is no picture, whatever it is called, is refused', async () => {
    for (const content of ['<svg onload="x()"/>', '\u0089PNG\r\n\u001a\n and nothing more']) {
      const path = operator.file('logo.png', Buffer.from(content, 'latin1'));
      expect(await operator.run(['company', 'logo', 'set', '1', path])).toMatchObject({
        code: 1,
        err: expect.stringContaining('no es una imagen'),
      });
    }
  });
});

test('status tells what is missing before the first payment, and the command for it', async () => {
  const before = await operator.run('status');
  expect(before.code).toBe(1);
  expect(before.out).toContain('FALTA   no se han publicado: términos y condiciones. legal publish');
  expect(before.out).toContain('FALTA   no hay con qué cobrar');
  for (const kind of ['terms', 'privacy'])
    await operator.done(
      `legal publish ${kind} ${operator.file('t.txt', Buffer.from('# Texto\n'))} --version 1`,
    );
  await operator.products(1, 'sku,nombre,precio\nM-1,Mesa,3000');
  await operator.done('till add cajas-norte --chain NORTE --merchants none');
  const nobodys = 'AVISO   comercio 1, Muebles del Valle: ninguna caja cobra para él. till assign';
  expect((await operator.run('status')).out).toContain(nobodys);
  await operator.done('till assign cajas-norte --merchants 1');
  const after = await operator.run('status');
  expect(after.out).not.toContain(nobodys);
  expect(after.out).not.toContain('FALTA');
  expect(after).toMatchObject({
    code: 1,
    out: expect.stringMatching(
      /FALLA   Tapi: .* no contesta \(ECONNREFUSED\)\. Revise la red [^]*FALLA   Correo: [^]*No todo se puede cobrar\.\n$/,
    ),
  });
  expect(after.out).toContain(
    'AVISO   comercio 1, Muebles del Valle: sin clave, no cobra con tarjeta. key set',
  );
});

test('status counts the products that nobody can have an invoice of', async () => {
  await operator.done('merchant edit 1 --invoicing-business d0000000-0000-4000-8000-000000000001');
  const says = /AVISO   comercio 1, Muebles del Valle: (\d+) de sus productos no se pueden facturar/;
  const [, count] = says.exec((await operator.run('status')).out) ?? [];
  const uuid = 'e0000000-0000-4000-8000-000000001600';
  await operator.products(1, `sku,nombre,precio,clave_factura\nM-1,Mesa,3000,${uuid}`);
  const [, fewer = '0'] = says.exec((await operator.run('status')).out) ?? [];
  expect(Number(fewer)).toBe(Number(count) - 1);
});

test('status warns of a backup that was never made or is more than 26 hours old, and stops nobody', async () => {
  const backUp = (age: string) =>
    operator.asOwner(`insert into audit_log (at, actor, command, subject_kind, subject_id)
      values (app_now() - interval '${age}', 'root', 'backup', 'backup', 'aparta.dump')`);
  const status = () => operator.run('status');
  expect((await status()).out).toContain('AVISO   nunca se ha hecho un respaldo. ops/backup.sh');
  await backUp('27 hours');
  expect(await status()).toMatchObject({
    out: expect.stringMatching(/el último respaldo tiene más de 26 horas[^]*Último respaldo: /),
  });
  await backUp('1 hour');
  expect((await status()).out).not.toContain('AVISO   el último respaldo');
});

test('status tells of a job that no worker takes for more than five minutes: no server is at work', async () => {
  const due = (key: string, minutes: number) =>
    operator.asOwner(
      `select enqueue_job('resolve_attempt', '{}', now() - interval '${minutes} minutes', '${key}')`,
    );
  await due('resolve:4', 4);
  expect((await operator.run('status')).out).not.toContain('resolve_attempt');
  await due('resolve:20', 20);
  await due('resolve:12', 12);
  expect(await operator.run('status')).toMatchObject({
    code: 1,
    out: expect.stringContaining(
      'FALTA   el trabajo resolve_attempt resolve:20 espera desde hace 20 minutos y ningún servidor lo hace.',
    ),
  });
  await operator.asOwner('delete from graphile_worker._private_jobs');
});

test('a database that takes no writes takes no money: status says so, and what would write ends with 3', async () => {
  const own = await seatOperator();
  const { rows } = await own.asOwner('select current_database() as name');
  await own.asOwner(`alter database ${rows[0].name} set default_transaction_read_only = on`);
  const status = await own.run('status');
  expect(status).toMatchObject({
    code: 1,
    out: expect.stringMatching(
      /FALTA   la base de datos no deja escribir \(cannot execute INSERT in a read-only transaction\): no se puede cobrar nada\.[^]*No todo se puede cobrar\.\n$/,
    ),
  });
  for (const line of ['refund paid 1 --by merchant --evidence Vale', 'company add Muebles'])
    expect(await own.run(line)).toMatchObject({
      code: 3,
      err: expect.stringMatching(/^La base de datos no responde, o no deja escribir: .*read-only/),
    });
  await own.close();
});

test('a legal text with blanks, or other words under a published version, is refused', async () => {
  const publish = (body: string, version: string) =>
    operator.run([
      'legal',
      'publish',
      'terms',
      operator.file('t.txt', Buffer.from(body)),
      '--version',
      version,
    ]);
  expect((await publish('Yo, [RAZÓN SOCIAL]', '2')).err).toContain(
    'por llenar o quitar:\n  [RAZÓN SOCIAL]\n',
  );
  expect((await publish('# Otro', '1')).err).toContain('ya se publicó con otras palabras');
  expect(await publish('# Otro', '2')).toMatchObject({ code: 0 });
  expect((await operator.run('legal show terms')).out).toBe('# Otro\n');
  expect(await operator.done('legal list')).toHaveLength(3);
});
