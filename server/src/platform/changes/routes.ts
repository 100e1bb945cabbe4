import { streamChanges } from '@aparta/contract/changes';
import { type Route, streamRoute } from '../http/route.ts';
import type { Principal } from '../principal.ts';
import type { Streams } from './streams.ts';

export interface ChangeDeps {
  readonly streams: Streams;
  readonly identify: (token: string, address: string) => Promise<Principal | undefined>;
}

export function changeRoutes({ streams, identify }: ChangeDeps): Route[] {
  return [
    streamRoute(streamChanges, async ({ caller, token, address }) =>
      streams.open({
        topic: `buyer:${caller.id}`,
        isAlive: async () => (await identify(token, address)) !== undefined,
      }),
    ),
  ];
}
