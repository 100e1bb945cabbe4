import {
  closeCut,
  getCut,
  getCutPdf,
  listClosedBranches,
  listCuts,
  listShifts,
  type Cut as WireCut,
  type CutSummary as WireSummary,
  type Shift as WireShift,
} from '@aparta/contract/counter-cuts';
import type { ReplyData } from '@aparta/contract/endpoint';
import type { Drawer } from '@aparta/domain/cut';
import { centavosToPesos, zero, type Centavos } from '@aparta/domain/money';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import { fileFrom } from './file.ts';
import { sum } from './sum.ts';

/** What waits for a cut, in centavos. */
export type Shift = ReturnType<typeof shiftFrom>;
export type CutSummary = ReturnType<typeof summaryFrom>;
export type Cut = ReturnType<typeof cutFrom>;
export type ClosedBranch = ReplyData<typeof listClosedBranches>[number];
export type Movement = Shift['list'][number];

/** What somebody counted in a drawer. */
export interface Count {
  readonly id: string;
  readonly float: Centavos;
  readonly counted: Centavos;
  readonly reason: string | undefined;
}

function drawerFrom(wire: WireShift | WireSummary, float: Centavos) {
  return {
    branchId: wire.branchId,
    branch: wire.branch,
    positionId: wire.positionId,
    name: wire.name,
    movements: wire.movements,
    terminalTaken: sum(wire.terminalTaken),
    terminalReturned: sum(wire.terminalReturned),
    drawer: {
      floatCentavos: float,
      cashTakenCentavos: sum(wire.cashTaken),
      cashReturnedCentavos: sum(wire.cashReturned),
    } satisfies Drawer,
  };
}

const movementFrom = ({ at, amount, ...rest }: WireShift['list'][number]) => ({
  ...rest,
  at: new Date(at),
  amount: sum(amount),
});

function shiftFrom(wire: WireShift) {
  return {
    ...drawerFrom(wire, zero),
    floatBefore: wire.floatBefore === null ? null : sum(wire.floatBefore),
    list: wire.list.map(movementFrom),
  };
}

function summaryFrom(wire: WireSummary) {
  return {
    ...drawerFrom(wire, sum(wire.float)),
    id: wire.id,
    number: wire.number,
    closedBy: wire.closedBy,
    from: new Date(wire.from),
    until: new Date(wire.until),
    counted: sum(wire.counted),
    reason: wire.reason ?? undefined,
    floatReason: wire.floatReason ?? undefined,
  };
}

function cutFrom(wire: WireCut) {
  return { ...summaryFrom(wire), list: wire.list.map(movementFrom) };
}

/** What waits for a cut in a branch, one's own first. Asked anew each time: money comes and goes. */
export const shiftsQuery = (branchId: number) =>
  queryOptions({
    queryKey: ['shifts', branchId],
    staleTime: 0,
    queryFn: async ({ signal }) =>
      (await call(listShifts, { query: { branchId: String(branchId) } }, { signal })).data.map(shiftFrom),
  });

const isUnknown = ({ state }: { state: { data: unknown } }) => state.data === undefined;

/** Closed branches in which a drawer still waits, or units are kept. */
export const closedBranchesQuery = queryOptions({
  queryKey: ['shifts', 'closed'],
  staleTime: 0,
  // Who counts the last drawer of one still sees it when its cut was closed and no answer came.
  refetchOnReconnect: isUnknown,
  refetchOnWindowFocus: isUnknown,
  queryFn: async ({ signal }) => (await call(listClosedBranches, {}, { signal })).data,
});

export const cutsQuery = (branchId: number) =>
  infiniteQueryOptions({
    queryKey: ['cuts', branchId],
    staleTime: 0,
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const query = { branchId: String(branchId), ...(pageParam !== undefined && { cursor: pageParam }) };
      const { data, next } = await call(listCuts, { query }, { signal });
      return { cuts: data.map(summaryFrom), next: next ?? undefined };
    },
    getNextPageParam: ({ next }) => next,
  });

export const cutQuery = (id: string) =>
  queryOptions({
    queryKey: ['cut', id],
    queryFn: async ({ signal }) => cutFrom((await call(getCut, { params: { id } }, { signal })).data),
  });

/** Closes a drawer as it was seen; sent again under the same id it gets the same cut. */
export async function closeDrawer(shift: Shift, { id, float, counted, reason }: Count): Promise<Cut> {
  const { branchId, positionId, movements, drawer, floatBefore } = shift;
  const body = {
    id,
    branchId,
    positionId,
    movements,
    cashTaken: centavosToPesos(drawer.cashTakenCentavos),
    cashReturned: centavosToPesos(drawer.cashReturnedCentavos),
    float: centavosToPesos(float),
    floatBefore: floatBefore === null ? null : centavosToPesos(floatBefore),
    counted: centavosToPesos(counted),
    ...(reason !== undefined && { reason }),
  };
  return cutFrom((await call(closeCut, { body })).data);
}

/** A cut as a PDF. */
export async function cutPdf(id: string): Promise<File> {
  return fileFrom((await call(getCutPdf, { params: { id } })).data, 'application/pdf');
}
