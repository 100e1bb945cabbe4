import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { LIMITS, type Measured, measureScreens } from '@aparta/tools/budgets';
import { root, runTool } from '@aparta/tools/steps';
import { build, type Plugin } from 'vite';
import { kB } from './report.ts';

const REPORT = path.join(root, 'bench', 'bytes.md');
/** What is smaller stands in one line with others of its kind. */
const LEAST = 300;

/** Bytes by part of the code, of one file of the build. */
type Parts = ReadonlyMap<string, number>;

/** Writes where each kilobyte of both applications is to bench/bytes.md. */
export async function benchBytes(log: (line: string) => void): Promise<void> {
  const written = ['# Where the bytes are', 'Brotli, JS and CSS; written by `npm run bench -- bytes`.'];
  for (const application of ['web', 'counter'] as const) written.push(...(await report(application)));
  fs.writeFileSync(REPORT, `${written.join('\n\n')}\n`);
  await runTool('oxfmt/bin/oxfmt', [REPORT]);
  log(`Written to ${path.relative(root, REPORT)}`);
}

async function report(application: keyof typeof LIMITS): Promise<string[]> {
  const dist = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-bytes-'));
  try {
    const parts = new Map<string, Parts>();
    await build({
      root: path.join(root, application),
      configFile: path.join(root, application, 'vite.config.ts'),
      logLevel: 'error',
      build: { outDir: dist, emptyOutDir: true },
      plugins: [weighParts(parts)],
    });
    const [first, ...screens] = measureScreens(dist, LIMITS[application]);
    if (first === undefined) throw new Error('nothing was built');
    return [
      `## ${application}`,
      `First load: ${kB(first.bytes)} of ${kB(first.limit)} kB.`,
      table(['Part', 'kB'], rowsOf(first, dist, parts)),
      table(
        ['Screen', `kB more, of ${kB(LIMITS[application].screen)}`, 'Most of it'],
        screens
          .toSorted((one, other) => other.bytes - one.bytes)
          .map((screen) => [
            nameOf(screen, LIMITS[application].screen),
            kB(screen.bytes),
            rowsOf(screen, dist, parts)
              .slice(0, 3)
              .map(([part, size]) => `${part} ${size}`)
              .join(', '),
          ]),
      ),
    ];
  } finally {
    fs.rmSync(dist, { recursive: true });
  }
}

/** What shows more than a screen's own file, or shares nothing with the others, has a limit of its own. */
function nameOf({ screen, limit }: Measured, usual: number): string {
  return path.basename(screen, '.tsx') + (limit === usual ? '' : ` (of ${kB(limit)})`);
}

/** Notes for each file how much each part has of it, by what its modules weigh alone. */
function weighParts(into: Map<string, Parts>): Plugin {
  return {
    name: 'weigh-parts',
    api: { apart: true },
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue;
        const parts = new Map<string, number>();
        for (const [id, { code }] of Object.entries(file.modules)) {
          const part = partOf(id);
          parts.set(part, (parts.get(part) ?? 0) + (code ? brotliCompressSync(code).length : 0));
        }
        into.set(file.fileName, parts);
      }
    },
  };
}

/** A dependency by its name, our code by its folder. */
function partOf(id: string): string {
  const dependency = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1];
  if (dependency !== undefined) return dependency;
  const [wing = '', , folder = ''] = path.relative(root, id.replace(/^\0/, '')).split('/');
  if (id.startsWith('\0') || wing === '..') return 'the bundler’s helpers';
  return folder.includes('.') || folder === '' ? wing : `${wing}/${folder}`;
}

/** What a screen loads, part by part, the largest first. */
function rowsOf({ files }: Measured, dist: string, parts: ReadonlyMap<string, Parts>): [string, string][] {
  const total = new Map<string, number>();
  const add = (part: string, bytes: number) => total.set(part, (total.get(part) ?? 0) + bytes);
  for (const file of files) {
    const bytes = brotliCompressSync(fs.readFileSync(path.join(dist, file))).length;
    const own = [...(parts.get(file) ?? [['styles', 1]])] as [string, number][];
    const all = own.reduce((sum, [, weight]) => sum + weight, 0);
    // Together they press better than alone: each has its share of what the file costs.
    for (const [part, weight] of own) add(part, (bytes * weight) / (all || 1));
  }
  const small = [...total].filter(([, bytes]) => bytes < LEAST);
  for (const [part] of small) total.delete(part);
  if (small.length > 0)
    total.set(
      'what is smaller',
      small.reduce((sum, [, bytes]) => sum + bytes, 0),
    );
  return [...total].toSorted(([, one], [, other]) => other - one).map(([part, bytes]) => [part, kB(bytes)]);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map((_, column) => (column === 1 ? '--:' : '--')), ...rows];
  return lines.map((row) => `| ${row.join(' | ')} |`).join('\n');
}
