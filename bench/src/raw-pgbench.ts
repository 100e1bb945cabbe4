import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  asText,
  elementOf,
  FIRST_MADE,
  FIRST_REFERENCE,
  MADE_EACH,
  type RawRun,
  type Value,
} from './raw-transaction.ts';

/** Debian keeps it apart from the PATH. */
const DEBIAN = '/usr/lib/postgresql';

/** PostgreSQL's own load generator, where it is installed: on the PATH, or Debian's newest. */
export function findPgbench(): string | undefined {
  const versions = fs.existsSync(DEBIAN) ? fs.readdirSync(DEBIAN) : [];
  const newestFirst = versions.toSorted((one, other) => Number(other) - Number(one));
  return ['pgbench', ...newestFirst.map((version) => `${DEBIAN}/${version}/bin/pgbench`)].find(
    (program) => spawnSync(program, ['--version']).status === 0,
  );
}

/** Sends the statements by pgbench, prepared once in each connection; returns transactions per second. */
export async function runByPgbench(program: string, run: RawRun): Promise<number> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-pgbench-'));
  const script = path.join(folder, 'script.sql');
  fs.writeFileSync(script, scriptOf(run));
  const { clients, perClient, from, url, options } = run;
  try {
    const said = await output(
      program,
      [
        '--no-vacuum',
        '--protocol=prepared',
        `--file=${script}`,
        `--client=${clients}`,
        `--transactions=${perClient}`,
        `--define=from=${from}`,
        `--define=each=${perClient}`,
        '--define=turn=0',
        url,
      ],
      { ...process.env, PGOPTIONS: options },
    );
    const tps = /^tps = ([\d.]+)/m.exec(said)?.[1];
    if (tps === undefined) throw new Error(`pgbench told no speed:\n${said}`);
    return Number(tps);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

/** The statements in pgbench's language. A client's variables outlive its transactions, so `turn` counts them. */
export function scriptOf({ statements, types }: Pick<RawRun, 'statements' | 'types'>): string {
  const answered = new Set(
    statements.flatMap(({ values }) =>
      values
        .flatMap((value) => (value.from === 'list' ? value.items : value))
        .map((value) => (value.from === 'answer' ? value.statement : -1)),
    ),
  );
  const lines = statements.map(({ text, values }, place) => {
    const filled = text.replaceAll(/\$(\d+)/g, (_, number: string) => {
      const value = values[Number(number) - 1];
      const type = types[place]?.[Number(number) - 1];
      if (value === undefined || type === undefined) throw new Error(`no value $${number} of: ${text}`);
      return expressionOf(value, type);
    });
    return answered.has(place) ? `${filled} \\gset a${place}_` : `${filled};`;
  });
  return [
    '\\set n :from + :client_id * :each + :turn',
    '\\set turn :turn + 1',
    `\\set reference ${FIRST_REFERENCE} + :n`,
    '\\set slot :client_id',
    `\\set made ${FIRST_MADE} + :n * ${MADE_EACH}`,
    ...lines,
    '',
  ].join('\n');
}

function expressionOf(value: Value, type: string): string {
  switch (value.from) {
    case 'constant':
      return value.value === null ? `null::${type}` : `${quoted(asText(value.value))}::${type}`;
    case 'input':
      return `:${value.name}::bigint::${type}`;
    case 'answer':
      return `:a${value.statement}_${value.column}::${type}`;
    case 'list': {
      const items = value.items.map((item) => expressionOf(item, elementOf(type)));
      return `array[${items.join(', ')}]::${type}`;
    }
    case 'program':
      return madeOf(`(:made::bigint + ${value.nth})`, type);
  }
}

function madeOf(number: string, type: string): string {
  switch (type) {
    case 'uuid':
    case 'text': // often a uuid's
      return `('00000000-0000-4000-8000-' || lpad(${number}::text, 12, '0'))::${type}`;
    case 'bytea':
      return `decode(lpad(to_hex(${number}), 64, '0'), 'hex')`;
    default:
      return `${number}::${type}`;
  }
}

/** A literal in which pgbench sees no variable, which it looks for inside quotes too. */
function quoted(text: string): string {
  const escaped = text.replaceAll(/[\\':]/g, (character) => `\\x${character.charCodeAt(0).toString(16)}`);
  return `E'${escaped}'`;
}

function output(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [said, complained] = ['', ''];
    child.stdout.on('data', (chunk) => (said += String(chunk)));
    child.stderr.on('data', (chunk) => (complained += String(chunk)));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(said);
      else reject(new Error(`pgbench ended with ${code}:\n${complained.slice(0, 2_000)}`));
    });
  });
}
