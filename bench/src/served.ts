import { Writable } from 'node:stream';
import { compose, type Composition } from '@aparta/server/compose';
import { readSettings } from '@aparta/server/env';
import { buildApp } from '@aparta/server/platform/http/app';
import { createLog } from '@aparta/server/platform/logging';

export interface Served {
  readonly db: Composition['db'];
  /** One call with a bearer token; answers the reply's body. Throws unless it is 200. */
  ask<T>(token: string, method: 'GET' | 'POST', path: string, body?: object): Promise<T>;
  close(): Promise<void>;
}

/** The server over a database, wired as in production but for the socket: nothing checks replies, and logs go nowhere. */
export async function serve(databaseUrl: string, env: Record<string, string>): Promise<Served> {
  const read = readSettings({ DATABASE_URL: databaseUrl, ...env });
  if ('problems' in read) throw new Error(read.problems.join('; '));
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const parts = compose(read.settings, createLog('info', nowhere), undefined, 'none');
  const { web: _unused, ...wired } = parts.app;
  const app = await buildApp({ ...wired, checkReplies: false });
  return {
    db: parts.db,
    async ask<T>(token: string, method: 'GET' | 'POST', path: string, body?: object) {
      const { statusCode, body: text } = await app.inject({
        method,
        url: path,
        headers: { authorization: `Bearer ${token}` },
        ...(body && { payload: body }),
      });
      if (statusCode !== 200) throw new Error(`${method} ${path}: ${statusCode} ${text}`);
      return JSON.parse(text) as T;
    },
    async close() {
      await app.close();
      await parts.stop();
    },
  };
}
