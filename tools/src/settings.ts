import path from 'node:path';
import { withSecretFiles } from '@aparta/server/env';
import { keptPorts, type Ports } from './kept-ports.ts';
import type { ProductOptions } from './product.ts';
import { StartFailure } from './start-failure.ts';

/** What the commands of a checkout read besides the server's settings; the programs that read each are beside this file. */
export const DEVELOPMENT_SETTINGS = [
  { name: 'DATA_DIR', about: 'Where database, sandbox and logs are kept.', fallback: './.data' },
  {
    name: 'SANDBOX_PORT',
    about: "The sandbox's first port. It takes the next three too.",
    fallback: '4000',
  },
  {
    name: 'PG_BIN',
    about: "A folder with PostgreSQL's programs to use instead of the bundled ones.",
    otherwise: 'the bundled ones',
  },
  { name: 'CHROME_PATH', about: 'The Chromium to use.', otherwise: 'found on the machine' },
];

/** Where this copy of the product lives, from the environment: ports, folder, database. */
export function settingsFromEnvironment(): Settings {
  return settingsWith({});
}

/** The same for a command beside the product that runs in this folder, or ran last: its ports, where no setting names others. */
export function settingsBesideProduct(): Settings {
  return settingsWith(keptPorts(dataDirOf()));
}

type Settings = Pick<ProductOptions, 'dataDir' | 'port' | 'sandboxPort' | 'databaseUrl' | 'demo'>;

const dataDirOf = () => path.resolve(process.env['DATA_DIR'] || './.data');

function settingsWith({ port = 3000, sandboxPort = 4000 }: Partial<Ports>): Settings {
  const { env, problems } = withSecretFiles(process.env);
  const databaseUrl = env['DATABASE_OWNER_URL'] || env['DATABASE_URL'] || undefined;
  if (problems.length > 0) throw new StartFailure(`${problems.join('; ')}.`);
  // A database that somebody brought is theirs: nothing is put into it unasked.
  const wantsDemo = databaseUrl ? process.env['SEED_DEMO'] === 'true' : process.env['SEED_DEMO'] !== 'false';
  return {
    dataDir: dataDirOf(),
    port: portFrom('PORT', port),
    sandboxPort: portFrom('SANDBOX_PORT', sandboxPort),
    databaseUrl,
    demo: wantsDemo ? 'when-empty' : 'never',
  };
}

function portFrom(setting: string, otherwise: number): number {
  const text = process.env[setting];
  if (!text) return otherwise;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port <= 65_532) return port;
  throw new StartFailure(`${setting} is not a port: ${text}.`);
}
