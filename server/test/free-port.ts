import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A port of the loopback where a server can listen, and listen again after it was killed: `preferred` if it is free. Any other is
 * below the range of outgoing connections, which could take it while the server is down.
 */
export async function freePort(preferred?: number): Promise<number> {
  for (let tries = 0; tries < 50; tries += 1) {
    const port = (tries === 0 && preferred) || randomInt(20_000, 30_000);
    if (await isFree(port)) return port;
  }
  throw new Error('no port from 20000 to 29999 is free on 127.0.0.1');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
