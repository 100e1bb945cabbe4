import { useSyncExternalStore } from 'react';
import { deviceStorage, tabStorage } from './storage.ts';

// Key of §3, in session storage and in the device's local storage.
const REFERENCE = 'refApartado';

const listeners = new Set<() => void>();

function changed() {
  listeners.forEach((listener) => listener());
}

function current(): string | undefined {
  return tabStorage.get(REFERENCE);
}

/** The layaway reference of a scanned QR, kept until its purchase exists or the buyer signs out (decisions §4). */
export const reference = {
  /** The one of this session. */
  current,

  /** Keeps a scanned one on the device, and in the session too when somebody is signed in. */
  keep(text: string, signedIn: boolean) {
    deviceStorage.set(REFERENCE, text);
    if (signedIn) tabStorage.set(REFERENCE, text);
    changed();
  },

  copyToSession() {
    const text = deviceStorage.get(REFERENCE);
    if (text !== undefined) tabStorage.set(REFERENCE, text);
    changed();
  },

  /** Both copies go: at logout, and once the purchase exists. */
  drop() {
    deviceStorage.remove(REFERENCE);
    tabStorage.remove(REFERENCE);
    changed();
  },
};

/** The session's layaway reference, or undefined; the component renders anew when it changes. */
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
