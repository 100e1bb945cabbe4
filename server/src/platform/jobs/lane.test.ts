import pg from 'pg';
import { expect, test } from 'vitest';
import { takingBackTwice } from './lane.ts';

test('a lane that asks for a connection after its pool has ended gives back what it did not get, and the server goes on', async () => {
  const pool = takingBackTwice(new pg.Pool());
  await pool.end();
  const asked = Promise.withResolvers<Error | undefined>();
  pool.connect((error, _client, release) => {
    release();
    asked.resolve(error);
  });
  await expect(asked.promise).resolves.toMatchObject({
    message: expect.stringContaining('after calling end'),
  });
});
