import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { centavosToPesos, pesosToCentavos } from '@aparta/domain/money';
import {
  accessTokenExpiry,
  apiKeyHeader,
  loginReply,
  type LoginRequest,
  type Operation,
  operation as operationSchema,
  operationStatuses,
  referenceReply,
  referenceState,
  type ReferenceRequest,
  tokenHeader,
} from '@aparta/provider-wire/tapi';
import * as v from 'valibot';
import { isListed } from '../../platform/addresses.ts';
import {
  type HttpClient,
  oneForAll,
  type ProviderAnswer,
  type ProviderCall,
  type ProviderFailure,
} from '../../platform/http-client.ts';
import { readMoment } from '../../platform/moments.ts';
import { failedCheck } from '../../platform/provider-check.ts';
import type { CashOperation, CashProvider } from './port.ts';

/** The account at Tapi, and the keys that its notices carry. */
export interface TapiAccount {
  readonly loginBase: string;
  readonly apiBase: string;
  readonly username: string;
  readonly password: string;
  readonly loginKey: string;
  readonly referencesKey: string;
  readonly companyCode: string;
  readonly modalityId: string;
  readonly identifierName: string;
  /** One, or two while they are exchanged. */
  readonly noticeKeys: readonly string[];
  /** Addresses and networks that notices may come from; none: all. */
  readonly noticeAddresses: readonly string[];
}

interface Token {
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly renewAt: number;
  readonly diesAt: number;
}

/** The call was not made, for want of a token. */
interface SignedOut {
  readonly kind: 'signedOut';
  readonly why: string;
}

/** Tokens live about 4 hours; one whose expiry cannot be read is kept this long. */
const UNSAID_LIFE_MS = 3_600_000;
const RENEW_EARLY_MS = 600_000;
/** Before the reason why a sign-in failed. */
const SIGN_IN = 'sign-in: ';

/**
 * The adapter of Tapi (rules/providers#tapi). It signs in by itself, once for all calls that come meanwhile, renews the token
 * before it expires and, when a token is refused, signs in again and repeats the call once: issuing a reference moves no money, and
 * `externalRequestId` keeps it the same one.
 */
export function tapi(options: {
  account: TapiAccount;
  http: HttpClient;
  /** Of each call to Tapi; one call of ours makes at most four. */
  timeoutMs: number;
  now: () => Date;
}): CashProvider {
  const { account, http, timeoutMs, now } = options;
  let token: Token | undefined;

  async function signIn(): Promise<Token | ProviderFailure> {
    const body: LoginRequest = { clientUsername: account.username, password: account.password };
    const answer = await http.call({
      as: ['tapi', 'sign in'],
      method: 'POST',
      url: `${account.loginBase}/login`,
      headers: { [apiKeyHeader]: account.loginKey },
      body,
      reply: loginReply,
      timeoutMs,
    });
    if (answer.kind !== 'answer') return answer;
    const at = now().getTime();
    const text = answer.body.accessToken;
    const diesAt = accessTokenExpiry(text)?.getTime() ?? at + UNSAID_LIFE_MS;
    token = { text, diesAt, renewAt: diesAt - Math.min(RENEW_EARLY_MS, (diesAt - at) / 4) };
    return token;
  }

  /** One sign-in at a time, however many calls wait for it. */
  const signInOnce = oneForAll(signIn);

  /** A token other than `refused`. A renewal runs beside calls that still have a good one. */
  async function tokenFor(refused?: Token): Promise<Token | ProviderFailure> {
    const at = now().getTime();
    if (token === undefined || token === refused || token.diesAt <= at) return signInOnce();
    if (token.renewAt <= at) void signInOnce();
    return token;
  }

  /** A call with a token. */
  async function call<T>(
    path: Pick<ProviderCall<T>, 'as' | 'method' | 'url' | 'reply' | 'body'>,
  ): Promise<ProviderAnswer<T> | SignedOut> {
    const send = (bearer: Token) =>
      http.call({
        ...path,
        headers: { [apiKeyHeader]: account.referencesKey, [tokenHeader]: bearer.text },
        timeoutMs,
      });
    const first = await tokenFor();
    if ('kind' in first) return { kind: 'signedOut', why: SIGN_IN + whyOf(first) };
    const answer = await send(first);
    if (answer.kind !== 'refused' || answer.status !== 401) return answer;
    const second = await tokenFor(first);
    if ('kind' in second) return { kind: 'signedOut', why: SIGN_IN + whyOf(second) };
    return send(second);
  }

  /** Only 404 says that there is nothing. */
  async function retrieve<T>(path: Pick<ProviderCall<T>, 'as' | 'url' | 'reply'>) {
    const answer = await call({ ...path, method: 'GET' });
    if (answer.kind === 'answer') return { kind: 'found', body: answer.body } as const;
    if (answer.kind === 'refused' && answer.status === 404) return { kind: 'not_found' } as const;
    return { kind: 'unreachable', why: whyOf(answer) } as const;
  }

  return {
    async issue(request) {
      const body: ReferenceRequest = {
        generationData: [
          {
            modalityId: account.modalityId,
            identifierName: account.identifierName,
            identifierValue: request.identifier,
          },
        ],
        additionalData: { email: request.payerEmail, debtExpirationDate: request.expiresOn },
        externalRequestId: request.externalRequestId,
        companyCode: account.companyCode,
        externalClientId: String(request.buyerId),
        amountType: 'OPEN',
        amount: centavosToPesos(request.amountCentavos),
        currency: 'MXN',
      };
      const url = `${account.apiBase}/reference`;
      const answer = await call({
        as: ['tapi', 'issue'],
        method: 'POST',
        url,
        body,
        reply: referenceReply,
      });
      switch (answer.kind) {
        case 'answer': {
          const [first] = answer.body.references;
          return first === undefined
            ? { kind: 'unreachable', why: 'no reference' }
            : { kind: 'issued', reference: first.value };
        }
        case 'refused':
          return { kind: 'refused', code: answer.code ?? String(answer.status) };
        case 'signedOut':
          return { kind: 'not_sent', why: answer.why };
        case 'not_sent':
        case 'unreachable':
          return { kind: answer.kind, why: answer.why };
      }
    },

    async findOperation(operationId) {
      const url = `${account.apiBase}/operation/${encodeURIComponent(operationId)}`;
      const found = await retrieve({ as: ['tapi', 'find operation'], url, reply: operationSchema });
      if (found.kind !== 'found') return found;
      return found.body.operationId === operationId
        ? { kind: 'found', operation: inOurWords(found.body) }
        : { kind: 'unreachable', why: 'another operation than the one asked for' };
    },

    async findOperationsOf(externalRequestId) {
      const url = `${account.apiBase}/reference/${encodeURIComponent(externalRequestId)}?type=external-request-id`;
      const found = await retrieve({ as: ['tapi', 'find reference'], url, reply: referenceState });
      if (found.kind !== 'found') return found;
      if (found.body.externalRequestId !== externalRequestId)
        return { kind: 'unreachable', why: 'another reference than the one asked for' };
      const read = found.body.operations.filter((operation) => operation !== null);
      const isPartial = read.length < found.body.operations.length;
      return { kind: 'found', operations: read.map(inOurWords), ...(isPartial && { isPartial }) };
    },

    async check() {
      const answer = await call({
        as: ['tapi', 'check'],
        method: 'GET',
        url: `${account.apiBase}/operation/${randomUUID()}`,
        reply: operationSchema,
      });
      if (answer.kind === 'answer') return { kind: 'works' };
      // Any web server says 404; theirs adds its code.
      if (answer.kind === 'refused' && answer.status === 404 && answer.code !== undefined)
        return { kind: 'works' };
      return failedCheck(whyOf(answer).replace(SIGN_IN, ''));
    },

    readNotice({ key, address }, body) {
      if (key === undefined || !isOneOf(account.noticeKeys, key)) return { kind: 'forged' };
      if (!isListed(account.noticeAddresses, address)) return { kind: 'elsewhere' };
      const notice = v.safeParse(operationSchema, body);
      return notice.success
        ? { kind: 'notice', operation: inOurWords(notice.output) }
        : { kind: 'unreadable' };
    },
  };
}

function whyOf(failure: ProviderFailure | SignedOut): string {
  return failure.kind === 'refused' ? `${failure.status} ${failure.code ?? ''}`.trim() : failure.why;
}

/** Compares in constant time, whatever the key's length. */
function isOneOf(keys: readonly string[], given: string): boolean {
  const digest = (key: string) => createHash('sha256').update(key).digest();
  const of = digest(given);
  return keys.map((key) => timingSafeEqual(digest(key), of)).includes(true);
}

function inOurWords(operation: Operation): CashOperation {
  const status = operationStatuses.find((known) => known === operation.status) ?? 'other';
  const amountCentavos = pesosToCentavos(operation.amount ?? 0);
  return {
    operationId: operation.operationId,
    status,
    reverses: status === 'reversed' ? (operation.reversedOperationId ?? operation.operationId) : undefined,
    reference: operation.reference,
    externalRequestId: operation.externalRequestId,
    amountCentavos: amountCentavos === 0 ? undefined : amountCentavos,
    currency: operation.currency ?? '',
    paidAt: readMoment(operation.paidAt),
    store: [operation.store, operation.agent].filter(Boolean).join(' '),
  };
}
