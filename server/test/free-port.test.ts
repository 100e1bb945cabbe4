import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePort } from './free-port.ts';

test('the preferred port where it is free, and another one where somebody listens', async () => {
  const port = await freePort();
  expect(await freePort(port)).toBe(port);
  const other = createServer().listen(port, '127.0.0.1');
  await once(other, 'listening');
  expect(await freePort(port)).not.toBe(port);
  other.close();
});
