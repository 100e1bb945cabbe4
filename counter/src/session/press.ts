import { takePayment } from '@aparta/contract/counter-payments';
import { deviceStorage } from '@aparta/browser/storage.ts';
import * as v from 'valibot';

// One press of a person is one payment: its id is kept before it is sent, until its receipt has been seen.
const PRESS = 'mostrador.press';

const kept = v.object({ positionId: v.string(), body: takePayment.body });
export type Press = v.InferInput<typeof takePayment.body>;

/** The press whose end this person has not seen, after a lost reply, a reload or a dead phone. */
export function unfinishedPress(positionId: string): Press | undefined {
  try {
    const press = v.parse(kept, JSON.parse(deviceStorage.get(PRESS) ?? ''));
    return press.positionId === positionId ? (press.body as Press) : undefined;
  } catch {
    return undefined;
  }
}

export function keepPress(positionId: string, body: Press): void {
  deviceStorage.set(PRESS, JSON.stringify({ positionId, body }));
}

export function forgetPress(): void {
  deviceStorage.remove(PRESS);
}
