import { createCall, type Call } from '@aparta/browser/call.ts';
import { base } from './client.ts';

/** Calls with the token of a session that was left, whoever has signed in here before a busy server is asked again. */
export const callAs = (token: string): Call =>
  createCall({
    base,
    token: () => token,
    died: () => {},
    // Nobody reads them.
    loadTexts: async () => undefined,
  });
