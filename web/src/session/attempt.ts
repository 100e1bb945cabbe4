import * as v from 'valibot';
import { newId } from '@aparta/browser/new-id.ts';
import { tabStorage } from '@aparta/browser/storage.ts';

// Our own storage keys. The server's state decides what a screen shows; these only name what this tab has
// sent.
const SENT = 'intentoId';
const DISMISSED = 'intentoVisto';
const PAID = 'intentoPagado';

const sentAttempt = v.object({ intentoId: v.string(), reference: v.string(), sentAt: v.number() });

/** A card attempt sent by this tab: its id, payment reference, and when (ms since 1970). */
export type SentAttempt = v.InferOutput<typeof sentAttempt>;

/**
 * This tab's card attempt, stored before it is sent (rules/wire#payments), and the failed one that the buyer
 * dismissed.
 */
export const attempt = {
  /** Creates and stores a new attempt id. */
  begin(reference: string, now: number): SentAttempt {
    const begun = { intentoId: newId(), reference, sentAt: now };
    tabStorage.set(SENT, JSON.stringify(begun));
    tabStorage.remove(PAID);
    return begun;
  },

  /** The last attempt sent for a payment reference, until forgotten. */
  sent(reference: string): SentAttempt | undefined {
    try {
      const saved = v.parse(sentAttempt, JSON.parse(tabStorage.get(SENT) ?? ''));
      return saved.reference === reference ? saved : undefined;
    } catch {
      return undefined;
    }
  },

  /** Once answered, or known to have never arrived. */
  forget() {
    tabStorage.remove(SENT);
  },

  /** This attempt's end stays on the screen, though more may be paid: until the next one, or until its screen is left. */
  keepPaid(intentoId: string) {
    tabStorage.set(PAID, intentoId);
  },
  /** Whether this tab sent it and has not left its screen. */
  isShown(intentoId: string): boolean {
    return tabStorage.get(PAID) === intentoId || tabStorage.get(SENT)?.includes(`"${intentoId}"`) === true;
  },

  /** Whether this tab has one that another payment forgets first: a screen that is made ready before would show that one. */
  isKept(): boolean {
    return tabStorage.get(SENT) !== undefined || tabStorage.get(PAID) !== undefined;
  },

  /** The buyer has read how this attempt ended and wants to try again. */
  dismiss(intentoId: string) {
    tabStorage.set(DISMISSED, intentoId);
  },
  isDismissed: (intentoId: string) => tabStorage.get(DISMISSED) === intentoId,

  /** Before another payment. How the last one failed stays read: it must not meet who pays anew as if it were theirs. */
  startAnew() {
    tabStorage.remove(SENT);
    tabStorage.remove(PAID);
  },

  /** Clears the payment keys only, not the session. */
  clear() {
    tabStorage.remove(SENT);
    tabStorage.remove(DISMISSED);
    tabStorage.remove(PAID);
  },
};
