import { useSyncExternalStore } from 'react';
import { deviceStorage, tabStorage } from '@aparta/browser/storage.ts';

// Key of spec §3, in session storage and local storage.
const REFERENCE = 'refApartado';

const listeners = new Set<() => void>();

function changed() {
  listeners.forEach((listener) => listener());
}

function current(): string | undefined {
  return tabStorage.get(REFERENCE);
}

/**
 * The layaway reference of a scanned QR, stored until its purchase exists or the buyer logs out (
 * rules/layaways#kept-reference).
 */
export const reference = {
  /** This session's reference. */
  current,

  /** Stores a scanned reference that was parsed: on the device, and in the session if somebody is signed in. */
  save(text: string, signedIn: boolean) {
    deviceStorage.set(REFERENCE, text);
    if (signedIn) tabStorage.set(REFERENCE, text);
    changed();
  },

  copyToSession() {
    const text = deviceStorage.get(REFERENCE);
    if (text !== undefined) tabStorage.set(REFERENCE, text);
    changed();
  },

  /** Clears both copies: on logout, and once the purchase exists. */
  clear() {
    deviceStorage.remove(REFERENCE);
    tabStorage.remove(REFERENCE);
    changed();
  },
};

/** The session's layaway reference, or undefined; re-renders when it changes. */
export function useReference(): string | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    current,
    () => undefined,
  );
}
