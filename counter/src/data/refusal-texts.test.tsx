import { ApiError } from '@aparta/browser/api-error.ts';
import { alertFor } from '@aparta/browser/copy.ts';
import type { RefusalTexts } from '@aparta/browser/refusal.ts';
import { expect, test } from 'vitest';
import { helperTexts } from '../../../web/src/copy/helper-texts.ts';
import { refusalTexts as buyerTexts } from '../../../web/src/copy/refusal-texts.ts';
import { refusalTexts } from './refusal-texts.ts';

const PLACEHOLDER = /\{(\w+)\}/g;

const TABLES: [string, RefusalTexts][] = [
  ['buyers', buyerTexts],
  ['helpers', helperTexts],
  ['staff', refusalTexts],
];

test.each(TABLES)('what %s are told of a refusal has its facts and no placeholder', (_, texts) => {
  for (const [code, said] of Object.entries(texts)) {
    const names = [...JSON.stringify(said).matchAll(PLACEHOLDER)].map(([, name = '']) => name);
    const facts = Object.fromEntries(names.map((name) => [name, `the ${name}`]));
    const refused = {
      kind: 'refused',
      code: code as keyof RefusalTexts,
      status: 409,
      fields: {},
      facts,
      retryAfterSeconds: undefined,
      said,
    } as const;
    const shown = JSON.stringify(alertFor(new ApiError(refused, '')));
    expect(shown).not.toMatch(PLACEHOLDER);
    for (const fact of Object.values(facts)) expect(shown).toContain(fact);
  }
});
