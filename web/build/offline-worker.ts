import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build, type Plugin } from 'vite';

/** What is read here of an entry of Vite's manifest. */
export type Chunk = { file: string; imports?: string[]; dynamicImports?: string[]; css?: string[] };

/**
 * After the client's build: writes `/offline-worker.js` from `worker`, with the files that the screens need to show without
 * a server. Its bytes change with the build, which is how a browser learns that there is a newer one.
 */
export function offlineWorker({ worker, screens }: { worker: string; screens: readonly string[] }): Plugin {
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
        const manifest = JSON.parse(await readFile(join(dist, '.vite', 'manifest.json'), 'utf8')) as Record<
          string,
          Chunk
        >;
        const shell = await readFile(join(dist, 'index.html'), 'utf8');
        const files = filesOf(manifest, 'index.html', screens);
        const version = createHash('sha256')
          .update(JSON.stringify([files, shell]))
          .digest('hex');
        const offline = { version: version.slice(0, 16), entry: `/${manifest['index.html']?.file}`, files };
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

/**
 * The addresses of all that the entry and the screens load, and of what the screens load when asked for; not the other
 * screens, which the entry only names. Throws for a screen that the build does not know.
 */
export function filesOf(
  manifest: Readonly<Record<string, Chunk>>,
  entry: string,
  screens: readonly string[],
): string[] {
  const visited = new Set<string>();
  const files = new Set<string>();
  const visit = (key: string) => {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`the build has no ${key}`);
    if (visited.has(key)) return;
    visited.add(key);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(`/${file}`);
    chunk.imports?.forEach(visit);
    if (key !== entry) chunk.dynamicImports?.forEach(visit);
  };
  [entry, ...screens].forEach(visit);
  return [...files].sort();
}
