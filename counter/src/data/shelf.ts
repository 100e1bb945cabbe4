import { checkShelf, readShelf, type KeptUnit } from '@aparta/contract/counter-shelf';
import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';

export type { KeptUnit } from '@aparta/contract/counter-shelf';

/** What a branch keeps for buyers: what is missing first, then what was not looked at the longest. */
export const shelfQuery = (branchId: number) =>
  queryOptions({
    queryKey: ['shelf', branchId],
    queryFn: async ({ signal }) =>
      (await call(readShelf, { query: { branchId: String(branchId) } }, { signal })).data,
  });

/** Says of a unit whether it is on its shelf. */
export async function sayIsThere(branchId: number, code: string, isThere: boolean): Promise<KeptUnit> {
  return (await call(checkShelf, { body: { branchId, code, isThere } })).data;
}
