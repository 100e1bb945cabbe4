import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What is read here of an entry of Vite's manifest. */
type Chunk = { file: string; imports?: string[]; dynamicImports?: string[]; css?: string[] };
type Manifest = Readonly<Record<string, Chunk>>;

/** What the build in the folder `dist` consists of. */
export async function readManifest(dist: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(dist, '.vite', 'manifest.json'), 'utf8')) as Manifest;
}

/**
 * The addresses of all that the entry and the screens load, and unless `atOnce` of what the screens load when asked for;
 * not the other screens, which the entry only names. Throws for a screen that the build does not know.
 */
export function filesOf(
  manifest: Manifest,
  entry: string,
  screens: readonly string[],
  { atOnce = false } = {},
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
    if (key !== entry && !atOnce) chunk.dynamicImports?.forEach(visit);
  };
  [entry, ...screens].forEach(visit);
  return [...files].sort();
}
