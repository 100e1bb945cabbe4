import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What only the shop's people are answered, and what fields are called in the documents: no buyer's device keeps any. */
const OTHERS = /^(counter-.*|fields)\.ts$/;

/** A name for all that says what answers look like: what the device kept by another is not read. */
export function shapeOf(folders: readonly string[]): string {
  const hash = createHash('sha256');
  for (const folder of folders) {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((name) => /(?<!\.test)\.ts$/.test(name) && !OTHERS.test(name)).sort())
      hash.update(file).update(readFileSync(join(folder, file)));
  }
  return hash.digest('hex').slice(0, 12);
}
