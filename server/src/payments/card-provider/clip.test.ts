import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { centavos } from '@aparta/domain/money';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { httpClient } from '../../platform/http-client.ts';
import { NOOP_INSTRUMENTATION } from '../../platform/telemetry/instrumentation.ts';
import { clip } from './clip.ts';
import { sharingLists } from './shared-lists.ts';

interface Reply {
  readonly status?: number;
  readonly body?: unknown;
}

/** A provider that answers what it is told to, in that order, and remembers what it was asked. */
let replies: Reply[] = [];
let asked: { method: string; url: string; headers: IncomingHttpHeaders; body: any }[] = [];
const server = createServer((request, response) => {
  let text = '';
  request.on('data', (chunk: Buffer) => (text += chunk.toString()));
  request.on('end', () => {
    const { method = '', url = '', headers } = request;
    asked.push({ method, url, headers, body: text === '' ? undefined : JSON.parse(text) });
    const { status = 200, body = {} } = replies.shift() ?? { status: 500 };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
});
/** What is counted of its calls. */
let counted: unknown[] = [];
const http = httpClient({
  connectTimeoutMs: 500,
  instrumentation: {
    ...NOOP_INSTRUMENTATION,
    during: (work, run) => (counted.push(work), run()),
  },
});
const clipAt = (baseUrl: string) =>
  clip({
    baseUrl,
    http,
    chargeTimeoutMs: 5_000,
    readTimeoutMs: 5_000,
    fingerprintOf: (text) => Buffer.from(text),
  });
const nowhere = clipAt('http://127.0.0.1:1');
let card: ReturnType<typeof clip>;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  card = clipAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
beforeEach(() => {
  replies = [];
  asked = [];
  counted = [];
});
afterAll(async () => {
  await http.close();
  server.close();
});

const keys = { publicKey: 'key', secret: 'secret' };
const paid = {
  id: 'p1',
  amount: 615,
  currency: 'MXN',
  status: 'approved',
  status_detail: { code: 'AP-PAI01' },
  external_reference: 'a1',
};
const request = {
  attemptId: 'a1',
  amountCentavos: centavos(61_500),
  token: 't1',
  description: 'x'.repeat(300),
  customer: { email: 'a@b.mx', phone: '5512345678', street: 'Calle', number: '1', postalCode: '06000' },
  sessionId: 's1',
  userAgent: 'ua',
  request3ds: true,
  webhookUrl: 'https://shop.mx/webhooks/clip/n',
  requestId: 'r1',
};

describe('a charge', () => {
  test('asks for the whole sum once, names its attempt, and reads what came of it', async () => {
    replies = [{ status: 201, body: paid }];
    expect(await card.charge(keys, request)).toMatchObject({
      kind: 'payment',
      payment: { id: 'p1', status: 'approved', amountCentavos: 61_500, externalReference: 'a1' },
    });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      method: 'POST',
      url: '/payments',
      headers: { 'x-request-id': 'r1', authorization: `Basic ${btoa('key:secret')}` },
      body: {
        amount: 615,
        currency: 'MXN',
        capture_method: 'automatic',
        tip_amount: 0,
        external_reference: 'a1',
        description: 'x'.repeat(255),
        payment_method: { token: 't1' },
        prevention_data: {
          session_id: 's1',
          device_finger_print_token: 's1',
          user_agent: 'ua',
          request_3ds: true,
        },
        webhook_url: 'https://shop.mx/webhooks/clip/n',
      },
    });
    expect(asked[0]?.body).not.toHaveProperty('installments');
  });

  test('of a street sends as much as fits', async () => {
    replies = [{ status: 201, body: paid }];
    await card.charge(keys, { ...request, customer: { ...request.customer, street: 'c'.repeat(200) } });
    expect(asked[0]?.body).toMatchObject({ customer: { address: { street: 'c'.repeat(120) } } });
  });

  test('without what the browser collects asks for no 3DS and makes nothing up', async () => {
    replies = [{ body: paid }];
    await card.charge(
      { publicKey: 'test_1', secret: '' },
      { ...request, sessionId: undefined, userAgent: undefined, request3ds: false },
    );
    expect(asked[0]).toMatchObject({
      headers: { authorization: 'Bearer test_1' },
      body: { prevention_data: {} },
    });
    expect(asked[0]?.body.prevention_data).toEqual({});
  });

  test.each([
    [400, 'not_sent'],
    [401, 'not_sent'],
    [403, 'not_sent'],
    [422, 'not_sent'],
    [402, 'unreachable'],
    [404, 'unreachable'],
    [408, 'unreachable'],
    [409, 'unreachable'],
    [429, 'unreachable'],
    [500, 'unreachable'],
    [502, 'unreachable'],
    [503, 'unreachable'],
    [504, 'unreachable'],
    [302, 'unreachable'],
  ])('answered %d is %s: only a sure refusal is called not charged', async (status, kind) => {
    replies = [{ status, body: { error_code: 'CL2200' } }];
    expect(await card.charge(keys, request)).toMatchObject({ kind });
    expect(asked).toHaveLength(1);
  });

  test('that was refused says by which status and code, so that a replaced key is seen', async () => {
    replies = [{ status: 401, body: { error_code: 'CL2200' } }, { status: 403 }];
    expect(await card.charge(keys, request)).toEqual({ kind: 'not_sent', why: '401 CL2200' });
    expect(await card.charge(keys, request)).toEqual({ kind: 'not_sent', why: '403' });
  });

  test('that never left is not charged', async () => {
    expect(await nowhere.charge(keys, request)).toEqual({ kind: 'not_sent', why: 'ECONNREFUSED' });
  });

  test('answered with what is no payment may have been made', async () => {
    replies = [{ status: 201, body: { ...paid, amount: -1 } }];
    expect(await card.charge(keys, request)).toMatchObject({ kind: 'unreachable' });
  });
});

describe('the list', () => {
  const page = (total: number, total_results: number, ...ids: string[]): Reply => ({
    body: {
      pages: { size: 2, number: 1, total, total_results },
      results: ids.map((id) => ({ ...paid, id })),
    },
  });
  const list = () => card.list(keys, new Date('2026-11-22T10:00:00Z'), new Date('2026-11-22T11:00:00Z'));

  test('is read to its last page, with the provider’s time', async () => {
    replies = [page(2, 3, 'p1', 'p2'), page(2, 3, 'p3')];
    const listed = await list();
    expect(listed).toMatchObject({ kind: 'payments', payments: [{ id: 'p1' }, { id: 'p2' }, { id: 'p3' }] });
    expect('at' in listed && listed.at).toBeInstanceOf(Date);
    const window = 'from=2026-11-22T10%3A00%3A00.000Z&to=2026-11-22T11%3A00%3A00.000Z';
    expect(asked.map(({ url }) => url)).toEqual([`/payments?${window}&page=1`, `/payments?${window}&page=2`]);
  });

  test.each([
    ['grew while it was read', [page(2, 3, 'p1', 'p2'), page(2, 4, 'p3')]],
    ['shrank while it was read', [page(2, 3, 'p1', 'p2'), page(2, 2, 'p3')]],
    ['has fewer payments than it counts', [page(1, 3, 'p1', 'p2')]],
    ['has more payments than it counts', [page(1, 1, 'p1', 'p2')]],
    ['moved on by one between two pages', [page(2, 4, 'p1', 'p2'), page(2, 4, 'p2', 'p3')]],
    ['breaks off', [page(2, 3, 'p1', 'p2'), { status: 503 }]],
    ['has too many pages', Array.from({ length: 41 }, (_, at) => page(41, 41, `p${at}`))],
  ])('that %s proves nothing', async (_how, given) => {
    replies = given;
    expect(await list()).toMatchObject({ kind: 'unreachable' });
  });

  test('is read once for all who wait for it, in a window that holds theirs, and again for who asks later', async () => {
    const shared = sharingLists(card);
    const at = (minute: number) => new Date(Date.UTC(2026, 10, 22, 10, minute));
    replies = [page(1, 1, 'first'), page(1, 2, 'later', 'same'), page(1, 1, 'last')];
    const first = shared.list(keys, at(0), at(30));
    const later = [10, 5, 20].map((minute) => shared.list(keys, at(minute), at(minute + 30)));
    expect(await first).toMatchObject({ payments: [{ id: 'first' }] });
    for (const one of later) expect(await one).toMatchObject({ payments: [{ id: 'later' }, { id: 'same' }] });
    expect(await shared.list(keys, at(0), at(30))).toMatchObject({ payments: [{ id: 'last' }] });
    expect(
      asked.map(({ url }) =>
        decodeURIComponent(url)
          .match(/T(.{5}).*T(.{5})/)
          ?.slice(1),
      ),
    ).toEqual([
      ['10:00', '10:30'],
      ['10:05', '10:50'],
      ['10:00', '10:30'],
    ]);
  });

  test('is not shared between merchants, nor with hours or a day, nor kept', async () => {
    const shared = sharingLists(card);
    const [from, to, evening, tomorrow] = ['22T10:00', '22T10:30', '22T22:00', '23T10:00'].map(
      (at) => new Date(`2026-11-${at}Z`),
    );
    const ask = () =>
      Promise.all([
        shared.list(keys, from!, to!),
        shared.list({ ...keys, publicKey: 'another' }, from!, to!),
        shared.list(keys, from!, evening!),
        shared.list(keys, from!, tomorrow!),
      ]);
    await ask();
    expect(asked).toHaveLength(4);
    await ask();
    expect(asked).toHaveLength(8);
  });

  test('that fails has failed for those who waited for it, and is read again for who comes after', async () => {
    const shared = sharingLists(card);
    const ask = () => shared.list(keys, new Date('2026-11-22T10:00:00Z'), new Date('2026-11-22T10:30:00Z'));
    replies = [{ status: 503 }, page(1, 1, 'p1')];
    const kinds = await Promise.all([ask(), ask(), ask()]);
    expect(kinds.map(({ kind }) => kind)).toEqual(['unreachable', 'unreachable', 'unreachable']);
    expect(await ask()).toMatchObject({ kind: 'payments' });
    expect(asked).toHaveLength(2);
  });

  test('of forty pages is whole', async () => {
    replies = Array.from({ length: 40 }, (_, at) => page(40, 40, `p${at}`));
    expect(await list()).toMatchObject({ kind: 'payments' });
  });
});

describe('one payment', () => {
  test('is read by its id, and an answer about another says nothing', async () => {
    replies = [
      { body: { ...paid, id: 'p 1' } },
      { body: paid },
      { status: 404, body: { error_code: 'CL301' } },
    ];
    expect(await card.find(keys, 'p 1')).toMatchObject({ kind: 'payment', payment: { id: 'p 1' } });
    expect(asked[0]?.url).toBe('/payments/p%201');
    expect(await card.find(keys, 'p2')).toMatchObject({ kind: 'unreachable' });
    expect(await card.find(keys, 'p3')).toEqual({ kind: 'unreachable', why: '404 CL301' });
  });

  test('that cannot be read is open, with the reason', async () => {
    replies = [{ status: 404 }];
    expect(await card.find(keys, 'p1')).toEqual({ kind: 'unreachable', why: '404' });
    expect(await nowhere.find(keys, 'p1')).toEqual({ kind: 'unreachable', why: 'ECONNREFUSED' });
  });

  test.each(['76690', 'x7669', '669', null])(
    'is shown with no card’s last digits where they are "%s"',
    async (last_digits) => {
      replies = [{ body: { ...paid, payment_method: { card: { last_digits } }, receipt_no: null } }];
      expect(await card.find(keys, 'p1')).toMatchObject({
        payment: { cardLast4: undefined, cardFingerprint: undefined, receipt: undefined },
      });
    },
  );

  test.each([{ bin: '455512' }, { last_digits: '7669' }])(
    'tells no card by %o alone, which many have',
    async (half) => {
      replies = [{ body: { ...paid, payment_method: { id: 'visa', card: half } } }];
      expect(await card.find(keys, 'p1')).toMatchObject({ payment: { cardFingerprint: undefined } });
    },
  );

  test('is told in our words', async () => {
    const card4 = { bin: '455512', last_digits: '7669' };
    replies = [
      {
        body: {
          ...paid,
          status: 'pending',
          amount_refunded: 1.5,
          pending_action: { type: 'open_modal', url: 'https://3ds.example/1' },
          payment_method: { id: 'visa', type: 'credit_card', card: card4 },
          receipt_no: 17,
        },
      },
      {
        body: {
          id: 'p1',
          amount: 615,
          status: 'brand_new',
          pending_action: { type: 'else', url: 'https://x' },
        },
      },
    ];
    expect(await card.find(keys, 'p1')).toMatchObject({
      payment: {
        status: 'pending',
        refundedCentavos: 150,
        threeDsUrl: 'https://3ds.example/1',
        cardType: 'credit_card',
        cardBrand: 'visa',
        cardLast4: '7669',
        cardFingerprint: Buffer.from('["visa","455512","7669"]'),
        receipt: '17',
      },
    });
    expect(await card.find(keys, 'p1')).toEqual({
      kind: 'payment',
      payment: {
        id: 'p1',
        status: 'other',
        detailCode: '',
        amountCentavos: 61_500,
        currency: '',
        externalReference: undefined,
        refundedCentavos: 0,
        threeDsUrl: undefined,
        cardType: undefined,
        cardBrand: undefined,
        cardLast4: undefined,
        cardFingerprint: undefined,
        receipt: undefined,
      },
    });
  });
});

describe('a refund', () => {
  const of = { type: 'payment', id: 'p1' } as const;
  const refund = (reply: Reply) => {
    replies = [reply];
    return card.refund(keys, {
      of,
      amountCentavos: centavos(1_550),
      idempotencyKey: 'key-1',
      reason: 'Compra cancelada',
    });
  };
  const approved = { id: 'r1', status: 'approved', amount: 15.5 };

  test('carries its key, so that a repetition is the same one', async () => {
    expect(await refund({ status: 201, body: approved })).toEqual({
      kind: 'approved',
      refundId: 'r1',
      amountCentavos: 1_550,
    });
    expect(asked).toMatchObject([
      {
        method: 'POST',
        url: '/refunds',
        headers: { 'idempotency-key': 'key-1' },
        body: { amount: 15.5, reason: 'Compra cancelada', reference: of },
      },
    ]);
  });

  test.each([
    ['of this payment, in pesos', { currency: 'MXN', reference: of }, { kind: 'approved' }],
    ['named by its receipt', { reference: { type: 'receipt', id: '17' } }, { kind: 'approved' }],
    [
      'of another payment',
      { reference: { type: 'payment', id: 'p2' } },
      { kind: 'refused', code: 'another payment' },
    ],
    ['in dollars', { currency: 'USD' }, { kind: 'refused', code: 'another currency' }],
    ['declined', { status: 'declined' }, { kind: 'declined', code: 'declined' }],
    ['neither yes nor no', { status: 'in_process' }, { kind: 'refused', code: 'in_process' }],
    ['no sum', { amount: null }, { kind: 'unreachable' }],
  ])('%s', async (_what, more, outcome) => {
    expect(await refund({ status: 201, body: { ...approved, ...more } })).toMatchObject(outcome);
  });

  test.each([
    [401, undefined, { kind: 'unauthorised' }],
    [403, undefined, { kind: 'unauthorised' }],
    [409, 'CL1500', { kind: 'unauthorised' }],
    [409, 'AI1807', { kind: 'unreachable', why: 'AI1807' }],
    [409, 'AI1400', { kind: 'refused', code: 'AI1400' }],
    [404, undefined, { kind: 'refused', code: '404' }],
    [429, 'AI1400', { kind: 'unreachable' }],
    [500, 'AI1899', { kind: 'unreachable' }],
    [503, undefined, { kind: 'unreachable' }],
  ])('answered %d %s', async (status, error_code, outcome) => {
    expect(await refund({ status, body: { error_code } })).toMatchObject(outcome);
  });

  test('that was never sent is asked for later', async () => {
    const request = { of, amountCentavos: centavos(100), idempotencyKey: 'k', reason: 'r' };
    expect(await nowhere.refund(keys, request)).toMatchObject({ kind: 'declined' });
  });
});

test('each call is counted under its name', async () => {
  await nowhere.charge(keys, request);
  await nowhere.find(keys, 'p1');
  await nowhere.list(keys, new Date(0), new Date(1));
  await nowhere.refund(keys, {
    of: { type: 'payment', id: 'p1' },
    amountCentavos: centavos(100),
    idempotencyKey: 'k',
    reason: 'r',
  });
  expect(counted).toEqual(
    ['charge', 'find', 'list', 'refund'].map((operation) => ({
      kind: 'provider',
      provider: 'clip',
      operation,
    })),
  );
});
