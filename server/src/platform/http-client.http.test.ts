import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { freePort } from '../../test/free-port.ts';
import { httpClient } from './http-client.ts';

const http = httpClient({ connectTimeoutMs: 500 });
const hits: string[] = [];
let provider: Server;
let base: string;

/** What a provider that was taken over, or is simply broken, might answer. */
const ANSWERS: Readonly<Record<string, (reply: ServerResponse) => void>> = {
  '/inside': (reply) => void reply.writeHead(302, { location: '/secret' }).end(),
  '/secret': (reply) => void reply.end('{"ok":true}'),
  '/metadata': (reply) => void reply.writeHead(307, { location: 'http://169.254.169.254/latest' }).end(),
  '/endless': (reply) => {
    const more = () => {
      while (!reply.destroyed && reply.write('x'.repeat(65_536)));
    };
    reply.on('drain', more);
    more();
  },
  '/silent': () => {},
  '/drops': (reply) => void reply.write('{"ok":'),
  '/page': (reply) => void reply.end('<html>'),
  '/echo': (reply) => void reply.writeHead(400).end('{"code":"4555128482797669","error_code":"x y"}'),
  '/refuses': (reply) => void reply.writeHead(422).end('{"error_code":"AI1400"}'),
};

beforeAll(async () => {
  provider = createServer(({ url = '' }, reply) => {
    hits.push(url);
    ANSWERS[url]?.(reply);
  }).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  base = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
});
afterAll(async () => {
  provider.closeAllConnections();
  provider.close();
  await http.close();
});

const asked = { as: ['clip', 'find'], headers: {}, timeoutMs: 400 } as const;
const call = (path: string) =>
  http.call({ ...asked, method: 'GET', url: base + path, reply: v.object({ ok: v.boolean() }) });
const download = (path: string) => http.download({ ...asked, url: base + path });

describe('an answer that leads elsewhere is not followed', () => {
  test.each(['/inside', '/metadata'])('%s', async (path) => {
    hits.length = 0;
    expect(await call(path)).toMatchObject({ kind: 'unreachable' });
    expect(await download(path)).toMatchObject({ kind: 'unreachable' });
    expect(hits).toEqual([path, path]);
  });
});

describe('an answer that does not begin, or stops half-way, is let go', () => {
  test.each(['/silent', '/drops'])('%s', async (path) => {
    expect(await call(path)).toMatchObject({ kind: 'unreachable', why: 'TimeoutError' });
    expect(await download(path)).toMatchObject({ kind: 'unreachable', why: 'TimeoutError' });
  });
});

test('an answer without an end fills no memory', async () => {
  const endless = { ...asked, url: `${base}/endless`, timeoutMs: 20_000 };
  const tooLarge = { kind: 'unreachable', why: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' };
  expect(await http.download(endless)).toEqual(tooLarge);
  expect(await http.call({ ...endless, method: 'GET', reply: v.unknown() })).toEqual(tooLarge);
});

test('an answer that is not as documented is none', async () => {
  expect(await call('/secret')).toMatchObject({ kind: 'answer', status: 200, body: { ok: true } });
  expect(await call('/page')).toMatchObject({ kind: 'unreachable', why: 'a body that is not as documented' });
});

test('a refusal tells its code, and never what it echoes', async () => {
  expect(await call('/refuses')).toEqual({ kind: 'refused', status: 422, code: 'AI1400' });
  expect(await call('/echo')).toEqual({ kind: 'refused', status: 400, code: undefined });
});

test('what nobody listens to was never sent', async () => {
  const url = `http://127.0.0.1:${await freePort()}/`;
  expect(await http.download({ ...asked, url })).toMatchObject({ kind: 'not_sent', why: 'ECONNREFUSED' });
});
