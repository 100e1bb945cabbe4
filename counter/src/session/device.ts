import { deviceStorage } from '@aparta/browser/storage.ts';
import { useSyncExternalStore } from 'react';

// An enrolled phone or tablet of the shop: its secret goes with every call.
const SECRET = 'mostrador.device';
/** Who signed in last, to be asked for their PIN alone. */
const LAST = 'mostrador.last';
const TOUCHED = 'mostrador.touched';

const listeners = new Set<() => void>();
let wasRevoked = false;
const secret = () => deviceStorage.get(SECRET);

function changed(): void {
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const device = {
  secret,
  enrol(given: string): void {
    wasRevoked = false;
    deviceStorage.set(SECRET, given);
    changed();
  },
  /** The server no longer knows it. */
  revoked(): void {
    wasRevoked = true;
    deviceStorage.remove(SECRET);
    deviceStorage.remove(LAST);
    changed();
  },
  wasRevoked: () => wasRevoked,
  last: () => deviceStorage.get(LAST),
  remember: (positionId: string) => deviceStorage.set(LAST, positionId),
  touchedAt: () => Number(deviceStorage.get(TOUCHED) ?? 0),
  touch: () => deviceStorage.set(TOUCHED, String(Date.now())),
};

/** Whether this is an enrolled device; re-renders on change. */
export function useEnrolled(): boolean {
  return useSyncExternalStore(subscribe, secret) !== undefined;
}
