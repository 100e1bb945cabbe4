import { isRefused } from '@aparta/browser/api-error.ts';
import { type Call, type Caller, createCall } from '@aparta/browser/call.ts';
import { COUNTER_DEVICE_HEADER } from '@aparta/contract/counter-devices';
import { device } from '../session/device.ts';
import { reached } from '../session/network.ts';
import { session } from '../session/session.ts';

const here: Pick<Caller, 'base' | 'headers' | 'loadTexts'> = {
  base: () => '',
  headers: () => {
    const secret = device.secret();
    return secret === undefined ? {} : { [COUNTER_DEVICE_HEADER]: secret };
  },
  loadTexts: () =>
    import('./refusal-texts.ts').then(
      ({ refusalTexts }) => refusalTexts,
      () => undefined,
    ),
};

/** Calls an endpoint as the signed-in person; a dead session leads to signing in. */
export const callAsPerson = createCall({
  ...here,
  token: session.token,
  who: () => session.current()?.position.positionId,
  died: () => session.died(),
  heard: reached,
});

/** Calls with the token of a session that was left, whoever has signed in here since. */
export const callAs = (token: string): Call => createCall({ ...here, token: () => token, died: () => {} });

/** The same, and a session without the passkey that its shop asks for leads to that. */
export const call: Call = (endpoint, input, options) => {
  const token = session.token();
  return callAsPerson(endpoint, input, options).catch((error: unknown) => {
    if (isRefused(error, 'PASSKEY_NEEDED') && token === session.token()) session.needsPasskey(true);
    throw error;
  });
};
