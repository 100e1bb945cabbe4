import fs from 'node:fs';
import path from 'node:path';
import { movesIn } from './lifecycles.ts';
import { productionSources, readSource, sourceFiles, walk } from './source-files.ts';
import { sqlActs, sqlTextActs } from './sql-acts.ts';
import { BY_DATABASE, LIFECYCLE_HELPER, SQL_BY_REASON, TABLE_OWNERS } from './table-owners.ts';

const SERVER = 'server/src/';
const FOLDERS = ['server/src', 'admin/src', 'tools/src', 'tools/demo'];
const READ_MODEL = /(^|[/.])read-model\.ts$/;

type Owners = Record<string, string>;
type Place = { table: string; file: string; line: number };

/**
 * Tables that another folder than their owner writes, that nobody owns or that their owner never writes, and reads of another
 * wing's table outside a read model. `root` is the repository.
 */
export function tableWriters(
  root: string,
  owners: Owners = TABLE_OWNERS,
  allowed: Record<string, string> = SQL_BY_REASON,
): string[] {
  const tables = databaseTables(root);
  if (tables.length === 0) return ['server/src has no tables.ts with a Database interface'];
  const { writes, reads, unread } = sqlPlaces(root, new Set(tables));
  const used = new Set<string>();
  const isAllowed = (file: string) => file in allowed && used.add(file);
  const written = new Set<string>();
  const strays = writes.flatMap(({ table, file, line }) => {
    const owner = owners[table];
    const isOwners = owner !== undefined && file.startsWith(`${SERVER}${owner}/`);
    if (isOwners) written.add(table);
    if (READ_MODEL.test(file)) return [`${file}:${line} writes ${table}: a read model writes nothing`];
    if (owner === undefined || isOwners || isAllowed(file)) return [];
    return [`${file}:${line} writes ${table}, which is ${owner}'s`];
  });
  const acrossWings = reads.flatMap(({ table, file, line }) => {
    const owner = owners[table];
    if (owner === undefined || owner === BY_DATABASE || wingOf(file) === owner.split('/')[0]) return [];
    if (READ_MODEL.test(file) || isAllowed(file)) return [];
    return [`${file}:${line} reads ${table}, which is ${owner}'s, outside a read model`];
  });
  for (const table of writtenByMigrations(root)) if (owners[table] === BY_DATABASE) written.add(table);
  return [
    ...tables.filter((table) => !(table in owners)).map((table) => `${table} has no owner`),
    ...Object.keys(owners).flatMap((table) => {
      if (!tables.includes(table)) return [`${table} has an owner and is no table`];
      return written.has(table) ? [] : [`${table} is never written by its owner, ${owners[table]}`];
    }),
    ...strays,
    ...unread
      .filter(({ file }) => !isAllowed(file))
      .map(({ file, line }) => `${file}:${line} writes a table that it does not name`),
    ...acrossWings,
    ...Object.keys(allowed)
      .filter((file) => !used.has(file))
      .map((file) => `${file} is listed with a reason and needs none`),
  ];
}

/** Every place where SQL writes a table; `''` is one that it does not name. `root` is the repository. */
export function tableWrites(root: string): Place[] {
  const { writes, unread } = sqlPlaces(root, new Set(databaseTables(root)));
  return [...writes, ...unread];
}

/** The tables and views that the `Database` interface of `tables.ts` names, wherever in the server that file is. */
function databaseTables(root: string): string[] {
  const tables: string[] = [];
  for (const file of sourceFiles(path.join(root, SERVER))) {
    if (path.posix.basename(file) !== 'tables.ts') continue;
    walk(readSource(root, SERVER + file).program, (node) => {
      if (node.type !== 'TSInterfaceDeclaration' || node.id.name !== 'Database') return;
      for (const member of node.body.body) {
        if (member.type === 'TSPropertySignature' && member.key.type === 'Identifier')
          tables.push(member.key.name);
      }
    });
  }
  return tables;
}

function sqlPlaces(root: string, tables: ReadonlySet<string>) {
  const [writes, reads, unread]: [Place[], Place[], Place[]] = [[], [], []];
  const sources = productionSources(root, FOLDERS);
  for (const { table = '', file, line } of movesIn(sources)) {
    if (table === '') unread.push({ table, file, line });
    else writes.push({ table, file, line });
  }
  for (const source of sources) {
    const seen = new Set<string>();
    for (const { verb, table = '', line } of sqlActs(source)) {
      const place = { table, file: source.file, line };
      const key = `${verb === 'read'} ${table} ${line}`;
      if (seen.has(key)) continue;
      seen.add(key);
      if (table === '' && source.file === LIFECYCLE_HELPER) continue;
      if (table === '') unread.push(place);
      else if (tables.has(table)) (verb === 'read' ? reads : writes).push(place);
    }
  }
  return { writes, reads, unread };
}

/** Tables that a migration inserts into, itself or by a trigger, and views that it makes. */
function writtenByMigrations(root: string): string[] {
  const folder = path.join(root, BY_DATABASE);
  return sourceFiles(folder)
    .filter((file) => file.endsWith('.sql'))
    .flatMap((file) => {
      const text = fs.readFileSync(path.join(folder, file), 'utf8');
      const views = [...text.matchAll(/\bcreate (?:or replace )?view (\w+)/g)].map((found) => found[1] ?? '');
      const written = sqlTextActs(text).filter(({ verb }) => verb !== 'read');
      return [...views, ...written.map(({ table }) => table ?? '')];
    });
}

function wingOf(file: string): string | undefined {
  return file.startsWith(SERVER) ? file.slice(SERVER.length).split('/')[0] : undefined;
}
