import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATOR, type Operator, seatOperator } from '../test/operator.ts';
import { COMMANDS } from './commands.ts';
import { parse } from './parse.ts';

let operator: Operator;
beforeAll(async () => {
  operator = await seatOperator();
});
afterAll(() => operator.close());

describe('what the operator types', () => {
  test('is answered with help when it is nothing, and with what was meant when it is misspelt', async () => {
    const help = await operator.run([]);
    expect(help).toMatchObject({ code: 0, err: '' });
    expect(help.out).toContain('Comandos:');
    const misspelt = await operator.run('merchant lst');
    expect(misspelt).toMatchObject({ code: 2, out: '' });
    expect(misspelt.err).toContain('¿Quiso decir list?');
    expect((await operator.run('merchant')).code).toBe(2);
    expect(await operator.run('company add X --foo 1')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Argumento desconocido: foo'),
    });
    expect((await operator.run('merchant show siete')).err).toContain('No es un número entero');
  });

  test('is told for every command in Spanish, with --dry-run where it changes something, and with an example that it understands', async () => {
    for (const { kind, spec } of COMMANDS) {
      const help = await parse(COMMANDS, [...spec.name.split(' '), '--help']);
      expect(help, spec.name).toMatchObject({ kind: 'help' });
      expect('text' in help && help.text, spec.name).toContain(spec.says.slice(0, 40));
      expect('text' in help && help.text.includes('--dry-run'), spec.name).toBe(kind === 'changes');
      for (const [line] of spec.examples) {
        const words = line.replace(/ < .*/, '').match(/"[^"]*"|\S+/g) ?? [];
        const understood = await parse(
          COMMANDS,
          words.map((word) => word.replaceAll('"', '')),
        );
        // An example's file need not be here.
        if ('text' in understood) expect(understood.text, line).toMatch(/^No se puede leer /);
        else
          expect(understood, line).toMatchObject({ kind: 'command', command: { spec: { name: spec.name } } });
      }
    }
  });

  test('ends with 3 where no database answers, none is up to date, or a setting is missing', async () => {
    const away = await seatOperator({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
    expect(await away.run('company list')).toMatchObject({
      code: 3,
      err: expect.stringContaining('La base de datos no responde'),
    });
    await away.close();
    const unset = await seatOperator({ NODE_ENV: 'production' });
    expect(await unset.run('company list')).toMatchObject({
      code: 3,
      err: expect.stringContaining('SECRETS_KEY is missing'),
    });
    await unset.close();
  });
});

describe('a list of nobody', () => {
  test.each([
    'product list 99',
    'settlement list 99',
    'settlement pending --merchant 99',
    'labels outdated --merchant 99',
  ])('is refused, and not shown as an empty one: %s', async (line) => {
    expect(await operator.run(line)).toMatchObject({ code: 1, out: '', err: 'No hay ningún comercio 99.\n' });
  });

  test('a network that does not answer is said in Spanish with what can be done, without a stack', async () => {
    expect(await operator.run('cash check nope')).toMatchObject({
      code: 1,
      err: 'La red de tiendas no dijo qué pasó: no hubo conexión (ECONNREFUSED). Revise la red de este equipo y, en los ajustes, la dirección del proveedor. Intente más tarde: un trabajo también pregunta.\n',
    });
  });
});

describe('what the operator changes', () => {
  test('is in the audit log with who, what and how it was before, and a refusal leaves nothing', async () => {
    const { id } = await operator.done(['company', 'add', 'Grupo Mueblero', '--phone', '2225550100']);
    await operator.done(['company', 'edit', String(id), '--phone', '2225550199', '--as', 'pedro']);
    expect((await operator.run(['company', 'edit', String(id), '--phone', '2225550199'])).code).toBe(1);
    expect((await operator.run('company edit 999 --phone 1')).err).toBe('No hay ninguna empresa 999.\n');
    expect(await operator.done(`audit list --subject company:${id}`)).toMatchObject([
      {
        actor: 'pedro',
        command: 'company edit',
        detail: { before: { phone: '2225550100' }, after: { phone: '2225550199' } },
      },
      { actor: OPERATOR, command: 'company add', detail: { after: { name: 'Grupo Mueblero' } } },
    ]);
    expect(await operator.done('audit list --subject company --limit 1')).toHaveLength(1);
    expect(await operator.run('audit list --subject company:99')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^La bitácora no tiene nada de company:99\. Tiene de: .*company/),
    });
  });

  test('is only shown with --dry-run', async () => {
    const before = await operator.done('company list');
    const rehearsed = await operator.run('company add Ensayo --dry-run');
    expect(rehearsed.out).toMatch(/^ENSAYO/);
    expect(await operator.done('company add Ensayo --dry-run')).toMatchObject({ rehearsed: true });
    expect(await operator.done('company list')).toEqual(before);
    expect(await operator.done('audit list --limit 1')).toMatchObject([{ command: 'company edit' }]);
  });

  test('cannot be taken out of the audit log, not even by whoever owns the database', async () => {
    const owner = operator.asOwner;
    for (const attack of [
      'delete from audit_log',
      "update audit_log set actor = 'nadie'",
      'truncate audit_log',
    ])
      await expect(owner(attack)).rejects.toThrow(/append-only/);
  });
});
