/** How many wrong PINs lock a person on a device. */
export const PIN_TRIES = 5;

/** What hands draw on the pad. */
const DRAWN = [
  '147258',
  '258369',
  '369258',
  '258147',
  '147369',
  '369147',
  '159357',
  '159753',
  '357159',
  '753159',
];

/** Whether six digits are among those that everybody tries first: two digits, runs and pairs, one half twice, a drawing. */
export function isTrivialPin(pin: string): boolean {
  const digits = [...pin].map(Number);
  const steps = digits.slice(1).map((digit, at) => (digit - (digits[at] ?? 0) + 10) % 10);
  return (
    new Set(digits).size < 3 ||
    steps.every((step, at) => step === steps[at % 2]) ||
    pin.slice(0, 3) === pin.slice(3) ||
    DRAWN.includes(pin)
  );
}
