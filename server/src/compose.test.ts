import { expect, test } from 'vitest';
import { compose } from './compose.ts';
import { readSettings } from './env.ts';
import { createLog } from './platform/logging.ts';

/** The program's own (`main.ts`), of its worker, of an operator's command, or of the web app, which is not built everywhere. */
const NOT_OF_THE_PARTS = [
  'host',
  'port',
  'logLevel',
  'telemetry',
  'workerWaits',
  'serviceFee',
  'bases',
  'help',
  'databaseOwnerUrl',
  'erasuresFile',
];

test('every setting reaches a part of the server: none is read and then ignored', async () => {
  const read = readSettings({ DATABASE_URL: 'postgres://127.0.0.1:9/none' });
  if ('problems' in read) throw new Error(read.problems.join('; '));
  const used = new Set<string | symbol>();
  const settings = new Proxy(read.settings, {
    get(from, name) {
      used.add(name);
      return Reflect.get(from, name);
    },
  });
  const parts = compose(settings, createLog('silent'));
  await parts.stop();
  expect(Object.keys(read.settings)).toEqual(expect.arrayContaining(NOT_OF_THE_PARTS));
  const ignored = Object.keys(read.settings).filter((name) => !used.has(name));
  expect(ignored.filter((name) => !NOT_OF_THE_PARTS.includes(name))).toEqual([]);
});
