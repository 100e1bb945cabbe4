import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Plugin } from 'vite';

const ROOT = path.join(import.meta.dirname, '../../..');

/**
 * Names classes after themselves and their file, shorter than the usual name with its line: scripts and sheets repeat them.
 * By the underscore the prerendered pages are checked (web/build/prerender.ts).
 */
export function classNames(): Plugin {
  const ofFile = (file: string) =>
    createHash('sha256')
      .update(path.relative(ROOT, file).replaceAll('\\', '/'))
      .digest('base64url')
      .slice(0, 4);
  return {
    name: 'class-names',
    config: () => ({
      css: { modules: { generateScopedName: (name, file) => `_${name}_${ofFile(file)}` } },
    }),
  };
}
