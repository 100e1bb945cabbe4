import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { REFUSALS } from '@aparta/contract/refusals';
import { TILL_ERRORS } from '@aparta/contract/tills';
import { freePort } from '@aparta/server/test/free-port';
import { expect, test } from 'vitest';

import { root } from './steps.ts';

const hasCaddy = spawnSync('caddy', ['version']).status === 0;

test.skipIf(!hasCaddy)(
  'with every server down, the proxy tells a buyer in Spanish, an app and a till in their own form',
  async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-caddy-'));
    const [port, nobody] = [await freePort(), await freePort()];
    const caddy = spawn(
      'caddy',
      ['run', '--adapter', 'caddyfile', '--config', path.join(root, 'ops', 'Caddyfile')],
      {
        env: {
          ...process.env,
          SITE: `http://127.0.0.1:${port}`,
          UPSTREAM: `to 127.0.0.1:${nobody}`,
          CADDY_ADMIN: `unix/${path.join(folder, 'admin')}`,
          HOME: folder,
          XDG_DATA_HOME: folder,
          XDG_CONFIG_HOME: folder,
        },
        stdio: 'ignore',
      },
    );
    try {
      const get = (where: string) => fetch(`http://127.0.0.1:${port}${where}`);
      const isUp = () =>
        fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(100) }).then(
          () => true,
          (error: Error) => error.name === 'TimeoutError', // it still looks for a server
        );
      await expect.poll(isUp, { timeout: 15_000 }).toBe(true);
      const [page, app, till] = await Promise.all([
        get('/cxcList'),
        get('/v1/Cxc/ByBuyerIdH/1'),
        get('/PosOperations/payment'),
      ]);
      for (const reply of [page, app, till])
        expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '5']);
      expect(page.headers.get('content-type')).toContain('text/html');
      expect(await page.text()).toContain('no repitas el pago');
      expect(await app.json()).toEqual({
        isSuccess: false,
        code: 'UNAVAILABLE',
        message: REFUSALS.UNAVAILABLE,
        data: null,
      });
      expect(await till.json()).toEqual({
        error: TILL_ERRORS.internal,
        mensaje: expect.stringContaining('consulta'),
        autorizacion: '',
      });
    } finally {
      caddy.kill();
      await once(caddy, 'exit');
      fs.rmSync(folder, { recursive: true, force: true });
    }
  },
);
