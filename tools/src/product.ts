import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { publishTemplates } from '@aparta/server/accounts/legal/templates';
import { openDb } from '@aparta/server/platform/db/db';
import { migrate } from '@aparta/server/platform/db/migrate';
import { BUILT_SERVER } from './build-product.ts';
import { demoStanding } from './demo-standing.ts';
import { savePorts } from './kept-ports.ts';
import { serverUrlOf } from './server-url.ts';
import { startPostgres } from './postgres.ts';
import { startProgram, type Program } from './program.ts';
import { readyUrl } from './ready-url.ts';
import { StartFailure } from './start-failure.ts';

export type ProductOptions = {
  /** Everything that must outlive a run: database, sandbox, development secrets, logs. */
  dataDir: string;
  port: number;
  /** The sandbox's first port; the next three are its too (email, card frame, 3DS challenge). */
  sandboxPort: number;
  /** A PostgreSQL to use instead of the embedded one, by the login that owns the database. */
  databaseUrl?: string | undefined;
  /** Settings of the embedded PostgreSQL, e.g. `{ fsync: "off" }` in tests. */
  databaseSettings?: Record<string, string>;
  /** `when-empty` fills a database that has no buyer and no merchant yet; default `never`. */
  demo?: 'when-empty' | 'never';
  /** Makes what the server serves, while the database is prepared; otherwise it must have been made (`build-product.ts`). */
  build?: (log: (line: string) => void) => Promise<void>;
  /** The server's program, when it is not the one that is built. */
  server?: string;
  /** More settings of the server, e.g. `TEST_CLOCKS`; they win over the ones made here. */
  env?: Record<string, string>;
  log?: (line: string) => void;
};

/** One of the product's two programs. After `kill` or `stop`, `start` runs it again with the same settings. */
export type Part = { start(): Promise<void>; stop(): Promise<void>; kill(): Promise<void> };

export type Product = {
  /** Where the buyer's web app is, e.g. `http://localhost:3000`. */
  origin: string;
  /** Where the sandbox's pages are. */
  sandboxOrigin: string;
  /** By the login that owns it; the server has one of its own. */
  databaseUrl: string;
  server: Part;
  sandbox: Part;
  /** Settles with a sentence when a program ends without having been asked to. */
  broken: Promise<string>;
  stop(): Promise<void>;
};

const root = fileURLToPath(new URL('../..', import.meta.url));
const SEED = path.join(root, 'tools/src/seed.ts');

/**
 * Starts database, sandbox and server of a development product, migrated and on demand with demo data, and
 * returns when all of them answer. Everything ends with this process, however it dies. Throws `StartFailure` with a sentence for the operator.
 */
export async function startProduct(options: ProductOptions): Promise<Product> {
  const { dataDir, port, sandboxPort, log = () => {} } = options;
  const origin = `http://localhost:${port}`;
  const sandboxOrigin = `http://localhost:${sandboxPort}`;
  const undo: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    makeFolder(dataDir);
    await demandFreePorts(options);
    savePorts(dataDir, options);

    const built = options.build?.(log);
    built?.catch(() => {}); // told once it is needed
    const broken = Promise.withResolvers<string>();
    log(options.databaseUrl ? 'Database: the one of DATABASE_URL' : 'Starting the database');
    const databaseUrl = options.databaseUrl ?? (await startEmbedded(options, undo, broken.resolve));
    const { DATABASE_OWNER_URL: _theOwners, ...env } = {
      ...environment(options, databaseUrl),
      ...options.env,
    };
    const part = async (name: string, file: string, readyUrl: string): Promise<Part> => {
      const made = makePart({ name, file: path.resolve(root, file), env, readyUrl }, dataDir, broken.resolve);
      log(`Starting the ${name}`);
      // Before it is there, so that all end in this order, whichever is ready first.
      undo.push(made.stop);
      await made.start();
      return made;
    };
    const sandboxStarts = part('sandbox', 'sandbox/src/main.ts', `http://127.0.0.1:${sandboxPort}/`);
    const serverStarts = (async () => {
      await migrateOrSay(databaseUrl);
      // A half is its affair too: it says what to do about it.
      if (options.demo === 'when-empty' && (await demoStanding(databaseUrl)) !== 'kept') {
        await sandboxStarts;
        log('Making the demo data');
        seed({ ...env, DATABASE_URL: databaseUrl });
      }
      await built;
      // Its jobs start while somebody opens the first page.
      return part('server', options.server ?? BUILT_SERVER, readyUrl(env, '/healthz'));
    })();
    // Both to their end, so that what has begun can be ended.
    await Promise.allSettled([sandboxStarts, serverStarts]);
    const [sandbox, server] = await Promise.all([sandboxStarts, serverStarts]);
    return { origin, sandboxOrigin, databaseUrl, server, sandbox, broken: broken.promise, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What the programs are told, with both logins of the database at `ownerUrl`. A setting that the operator made stays as it is. */
export function environment(
  { dataDir, port, sandboxPort }: ProductOptions,
  ownerUrl: string,
): Record<string, string> {
  const at = (offset: number) => `http://localhost:${sandboxPort + offset}`;
  const [sandbox, frame, challenge] = [at(0), at(2), at(3)];
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return {
    PUBLIC_ORIGIN: `http://localhost:${port}`,
    PRODUCT_ORIGIN: `http://localhost:${port}`, // what the sandbox calls it
    SMTP_URL: `smtp://127.0.0.1:${sandboxPort + 1}`,
    MAIL_FROM: 'Aparta <no-responder@aparta.test>',
    CLIP_API_BASE: sandbox,
    CLIP_SDK_URL: `${sandbox}/js/clip-sdk.js`,
    CLIP_CSP_SCRIPT: sandbox,
    CLIP_CSP_FRAME: `${frame} ${challenge}`,
    CLIP_CSP_CONNECT: `${sandbox} ${frame}`,
    CLIP_3DS_ORIGINS: challenge,
    TAPI_LOGIN_BASE: sandbox,
    TAPI_API_BASE: sandbox,
    FACTURA_GREEN_BASE: sandbox,
    ...developmentSecrets(dataDir),
    ...Object.fromEntries(inherited),
    DATA_DIR: dataDir,
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    DATABASE_URL: serverUrlOf(ownerUrl),
    DATABASE_OWNER_URL: ownerUrl,
  };
}

/** Made once and kept, because what is encrypted with them stays in the database. */
function developmentSecrets(dataDir: string): Record<string, string> {
  const file = path.join(dataDir, 'development-secrets.json');
  if (!fs.existsSync(file)) {
    const secrets = { SECRETS_KEY: randomBytes(32).toString('base64') };
    fs.writeFileSync(file, JSON.stringify(secrets, null, 2), { mode: 0o600 });
  }
  return JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, string>;
}

function makePart(
  program: { name: string; file: string; env: Record<string, string>; readyUrl: string },
  dataDir: string,
  onBroken: (sentence: string) => void,
): Part {
  let running: Program | undefined;
  const logFile = path.join(dataDir, `${program.name}.log`);
  const leave = async (way: 'stop' | 'kill') => {
    const leaving = running;
    running = undefined;
    await leaving?.[way]();
  };
  return {
    start: async () => {
      const started = await startProgram({ ...program, logFile });
      running = started;
      void started.exited.then((code) => {
        if (running === started) onBroken(`The ${program.name} ended by itself (${code}); see ${logFile}.`);
      });
    },
    stop: () => leave('stop'),
    kill: () => leave('kill'),
  };
}

async function startEmbedded(
  { dataDir, databaseSettings = {} }: ProductOptions,
  undo: (() => Promise<void>)[],
  onBroken: (sentence: string) => void,
): Promise<string> {
  const folder = path.join(dataDir, 'postgres');
  const postgres = await startPostgres({ dataDir: folder, settings: databaseSettings });
  let isAsked = false;
  undo.push(() => {
    isAsked = true;
    return postgres.stop();
  });
  // The server would answer 503 for ever, and wait for a database that nobody begins again.
  void postgres.ended.then(() => {
    if (isAsked) return;
    onBroken(
      postgres.adopted
        ? 'The database ended with the command that had begun it; start again.'
        : `The database ended by itself; start again, or see ${path.join(folder, 'aparta-postgres.log')}.`,
    );
  });
  return postgres.socketUrl;
}

/** Also publishes the template texts, which no server may. */
async function migrateOrSay(databaseUrl: string): Promise<void> {
  try {
    await migrate(databaseUrl, { serverUrl: serverUrlOf(databaseUrl) });
    const db = openDb({ url: databaseUrl, role: 'aparta_operator', max: 1 });
    try {
      await publishTemplates(db);
    } finally {
      await db.destroy();
    }
  } catch (error) {
    const { host } = new URL(databaseUrl);
    const said = error instanceof Error ? error.message || String(error) : String(error);
    throw new StartFailure(`The database at ${host} could not be brought up to date: ${said}`, {
      cause: error,
    });
  }
}

function seed(env: Record<string, string>): void {
  const done = spawnSync(process.execPath, [SEED], { env, cwd: root, encoding: 'utf8' });
  if (done.status !== 0)
    throw new StartFailure(`The demo data could not be made:\n${done.stdout}${done.stderr}`);
}

function makeFolder(dataDir: string): void {
  try {
    fs.mkdirSync(dataDir, { recursive: true });
    fs.accessSync(dataDir, fs.constants.W_OK);
  } catch (error) {
    throw new StartFailure(`The data folder ${dataDir} cannot be written: set DATA_DIR to another.`, {
      cause: error,
    });
  }
}

/** Throws `StartFailure` when something listens where this copy of the product would: another run of it, most often. */
export async function demandFreePorts({
  port,
  sandboxPort,
}: Pick<ProductOptions, 'port' | 'sandboxPort'>): Promise<void> {
  const wanted = [
    { port, setting: 'PORT' },
    ...[0, 1, 2, 3].map((next) => ({ port: sandboxPort + next, setting: 'SANDBOX_PORT' })),
  ];
  for (const { port, setting } of wanted) {
    if (!(await isFree(port)) || (await answersByIpv6(port))) {
      throw new StartFailure(
        `Port ${port} is in use: stop what listens there, or set ${setting} to another.`,
      );
    }
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

/** Where browsers that are sent to localhost look first, while we listen at 127.0.0.1: they would show another program. */
function answersByIpv6(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const call = connect({ port, host: '::1', timeout: 1_000 });
    const tell = (answers: boolean) => () => {
      call.destroy();
      resolve(answers);
    };
    call.once('connect', tell(true)).once('error', tell(false)).once('timeout', tell(false));
  });
}
