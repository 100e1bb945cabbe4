/** What was seen on this device, to be read without network: a database of the browser (`data/seen-store.ts`). */
export const SEEN = 'aparta-mostrador-visto';

/** At once: nothing that somebody saw is on the device any more. */
export function forgetSeen(): void {
  try {
    // Tabs that have it open let go of it.
    indexedDB.deleteDatabase(SEEN);
  } catch {
    // Forbidden here, so nothing was kept.
  }
}
