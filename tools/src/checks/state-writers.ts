import path from 'node:path';
import { productionSources } from './source-files.ts';
import { INITIAL, sqlActs } from './sql-acts.ts';
import { LIFECYCLE_HELPER, TABLE_OWNERS } from './table-owners.ts';

type States = {
  /** The one file that moves a state once its row is there. */
  helper: string;
  /** The column of each table that carries its state, and the states in which a row may be born. */
  columns: Record<string, { column: string; initial: string[] }>;
};

const STATES: States = {
  helper: LIFECYCLE_HELPER,
  columns: {
    card_attempts: { column: 'state', initial: ['submitting', 'held', 'returned'] },
    cash_notices: { column: 'outcome', initial: ['applied', 'owed_back', 'unapplied', 'noted'] },
    cash_references: { column: 'state', initial: ['requesting'] },
    claims: { column: 'state', initial: ['open'] },
    help_links: { column: 'state', initial: ['live'] },
    invoices: { column: 'state', initial: ['requested'] },
    layaway_references: { column: 'state', initial: ['open'] },
    outbox: { column: 'state', initial: ['waiting'] },
    purchases: { column: 'state', initial: ['active'] },
    refunds: { column: 'state', initial: ['owed', 'done'] },
    till_operations: { column: 'state', initial: ['authorised', 'refused', 'reversed_first'] },
  },
};

/**
 * Places that set the state of a row themselves: an update anywhere but in the helper, a birth outside the owner's store or
 * in a state in which nothing is born. `root` is the repository.
 */
export function stateWriters(
  root: string,
  { helper, columns }: States = STATES,
  owners: Record<string, string> = TABLE_OWNERS,
): string[] {
  return productionSources(root, ['server/src', 'admin/src', 'tools/src', 'tools/demo'])
    .filter(({ file }) => file !== helper)
    .flatMap((source) =>
      sqlActs(source).flatMap(({ verb, table = '', line, sets, setsMore }) => {
        const place = `${source.file}:${line}`;
        const { column, initial } = columns[table] ?? { column: '', initial: [] };
        if (column === '' || !['insert', 'update'].includes(verb)) return [];
        if (setsMore) return [`${place} sets columns of ${table} that cannot be read here: name them`];
        if (!sets.has(column)) return [];
        if (verb === 'update') return [`${place} sets ${table}.${column}: only ${helper} may`];
        const state = sets.get(column);
        if (!isStore(source.file, owners[table]))
          return [`${place} gives ${table}.${column} at birth, outside its owner's store`];
        const isInitial = state === undefined ? initial.length > 1 : [INITIAL, ...initial].includes(state);
        return isInitial ? [] : [`${place} lets ${table} be born ${state ?? 'in any state'}`];
      }),
    );
}

function isStore(file: string, owner = ''): boolean {
  return file.startsWith(`server/src/${owner}/`) && /^(.*-)?store\.ts$/.test(path.posix.basename(file));
}
