/** How long nothing may come: the server shows every 20 s that it lives. */
const SILENCE_MS = 45_000;
/** Not everybody at once, when a server was replaced; and less and less often where none can be opened. */
const AGAIN_AFTER_MS = 4_000;
const MOST_AGAIN_AFTER_MS = 60_000;

export interface Listening {
  readonly url: string;
  readonly token: () => string | undefined;
  /** Something may be new: after each opening, when the server says so, and when it knows the session no more. */
  readonly onChange: () => void;
  /** Whether the server will tell. */
  readonly onOpen: (isOpen: boolean) => void;
}

/**
 * Keeps a stream of changes open while the document is in sight, until `signal` aborts. A token that was refused is not sent
 * again: the screen is let ask, whose call renews the session or ends it, and the new token is sent; so it is where there was none
 * yet. `EventSource` would send no token but in the URL.
 */
export async function listen(listening: Listening, signal: AbortSignal): Promise<void> {
  let refused: string | undefined;
  for (let failures = 0; !signal.aborted;) {
    await shown(signal);
    if (signal.aborted) return;
    const token = listening.token();
    if (token !== undefined && token !== refused) {
      const status = await read(listening, token, signal).catch(() => 0);
      failures = status === 200 ? 0 : failures + 1;
      if (status === 401 || status === 403) {
        refused = token;
        listening.onChange();
      }
    }
    if (document.hidden) continue;
    const most = Math.min(MOST_AGAIN_AFTER_MS, AGAIN_AFTER_MS * 2 ** failures);
    await pause(most * (0.25 + 0.75 * Math.random()), signal);
  }
}

/** Reads one stream to its end; gives the status with which it began. */
async function read(
  { url, onChange, onOpen }: Listening,
  token: string,
  signal: AbortSignal,
): Promise<number> {
  const over = new AbortController();
  const end = () => over.abort();
  const endHidden = () => document.hidden && end();
  let silence = setTimeout(end, SILENCE_MS);
  signal.addEventListener('abort', end);
  document.addEventListener('visibilitychange', endHidden);
  let status = 0;
  try {
    const headers = { Authorization: `Bearer ${token}` };
    const response = await fetch(url, {
      headers,
      credentials: 'omit',
      cache: 'no-store',
      signal: over.signal,
    });
    ({ status } = response);
    if (status !== 200 || response.body === null) return status;
    onOpen(true);
    onChange();
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    for (let text = ''; ;) {
      const { done, value } = await reader.read();
      if (done) return status;
      clearTimeout(silence);
      silence = setTimeout(end, SILENCE_MS);
      const events = (text + decoder.decode(value)).split('\n\n');
      text = events.pop() ?? '';
      if (events.includes('data: changed')) onChange();
    }
  } catch {
    return status;
  } finally {
    onOpen(false);
    end();
    clearTimeout(silence);
    signal.removeEventListener('abort', end);
    document.removeEventListener('visibilitychange', endHidden);
  }
}

function shown(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener('visibilitychange', check);
      resolve();
    };
    document.addEventListener('visibilitychange', check);
    signal.addEventListener('abort', check, { once: true });
    check();
  });
}

/** Ends early when the document is shown again. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
