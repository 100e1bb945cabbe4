import fs from 'node:fs';
import { expect, test } from 'vitest';
import { SERVERS } from './only-replies.ts';

const ROOT = new URL('../../../', import.meta.url);
/** What an application's `onlyReplies` leaves in. */
const KEPT: Readonly<Record<string, readonly string[]>> = { counter: ['body'], web: [], browser: [] };

test.each(Object.entries(KEPT))('%s reads nothing of an endpoint that its build leaves out', (app, kept) => {
  const read = fs
    .globSync(`${app}/src/**/*.{ts,tsx}`, { cwd: ROOT })
    .filter((file) => !/\.test\.tsx?$|\/build\//.test(file))
    .flatMap((file) => {
      const code = fs.readFileSync(new URL(file, ROOT), 'utf8');
      const imports = code.matchAll(/import \{([^}]*)\} from '@aparta\/contract\//g);
      const names = [...imports].flatMap(([, list = '']) => list.match(/\w+(?=\s*(,|$))/g) ?? []);
      return names
        .flatMap((name) => [...code.matchAll(new RegExp(`\\b${name}\\.(${SERVERS.join('|')})\\b`, 'g'))])
        .filter(([, property = '']) => !kept.includes(property))
        .map(([what]) => `${file}: ${what}`);
    });
  expect(read).toEqual([]);
});
