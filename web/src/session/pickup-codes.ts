import { deviceStorage } from '@aparta/browser/storage.ts';

// Ours: the pickup codes that were shown last, to be readable without a signal.
const SHOWN = 'codigosEntrega';

// Logout needs the key and every screen loads this file, so the codes are parsed by their screen.
export const shownPickupCodes = {
  read: () => deviceStorage.get(SHOWN),
  write: (codes: string) => deviceStorage.set(SHOWN, codes),
  /** On logout. */
  clear: () => deviceStorage.remove(SHOWN),
};
