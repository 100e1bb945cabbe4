import type { CardCredential, CardProvider } from './port.ts';

const HOUR_MS = 3_600_000;
const HALF_DAY_MS = 12 * HOUR_MS;

/**
 * A card provider whose lists are read once for all who wait for them. After an outage hundreds of attempts of one merchant look
 * for their charge at the same time: each would read the same list, and all of them together the square of it.
 *
 * A list is given to those alone who asked before its read began, in a window that holds theirs, so it proves to them what one of
 * their own would. Windows that begin in the same hour share, those of an hour apart from those of half a day; a longer one is read by itself.
 */
export function sharingLists(card: CardProvider): CardProvider {
  type Listed = ReturnType<CardProvider['list']>;
  interface Read {
    from: Date;
    to: Date;
    readonly listed: Listed;
  }
  /** The newest read of each key pair and hour, and the one that has not begun. */
  const newest = new Map<string, Listed>();
  const waiting = new Map<string, Read>();

  function list(credential: CardCredential, from: Date, to: Date): Listed {
    const lengthMs = to.getTime() - from.getTime();
    if (lengthMs > HALF_DAY_MS) return card.list(credential, from, to);
    const hour = Math.floor(from.getTime() / HOUR_MS);
    const key = JSON.stringify([credential.publicKey, credential.secret, hour, lengthMs <= HOUR_MS]);
    const joined = waiting.get(key);
    if (joined !== undefined) {
      if (from < joined.from) joined.from = from;
      if (to > joined.to) joined.to = to;
      return joined.listed;
    }
    const before = newest.get(key);
    const read: Read = {
      from,
      to,
      listed: begin(key, before, () => card.list(credential, read.from, read.to)),
    };
    newest.set(key, read.listed);
    if (before !== undefined) waiting.set(key, read);
    return read.listed;
  }

  async function begin(key: string, before: Listed | undefined, ask: () => Listed): Listed {
    try {
      const failed = await before?.finally(() => waiting.delete(key));
      // That the provider does not answer is as true for them, and they have waited for it long enough.
      if (failed !== undefined && failed.kind !== 'payments') return failed;
      return await ask();
    } finally {
      if (!waiting.has(key)) newest.delete(key);
    }
  }

  return { ...card, list };
}
