import { closeKeptSession } from '@aparta/contract/kept-sessions';
import { closeSession, listSessions } from '@aparta/contract/sessions';
import type { ReplyData } from '@aparta/contract/endpoint';
import { mutationOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';

/** `userAgent` is '' if the browser did not say. */
export type OpenSession = {
  id: number;
  userAgent: string;
  openedAt: Date;
  isThis: boolean;
  /** The whole browser, which stays signed in; its ids are of their own. */
  isKept: boolean;
};

/** The buyer's open sessions, newest first. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  staleTime: 0,
  queryFn: async ({ signal }) => (await call(listSessions, {}, { signal })).data.map(readSession),
});

/** Ends another session, then refreshes the list whether or not that worked. */
export const closingSession = (queries: QueryClient) =>
  mutationOptions({
    mutationFn: ({ id, isKept }: Pick<OpenSession, 'id' | 'isKept'>) =>
      call(isKept ? closeKeptSession : closeSession, { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });

function readSession(wire: ReplyData<typeof listSessions>[number]): OpenSession {
  const { id, device: userAgent, isThis, isKept } = wire;
  return { id, userAgent, openedAt: new Date(wire.openedAt), isThis, isKept };
}
