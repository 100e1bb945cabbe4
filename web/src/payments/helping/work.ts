import { trustedScriptUrl } from '@aparta/ui/trusted.ts';
import type { WorkQuestion } from './proof-worker.ts';
// oxlint-disable-next-line import/default -- Vite makes it: the address of the built worker
import workerUrl from './proof-worker.ts?worker&url';
import { tryWork } from './try-work.ts';

/** Does the work that a payment by a link must show (rules/helping#card-testing), beside the page. */
export function doWork(code: string, intentId: string): Promise<string> {
  return inWorker({ code, intentId }).catch(() => inTurns(code, intentId));
}

async function inWorker(question: WorkQuestion): Promise<string> {
  const worker = new Worker(trustedScriptUrl(workerUrl), { type: 'module' });
  const answer = new Promise<string>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<number>) => resolve(String(data)));
    worker.addEventListener('error', () => reject(new Error('the worker could not be loaded')));
    worker.postMessage(question);
  });
  return answer.finally(() => worker.terminate());
}

/** Where no worker runs: so many tries at once that nobody feels them. */
const TURN = 500;

async function inTurns(code: string, intentId: string): Promise<string> {
  for (let first = 0; ; first += TURN) {
    const found = tryWork(code, intentId, first, TURN);
    if (found !== undefined) return String(found);
    await new Promise((resolve) => setTimeout(resolve));
  }
}
