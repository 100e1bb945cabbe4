import fs from 'node:fs';
import { RefusedChange } from '@aparta/server/platform/refused-change';

/** A buyer who was erased, and whether what they had paid off was in their hands. */
export interface Noted {
  readonly id: number;
  readonly delivered: boolean;
}

/** Whom the file names: buyers, and the payments of helpers, whose address it does not keep. */
export interface Erasures {
  readonly buyers: readonly Noted[];
  readonly attemptIds: readonly string[];
}

const LINE = /^\S+ (?:([1-9]\d{0,14})( delivered)?|help ([\da-f-]{36}))$/;

/** Adds a line to a file that outlives the database, on the disk when this returns: a restore brings the buyer back otherwise. */
export function noteErasure(file: string, { id, delivered }: Noted): void {
  note(file, [`${id}${delivered ? ' delivered' : ''}`]);
}

/** The same for what a helper gave who is forgotten. */
export function noteForgotten(file: string, attemptIds: readonly string[]): void {
  note(
    file,
    attemptIds.map((id) => `help ${id}`),
  );
}

function note(file: string, whom: readonly string[]): void {
  const at = new Date().toISOString();
  const handle = fs.openSync(file, 'a', 0o600);
  try {
    fs.writeSync(handle, whom.map((one) => `${at} ${one}\n`).join(''));
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

/** Everybody whom the file names, once. Refuses a file with a line that it cannot read. */
export function readErasures({ path, bytes }: { path: string; bytes: Buffer }): Erasures {
  const noted = new Map<number, Noted>();
  const attemptIds = new Set<string>();
  for (const [index, line] of bytes.toString('utf8').split('\n').entries()) {
    if (line.trim() === '') continue;
    const [, id, delivered, attemptId] = LINE.exec(line.trim()) ?? [];
    if (attemptId !== undefined) {
      attemptIds.add(attemptId);
      continue;
    }
    if (id === undefined) throw new RefusedChange('erasures_unreadable', { file: path, line: index + 1 });
    noted.set(Number(id), { id: Number(id), delivered: delivered !== undefined });
  }
  return { buyers: [...noted.values()], attemptIds: [...attemptIds] };
}
