import { staffSession, type StaffSession } from '@aparta/contract/counter-sessions';
import { deviceStorage } from '@aparta/browser/storage.ts';
import { useSyncExternalStore } from 'react';
import * as v from 'valibot';
import { device } from './device.ts';
import { forgetSeen } from './seen.ts';

// Of the device, not of the tab: a phone that dies comes back to where it was. It ends with the server's session.
const SESSION = 'mostrador.session';
const BRANCH = 'mostrador.branch';

const listeners = new Set<() => void>();
let cached: { text: string | undefined; session: StaffSession | undefined } = {
  text: undefined,
  session: undefined,
};
let hasDied = false;

/** Who is signed in on this device. The same object until it changes, so that React can compare it. */
function current(): StaffSession | undefined {
  const text = deviceStorage.get(SESSION);
  if (text !== cached.text) cached = { text, session: text === undefined ? undefined : parsed(text) };
  return cached.session;
}

function parsed(text: string): StaffSession | undefined {
  try {
    return v.parse(staffSession, JSON.parse(text));
  } catch {
    // Written by another version, or tampered with: signed out.
    return undefined;
  }
}

function changed(): void {
  listeners.forEach((listener) => listener());
}

/** Another tab signs in or out for all of them; a page that comes back by Back was told of nothing meanwhile. */
globalThis.addEventListener?.('storage', changed);
globalThis.addEventListener?.('pageshow', changed);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const session = {
  current,
  token: () => current()?.token,
  /** Whether who was signed in then is so now. */
  isStill: (then: StaffSession['position'] | undefined) =>
    current()?.position.positionId === then?.positionId,
  open(opened: StaffSession): void {
    hasDied = false;
    if (!this.isStill(opened.position)) forgetSeen();
    device.touch();
    deviceStorage.set(SESSION, JSON.stringify(opened));
    changed();
  },
  /** Whether the server lets it do anything else than add the passkey that the shop asks for. */
  needsPasskey(needsPasskey: boolean): void {
    const opened = current();
    if (opened && opened.needsPasskey !== needsPasskey) this.open({ ...opened, needsPasskey });
  },
  close(): void {
    forgetSeen();
    deviceStorage.remove(SESSION);
    changed();
  },
  /** The server no longer takes it. */
  died(): void {
    hasDied = true;
    this.close();
  },
  hasDied: () => hasDied,
  chooseBranch(id: number): void {
    deviceStorage.set(BRANCH, String(id));
    changed();
  },
};

/** Whoever is signed in, or undefined; re-renders on change. */
export function useSession(): StaffSession | undefined {
  return useSyncExternalStore(subscribe, current);
}

/** The branch where this device stands: the one chosen, or the first of the person's. */
export function useBranch(): StaffSession['branches'][number] | undefined {
  const branches = useSession()?.branches ?? [];
  const chosen = useSyncExternalStore(subscribe, () => deviceStorage.get(BRANCH));
  return branches.find(({ id }) => String(id) === chosen) ?? branches[0];
}
