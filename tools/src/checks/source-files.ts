import fs from 'node:fs';
import path from 'node:path';

const SKIPPED = new Set(['node_modules', 'dist']);

/** Every file under `folder`, in order, without what is installed, built or hidden. Paths are relative, with `/`. */
export function sourceFiles(folder: string): string[] {
  const found: string[] = [];
  const visit = (relative: string) => {
    const entries = fs.readdirSync(path.join(folder, relative), { withFileTypes: true });
    for (const entry of entries) {
      if (SKIPPED.has(entry.name) || entry.name.startsWith('.')) continue;
      const file = relative ? `${relative}/${entry.name}` : entry.name;
      if (entry.isDirectory()) visit(file);
      else found.push(file);
    }
  };
  visit('');
  return found.toSorted();
}
