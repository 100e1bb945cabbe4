import { expect, test } from 'vitest';

import { firstName, shortName, wholeName } from './short-name.ts';

test.each([
  ['Marisol Ramos Díaz', 'Marisol R.'],
  ['  ana   álvarez ', 'ana Á.'],
  ['Ana', 'Ana'],
  ['', ''],
  ['ana.ruiz@example.mx', 'ana.ruiz'],
  ['ana@example.mx Ruiz', 'ana R.'],
  ['@ana', '@ana'],
])('%s is shown as %s', (name, shown) => {
  expect(shortName(name)).toBe(shown);
});

test('a name that is compared with an identification is whole, without an email address', () => {
  const names = ['Marisol Ramos Díaz', ' Ana ', 'ana.ruiz@example.mx', 'ana@example.mx Ruiz', '@ana', ''];
  expect(names.map(wholeName)).toEqual(['Marisol Ramos Díaz', 'Ana', 'ana.ruiz', 'ana Ruiz', '@ana', '']);
});

test('a stranger reads the first name alone', () => {
  expect(['Marisol Ramos Díaz', '  ana\t álvarez', 'Ana', ''].map(firstName)).toEqual([
    'Marisol',
    'ana',
    'Ana',
    '',
  ]);
});

test('whoever gave their email address as their name keeps it from strangers', () => {
  expect(['ana.ruiz@example.mx', '@ana', '@ana@example.mx'].map(firstName)).toEqual([
    'ana.ruiz',
    '@ana',
    '@ana',
  ]);
});

test('a name never turns the words beside it backwards', () => {
  expect(['\u202eAna Ruiz', 'Ana \u2067Ruiz', '\u200bAna\u200f \ufeffRuiz'].map(shortName)).toEqual([
    'Ana R.',
    'Ana R.',
    'Ana R.',
  ]);
  expect(['\u202eAna Ruiz', '\u200b'].map(firstName)).toEqual(['Ana', '']);
  expect(wholeName('\u202eAna Ruiz')).toBe('Ana Ruiz');
});

test('a name that was kept with an address of the web in it is no link to anybody', () => {
  const names = ['http://evil.example/gana', 'WWW.evil.example', 'Ana http://www.evil.example'];
  expect(names.map(firstName)).toEqual(['http', 'WWW', 'Ana']);
  expect(shortName('evil.com Ruiz')).toBe('evil C.');
  expect(shortName('Ma.Elena S.A.')).toBe('Ma.Elena S.');
  expect(names.map(shortName)).toEqual(['http E.', 'WWW E.', 'Ana H.']);
  expect(names.map(wholeName)).toEqual([
    'http evil.example/gana',
    'WWW evil.example',
    'Ana http www evil.example',
  ]);
});
