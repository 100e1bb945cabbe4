import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'vite';
import { afterBuild } from './after-build.ts';
import { filesOf, readManifest } from './manifest.ts';

/**
 * Writes `offline-worker.js` after the client build, from `worker`, with the modules and documents that are read offline. Its
 * bytes change with each build, which is how browsers notice a new one.
 */
export function offlineWorker({
  worker,
  app,
  modules,
  documents,
  still,
  others = [],
}: {
  worker: string;
  /** What the documents start. */
  app: string;
  modules: readonly string[];
  /** The address of each document, by the first segment of its screens' paths. */
  documents: Readonly<Record<string, string>>;
  /** The document in place of a screen that needs the network, and the first segments of their paths. */
  still?: string;
  others?: readonly string[];
}): Plugin {
  return afterBuild('offline-worker', async (dist, { root, base }) => {
    const manifest = await readManifest(dist);
    const files = filesOf(manifest, app, modules).map((file) => base + file.slice(1));
    const addresses = [...new Set([...Object.values(documents), ...(still ? [still] : [])])];
    const shells = await Promise.all(addresses.map((address) => readShell(dist, address)));
    const version = createHash('sha256')
      .update(JSON.stringify([files, shells]))
      .digest('hex')
      .slice(0, 16);
    const entry = `${base}${manifest[app]?.file}`;
    const lower = Object.fromEntries(
      Object.entries(documents).map(([segment, address]) => [segment.toLowerCase(), address]),
    );
    await build({
      root,
      configFile: false,
      logLevel: 'warn',
      define: {
        OFFLINE: JSON.stringify({
          version,
          entry,
          files,
          assets: `${base}assets/`,
          documents: lower,
          addresses,
          still,
          others: others.map((segment) => segment.toLowerCase()),
        }),
        'process.env.NODE_ENV': '"production"',
      },
      build: {
        outDir: dist,
        emptyOutDir: false,
        copyPublicDir: false,
        lib: { entry: worker, formats: ['iife'], name: 'offline', fileName: () => 'offline-worker.js' },
      },
    });
  });
}

/** As the server serves it: by its first segment, or the index. */
async function readShell(dist: string, address: string): Promise<string> {
  const file = join(dist, `${address.split('/')[1]}.html`);
  return readFile(file, 'utf8').catch(() => readFile(join(dist, 'index.html'), 'utf8'));
}
