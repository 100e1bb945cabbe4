import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port of the loopback where a test's server can listen, and listen again after it was killed. It is below the range of
 * outgoing connections, which could take it while the server is down.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 50; tries += 1) {
    const port = randomInt(20_000, 30_000);
    const probe = createServer().listen(port, '127.0.0.1');
    const [outcome] = await Promise.race([
      once(probe, 'listening').then(() => ['free']),
      once(probe, 'error').then(() => ['taken']),
    ]);
    probe.close();
    if (outcome === 'free') return port;
  }
  throw new Error('no port from 20000 to 29999 is free on 127.0.0.1');
}
