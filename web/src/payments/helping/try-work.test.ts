import { createHash } from 'node:crypto';
import { showsWork, workText } from '@aparta/domain/work-proof';
import { expect, test } from 'vitest';
import { sha256After } from './sha256.ts';
import { tryWork } from './try-work.ts';

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

test('the browser hashes as the server does, whatever the length and however much of it was hashed before', () => {
  for (let length = 0; length < 200; length += 1) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 37 + length) % 256);
    for (const known of [0, 1, 63, 64, 65, 130]) {
      if (known > length) continue;
      const found = sha256After(bytes.subarray(0, known))(bytes.subarray(known));
      expect(Buffer.from(found).toString('hex'), `${known} of ${length} bytes`).toBe(
        hash(bytes).toString('hex'),
      );
    }
  }
});

test('the work that a browser has found is what the server wants to see, and it is the first', () => {
  const intent = '7b1c3d54-0000-4000-8000-00000000000b';
  const found = tryWork('code', intent, 0, Number.POSITIVE_INFINITY) as number;
  expect(showsWork(hash(Buffer.from(workText('code', intent, found))))).toBe(true);
  expect(tryWork('code', intent, 0, found)).toBeUndefined();
  expect(tryWork('code', intent, found, 1)).toBe(found);
});
