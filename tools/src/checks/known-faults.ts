import fs from 'node:fs';
import path from 'node:path';

/** Planted faults that no test need notice: by file, each with its line. */
export const KNOWN_FAULTS = 'tools/src/known-mutants.json';

/** Faults listed of a line, or of a file, that is not there any more. */
export function staleFaults(root: string): string[] {
  const known = JSON.parse(fs.readFileSync(path.join(root, KNOWN_FAULTS), 'utf8')) as Record<
    string,
    { line: string }[]
  >;
  return Object.entries(known).flatMap(([name, faults]) => {
    const file = path.join(root, name);
    const lines = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n') : [];
    const standing = new Set(lines.map((line) => line.trim()));
    return faults
      .filter(({ line }) => !standing.has(line))
      .map(({ line }) => `${KNOWN_FAULTS}: ${name} has no such line: ${line}`);
  });
}
