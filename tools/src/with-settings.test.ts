import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { nodeEnvironment } from '@aparta/server/test/node-environment';
import { expect, onTestFinished, test } from 'vitest';
import { plantTree } from './checks/planted-tree.ts';
import { root as repository } from './steps.ts';

/** What a command behind ops/with-settings.sh is given of these lines of production.env, and of a secret. */
function given(lines: string[]): Record<string, string> {
  const { root, remove } = plantTree({
    'production.env': lines.join('\n'),
    'secrets/database_url': 'postgres://',
  });
  onTestFinished(remove);
  const { status, stdout, stderr } = spawnSync(
    path.join(repository, 'ops', 'with-settings.sh'),
    [process.execPath, '-p', 'JSON.stringify(process.env)'],
    { encoding: 'utf8', env: { ...nodeEnvironment, PATH: process.env['PATH'], APARTA_SETTINGS: root } },
  );
  expect([status, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

test.skipIf(process.platform === 'win32')(
  'an operator’s command reads production.env as systemd and Docker do for the server, quotes around a value too',
  () => {
    const settings = given([
      '# Ours',
      'PRODUCT_NAME="Mi Apartado"',
      "MAIL_FROM='Aparta <hola@aparta.example>'",
      'HELP_PHONE=+52 55 0000 0000',
      'TAPI_USERNAME=',
      'TAPI_COMPANY_CODE="a" and "b', // not around it
    ]);
    expect(settings).toMatchObject({
      PRODUCT_NAME: 'Mi Apartado',
      MAIL_FROM: 'Aparta <hola@aparta.example>',
      HELP_PHONE: '+52 55 0000 0000',
      TAPI_USERNAME: '',
      TAPI_COMPANY_CODE: '"a" and "b',
      DATABASE_URL_FILE: expect.stringMatching(/secrets\/database_url$/),
    });
  },
);
