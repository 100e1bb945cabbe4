import { type Listening, listen } from '@aparta/browser/listen.ts';
import { streamChanges } from '@aparta/contract/changes';
import { session } from '../session/session.ts';
import { base } from './client.ts';

/** Hears of the buyer's money until `signal` aborts. */
export function listenToChanges(
  hear: Pick<Listening, 'onChange' | 'onOpen'>,
  signal: AbortSignal,
): Promise<void> {
  const { path } = streamChanges;
  return listen({ url: base(path) + path, token: session.token, ...hear }, signal);
}
