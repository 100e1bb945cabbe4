import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

/** An open stream of events, as a screen reads it. */
export interface EventStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** How often it said `changed`. */
  changes(): number;
  /** Whether the server has ended it. */
  isOver(): boolean;
  close(): void;
}

/** Opens the stream of changes of a server that listens at `origin`. */
export async function openEventStream(
  origin: string,
  token: string,
  path = '/v1/Changes/Stream',
): Promise<EventStream> {
  const headers = { authorization: `Bearer ${token}` };
  const call = request(origin + path, { agent: false, headers }).end();
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  let text = '';
  let isOver = false;
  call.on('error', () => {});
  response.on('data', (chunk) => (text += String(chunk)));
  response.on('error', () => {});
  response.on('close', () => (isOver = true));
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    changes: () => text.split('data: changed\n\n').length - 1,
    isOver: () => isOver,
    close: () => call.destroy(),
  };
}
