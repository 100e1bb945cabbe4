import { takePayment } from '@aparta/contract/counter-payments';
import { deviceStorage } from '@aparta/browser/storage.ts';
import * as v from 'valibot';

// One press of a person is one payment: it is kept before it is sent, until its receipt has been seen. Tabs and people of a
// device may each have one.
const PRESSES = 'mostrador.presses';

const kept = v.object({ positionId: v.string(), body: takePayment.body });
export type Press = v.InferInput<typeof takePayment.body>;
type Kept = { readonly positionId: string; readonly body: Press };

function read(): readonly Kept[] {
  try {
    return v.parse(v.array(kept), JSON.parse(deviceStorage.get(PRESSES) ?? '[]')) as Kept[];
  } catch {
    // Written by another version, or tampered with.
    return [];
  }
}

function write(presses: readonly Kept[]): void {
  if (presses.length === 0) deviceStorage.remove(PRESSES);
  else deviceStorage.set(PRESSES, JSON.stringify(presses));
}

/** A press whose end this person has not seen, after a lost reply, a reload or a dead phone. */
export function unfinishedPress(positionId: string): Press | undefined {
  return read().find((press) => press.positionId === positionId)?.body;
}

export function keepPress(positionId: string, body: Press): void {
  write([...read().filter((press) => press.body.id !== body.id), { positionId, body }]);
}

export function forgetPress(id: string): void {
  write(read().filter((press) => press.body.id !== id));
}
