import { deviceStorage } from '@aparta/browser/storage.ts';

// Ours. It outlives a session that ended by itself, as what is pushed does: an id, never a name.
const TOLD = 'avisosDe';

/** Whose news this browser is pushed. */
export const pushedBuyer = {
  set: (buyerId: number) => deviceStorage.set(TOLD, String(buyerId)),
  clear: () => deviceStorage.remove(TOLD),
  /** Whether it is somebody else who signed in here before, and did not sign out. */
  isAnother(buyerId: number | undefined): boolean {
    const told = deviceStorage.get(TOLD);
    return buyerId !== undefined && told !== undefined && told !== String(buyerId);
  },
};
