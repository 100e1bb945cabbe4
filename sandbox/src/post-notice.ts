import { setTimeout as wait } from 'node:timers/promises';

const triesAfterMs = [0, 1_000, 5_000];
export const mostTries = triesAfterMs.length;
const answerTimeoutMs = 5_000;

/**
 * Posts JSON up to 3 times, until an answer is good. `recorded` gets the result of each try: the HTTP status, or why there is
 * none. Only to this machine: nobody may use the sandbox to call others. Rejects once `closing` aborts.
 */
export async function postNotice(notice: {
  url: string;
  headers?: Record<string, string>;
  body: unknown;
  delayMs: number;
  isGood: (status: number) => boolean;
  closing: AbortSignal;
  recorded: (result: number | string) => void;
}): Promise<void> {
  const { closing } = notice;
  await wait(notice.delayMs, undefined, { signal: closing, ref: false });
  for (const pauseMs of triesAfterMs) {
    await wait(pauseMs, undefined, { signal: closing, ref: false });
    const result = await post(notice);
    closing.throwIfAborted();
    notice.recorded(result);
    if (typeof result === 'number' && notice.isGood(result)) return;
  }
}

async function post({
  url,
  headers,
  body,
  closing,
}: Parameters<typeof postNotice>[0]): Promise<number | string> {
  if (!isLoopback(url)) return 'not sent: not an address of this machine';
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.any([closing, AbortSignal.timeout(answerTimeoutMs)]),
    });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function isLoopback(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return (
    /^https?:$/.test(protocol) &&
    (/^127(\.\d+){3}$/.test(hostname) || ['localhost', '[::1]'].includes(hostname))
  );
}
