import * as v from 'valibot';
import { expect, test } from 'vitest';

import { nameLine } from './name-line.ts';
import { echoedLine, line } from './text.ts';

const takes = (text: string) => v.safeParse(line(80), text).success;

test.each([
  ['turns what follows backwards', '\u202eAna Ruiz'],
  ['turns a part backwards', 'Ana \u2067Ruiz\u2069'],
  ['has a mark of direction', 'Ana\u200f'],
  ['hides a character', 'An\u200ba'],
  ['begins with a byte order mark', '\ufeffAna'],
  ['is a space that nobody sees', '\u200b'],
  ['is joiners alone', '\u200d\u200d'],
  ['is a filler', '\u3164'],
])('a name that %s is refused, as line breaks are', (_what, name) => {
  expect(takes(name)).toBe(false);
});

test('a name that mail programs would make a link of is refused, and one with a point or a slash is taken', () => {
  const takesName = (name: string) => v.safeParse(nameLine(80), name).success;
  expect(['http://evil.example/gana', 'Gana en WWW.evil.example', 'ftp://x'].map(takesName)).toEqual([
    false,
    false,
    false,
  ]);
  const bare = [
    'evil.com',
    'Gana en EVIL.COM.MX hoy',
    'evil.com/gana',
    'a.evil-1.shop:80',
    '(evil.mx)',
    'x evil.com.',
  ];
  expect(bare.filter(takesName)).toEqual([]);
  const real = [
    'Sr. Díaz',
    'Sr.Díaz',
    'J.P. Morales',
    'Tienda No.1',
    'Muebles S.A. de C.V.',
    'S.A.de C.V.',
    'Ma.de los Ángeles',
    'Ma.Elena',
    'Lic.Comas',
    'luis.mx@example.com',
  ];
  expect(real.filter(takesName)).toEqual(real);
  expect(['Ma. del Carmen', 'Ana / Luis', 'ana.ruiz@example.mx', ''].map(takesName)).toEqual([
    true,
    true,
    true,
    true,
  ]);
});

test('a product or a profile that was kept before is reserved and paid all the same', () => {
  expect(v.parse(echoedLine(80), 'Sala \u202eelbon')).toBe('Sala \u202eelbon');
  expect(v.safeParse(echoedLine(80), 'Sala\nnoble').success).toBe(false);
});

test('a name in any script, with emoji of several characters, is taken as it was typed', () => {
  for (const name of ['Ana Ruiz', 'أنا', 'Ана', '👩‍👩‍👧', '❤️', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'می‌خواهم', '']) {
    expect(v.parse(line(80), name)).toBe(name);
  }
});
