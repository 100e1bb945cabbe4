import { tabStorage } from '@aparta/browser/storage.ts';
import { TO_PAY } from './kept-keys.ts';

/** What the buyer leaves for its card screen, which would ask for it again before it shows anything; its screen parses it. */
export const toPay = {
  keep: (what: object) => tabStorage.set(TO_PAY, JSON.stringify(what)),
  /** Read once. */
  take(): unknown {
    const text = tabStorage.get(TO_PAY);
    tabStorage.remove(TO_PAY);
    try {
      return JSON.parse(text ?? '');
    } catch {
      return undefined;
    }
  },
};
