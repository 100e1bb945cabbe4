import { tryWork } from './try-work.ts';

export interface WorkQuestion {
  readonly code: string;
  readonly intentId: string;
}

addEventListener('message', ({ data: { code, intentId } }: MessageEvent<WorkQuestion>) => {
  postMessage(tryWork(code, intentId, 0, Number.POSITIVE_INFINITY));
});
