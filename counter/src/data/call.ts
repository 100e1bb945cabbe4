import { createCall } from '@aparta/browser/call.ts';
import { session } from '../session/session.ts';

/** Calls an endpoint as the signed-in person; a dead session leads to signing in. */
export const call = createCall({
  base: () => '',
  token: session.token,
  died: () => session.died(),
  loadTexts: () =>
    import('./refusal-texts.ts').then(
      ({ refusalTexts }) => refusalTexts,
      () => undefined,
    ),
});
