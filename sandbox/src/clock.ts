/** The sandbox's own time: the real one, plus what the control moved it by. */
export type Clock = {
  /** Milliseconds since the epoch. */
  now(): number;
  advance(ms: number): void;
  reset(): void;
};

export function createClock(): Clock {
  let aheadMs = 0;
  return {
    now: () => Date.now() + aheadMs,
    advance(ms) {
      aheadMs += ms;
    },
    reset() {
      aheadMs = 0;
    },
  };
}

const mexicoCity = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Mexico_City' });

/** The day in Mexico City, `YYYY-MM-DD`: Clip's balance is by that day. */
export const dayOf = (moment: number): string => mexicoCity.format(moment);
