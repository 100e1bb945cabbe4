import { isRefused } from '@aparta/browser/api-error.ts';
import { type Call, createCall } from '@aparta/browser/call.ts';
import { COUNTER_DEVICE_HEADER } from '@aparta/contract/counter-devices';
import { device } from '../session/device.ts';
import { session } from '../session/session.ts';

/** Calls an endpoint as the signed-in person; a dead session leads to signing in. */
export const callAsPerson = createCall({
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

/** The same, and a session without the passkey that its shop asks for leads to that. */
export const call: Call = (endpoint, input, options) =>
  callAsPerson(endpoint, input, options).catch((error: unknown) => {
    if (isRefused(error, 'PASSKEY_NEEDED')) session.needsPasskey(true);
    throw error;
  });
