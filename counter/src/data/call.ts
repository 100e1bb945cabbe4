import { createCall } from '@aparta/browser/call.ts';
import { COUNTER_DEVICE_HEADER } from '@aparta/contract/counter-devices';
import { device } from '../session/device.ts';
import { session } from '../session/session.ts';

/** Calls an endpoint as the signed-in person; a dead session leads to signing in. */
export const call = createCall({
  base: () => '',
  token: session.token,
  headers: () => {
    const secret = device.secret();
    return secret === undefined ? {} : { [COUNTER_DEVICE_HEADER]: secret };
  },
  died: () => session.died(),
  loadTexts: () =>
    import('./refusal-texts.ts').then(
      ({ refusalTexts }) => refusalTexts,
      () => undefined,
    ),
});
