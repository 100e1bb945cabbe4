import { expect, test } from 'vitest';
import { fileName } from './reference-picture.ts';

test('a saved reference is named after the product and the reference, in signs that every file system takes', () => {
  expect(fileName({ appName: 'Aparta', reference: '11234567897' })).toBe('Ref_Aparta_11234567897.png');
  expect(fileName({ appName: 'Mi / Tienda', reference: '1' })).toBe('Ref_Mi-Tienda_1.png');
});
