import { createCall } from '@aparta/browser/call.ts';
import { config } from '../app/config.ts';
import { loadHelperTexts } from '../copy/load-helper-texts.ts';

/** Calls what anybody may call, from a document that knows of no session: there is no token that it could send. */
export const callPublicly = createCall({
  base: () => config.bases.layaway,
  token: () => undefined,
  died: () => {},
  loadTexts: loadHelperTexts,
});
