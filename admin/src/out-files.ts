import fs from 'node:fs';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { RefusedChange } from '@aparta/server/platform/refused-change';

/** Writes a file of a command: its text or bytes, or what draws it into a stream. Its owner alone may read a `private` one. */
export type Draft = (
  file: string,
  content: string | Uint8Array | ((to: Writable) => Promise<void>),
  options?: { readonly private?: true },
) => Promise<void>;

/**
 * Runs `work`, whose drafts stand under their names only once all of it went well: nobody hands over half a list, nor a paper
 * whose number was never given. Throws `RefusedChange`: file_unwritable.
 */
export async function withFiles<T>(work: (draft: Draft) => Promise<T>): Promise<T> {
  const halves = new Map<string, string>();
  const draft: Draft = async (file, content, options) => {
    // A pipe, a device or what a link leads to is written as it is.
    const there = fs.lstatSync(file, { throwIfNoEntry: false });
    const half = there === undefined || there.isFile() ? `${file}.part` : file;
    if (half !== file) halves.set(file, half);
    const to = fs.createWriteStream(half, options?.private ? { mode: 0o600 } : {});
    await sayingWhich(file, () =>
      typeof content === 'function' ? content(to) : pipeline(Readable.from([content]), to),
    );
  };
  try {
    const done = await work(draft);
    for (const [file, half] of halves) await sayingWhich(file, async () => fs.renameSync(half, file));
    return done;
  } catch (error) {
    for (const half of halves.values()) await fs.promises.rm(half, { force: true }).catch(() => {});
    throw error;
  }
}

async function sayingWhich(file: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new RefusedChange('file_unwritable', { file, code });
  }
}
