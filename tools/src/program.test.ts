import fs from 'node:fs';
import { expect, test } from 'vitest';
import { MEMORY } from './program.ts';

const file = (name: string) => fs.readFileSync(new URL(`../../ops/${name}`, import.meta.url), 'utf8');

test('the server gets the same memory in the image, from systemd and from npm start', () => {
  expect(file('systemd/aparta@.service')).toContain(`/node ${MEMORY.join(' ')} server/dist/main.js\n`);
  expect(file('Dockerfile')).toContain(
    `CMD ${JSON.stringify(['node', ...MEMORY, 'server/dist/main.js']).replaceAll(',', ', ')}\n`,
  );
});
