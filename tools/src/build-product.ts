import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { StartFailure } from './start-failure.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The server's program, as it is built. */
export const BUILT_SERVER = path.join(root, 'server', 'dist', 'main.js');
const SERVER_SOURCE = path.join(root, 'server', 'src', 'main.ts');
/** What the buyers open, what the shops' people open, and what answers both. */
const PARTS = { web: 'the web app', counter: 'the counter', server: 'the server' } as const;

const MODE = 'production';

/** What a build is told, whatever the shell says: for `development` Vite calls what the React that it bundles does not have. */
export function buildEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, NODE_ENV: MODE };
}

/** Builds `dist` of each part unless it was built from these very sources. Throws `StartFailure` with what Vite said. */
export async function buildProduct(log: (line: string) => void): Promise<void> {
  await Promise.all(Object.entries(PARTS).map(([folder, name]) => build(folder, name, log)));
}

async function build(folder: string, name: string, log: (line: string) => void): Promise<void> {
  const part = path.join(root, folder);
  const stamp = stampOfSources(part);
  if (isBuilt(part, stamp)) return;
  log(`Building ${name}`);
  const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  try {
    await promisify(execFile)(process.execPath, [vite, 'build'], { cwd: part, env: buildEnvironment() });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new StartFailure(`Cannot build ${name}:\n${stdout}${stderr}`, { cause: error });
  }
  fs.writeFileSync(stampFileOf(part), stamp);
}

const stampFileOf = (part: string) => path.join(part, 'dist', '.aparta-stamp');
const isBuilt = (part: string, stamp: string) =>
  fs.existsSync(stampFileOf(part)) && fs.readFileSync(stampFileOf(part), 'utf8') === stamp;

/** The server's program for tests, which start it often: built, if from these very sources, or else the source. */
export function serverProgram(): string {
  const part = path.join(root, 'server');
  return isBuilt(part, stampOfSources(part)) ? BUILT_SERVER : SERVER_SOURCE;
}

/** Names and contents of all that a build reads: the part, the packages it bundles, the dependencies. */
function stampOfSources(part: string): string {
  const hash = createHash('sha256').update(MODE);
  const manifest = fs.readFileSync(path.join(part, 'package.json'), 'utf8');
  const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };
  const bundled = Object.keys(dependencies)
    .filter((name) => name.startsWith('@aparta/'))
    .map((name) => path.join(root, name.slice('@aparta/'.length)));
  const files = [part, ...bundled].flatMap(filesOf).filter((file) => !/\.test\.tsx?$/.test(file));
  for (const file of [...files, path.join(root, 'package-lock.json')]) {
    hash.update(path.relative(root, file)).update('\0').update(fs.readFileSync(file));
  }
  return hash.digest('hex');
}

function filesOf(folder: string): string[] {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && name !== 'dist' && !name.startsWith('.'))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const full = path.join(folder, entry.name);
      return entry.isDirectory() ? filesOf(full) : [full];
    });
}
