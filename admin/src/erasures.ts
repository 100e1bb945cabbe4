import fs from 'node:fs';
import { RefusedChange } from '@aparta/server/platform/refused-change';

/** A buyer who was erased, and whether what they had paid off was in their hands. */
export interface Noted {
  readonly id: number;
  readonly delivered: boolean;
}

const LINE = /^\S+ ([1-9]\d{0,14})( delivered)?$/;

/** Adds a line to a file that outlives the database, on the disk when this returns: a restore brings the buyer back otherwise. */
export function noteErasure(file: string, { id, delivered }: Noted): void {
  const handle = fs.openSync(file, 'a', 0o600);
  try {
    fs.writeSync(handle, `${new Date().toISOString()} ${id}${delivered ? ' delivered' : ''}\n`);
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

/** Everybody whom the file names, once. Refuses a file with a line that it cannot read. */
export function readErasures({ path, bytes }: { path: string; bytes: Buffer }): Noted[] {
  const noted = new Map<number, Noted>();
  for (const [index, line] of bytes.toString('utf8').split('\n').entries()) {
    if (line.trim() === '') continue;
    const [, id, delivered] = LINE.exec(line.trim()) ?? [];
    if (id === undefined) throw new RefusedChange('erasures_unreadable', { file: path, line: index + 1 });
    noted.set(Number(id), { id: Number(id), delivered: delivered !== undefined });
  }
  return [...noted.values()];
}
