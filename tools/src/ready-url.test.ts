import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { nodeEnvironment } from '@aparta/server/test/node-environment';
import { expect, onTestFinished, test } from 'vitest';
import { readyUrl } from './ready-url.ts';

test('a server is asked where it listens', () => {
  for (const HOST of ['', '0.0.0.0', '::', '127.0.0.1'])
    expect(readyUrl({ HOST, PORT: '80' })).toBe('http://127.0.0.1:80/readyz');
  expect(readyUrl({ HOST: '10.0.0.5' }, '/healthz')).toBe('http://10.0.0.5:3000/healthz');
  expect(readyUrl({ HOST: '10.0.0.5' })).toBe('http://10.0.0.5:3000/readyz');
  expect(readyUrl({ HOST: '::1' })).toBe('http://[::1]:3000/readyz');
});

test.runIf(process.platform === 'linux').each(['127.0.0.1', '127.0.0.2', '0.0.0.0'])(
  'systemd’s start is over when the server that listens on %s is ready',
  async (HOST) => {
    const server = createServer((_, reply) => reply.end()).listen(0, HOST);
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const unit = fs.readFileSync(new URL('../../ops/systemd/aparta@.service', import.meta.url), 'utf8');
    const script = /^ExecStartPost=\S+ -e "([^"]+)"$/m.exec(unit.replaceAll('\\\n', ' '))?.[1] ?? '';
    expect(script).not.toContain('$'); // systemd would put a setting there
    const waiting = spawn(process.execPath, ['-e', script.replaceAll('%i', String(port))], {
      env: { ...nodeEnvironment, HOST },
      stdio: 'inherit',
    });
    onTestFinished(() => void waiting.kill());
    expect((await once(waiting, 'exit'))[0]).toBe(0);
  },
);
