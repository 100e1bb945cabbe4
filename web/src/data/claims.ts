import { openClaim, withdrawClaim, type Claim as WireClaim } from '@aparta/contract/claims';
import { mexicoCityDate, type DateOnly } from '@aparta/domain/calendar';
import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { refreshPurchases } from './purchases-key.ts';

/** A claim of a purchase that was not handed over in time. */
export type Claim = {
  folio: string;
  openedOn: DateOnly;
  /** What the buyer wrote. */
  notes: string;
  answer: { text: string; on: DateOnly; promisedOn: DateOnly | undefined } | undefined;
  /** Until when the shop has to answer, or to end it. */
  dueOn: DateOnly;
  isOverdue: boolean;
};

/** Opens a claim; while one is open the server answers that one. */
export const opening = (queries: QueryClient, purchaseId: number) =>
  mutationOptions({
    mutationFn: (notes: string) => call(openClaim, { params: { saleId: purchaseId }, body: { notes } }),
    onSettled: () => refreshPurchases(queries),
  });

export const withdrawing = (queries: QueryClient, purchaseId: number) =>
  mutationOptions({
    mutationFn: (claimFolio: string) =>
      call(withdrawClaim, { params: { saleId: purchaseId }, body: { claimFolio } }),
    onSettled: () => refreshPurchases(queries),
  });

/** A claim that is open; undefined of one that has ended. */
export function readClaim(wire: WireClaim | null): Claim | undefined {
  if (wire === null || wire.endedAt !== null) return undefined;
  const { answer } = wire;
  return {
    folio: wire.claimFolio,
    openedOn: mexicoCityDate(new Date(wire.openedAt)),
    notes: wire.notes,
    answer:
      answer === null
        ? undefined
        : {
            text: answer.text,
            on: mexicoCityDate(new Date(answer.at)),
            promisedOn: answer.promisedOn ?? undefined,
          },
    dueOn: mexicoCityDate(new Date(wire.dueAt)),
    isOverdue: wire.isOverdue,
  };
}
