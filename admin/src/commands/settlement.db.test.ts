import fs from 'node:fs';
import { mexicoCityDate } from '@aparta/domain/calendar';
import { makeBuyer, makeMerchant } from '@aparta/server/test/make';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Operator, OPERATOR, seatOperator } from '../../test/operator.ts';

const TODAY = mexicoCityDate(new Date());

let operator: Operator;
beforeAll(async () => {
  operator = await seatOperator();
  await operator.shop();
});
afterAll(() => operator.close());

const deposit = (amount: string, evidence = 'Clip-118') =>
  `settlement deposit 1 --channel card --amount ${amount} --commission 24.60 --on ${TODAY} --evidence ${evidence} --beyond`;

describe('settlements at the terminal', () => {
  test('a deposit told twice is written once, and another one with its evidence is refused', async () => {
    const first = await operator.done(deposit('590.40'));
    const again = await operator.run(deposit('590.40'));
    expect(again).toMatchObject({
      code: 0,
      out: `Ya estaba anotado: movimiento ${first.id}. No se anotó otra vez.\n`,
    });
    const other = await operator.run(deposit('590.41'));
    expect(other).toMatchObject({
      code: 1,
      err: `Esa evidencia ya está en el movimiento ${first.id}, que dice otra cosa.\n`,
    });
    expect(await operator.done('settlement list 1')).toMatchObject([
      { id: first.id, kind: 'deposit', amountCentavos: 59_040, commissionCentavos: 2_460, isVoided: false },
    ]);
    expect(await operator.done('audit list --limit 1')).toMatchObject([
      {
        actor: OPERATOR,
        command: 'settlement deposit',
        subjectKind: 'settlement',
        subjectId: String(first.id),
      },
    ]);
  });

  test('a rehearsal writes nothing, and what was written wrong is taken back', async () => {
    const payout = `settlement payout 1 --amount 100 --on ${TODAY} --evidence SPEI-1 --beyond`;
    await operator.done(`${payout} --dry-run`);
    expect(await operator.done('settlement list 1')).toHaveLength(1);
    const { id } = await operator.done(payout);
    await operator.done(['settlement', 'void', String(id), '--reason', 'Era de otro comercio']);
    const { out } = await operator.run('settlement list 1');
    expect(out).toMatch(/cancelación del \d+/);
    expect(out).toContain('CANCELADO SPEI-1');
  });

  test('a slip of the keys is not written, and what was there is said', async () => {
    const slip = `settlement payout 1 --amount 99999999 --on ${TODAY} --evidence SPEI-2`;
    for (const line of [slip, `${slip} --dry-run`])
      expect(await operator.run(line)).toMatchObject({
        code: 1,
        err: 'El operador tiene del comercio $0.00, y el pago es de $99,999,999.00: $99,999,999.00 de más. Revise la cantidad; si así se pagó, repita con --beyond.\n',
      });
    const early = `settlement deposit 1 --channel card --amount 100 --on ${TODAY} --evidence Clip-119`;
    expect(await operator.run(early)).toMatchObject({
      code: 1,
      err: 'En camino hay -$615.00, y el depósito con su comisión suma $100.00: $715.00 de más. Revise la cantidad; si así llegó, repita con --beyond.\n',
    });
    const { out } = await operator.run(`${early} --beyond --dry-run`);
    expect(out).toMatch(/depósito de \$100\.00\.\nHabía en camino -\$615\.00; quedan -\$715\.00\.\n$/);
    const owed = await operator.run(
      `settlement payout 1 --amount 5 --to operator --on ${TODAY} --evidence x`,
    );
    expect(owed.err).toMatch(
      /^El comercio debe al operador \$0\.00, y el pago es de \$5\.00: \$5\.00 de más\./,
    );
    expect((await operator.run(`${slip} --beyond --dry-run`)).out).toContain(
      'El operador tenía del comercio $0.00; quedan -$99,999,999.00.',
    );
  });

  test('what cannot be is refused with a reason', async () => {
    const network = `settlement deposit 1 --channel cash --amount 100 --on ${TODAY} --evidence SPEI-9`;
    const refusals = [
      [
        `${network} --from ${TODAY}`,
        'De esos días no falta nada por pagar. Lo que falta está en settlement pending.',
      ],
      [
        network,
        'Diga qué días paga: --from, y --to si son varios (62 a lo más). Un depósito de tarjeta no lleva días.',
      ],
      [
        `settlement payout 1 --amount 0 --on ${TODAY} --evidence SPEI-9`,
        'La cantidad debe ser mayor que cero.',
      ],
      [
        'settlement explain 1 --has operator --on 2026-01-01 --evidence x',
        'El depósito 1 no tiene ninguna diferencia por explicar.',
      ],
      ['settlement void 99 --reason x', 'No hay ningún depósito ni pago 99.'],
      [`settlement report 9 --from ${TODAY} --to ${TODAY}`, 'No hay ningún comercio 9.'],
    ] as const;
    for (const [line, sentence] of refusals)
      expect(await operator.run(line), line).toMatchObject({ code: 1, err: `${sentence}\n` });
  });

  test('the report says its sums, and leaves a paper and a table', async () => {
    const [pdf, csv] = [
      operator.file('corte.pdf', Buffer.alloc(0)),
      operator.file('corte.csv', Buffer.alloc(0)),
    ];
    const { code, out } = await operator.run(
      `settlement report 1 --from ${TODAY} --to ${TODAY} --pdf ${pdf} --csv ${csv}`,
    );
    expect(code).toBe(0);
    expect(out).toMatch(/Depositado al comercio \(tarjeta\), 1 +\$590\.40/);
    expect(out).toMatch(/Comisión de quien deposita \(tarjeta\), 1 +-\$24\.60/);
    expect(out).toMatch(/Tarjetas por depositar +-\$615\.00/);
    expect(out).toContain('Este corte cuadra');
    expect(fs.readFileSync(pdf).subarray(0, 5).toString()).toBe('%PDF-');
    expect(fs.readFileSync(csv, 'utf8')).toContain(`dia,${TODAY},,Depositado al comercio,Tarjeta,,,,,,1 `);
    expect(out).toMatch(/Corte n\.º 1, emitido el \d+ \w+ \d{4}, \d\d:\d\d/);
    const shown = await operator.run(`settlement report 1 --from ${TODAY} --to ${TODAY}`);
    expect(shown.out).toContain('Sin número: solo para ver');
    const again = await operator.run(`settlement report 1 --from ${TODAY} --to ${TODAY} --csv ${csv}`);
    expect(again.out).toContain('Corte n.º 2, emitido el');
    // A deposit of more than was collected shows with a minus sign: a typo, or it came early.
    expect(await operator.done('settlement pending --merchant 1')).toMatchObject([
      { channel: 'card', amountCentavos: -61_500 },
    ]);
  });

  test('a report that cannot be written takes no number, and leaves no half of its papers', async () => {
    const report = `settlement report 1 --from ${TODAY} --to ${TODAY}`;
    const csv = operator.file('sin-lugar.csv', Buffer.from('antes'));
    const full = await operator.run(`${report} --csv ${csv} --pdf /dev/full`);
    expect(full).toMatchObject({
      code: 1,
      err: 'No se pudo escribir /dev/full: el disco está lleno. Libere espacio o elija otro disco.\n',
    });
    expect(fs.readFileSync(csv, 'utf8')).toBe('antes');
    expect(fs.existsSync(`${csv}.part`)).toBe(false);
    const written = await operator.run(`${report} --csv ${csv}`);
    expect(written.out).toContain('Corte n.º 3, emitido el');
    expect(fs.readFileSync(csv, 'utf8')).toContain(TODAY);
  });

  test('after a restore no report gets the number of one that was handed over and forgotten, of any merchant', async () => {
    const other = await makeMerchant(operator.db);
    const numberOf = async (merchant: number) => {
      const line = `settlement report ${merchant} --from ${TODAY} --to ${TODAY} --csv ${operator.file('otra.csv', Buffer.alloc(0))}`;
      return /Corte n\.º (\d+)/.exec((await operator.run(line)).out)?.[1];
    };
    const restore = { actor: 'root', command: 'restore', subject_kind: 'restore', subject_id: 'aparta-1' };
    await operator.db
      .insertInto('audit_log')
      .values({ ...restore, detail: '{}' })
      .execute();
    expect([await numberOf(1), await numberOf(1)]).toEqual(['10004', '10005']);
    expect([await numberOf(other), await numberOf(other)]).toEqual(['10001', '10002']);
    expect(await numberOf(await makeMerchant(operator.db))).toBe('1');
  });
});

describe('files of a full disk', () => {
  beforeAll(async () => {
    await operator.done('till add caja --chain CAJA --merchants none');
    await makeBuyer(operator.db, { email: 'ana@example.mx' });
  });

  test.each([
    ['a chain’s day', `till day CAJA --day ${TODAY} --out /dev/full`],
    ['a list', 'invoice list --csv /dev/full'],
    ['everything of a buyer', 'buyer export ana@example.mx --out /dev/full'],
  ])('%s: one sentence, no stack', async (_what, line) => {
    expect(await operator.run(line)).toMatchObject({
      code: 1,
      err: 'No se pudo escribir /dev/full: el disco está lleno. Libere espacio o elija otro disco.\n',
    });
  });
});

describe('who collects', () => {
  test('is said of a merchant and changed for what comes from now on', async () => {
    const { out: before } = await operator.run('merchant show 1');
    expect(before).toMatch(/Quién recibe +tarjeta, el comercio; cajas, el comercio; tiendas, el operador/);
    await operator.done('merchant edit 1 --collects till=operator');
    const { out: after } = await operator.run('merchant show 1');
    expect(after).toMatch(/Quién recibe +tarjeta, el comercio; cajas, el operador; tiendas, el operador/);
    const wrong = await operator.run('merchant edit 1 --collects card=operator');
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.err).toContain('No se entiende quién cobra: card=operator');
  });
});
