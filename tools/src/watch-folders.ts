import { once } from 'node:events';
import { watch } from 'chokidar';

/** Saving writes several times; a change of branch touches many files. */
const PAUSE_MS = 200;

/**
 * Calls `changed` after anything in these folders changed: new files and folders, and files that were replaced by a rename, as
 * editors save and branches change. Node's own recursive watch loses those. Resolves, when it watches, with what ends it.
 */
export async function watchFolders(
  folders: readonly string[],
  changed: () => void,
): Promise<() => Promise<void>> {
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch([...folders], { ignoreInitial: true });
  watcher.on('all', () => {
    clearTimeout(timer);
    timer = setTimeout(changed, PAUSE_MS);
  });
  await once(watcher, 'ready');
  return async () => {
    clearTimeout(timer);
    await watcher.close();
  };
}
