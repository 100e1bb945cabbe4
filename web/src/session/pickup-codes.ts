import { deviceStorage } from '@aparta/browser/storage.ts';
import { PICKUP_CODES as SHOWN } from './kept-keys.ts';

/** The pickup codes that were shown last; their screen parses them. */
export const shownPickupCodes = {
  read: () => deviceStorage.get(SHOWN),
  write: (codes: string) => deviceStorage.set(SHOWN, codes),
};
