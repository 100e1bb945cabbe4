import { tabStorage } from '@aparta/browser/storage.ts';
import * as v from 'valibot';
import type { SentAttempt } from './attempt.ts';

// Ours. Apart from a buyer's own attempt, which this tab may hold too.
const SENT = 'intentoAyuda';

const sentAttempt = v.object({ intentoId: v.string(), reference: v.string(), sentAt: v.number() });

/**
 * This tab's payment by a help link, stored before it is sent: a helper has no account, so nothing else finds it after a reload.
 * It stays until they have read how it ended.
 */
export const helpAttempt = {
  begin(intentoId: string, code: string, now: number): SentAttempt {
    const begun = { intentoId, reference: code, sentAt: now };
    tabStorage.set(SENT, JSON.stringify(begun));
    return begun;
  },

  /** The one that was sent by this link. */
  sent(code: string): SentAttempt | undefined {
    try {
      const saved = v.parse(sentAttempt, JSON.parse(tabStorage.get(SENT) ?? ''));
      return saved.reference === code ? saved : undefined;
    } catch {
      return undefined;
    }
  },

  clear() {
    tabStorage.remove(SENT);
  },
};
