import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';

import { tokenHash } from '../credentials/token.ts';
import type { StaffDeps } from '../staff/sign-in-staff.ts';
import type { StaffRow } from '../staff/store.ts';
import type { ListedPasskey, PasskeyRow } from './store.ts';

export interface PasskeyDeps extends StaffDeps {
  readonly productName: string;
}

type Place = Pick<PasskeyDeps, 'publicOrigin'>;

/** A sixth of all that the server is made of: not before somebody comes with a passkey. */
const library = () => import('@simplewebauthn/server');

/** EdDSA, ES256 and RS256: every authenticator makes one of them. */
const ALGORITHMS = [-8, -7, -257];
const CEREMONY_MS = 2 * 60_000;

/** The domain for which passkeys are made: the host of the public address. */
const domainOf = ({ publicOrigin }: Place) => new URL(publicOrigin).hostname;

const idBytes = (staffId: string) => new Uint8Array(Buffer.from(staffId.replaceAll('-', ''), 'hex'));

/** How a passkey names its person: the bytes of their id. */
const userHandleOf = (staffId: string): string => Buffer.from(idBytes(staffId)).toString('base64url');

export async function signInOptions(place: Place) {
  const { generateAuthenticationOptions } = await library();
  const { challenge } = await generateAuthenticationOptions({ rpID: domainOf(place) });
  return {
    challenge,
    rpId: domainOf(place),
    timeout: CEREMONY_MS,
    userVerification: 'required',
  } as const;
}

export async function newPasskeyOptions(
  deps: PasskeyDeps,
  person: StaffRow,
  known: readonly ListedPasskey[],
) {
  const { generateRegistrationOptions } = await library();
  const { challenge, rp, user, pubKeyCredParams } = await generateRegistrationOptions({
    rpName: deps.productName,
    rpID: domainOf(deps),
    userID: idBytes(person.id),
    userName: person.email,
    userDisplayName: person.name,
    supportedAlgorithmIDs: ALGORITHMS,
  });
  return {
    challenge,
    rp: { id: domainOf(deps), name: rp.name },
    user,
    pubKeyCredParams,
    timeout: CEREMONY_MS,
    attestation: 'none',
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId,
      type: 'public-key' as const,
      transports: [...transports],
    })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
  } as const;
}

/** What is kept of a challenge. */
export const challengeHash = tokenHash;

/** What a new passkey answered, where it is right but for its challenge, which the caller uses up. */
export interface MadePasskey {
  readonly challenge: string;
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly isSynced: boolean;
}

interface Answer<R> {
  readonly rawId: string;
  readonly type: 'public-key';
  readonly response: R;
}

const asJson = <R>({ rawId, type, response }: Answer<R>) => ({
  id: rawId,
  rawId,
  type,
  response,
  clientExtensionResults: {},
});

/** Reads the answer of a browser that made a passkey; undefined when it was not made here, or without its person's proof. */
export async function readMadePasskey(
  place: Place,
  answer: Answer<Pick<RegistrationResponseJSON['response'], 'clientDataJSON' | 'attestationObject'>>,
): Promise<MadePasskey | undefined> {
  const { verifyRegistrationResponse } = await library();
  let challenge = '';
  const read = await verifyRegistrationResponse({
    response: asJson(answer),
    expectedChallenge: (given) => ((challenge = given), true),
    expectedOrigin: place.publicOrigin,
    expectedRPID: domainOf(place),
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined);
  if (read?.registrationInfo === undefined) return undefined;
  const { credential, credentialBackedUp } = read.registrationInfo;
  return {
    challenge,
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    isSynced: credentialBackedUp,
  };
}

/** What a passkey signed, where it is right but for its challenge, which the caller uses up. */
export interface UsedPasskey {
  readonly challenge: string;
  readonly counter: number;
  readonly isSynced: boolean;
}

/** Reads what a passkey signed to sign in; undefined when it is not its signature, not for here, or without its person's proof. */
export async function readUsedPasskey(
  place: Place,
  { credentialId, publicKey, counter, staffId }: PasskeyRow,
  answer: Answer<AuthenticationResponseJSON['response']>,
): Promise<UsedPasskey | undefined> {
  if (answer.response.userHandle !== userHandleOf(staffId)) return undefined;
  const { verifyAuthenticationResponse } = await library();
  let challenge = '';
  const read = await verifyAuthenticationResponse({
    response: asJson(answer),
    expectedChallenge: (given) => ((challenge = given), true),
    expectedOrigin: place.publicOrigin,
    expectedRPID: domainOf(place),
    credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter },
    requireUserVerification: true,
  }).catch(() => undefined);
  if (read?.verified !== true) return undefined;
  const { newCounter, credentialBackedUp } = read.authenticationInfo;
  return { challenge, counter: newCounter, isSynced: credentialBackedUp };
}
