import { getProfile, turnReminders, updateProfile, type BuyerProfile } from '@aparta/contract/account';
import type { Sent } from '@aparta/contract/endpoint';
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';

/** By spec §3's names, as the session keeps it too. */
export type { BuyerProfile };

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

export const turningReminders = (queries: QueryClient, buyerId: number) =>
  mutationOptions({
    // One after the other, so that the last choice stays.
    scope: { id: 'reminders' },
    mutationFn: (reminders: boolean) => call(turnReminders, { body: { reminders } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: profileQuery(buyerId).queryKey }),
  });
