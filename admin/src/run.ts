import os from 'node:os';
import { compose, type Composition } from '@aparta/server/compose';
import { type Act, audited, recordAct } from '@aparta/server/platform/audit';
import { RefusedRows } from '@aparta/server/catalogue/merchants/import-products';
import { isDatabaseAway, isUncertain } from '@aparta/server/platform/db/outage';
import { isMigrated } from '@aparta/server/platform/db/ready';
import { transaction } from '@aparta/server/platform/db/transaction';
import { readSettings, type Environment, type Settings } from '@aparta/server/env';
import { createLog } from '@aparta/server/platform/logging';
import { Refusal } from '@aparta/server/platform/refusal';
import { RefusedChange } from '@aparta/server/platform/refused-change';
import type { Command } from './command.ts';
import { COMMANDS } from './commands.ts';
import { parse } from './parse.ts';
import { around, printable, type Said } from './print.ts';
import { SAYS, sayProblem } from './copy.ts';
import type { Terminal } from './terminal.ts';
import { UnreadableTable } from './unreadable-table.ts';

/** Exit codes. `refused` also when a command found a problem, `usage` when the line was not understood. */
const EXIT = { done: 0, refused: 1, usage: 2, unreachable: 3 } as const;

const MOST_WAIT_MS = 6_000;

/** The settings, the database or its migrations are missing, so no command can run. */
class Unreachable extends Error {}

/** Makes what a command works with, which is stopped at its end. */
type Compose = (settings: Settings) => Composition;

interface Given {
  readonly env: Environment;
  readonly terminal: Terminal;
  /** With a database of its own when absent. */
  readonly composed?: Compose;
}

const composedAnew: Compose = (settings) =>
  compose(settings, createLog('silent'), undefined, 'aparta_operator');

/** Runs one command line and resolves with its exit code. Prints everything to `terminal`, and never throws. */
export async function runAdmin(
  argv: readonly string[],
  { env, terminal, composed = composedAnew }: Given,
): Promise<number> {
  const parsed = await parse(COMMANDS, argv);
  if (parsed.kind === 'help') {
    terminal.out(`${parsed.text}\n`);
    return EXIT.done;
  }
  if (parsed.kind === 'misunderstood') {
    terminal.err(`${parsed.text}\n`);
    return EXIT.usage;
  }
  const { command, args } = parsed;
  try {
    const given = { settings: settingsOf(env), terminal, composed };
    const said = await perform(command, args, given, actorOf(args['as'], env));
    const { columns } = terminal;
    const shown = columns === undefined || said.fit === undefined ? said.text : said.fit(columns);
    terminal.out(args['json'] === true ? `${JSON.stringify(said.json, null, 2)}\n` : `${printable(shown)}\n`);
    return said.exitCode ?? EXIT.done;
  } catch (caught) {
    const error = isDatabaseAway(caught) && !isUncertain(caught) ? awayAs(caught) : caught;
    if (args['json'] === true) terminal.out(`${JSON.stringify(problemOf(error))}\n`);
    terminal.err(`${printable(sayProblem(error))}\n`);
    return error instanceof Unreachable ? EXIT.unreachable : EXIT.refused;
  }
}

async function perform(
  { kind, spec, work }: Command,
  args: Readonly<Record<string, unknown>>,
  { settings, terminal, composed }: { settings: Settings; terminal: Terminal; composed: Compose },
  actor: string,
): Promise<Said> {
  const parts = composed(kind === 'reads' ? impatient(settings) : settings);
  const { db } = parts;
  const act: Act = { actor, command: spec.name };
  try {
    await demandDatabase(db);
    if (kind === 'reads') return await work.run({ settings, terminal, db, parts }, args as never);
    if (kind === 'changes') {
      const rehearses = args['dryRun'] === true;
      const change = await work.run({ settings, terminal, rehearses, db, parts }, args as never);
      const { said } = await audited(db, act, change, { rehearse: rehearses });
      if (!rehearses) return said;
      const json = typeof said.json === 'object' ? { ...said.json, rehearsed: true } : said.json;
      return { ...around(said, (text) => `${SAYS.rehearsed}\n${text}`), json };
    }
    const subject = await work.subject({ settings, terminal, db }, args as never);
    const note = (detail: Readonly<Record<string, unknown>>) =>
      transaction(db, (tx) => recordAct(tx, act, { subject, detail }));
    await note({ phase: 'begun' });
    try {
      const acted = await work.run({ settings, terminal, db, parts, act }, args as never);
      await note({ phase: 'done', ...acted.detail });
      return acted.said;
    } catch (error) {
      await note({ phase: 'failed', why: nameOf(error) });
      throw error;
    }
  } finally {
    await parts.stop();
  }
}

/** What only reads asks a provider for nothing that it must wait for: a person waits at the terminal. */
function impatient(settings: Settings): Settings {
  const waits = Object.entries(settings.providerWaits).map(([name, ms]) => [
    name,
    Math.min(ms, MOST_WAIT_MS),
  ]);
  return { ...settings, providerWaits: Object.fromEntries(waits) as Settings['providerWaits'] };
}

function settingsOf(env: Environment): Settings {
  const read = readSettings(env);
  if ('problems' in read) throw new Unreachable(`${SAYS.badSettings}\n  ${read.problems.join('\n  ')}`);
  return read.settings;
}

/** Who is at the terminal: `--as` if it is given, else `APARTA_OPERATOR`, else the operating system's user. */
function actorOf(given: unknown, env: Environment): string {
  const named = typeof given === 'string' ? given : env['APARTA_OPERATOR'];
  return (named?.trim() || os.userInfo().username).slice(0, 120);
}

/** The database does not answer, or takes no writes: read only, or a full disk. */
function awayAs(error: unknown): Unreachable {
  const { code, message } = error as NodeJS.ErrnoException;
  return new Unreachable(`${SAYS.noDatabase} ${message || code}`);
}

async function demandDatabase(db: Parameters<typeof isMigrated>[0]): Promise<void> {
  let isReady: boolean;
  try {
    isReady = await isMigrated(db);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // No such table or role: the database was never migrated.
    if (code !== '42P01' && code !== '22023') throw awayAs(error);
    isReady = false;
  }
  if (!isReady) throw new Unreachable(SAYS.notMigrated);
}

/** What the audit log keeps of a failure: its code. A message could hold a secret. */
function nameOf(error: unknown): string {
  if (error instanceof RefusedChange || error instanceof Refusal) return error.code;
  return error instanceof Error ? error.name : 'unknown';
}

/** An error for `--json`: its code if it has one, and every wrong row of a file. */
function problemOf(error: unknown): object {
  return {
    error: sayProblem(error),
    ...(error instanceof RefusedChange && { code: error.code, facts: error.facts }),
    ...(error instanceof RefusedRows && { rows: error.rows }),
    ...(error instanceof UnreadableTable && { problems: error.problems }),
  };
}
