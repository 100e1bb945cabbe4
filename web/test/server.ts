import { streamChanges } from '@aparta/contract/changes';
import type { StaffSession } from '@aparta/contract/counter-sessions';
import { ENDPOINTS } from '@aparta/contract/endpoints';
import * as v from 'valibot';
import { afterEach, beforeEach } from 'vitest';
import { stray, surprise } from './surprise.ts';

type Call = {
  method: string;
  path: string;
  search: URLSearchParams;
  body: unknown;
  authorization: string | null;
  headers: Headers;
};
type Given = {
  status?: number;
  body: unknown;
  headers?: Record<string, string>;
  /** Not as the contract has it, for a test of just that. */
  isNonsense?: true;
};
type Answer = Given | 'no network';
type Answering = Answer | Promise<Answer>;

/**
 * Fakes the network, not our code: answers by method and path, and records the calls. A reply that the contract has not ends the
 * test at once.
 */
export function fakeServer(answers: Record<string, Answering | ((call: Call) => Answering)>) {
  const calls: Call[] = [];
  const real = globalThis.fetch;
  beforeEach(() => {
    calls.length = 0;
    globalThis.fetch = async (input, init) => {
      const { pathname: path, searchParams: search } = new URL(
        input instanceof Request ? input.url : input,
        'http://localhost',
      );
      // Nobody tells a screen of anything: it polls.
      if (path === streamChanges.path && !(`GET ${path}` in answers))
        return new Response('', { status: 429 });
      const headers = new Headers(init?.headers);
      const call = {
        method: init?.method ?? 'GET',
        path,
        search,
        body: typeof init?.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined,
        authorization: headers.get('Authorization'),
        headers,
      };
      calls.push(call);
      const given = answers[`${call.method} ${path}`];
      if (given === undefined) throw stray(`${call.method} ${path}`);
      const answer = await (typeof given === 'function' ? given(call) : given);
      if (answer === 'no network') throw new TypeError('Failed to fetch');
      demandContract(`${call.method} ${path}`, answer);
      return new Response(JSON.stringify(answer.body), {
        status: answer.status ?? 200,
        headers: answer.headers ?? {},
      });
    };
  });
  afterEach(() => {
    globalThis.fetch = real;
  });
  return calls;
}

const REPLIES = Object.values(ENDPOINTS)
  .flat()
  .map(({ method, path, reply }) => ({
    call: new RegExp(`^${method} ${path.replaceAll(/:\w+/g, '[^/]+')}$`),
    reply,
  }));

function demandContract(call: string, { status = 200, body, isNonsense }: Given): void {
  const reply = REPLIES.find((one) => one.call.test(call))?.reply;
  if (status !== 200 || isNonsense || reply === undefined) return;
  const read = v.safeParse(reply, body);
  if (read.success) return;
  const [issue] = read.issues;
  throw surprise(`the contract has another reply to ${call}: ${v.getDotPath(issue) ?? ''}: ${issue.message}`);
}

export function ok(data: unknown) {
  return { body: { isSuccess: true, message: '', data } };
}

export function refuse(
  status: number,
  code: string,
  extra: object = {},
  headers: Record<string, string> = {},
) {
  return { status, body: { isSuccess: false, code, message: code, data: null, ...extra }, headers };
}

/** A buyer as Authenticate returns them, without the token. */
export const marisol = {
  id: 7,
  name: 'Marisol',
  userName: 'Marisol',
  user: 'marisol@correo.mx',
  phone: '',
  ssoId: '6f0f5c1e-0000-4000-8000-000000000007',
  numberAddress: '',
  postalCodeAddress: '',
  streetAddress: '',
  emailConfirmed: true,
  reminders: true,
};

/** A cashier's session at the counter. */
export const luisAtCounter: StaffSession = {
  token: 't',
  expiresAt: '2099-01-01T00:00:00.000Z',
  position: {
    positionId: '6f0f5c1e-0000-4000-8000-000000000009',
    formerIds: [],
    name: 'Luis',
    email: 'luis@correo.mx',
    role: 'cashier',
  },
  merchant: { id: 1, tradeName: 'Muebles' },
  branches: [{ id: 1, name: 'Centro', address: '', hours: '', phone: '' }],
  isShared: false,
  needsPasskey: false,
};

/** Another of the same counter. */
export const evaAtCounter: StaffSession = {
  ...luisAtCounter,
  token: 'e',
  position: { ...luisAtCounter.position, positionId: '6f0f5c1e-0000-4000-8000-000000000010', name: 'Eva' },
};
