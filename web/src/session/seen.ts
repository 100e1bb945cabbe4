import { deviceStorage } from '@aparta/browser/storage.ts';
import { CASH_REFERENCE, PICKUP_CODES } from './kept-keys.ts';

// Ours, on the device: whose is what was seen there. Without it nothing of it can be read. `claim.ts` writes it.
export const OWNER = 'visto';
/** What was seen itself, a database of the browser (`data/seen.ts`). */
export const SEEN = 'aparta-visto';

/** Whether the worker brought this document, since the network did not (`app/offline-worker.ts`). */
export const isWithoutNetwork = () => globalThis.document?.documentElement.hasAttribute('data-kept') === true;

/**
 * Who may see in this tab what was seen on this device, though nobody signed in to it: in a document without network, where nobody
 * can, the one who did last and has not signed out. The same text until that changes.
 */
export const visitor = () => (isWithoutNetwork() ? deviceStorage.get(OWNER) : undefined);

/** Whether it is this buyer's: what is kept of somebody begins with their id. */
const isOf = (key: string, buyerId: number) =>
  RegExp(`^."\\w+":${buyerId},`).test(deviceStorage.get(key) ?? '');

/** Another buyer takes the device over. */
export function forgetOthers(buyerId: number): void {
  if (!isOf(OWNER, buyerId)) forgetSeen();
}

/**
 * At once: nothing that this buyer saw is on the device any more, nor anything where nobody knows who it was. What the next buyer
 * has seen since, in a tab of theirs, stays.
 */
export function forgetSeenBy(buyerId: number | undefined): void {
  if (buyerId === undefined || deviceStorage.get(OWNER) === undefined || isOf(OWNER, buyerId)) forgetSeen();
  else if (isOf(CASH_REFERENCE, buyerId)) deviceStorage.remove(CASH_REFERENCE);
}

function forgetSeen(): void {
  [OWNER, CASH_REFERENCE, PICKUP_CODES].forEach((key) => deviceStorage.remove(key));
  try {
    // Tabs that have it open let go of it.
    indexedDB.deleteDatabase(SEEN);
  } catch {
    // Forbidden here, so nothing was kept.
  }
}
