import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build, type Plugin } from 'vite';
import { APP, filesOf, readManifest } from './manifest.ts';

/**
 * Writes `/offline-worker.js` after the client build, from `worker`, with the modules that each screen needs offline, by
 * the name of its document. Its bytes change with each build, which is how browsers notice a new one.
 */
export function offlineWorker({
  worker,
  screens,
}: {
  worker: string;
  screens: Readonly<Record<string, readonly string[]>>;
}): Plugin {
  let root: string;
  let dist: string;
  return {
    name: 'offline-worker',
    apply: 'build',
    configResolved(config) {
      root = config.root;
      dist = resolve(config.root, config.build.outDir);
    },
    closeBundle: {
      sequential: true,
      async handler() {
        const manifest = await readManifest(dist);
        const files = Object.fromEntries(
          Object.entries(screens).map(([segment, modules]) => [
            `/${segment}/`,
            filesOf(manifest, APP, modules),
          ]),
        );
        const shells = await Promise.all(
          Object.keys(screens).map((segment) => readFile(join(dist, `${segment}.html`), 'utf8')),
        );
        const version = createHash('sha256')
          .update(JSON.stringify([files, shells]))
          .digest('hex');
        const offline = { version: version.slice(0, 16), entry: `/${manifest[APP]?.file}`, files };
        await build({
          root,
          configFile: false,
          logLevel: 'warn',
          define: { OFFLINE: JSON.stringify(offline) },
          build: {
            outDir: dist,
            emptyOutDir: false,
            copyPublicDir: false,
            lib: { entry: worker, formats: ['iife'], name: 'offline', fileName: () => 'offline-worker.js' },
          },
        });
      },
    },
  };
}
