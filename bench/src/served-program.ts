import { compose } from '@aparta/server/compose';
import { readSettings } from '@aparta/server/env';
import { buildApp } from '@aparta/server/platform/http/app';
import { createLog } from '@aparta/server/platform/logging';

/** The server in a process of its own, as in production: nothing checks replies. Without jobs, which would share the figures. */
const read = readSettings(process.env);
if ('problems' in read) throw new Error(read.problems.join('; '));
const { settings } = read;
const parts = compose(settings, createLog(settings.logLevel));
const { web: _unused, ...wired } = parts.app;
const app = await buildApp({ ...wired, checkReplies: false });
process.on('SIGTERM', () => void app.close().then(() => parts.stop()));
await app.listen({ host: '127.0.0.1', port: settings.port });
