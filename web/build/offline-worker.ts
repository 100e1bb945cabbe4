import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build, type Plugin } from 'vite';
import { APP, filesOf, readManifest } from './manifest.ts';

/**
 * Writes `/offline-worker.js` after the client build, from `worker`, with the list of files and the document
 * that the screens need offline. Its bytes change with each build, which is how browsers notice a new one.
 */
export function offlineWorker({
  worker,
  document,
  screens,
}: {
  worker: string;
  document: string;
  screens: readonly string[];
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
        const shell = await readFile(join(dist, document), 'utf8');
        const files = filesOf(manifest, APP, screens);
        const version = createHash('sha256')
          .update(JSON.stringify([files, shell]))
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
