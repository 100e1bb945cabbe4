import { deviceStorage } from '@aparta/browser/storage.ts';

// Ours, on the device: an id, never whose.
const MADE = 'refHecha';

/** The last layaway reference that was made here of what was scanned. */
export const madeReference = {
  save: (id: number) => deviceStorage.set(MADE, String(id)),
  id(): number | undefined {
    const id = Number(deviceStorage.get(MADE));
    return Number.isSafeInteger(id) && id > 0 ? id : undefined;
  },
  clear: () => deviceStorage.remove(MADE),
};
