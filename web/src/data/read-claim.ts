import type { Claim as WireClaim } from '@aparta/contract/purchases';
import { mexicoCityDate, type DateOnly } from '@aparta/domain/calendar';

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
