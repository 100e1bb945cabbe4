/** Numbers below `sides`. */
export type Dice = (sides: number) => number;

/** A small random generator: the same seed gives the same numbers on every computer. */
export function dice(seed: number): Dice {
  let state = seed >>> 0;
  return (sides) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  };
}

export function oneOf<const T>(roll: Dice, of: readonly T[]): T {
  return of[roll(of.length)] as T;
}
