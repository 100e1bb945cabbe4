/*
 * The entry of every command: node tools/bootstrap.mjs <command> [arguments].
 * Runs before anything is installed, on whatever Node runs npm, so it is plain JavaScript with no dependency.
 */
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const COMMANDS = [
  'start',
  'build',
  'test',
  'verify',
  'e2e',
  'bench',
  'chaos',
  'dev',
  'migrate',
  'seed',
  'demo',
  'docs',
  'admin',
  'measure',
  'coverage-proof',
  'fuzz',
  'mutants',
];
/** They need what runs and nothing of what tests and measures. */
const RUNNING = ['start', 'build', 'migrate', 'seed', 'demo', 'admin'];
const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const windows = process.platform === 'win32';
const BY_HAND = 'install it and run this with it';
/** What npm reads rather than the lock, while it installs. */
const located = path.join(root, 'npm-shrinkwrap.json');
const pinned = fs.readFileSync(path.join(root, '.nvmrc'), 'utf8').trim();
/** Node has a package for each platform. */
const nodePackage = `node_modules/${
  process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'
}-${windows ? 'win' : process.platform}-${process.arch}`;

/** What Node's own programs for Linux need since Node 25, and neither Debian nor Fedora has from the start. */
const LIBRARY = 'libatomic.so.1';
const libraries = path.join(root, '.cache', 'libatomic');

const [command = '', ...rest] = process.argv.slice(2);
if (!COMMANDS.includes(command)) fail(`Say which of these to run: ${COMMANDS.join(', ')}.`);
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  fail(`Node 20.19 or later is needed to begin with; this one is ${process.versions.node}.`);
}
fs.rmSync(located, { force: true }); // of an installing that was killed
install(!RUNNING.includes(command));
const node = pinnedNode();
const source = path.join(root, 'tools', 'src', `${command}.ts`);
if (!fs.existsSync(source)) fail(`There is no ${command} yet.`);
become(node, [source, ...rest]);

/** Installs when node_modules is not what the lock file says. */
function install(withDevelopment) {
  if (isInstalled(withDevelopment)) return;
  say(`Installing dependencies${withDevelopment ? '' : ' to run'} (the first time takes a minute)`);
  // What runs already may be running: it is added to, not replaced. One line, not a list: Windows runs npm through its
  // shell. With NODE_ENV=production npm would leave out development by itself.
  const how = withDevelopment && isInstalled(false) ? 'install --no-save' : 'ci';
  const what = withDevelopment ? '--include=dev' : '--omit=dev';
  const goOn = () => {}; // a terminal's Ctrl-C ends npm, and we tidy up
  process.on('SIGINT', goOn);
  fs.writeFileSync(located, JSON.stringify(withPlaces(readLock())));
  const done = spawnSync(
    `npm ${how} ${what} --replace-registry-host=always --ignore-scripts --no-audit --no-fund --loglevel=error`,
    { cwd: root, shell: true, stdio: ['ignore', 'inherit', 'inherit'] },
  );
  fs.rmSync(located, { force: true });
  process.off('SIGINT', goOn);
  if (done.status !== 0) fail('Installing dependencies failed; what npm said is above.');
}

/**
 * The lock with where each package is, as every registry has it. Ours names none, so npm would ask about each package first: most
 * of the time that installing takes. npm puts its own registry in the place of the one that is named here.
 */
function withPlaces(lock) {
  for (const [place, entry] of Object.entries(lock.packages)) {
    const [, inside] = place.split(/^(?:.*\/)?node_modules\//);
    if (inside === undefined || entry.link || entry.resolved) continue;
    const name = entry.name ?? inside;
    entry.resolved = `https://registry/${name}/-/${path.posix.basename(name)}-${entry.version}.tgz`;
  }
  return lock;
}

/** npm's own record of what it installed, written last, against the lock file. Platform packages may be absent, but for Node itself. */
function isInstalled(withDevelopment) {
  const record = path.join(root, 'node_modules', '.package-lock.json');
  if (!fs.existsSync(record)) return false;
  const [wanted, present] = [readLock(), readLock(record)].map(({ packages }) => packages);
  return Object.entries(wanted).every(
    ([place, { version, optional, devOptional, dev, link }]) =>
      !place.includes('node_modules/') ||
      (optional &&
        present[place] === undefined &&
        (place !== nodePackage || process.versions.node === pinned)) ||
      link ||
      (!withDevelopment && (dev || devOptional)) ||
      present[place]?.version === version,
  );
}

function readLock(file = path.join(root, 'package-lock.json')) {
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}

/** The Node that the project pins: the one that runs already, or npm's. */
function pinnedNode() {
  if (process.versions.node === pinned) return process.execPath;
  const manifest = path.join(root, nodePackage, 'package.json');
  const has = fs.existsSync(manifest) && JSON.parse(fs.readFileSync(manifest, 'utf8')).version;
  if (has === pinned) return prepared(path.join(root, nodePackage, 'bin', windows ? 'node.exe' : 'node'));
  return fail(`npm brought no Node ${pinned} for ${process.platform} ${process.arch}: ${BY_HAND}.`);
}

/**
 * Node once it finds its library. The name by which units and editors start it is npm's to make, and npm 9 does not; where the library
 * had to be fetched it goes, since npm would begin with it.
 */
function prepared(binary) {
  if (windows) return binary;
  const link = path.join(root, 'node_modules', '.bin', 'node');
  const isFetched = useLibrary() || (lacksLibrary(binary) && fetchLibrary());
  if (isFetched) fs.rmSync(link, { force: true });
  else if (!fs.existsSync(link)) fs.symlinkSync(path.relative(path.dirname(link), binary), link);
  return binary;
}

function lacksLibrary(binary) {
  return spawnSync(binary, ['--version'], { encoding: 'utf8' }).stderr?.includes(LIBRARY) ?? false;
}

/** From Debian's packages, without installing it, so as anybody. */
function fetchLibrary() {
  say(`Fetching ${LIBRARY}, which Node ${pinned} needs`);
  fs.mkdirSync(libraries, { recursive: true });
  const fetch = 'apt-get download libatomic1';
  const steps = `(${fetch} || (apt-get update && ${fetch})) && dpkg-deb --extract libatomic1_*.deb .`;
  spawnSync(steps, { cwd: libraries, shell: true, stdio: 'ignore' });
  if (useLibrary()) return true;
  return fail(
    `Node ${pinned} needs ${LIBRARY}, which this system lacks. As root, install it and run this again: ` +
      'apt-get install libatomic1 (Debian, Ubuntu) or dnf install libatomic (Fedora).',
  );
}

/** All that runs from here on finds what was fetched; false where nothing was. */
function useLibrary() {
  const files = fs.existsSync(libraries) ? fs.readdirSync(libraries, { recursive: true }) : [];
  const file = files.find((name) => path.basename(name) === LIBRARY);
  if (file === undefined) return false;
  const folders = [path.join(libraries, path.dirname(file)), process.env.LD_LIBRARY_PATH];
  process.env.LD_LIBRARY_PATH = folders.filter(Boolean).join(path.delimiter);
  return true;
}

/** Runs the command in our place: same terminal, same end, same signals. */
function become(binary, args) {
  const bins = [path.dirname(binary), path.join(root, 'node_modules', '.bin')];
  const compiled = path.join(root, 'node_modules', '.cache', 'node'); // spares every program a second of compiling
  const child = spawn(binary, args, {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'], // the channel closes when we are gone, however we died
    env: {
      NODE_COMPILE_CACHE: compiled,
      ...process.env,
      PATH: [...bins, process.env.PATH].join(path.delimiter),
    },
  });
  // A terminal's Ctrl-C reaches the child by itself; a signal sent to us alone has to be handed on.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  // npm killed outright tells nobody, but whoever ran us then gets another parent.
  const born = ancestors();
  const runByNpm = process.env.npm_lifecycle_event !== undefined;
  if (runByNpm) setInterval(() => ancestors() === born || process.exit(1), 1000).unref();
  child.on('error', ({ message }) => fail(`Node ${pinned} does not run here (${message}): ${BY_HAND}.`));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
}

/** Our parent, npm's shell, and on Linux its parent, npm. */
function ancestors() {
  try {
    const parent = fs.readFileSync(`/proc/${process.ppid}/status`, 'utf8');
    return `${process.ppid} ${/^PPid:\s*(\d+)/m.exec(parent)?.[1]}`;
  } catch {
    return String(process.ppid);
  }
}

function say(line) {
  console.log(`aparta: ${line}`);
}

function fail(line) {
  console.error(`aparta: ${line}`);
  process.exit(1);
}
