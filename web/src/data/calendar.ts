import { endCalendar, getCalendar, getPurchaseCalendar, makeCalendar } from '@aparta/contract/calendar';
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { fileOf } from './file.ts';

/** The buyer's private address, which their calendar follows; null without one. */
export const calendarQuery = queryOptions({
  queryKey: ['calendar'],
  staleTime: 0,
  queryFn: async ({ signal }) => (await call(getCalendar, {}, { signal })).data?.calendarUrl ?? null,
});

/** Makes a new one, in the place of the one before, or ends it. */
export const changingCalendar = (queries: QueryClient) =>
  mutationOptions({
    scope: { id: 'calendar' },
    mutationFn: async (act: 'make' | 'replace' | 'end') => {
      if (act !== 'end') return (await call(makeCalendar, {})).data.calendarUrl;
      await call(endCalendar, {});
      return null;
    },
    onSuccess: (address) => queries.setQueryData(calendarQuery.queryKey, address),
  });

/** A purchase's unpaid dates as a file that calendars open. */
export async function purchaseCalendarFile(purchaseId: number): Promise<File> {
  const { data } = await call(getPurchaseCalendar, { params: { saleId: purchaseId } });
  return fileOf(data, 'text/calendar');
}
