import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { passwordProblem } from './password-rule.ts';

const EMAIL = 'mariana.lopez@example.mx';

test.each(['aparta-demo-2026', 'ñandú azul 9', 'correct horse battery staple', 'x9'.repeat(64)])(
  'a buyer may choose %s',
  (password) => {
    expect(passwordProblem(password, EMAIL)).toBeUndefined();
  },
);

test.each([
  ['', 'PASSWORD_TOO_SHORT'],
  ['siete77', 'PASSWORD_TOO_SHORT'],
  ['😀😀😀😀', 'PASSWORD_TOO_SHORT'],
  ['x9'.repeat(64) + 'y', 'PASSWORD_TOO_LONG'],
  ['12345678', 'PASSWORD_TOO_COMMON'],
  ['Contraseña', 'PASSWORD_TOO_COMMON'],
  ['contrasen\u0303a', 'PASSWORD_TOO_COMMON'],
  ['TeQuieroMucho', 'PASSWORD_TOO_COMMON'],
  ['zzzzzzzzzzzzzzz', 'PASSWORD_TOO_COMMON'],
  [EMAIL, 'PASSWORD_TOO_COMMON'],
  ['mariana.lopez', 'PASSWORD_TOO_COMMON'],
])('a buyer may not choose %j', (password, problem) => {
  expect(passwordProblem(password, EMAIL)).toBe(problem);
});

test('every password of the list is long enough to need its place there, and spelt as it is compared', () => {
  const list = readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  expect(list.filter((word) => [...word].length < 8 || word !== word.toLowerCase().normalize('NFC'))).toEqual(
    [],
  );
  expect(new Set(list).size).toBe(list.length);
});
