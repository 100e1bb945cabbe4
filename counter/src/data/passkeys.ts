import {
  addPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
  signInByPasskey,
  startPasskey,
  startPasskeySignIn,
} from '@aparta/contract/counter-passkeys';
import type { ReplyData, Sent } from '@aparta/contract/endpoint';
import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { queryOptions } from '@tanstack/react-query';
import { session } from '../session/session.ts';
import { call, callAsPerson } from './call.ts';
import type { Workplace } from './sessions.ts';

export type Passkey = ReplyData<typeof listPasskeys>[number];

/** What a passkey signed; it opens one session. */
export type Signed = Sent<typeof signInByPasskey, 'body'>['credential'];

/** Asks the browser for one of its passkeys. Throws what the browser throws. */
export async function askPasskey(): Promise<Signed> {
  const { data } = await call(startPasskeySignIn, {});
  const { rawId, type, response } = await startAuthentication({ optionsJSON: data });
  const { clientDataJSON, authenticatorData, signature, userHandle = '' } = response;
  return {
    rawId,
    type: 'public-key' satisfies typeof type,
    response: { clientDataJSON, authenticatorData, signature, userHandle },
  };
}

/** Signs in with it. Answers the shops to choose from when there are several; none when the session is open. */
export async function enterByPasskey(credential: Signed, merchantId?: number): Promise<readonly Workplace[]> {
  const body = { credential, ...(merchantId !== undefined && { merchantId }) };
  const { data } = await call(signInByPasskey, { body });
  if (data.session === null) return data.merchants;
  session.open(data.session);
  return [];
}

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  staleTime: 0,
  queryFn: async ({ signal }) => (await call(listPasskeys, {}, { signal })).data,
});

// PASSKEY_NEEDED of what follows is of the passkeys: the session may be of a shop that asks for none, and goes on.

/** Lets the browser make a passkey and adds it; the session counts as opened by it. */
export async function makePasskey(name: string, password: string): Promise<void> {
  const { data } = await callAsPerson(startPasskey, { body: password === '' ? {} : { password } });
  const { rawId, response } = await startRegistration({
    optionsJSON: {
      ...data,
      excludeCredentials: data.excludeCredentials.map(({ id, type }) => ({ id, type })),
    },
  });
  const { clientDataJSON, attestationObject, transports = [] } = response;
  const credential = {
    rawId,
    type: 'public-key' as const,
    response: { clientDataJSON, attestationObject, transports },
  };
  await callAsPerson(addPasskey, { body: { name, credential } });
  session.needsPasskey(false);
}

export async function rename(passkeyId: string, name: string): Promise<void> {
  await callAsPerson(renamePasskey, { params: { passkeyId }, body: { name } });
}

export async function remove(passkeyId: string): Promise<void> {
  await callAsPerson(removePasskey, { params: { passkeyId } });
}
