import * as v from 'valibot';
import { newId } from './new-id.ts';
import { tabStorage } from './storage.ts';

// Ours: the payment keys. The server's state decides what a screen shows; these only name what this tab has sent.
const SENT = 'intentoId';
const DISMISSED = 'intentoVisto';

const sentAttempt = v.object({ intentoId: v.string(), reference: v.string(), sentAt: v.number() });

/** A card attempt that this tab has sent: its id, the payment reference it is for, and when (ms since 1970). */
export type SentAttempt = v.InferOutput<typeof sentAttempt>;

/** The card attempt of this tab, kept before it is sent (decisions §3), and the end that its buyer has put aside. */
export const attempt = {
  /** Makes a new attempt's id and stores it. */
  begin(reference: string, now: number): SentAttempt {
    const begun = { intentoId: newId(), reference, sentAt: now };
    tabStorage.set(SENT, JSON.stringify(begun));
    return begun;
  },

  /** The last one sent for a payment reference, until it is dropped. */
  sent(reference: string): SentAttempt | undefined {
    try {
      const kept = v.parse(sentAttempt, JSON.parse(tabStorage.get(SENT) ?? ''));
      return kept.reference === reference ? kept : undefined;
    } catch {
      return undefined;
    }
  },

  /** It is answered, or never arrived. */
  forget() {
    tabStorage.remove(SENT);
  },

  /** The buyer has read how this one ended and wants to try again. */
  dismiss(intentoId: string) {
    tabStorage.set(DISMISSED, intentoId);
  },
  isDismissed: (intentoId: string) => tabStorage.get(DISMISSED) === intentoId,

  /** Clears the payment keys, and nothing of the session. */
  drop() {
    tabStorage.remove(SENT);
    tabStorage.remove(DISMISSED);
  },
};
