import { capabilityOf, readCapability } from '../../platform/capability.ts';
import type { KeyRing } from '../../platform/secrets.ts';

/** What a link carries. */
export const helpCode = (keyRing: KeyRing, linkId: string): string =>
  capabilityOf(keyRing, 'help link', linkId);

/** The link that a code names; undefined for a code that we did not write. */
export const readHelpCode = (keyRing: KeyRing, code: string): string | undefined =>
  readCapability(keyRing, 'help link', code);
