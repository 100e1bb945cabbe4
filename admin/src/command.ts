import type { Act, AuditEntry, Subject } from '@aparta/server/platform/audit';
import type { Composition } from '@aparta/server/compose';
import type { Db, Tx } from '@aparta/server/platform/db/db';
import type { Settings } from '@aparta/server/env';
import type { InferredOptionTypes, Options } from 'yargs';
import type { Said } from './print.ts';
import type { Terminal } from './terminal.ts';

type OptionTable = Readonly<Record<string, Options>>;
/** Positional arguments are required; whatever is optional is an option. */
type Positionals<P extends OptionTable> = {
  [K in keyof P]: Exclude<InferredOptionTypes<P>[K], undefined>;
};
type Args<P extends OptionTable, O extends OptionTable> = Positionals<P> & InferredOptionTypes<O>;

/** What every command is given. */
interface Given {
  readonly settings: Settings;
  readonly terminal: Terminal;
}

/** What a command that has `--dry-run` is given. */
interface Rehearsable extends Given {
  readonly rehearses: boolean;
  /** To read what the change is made of, and to ask a provider; what takes long is done before the change. */
  readonly db: Db;
  readonly parts: Composition;
}

/** What help and the parser know of a command. All texts are Spanish. */
interface CommandSpec<P extends OptionTable, O extends OptionTable> {
  /** `noun verb`, as it is typed. */
  readonly name: string;
  readonly says: string;
  /** In the order they are typed, after the name. */
  readonly positionals?: P;
  /** `businessName` is typed as `--business-name`. */
  readonly options?: O;
  /** Lines as typed after `npm run admin --`, each with what it does. */
  readonly examples: readonly [Example, ...Example[]];
}
type Example = readonly [line: string, says: string];

/** A change that was made: its line in the audit log, and what to print. */
export interface Changed extends AuditEntry {
  readonly said: Said;
}

/** An act outside the database, and how it ended. */
export interface Acted {
  readonly detail: Readonly<Record<string, unknown>>;
  readonly said: Said;
}

interface Definition<P extends OptionTable, O extends OptionTable, Run> extends CommandSpec<P, O> {
  run(given: Run, args: Args<P, O>): unknown;
}

/** Reads and changes nothing. */
interface Reading<P extends OptionTable, O extends OptionTable> extends Definition<
  P,
  O,
  Given & { db: Db; parts: Composition }
> {
  run(given: Given & { readonly db: Db; readonly parts: Composition }, args: Args<P, O>): Promise<Said>;
}

/**
 * Changes only the database. `run` gathers what it needs (files, standard input, the network) and returns the change, which is
 * made in one transaction with its line in the audit log. `--dry-run` does the same and rolls it back; what cannot be rolled
 * back (a file, a secret that is shown) is skipped when the command `rehearses`, and it says so.
 */
interface Change<P extends OptionTable, O extends OptionTable> extends Definition<P, O, Rehearsable> {
  run(
    given: Rehearsable,
    args: Args<P, O>,
  ): Promise<(tx: Tx) => Promise<Changed>> | ((tx: Tx) => Promise<Changed>);
}

/**
 * Does what no transaction can roll back, such as asking a provider. The audit log has a line before it begins and one after
 * it ended. Must be safe to repeat.
 */
interface WorldAct<P extends OptionTable, O extends OptionTable> extends Definition<
  P,
  O,
  Given & { db: Db; parts: Composition }
> {
  /** What it is about, looked up before anything is done. */
  subject(given: Given & { readonly db: Db }, args: Args<P, O>): Promise<Subject> | Subject;
  run(
    given: Given & { readonly db: Db; readonly parts: Composition; readonly act: Act },
    args: Args<P, O>,
  ): Promise<Acted>;
}

/** A command of any kind, without the types of its arguments. */
export type Command = { readonly spec: CommandSpec<OptionTable, OptionTable> } & (
  | { readonly kind: 'reads'; readonly work: Reading<OptionTable, OptionTable> }
  | { readonly kind: 'changes'; readonly work: Change<OptionTable, OptionTable> }
  | { readonly kind: 'acts'; readonly work: WorldAct<OptionTable, OptionTable> }
);

// The types can be dropped here: the parser gives each command the arguments that its own tables describe.
export function reads<const P extends OptionTable = {}, const O extends OptionTable = {}>(
  work: Reading<P, O>,
): Command {
  return { kind: 'reads', spec: work, work: work as unknown as Reading<OptionTable, OptionTable> };
}
export function changes<const P extends OptionTable = {}, const O extends OptionTable = {}>(
  work: Change<P, O>,
): Command {
  return { kind: 'changes', spec: work, work: work as unknown as Change<OptionTable, OptionTable> };
}
export function acts<const P extends OptionTable = {}, const O extends OptionTable = {}>(
  work: WorldAct<P, O>,
): Command {
  return { kind: 'acts', spec: work, work: work as unknown as WorldAct<OptionTable, OptionTable> };
}
