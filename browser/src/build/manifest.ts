import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The parts of a manifest entry that are used here. */
type Chunk = { file: string; imports?: string[]; css?: string[] };
type Manifest = Readonly<Record<string, Chunk>>;

/** Reads the manifest of the build in `dist`. */
export async function readManifest(dist: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(dist, '.vite', 'manifest.json'), 'utf8')) as Manifest;
}

/** URLs of all files that the entry and the modules load at once. Throws for a module that is not in the build. */
export function filesOf(manifest: Manifest, entry: string, modules: readonly string[]): string[] {
  const visited = new Set<string>();
  const files = new Set<string>();
  const visit = (key: string) => {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`the build has no ${key}`);
    if (visited.has(key)) return;
    visited.add(key);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(`/${file}`);
    chunk.imports?.forEach(visit);
  };
  [entry, ...modules].forEach(visit);
  return [...files].sort();
}
