import { createHmac, randomUUID } from 'node:crypto';
import { badCredentialsCode, loginRequest, type LoginReply } from '@aparta/provider-wire/tapi';
import * as v from 'valibot';
import type { Answer } from '../answer.ts';
import { type CashNetwork, demoAccount, ordinaryTokenLifeMs, refuse } from './network.ts';

/** POST /login. */
export function signIn(network: CashNetwork, key: string | undefined, body: unknown): Answer {
  if (key !== demoAccount.loginKey) return refuse(403, 'FORBIDDEN');
  const given = v.safeParse(loginRequest, body);
  if (!given.success) return refuse(400, 'INVALID_REQUEST', v.summarize(given.issues));
  const { clientUsername, password } = given.output;
  if (clientUsername !== demoAccount.clientUsername || password !== demoAccount.password)
    return refuse(401, badCredentialsCode, 'bad user or password');
  const diesAt = network.clock.now() + network.tokenLifeMs;
  const accessToken = jwt(network, {
    clientCompany: 'aparta',
    clientCountryCode: 'MX',
    jti: randomUUID(),
    exp: diesAt / 1_000,
  });
  network.tokens.put({ id: accessToken, diesAt });
  const tx = randomUUID();
  const answer: LoginReply = { accessToken, refreshToken: 'of-no-use', tx, mainTx: tx };
  return { status: 200, body: answer };
}

function jwt({ signature }: CashNetwork, payload: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(payload)}`;
  return `${signed}.${createHmac('sha256', signature).update(signed).digest('base64url')}`;
}

/** What a call is refused with; undefined for one that may go on. */
export function refusalOf(
  network: CashNetwork,
  key: string | undefined,
  token: string | undefined,
): Answer | undefined {
  if (key !== demoAccount.referencesKey) return refuse(403, 'FORBIDDEN');
  const diesAt = network.tokens.get(token ?? '')?.diesAt ?? 0;
  return diesAt > network.clock.now() ? undefined : refuse(401, 'UNAUTHORIZED');
}

/** How long new access tokens live, in ms (as Tapi's when left out); `endAll` ends those that were given. */
export function setTokens(
  network: CashNetwork,
  { lifeMs, endAll }: { lifeMs?: number | undefined; endAll?: boolean | undefined },
): void {
  network.tokenLifeMs = lifeMs ?? ordinaryTokenLifeMs;
  if (endAll === true) for (const token of network.tokens.all()) network.tokens.put({ ...token, diesAt: 0 });
}
