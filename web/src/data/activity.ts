import { exportData, listActivity, type Activity as Wire } from '@aparta/contract/activity';
import { centavosFromPesos } from '@aparta/contract/amount';
import { mexicoCityDate, type DateOnly } from '@aparta/domain/calendar';
import { infiniteQueryOptions, type InfiniteData } from '@tanstack/react-query';
import type { Reply } from '@aparta/contract/endpoint';
import { call } from '../api/client.ts';
import { fileOf } from './file.ts';

/** Something that happened in the account. */
export type Activity = ReturnType<typeof readActivity>;

/** What happened, by the day in Mexico City, the newest first. */
export const activityQuery = infiniteQueryOptions({
  queryKey: ['activity'],
  staleTime: 0,
  queryFn: ({ pageParam, signal }) => call(listActivity, { query: { cursor: pageParam } }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next ?? undefined,
  select: ({ pages }: InfiniteData<Reply<typeof listActivity>>) =>
    byDay(pages.flatMap(({ data }) => data).map(readActivity)),
});

/** All that is kept of the buyer, for who knows their password. */
export async function exportedData(password: string): Promise<File> {
  const { data } = await call(exportData, { body: { password } });
  return fileOf(data, 'application/zip');
}

function readActivity({ activityId, activityKind, ventaId, amount, at, ...rest }: Wire) {
  return {
    ...rest,
    id: activityId,
    kind: activityKind,
    at: new Date(at),
    purchaseId: ventaId ?? undefined,
    amount: amount === null ? undefined : centavosFromPesos(amount),
  };
}

function byDay(all: readonly Activity[]): { on: DateOnly; activities: readonly Activity[] }[] {
  const days = new Map<DateOnly, Activity[]>();
  for (const activity of all) {
    const on = mexicoCityDate(activity.at);
    days.set(on, [...(days.get(on) ?? []), activity]);
  }
  return [...days].map(([on, activities]) => ({ on, activities }));
}
