/**
 * Browser storage that may be missing, full or forbidden. What cannot be stored stays in memory while the
 * document lives, so that the app works either way.
 */
export type KeyValueStorage = {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
  remove(key: string): void;
};

/**
 * `open` is called each time, because merely reading `window.localStorage` throws where storage is forbidden.
 */
export function storageWithFallback(open: () => Storage): KeyValueStorage {
  const memory = new Map<string, string>();
  return {
    get(key) {
      if (memory.has(key)) return memory.get(key);
      try {
        return open().getItem(key) ?? undefined;
      } catch {
        return undefined;
      }
    },
    set(key, value) {
      try {
        open().setItem(key, value);
        memory.delete(key);
      } catch {
        memory.set(key, value);
      }
    },
    remove(key) {
      memory.delete(key);
      try {
        open().removeItem(key);
      } catch {
        // Nothing could have been stored there.
      }
    },
  };
}

/** Lives as long as the tab. */
export const tabStorage = storageWithFallback(() => window.sessionStorage);

/** Lives as long as the device keeps it. */
export const deviceStorage = storageWithFallback(() => window.localStorage);
