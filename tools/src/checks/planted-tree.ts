import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A folder of its own with these files in it, for checks that must see a planted fault. Remove it with `remove`. */
export function plantTree(files: Record<string, string>): { root: string; remove(): void } {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-planted-'));
  for (const [file, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    fs.writeFileSync(path.join(root, file), text);
  }
  return { root, remove: () => fs.rmSync(root, { recursive: true, force: true }) };
}
