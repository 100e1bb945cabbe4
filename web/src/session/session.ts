import { KEPT_HINT } from '@aparta/contract/kept-hint';
import { buyerProfile, type BuyerProfile } from '@aparta/contract/sign-in';
import { useSyncExternalStore } from 'react';
import * as v from 'valibot';
import { FISCAL_DRAFT, TO_PAY } from './kept-keys.ts';
import { reference } from './reference.ts';
import { forgetOthers, forgetSeenBy, visitor } from './seen.ts';
import { tabStorage } from '@aparta/browser/storage.ts';

// Keys of spec §3.
const TOKEN = 'token';
const USER = 'user';
// Ours: where the buyer was going, or where their session died, to return to after login; and whether it died.
const RETURN_TO = 'returnTo';
const DIED = 'sessionDied';

const listeners = new Set<() => void>();
let cached: { text: string | undefined; user: BuyerProfile | undefined } = {
  text: undefined,
  user: undefined,
};

/** This tab's signed-in buyer, or its visitor. The same object until it changes, so that React can compare it. */
function currentUser(): BuyerProfile | undefined {
  const text = tabStorage.get(TOKEN) === undefined ? visitor() : tabStorage.get(USER);
  if (text !== cached.text) cached = { text, user: text === undefined ? undefined : parseUser(text) };
  return cached.user;
}

function parseUser(text: string): BuyerProfile | undefined {
  try {
    return v.parse(buyerProfile, JSON.parse(text));
  } catch {
    // Written by another version, or tampered with: treat as signed out.
    return undefined;
  }
}

function changed() {
  listeners.forEach((listener) => listener());
}

/** '1' on a browser that stays signed in, '0' once it was signed out and the server may not know (rules/accounts#staying-signed-in). */
function kept(): string | undefined {
  return new RegExp(`\\b${KEPT_HINT}=(.)`).exec(document.cookie)?.[1];
}

function removeTab() {
  forgetSeenBy(currentUser()?.id);
  tabStorage.remove(TOKEN);
  tabStorage.remove(USER);
  changed();
}

export const session = {
  kept,
  stays: () => kept() === '1',
  /** Signs this browser out for good. The secret is no script's to remove: the server does, as soon as it can be told. */
  stayNoMore() {
    if (kept() === '1') document.cookie = `${KEPT_HINT}=0;path=/;max-age=9999999`;
  },

  user: currentUser,
  token: () => tabStorage.get(TOKEN),

  /**
   * After Authenticate (spec §4): stores token and user, and copies the device's layaway reference into the
   * session (spec §3).
   */
  open({ token, ...user }: BuyerProfile & { token: string }) {
    forgetOthers(user.id);
    tabStorage.set(TOKEN, token);
    tabStorage.set(USER, JSON.stringify(user));
    tabStorage.remove(DIED);
    reference.copyToSession();
    changed();
  },

  /** The same with what a document brought. Whether it brought a session. */
  enter(brought: unknown): boolean {
    const parsed = v.safeParse(v.object({ ...buyerProfile.entries, token: v.string() }), brought);
    if (parsed.success) this.open(parsed.output);
    return parsed.success;
  },

  /** Logout (spec §4): clears token, user and references from both storages, and what was seen. */
  close() {
    this.end();
    tabStorage.remove(RETURN_TO);
    tabStorage.remove(DIED);
    reference.clear();
    [FISCAL_DRAFT, TO_PAY].forEach((key) => tabStorage.remove(key));
  },

  /**
   * The server no longer accepts the token (rules/accounts#sessions): the reference stays, and the location is saved for
   * after login.
   */
  died(at: string) {
    tabStorage.set(RETURN_TO, at);
    tabStorage.set(DIED, '1');
    removeTab();
  },
  /** Whether that is why the buyer is at login. */
  hasDied: () => tabStorage.get(DIED) !== undefined,

  /** Signs out and keeps the reference: the buyer signs in again after a change of their account. */
  end() {
    this.stayNoMore();
    removeTab();
  },

  /** Saves where somebody who is not signed in was going, as with a link of an email. */
  returnLater(to: string) {
    tabStorage.set(RETURN_TO, to);
  },

  /** Where to return to after login; read once. */
  takeReturn(): string | undefined {
    const path = tabStorage.get(RETURN_TO);
    tabStorage.remove(RETURN_TO);
    // Only paths of ours, never a URL that somebody else could have put there.
    return path?.startsWith('/') && !path.startsWith('//') ? path : undefined;
  },
};

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The signed-in buyer, or undefined; re-renders on change. */
export function useUser(): BuyerProfile | undefined {
  return useSyncExternalStore(subscribe, currentUser, () => undefined);
}
