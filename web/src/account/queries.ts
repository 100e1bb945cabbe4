import { closeSession, getProfile, listSessions, logout, updateProfile } from '@aparta/contract/account';
import type { ReplyData, Sent } from '@aparta/contract/endpoint';
import { formatMoment } from '@aparta/domain/calendar';
import { mutationOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { session } from '../session/session.ts';
import { deviceName } from './device-name.ts';

/** The buyer's profile, always fresh. */
export const profileQuery = (buyerId: number) =>
  queryOptions({
    queryKey: ['profile', buyerId],
    // A form must not start from stale values.
    staleTime: 0,
    queryFn: async ({ signal }) => (await call(getProfile, { params: { id: buyerId } }, { signal })).data,
  });

export const savingProfile = (buyerId: number) =>
  mutationOptions({
    mutationFn: (body: Sent<typeof updateProfile, 'body'>) =>
      call(updateProfile, { params: { id: buyerId }, body }),
  });

/** Spec §8, after an update: signs out here and on the server. Unlike Logout, the scanned reference stays. */
export function signOutAfterUpdate() {
  call(logout, {}).catch(() => {});
  session.died('/');
}

export type OpenSession = { id: number; device: string; since: string; isThis: boolean };

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  staleTime: 0,
  queryFn: async ({ signal }) => (await call(listSessions, {}, { signal })).data.map(readSession),
});

function readSession(wire: ReplyData<typeof listSessions>[number]): OpenSession {
  return {
    id: wire.id,
    device: deviceName(wire.device),
    since: formatMoment(new Date(wire.openedAt)),
    isThis: wire.isThis,
  };
}

/** Ends another session, then refreshes the list whether or not that worked. */
export const closingSession = (queries: QueryClient) =>
  mutationOptions({
    mutationFn: (id: number) => call(closeSession, { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
