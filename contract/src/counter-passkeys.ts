import * as v from 'valibot';

import { staffSession, workplace } from './counter-sessions.ts';
import { defineEndpoint, envelope } from './endpoint.ts';
import { idField, line, moment, secret, uuid } from './text.ts';

// What browsers take and give is WebAuthn's own JSON form (`parseCreationOptionsFromJSON`, `toJSON`), as far as it is used.

const base64url = (max: number) => v.pipe(v.string(), v.maxLength(max), v.regex(/^[\w-]+$/));
const credentialId = base64url(1400);
const credentialType = v.literal('public-key');
/** How a passkey can be reached: `internal`, `hybrid`, `usb`… A browser may name one that is newer than we are. */
const transport = v.pipe(v.string(), v.maxLength(20), v.regex(/^[a-z-]+$/));
const passkeyName = v.pipe(line(40), v.minLength(1));

export const startPasskeySignIn = defineEndpoint({
  name: 'startPasskeySignIn',
  summary: 'Begins a sign-in by passkey: what the browser is to ask of it within 5 minutes.',
  method: 'POST',
  path: '/v1/counter/passkeys/sign-in/start',
  access: 'public',
  reply: envelope(
    v.object({
      challenge: base64url(100),
      rpId: v.string(),
      timeout: v.number(),
      userVerification: v.literal('required'),
    }),
  ),
  refusals: [],
});

export const signInByPasskey = defineEndpoint({
  name: 'signInByPasskey',
  summary:
    'Signs somebody of a shop in for 12 hours by what their passkey signed. Whoever has positions at several merchants is told of them, and calls again with one.',
  method: 'POST',
  path: '/v1/counter/passkeys/sign-in',
  access: 'public',
  body: v.object({
    credential: v.object({
      rawId: credentialId,
      type: credentialType,
      response: v.object({
        clientDataJSON: base64url(2_000),
        authenticatorData: base64url(2_000),
        signature: base64url(2_000),
        userHandle: base64url(100),
      }),
    }),
    merchantId: v.optional(idField),
  }),
  reply: envelope(v.object({ session: v.nullable(staffSession), merchants: v.array(workplace) })),
  refusals: ['PASSKEY_REFUSED'],
});

export const startPasskey = defineEndpoint({
  name: 'startPasskey',
  summary:
    'Begins a new passkey of the person: what the browser is to make within 5 minutes. Asks for the password when they signed in more than 10 minutes ago.',
  method: 'POST',
  path: '/v1/counter/passkeys/start',
  access: ['staff'],
  act: 'add_passkey',
  body: v.object({ password: v.optional(secret) }),
  reply: envelope(
    v.object({
      challenge: base64url(100),
      rp: v.object({ id: v.string(), name: v.string() }),
      user: v.object({ id: base64url(100), name: v.string(), displayName: v.string() }),
      pubKeyCredParams: v.array(v.object({ type: credentialType, alg: v.number() })),
      timeout: v.number(),
      attestation: v.literal('none'),
      excludeCredentials: v.array(
        v.object({ id: credentialId, type: credentialType, transports: v.array(transport) }),
      ),
      authenticatorSelection: v.object({
        residentKey: v.literal('required'),
        requireResidentKey: v.literal(true),
        userVerification: v.literal('required'),
      }),
    }),
  ),
  refusals: ['PASSWORD_NEEDED', 'WRONG_PASSWORD', 'PASSKEY_NEEDED', 'PASSKEYS_FULL'],
});

export const addPasskey = defineEndpoint({
  name: 'addPasskey',
  summary: 'Adds the passkey that the browser made. From then on the session counts as opened by it.',
  method: 'POST',
  path: '/v1/counter/passkeys',
  access: ['staff'],
  act: 'add_passkey',
  body: v.object({
    name: passkeyName,
    credential: v.object({
      rawId: credentialId,
      type: credentialType,
      response: v.object({
        clientDataJSON: base64url(2_000),
        attestationObject: base64url(20_000),
        transports: v.optional(v.pipe(v.array(transport), v.maxLength(10)), []),
      }),
    }),
  }),
  reply: envelope(v.object({ passkeyId: uuid })),
  refusals: ['PASSKEY_REFUSED', 'PASSKEY_NEEDED', 'PASSKEYS_FULL'],
});

export const listPasskeys = defineEndpoint({
  name: 'listPasskeys',
  summary: "The person's passkeys, oldest first.",
  method: 'GET',
  path: '/v1/counter/passkeys',
  access: ['staff'],
  act: 'own_passkeys',
  reply: envelope(
    v.array(
      v.object({
        passkeyId: uuid,
        name: v.string(),
        isSynced: v.boolean(),
        addedAt: moment,
        usedAt: v.nullable(moment),
      }),
    ),
  ),
  refusals: [],
});

export const renamePasskey = defineEndpoint({
  name: 'renamePasskey',
  summary: "Gives one of the person's passkeys another name.",
  method: 'POST',
  path: '/v1/counter/passkeys/:passkeyId/rename',
  access: ['staff'],
  act: 'own_passkeys',
  params: v.object({ passkeyId: uuid }),
  body: v.object({ name: passkeyName }),
  reply: envelope(v.null()),
  refusals: ['NOT_FOUND', 'PASSKEY_NEEDED'],
});

export const removePasskey = defineEndpoint({
  name: 'removePasskey',
  summary: "Removes one of the person's passkeys, and ends the other sessions that it opened.",
  method: 'POST',
  path: '/v1/counter/passkeys/:passkeyId/remove',
  access: ['staff'],
  act: 'own_passkeys',
  params: v.object({ passkeyId: uuid }),
  reply: envelope(v.null()),
  refusals: ['NOT_FOUND', 'PASSKEY_NEEDED', 'LAST_PASSKEY'],
});

export const setOwnerRule = defineEndpoint({
  name: 'setOwnerRule',
  summary:
    'Whether owners of the merchant need a passkey, set in a session that one opened: without it their next call is refused.',
  method: 'POST',
  path: '/v1/counter/owner-rule',
  access: ['staff'],
  act: 'set_owner_rule',
  body: v.object({ ownersNeedPasskey: v.boolean() }),
  reply: envelope(v.null()),
  refusals: ['PASSKEY_FIRST'],
});
