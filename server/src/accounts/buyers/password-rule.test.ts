import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { passwordProblem } from './password-rule.ts';

const EMAIL = 'mariana.lopez@example.mx';

test.each([
  // First, as the dictionaries are read for it.
  ['Guadalupe1', 'PASSWORD_TOO_COMMON'],
  ['', 'PASSWORD_TOO_SHORT'],
  ['siete77', 'PASSWORD_TOO_SHORT'],
  ['😀😀😀😀', 'PASSWORD_TOO_SHORT'],
  ['x9'.repeat(64) + 'y', 'PASSWORD_TOO_LONG'],
  ['12345678', 'PASSWORD_TOO_COMMON'],
  ['12345678901', 'PASSWORD_TOO_COMMON'],
  ['México2026', 'PASSWORD_TOO_COMMON'],
  ['T3Quier0Mucho!', 'PASSWORD_TOO_COMMON'],
  ['1qaz2wsx', 'PASSWORD_TOO_COMMON'],
  ['15091985', 'PASSWORD_TOO_COMMON'],
  ['aparta2026', 'PASSWORD_TOO_COMMON'],
  ['mariana2026', 'PASSWORD_TOO_COMMON'],
  ['x9'.repeat(64), 'PASSWORD_TOO_COMMON'],
  ['Contraseña', 'PASSWORD_TOO_COMMON'],
  ['contrasen\u0303a', 'PASSWORD_TOO_COMMON'],
  ['TeQuieroMucho', 'PASSWORD_TOO_COMMON'],
  ['zzzzzzzzzzzzzzz', 'PASSWORD_TOO_COMMON'],
  ['zzzzzzzzzzzzzzzzzzzzzzzzx7$kQp2mN', 'PASSWORD_TOO_COMMON'],
  [EMAIL, 'PASSWORD_TOO_COMMON'],
  ['mariana.lopez', 'PASSWORD_TOO_COMMON'],
])('a buyer may not choose %j', async (password, problem) => {
  expect(await passwordProblem(password, EMAIL)).toBe(problem);
});

test.each(['aparta-demo-2026', 'ñandú azul 9', 'correct horse battery staple', 'x7$kQp2m'])(
  'a buyer may choose %s',
  async (password) => {
    expect(await passwordProblem(password, EMAIL)).toBeUndefined();
  },
);

test('each part of a buyer’s own address is a word that is guessed first', async () => {
  for (const password of ['vemquor2026', 'Zoltraxi77']) {
    expect(await passwordProblem(password, 'zoltraxi.vemquor@example.mx')).toBe('PASSWORD_TOO_COMMON');
    expect(await passwordProblem(password, EMAIL)).toBeUndefined();
  }
});

test('every favourite of the list is spelt as it is compared, once', () => {
  const list = readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  expect(list.filter((word) => word !== word.toLowerCase().normalize('NFC'))).toEqual([]);
  expect(new Set(list).size).toBe(list.length);
});
