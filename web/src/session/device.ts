import { newId } from '@aparta/browser/new-id.ts';
import { deviceStorage } from '@aparta/browser/storage.ts';

// Ours (rules/accounts#guessing). It stays after logout: it says which browser this is, not who uses it.
const DEVICE = 'deviceId';

/** This browser's random name, made the first time it is asked for. */
export function deviceId(): string {
  const known = deviceStorage.get(DEVICE);
  if (known !== undefined) return known;
  const made = newId();
  deviceStorage.set(DEVICE, made);
  return made;
}
