import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { runCommand, say } from './run-command.ts';

const TARGET = new URL('../../domain/src/sat-tables.ts', import.meta.url);

/**
 * Writes domain/src/sat-tables.ts from a checkout (bare or not) of github.com/phpcfdi/resources-sat-catalogs, which
 * follows what SAT publishes: `node tools/src/sat-tables.ts <folder>`, then `npm run format`. Needs no network.
 */
await runCommand(async () => {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error('Say which folder: node tools/src/sat-tables.ts <folder>');
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' });
  const rows = (table: string) => readRows(git('show', `HEAD:database/data/${table}.sql`), table);

  const regimes = rows('cfdi_40_regimenes_fiscales').map(
    ([code = '', name = '', fisica = '', moral = '', , until = '']) => ({
      until,
      line: `{ code: ${text(code)}, name: ${text(name)}, personTypes: ${personTypes(fisica, moral)} }`,
    }),
  );
  const uses = rows('cfdi_40_usos_cfdi').map(
    ([code = '', name = '', fisica = '', moral = '', , until = '', permitted = '']) => ({
      until,
      line:
        `{ code: ${text(code)}, name: ${text(name.replace(/\.$/, ''))}, ` +
        `personTypes: ${personTypes(fisica, moral)}, regimes: [${permitted.split(/, */).toSorted().map(text).join(', ')}] }`,
    }),
  );
  const inForce = (all: { until: string; line: string }[]) =>
    all
      .filter((row) => row.until === '')
      .map((row) => row.line)
      .join(',\n');
  await fs.promises.writeFile(
    TARGET,
    `// Written by tools/src/sat-tables.ts from phpcfdi/resources-sat-catalogs, commit
// ${git('rev-parse', 'HEAD').trim()}. SAT's own words and columns; rows in force only.

/** c_RegimenFiscal: which persons may be in each tax regime. */
export const TAX_REGIMES = [${inForce(regimes)}] as const;

/** c_UsoCFDI: which persons, and receivers in which regimes, may give each use. */
export const CFDI_USES = [${inForce(uses)}] as const;
`,
  );
  say(`Written: ${regimes.length} regimes, ${uses.length} uses`);
});

/** The values of each INSERT, texts and numbers alike as text. Throws for a line that is anything else. */
function readRows(sql: string, table: string): string[][] {
  return sql
    .split('\n')
    .filter((line) => !/^(PRAGMA .*|BEGIN TRANSACTION;|COMMIT;|)$/.test(line))
    .map((line) => {
      const values = new RegExp(String.raw`^INSERT INTO ${table} VALUES\((.*)\);$`).exec(line)?.[1];
      if (values === undefined || !/^('[^']*'|\d+)(,('[^']*'|\d+))*$/.test(values)) {
        throw new Error(`${table} has a line that is no row: ${line}`);
      }
      return [...values.matchAll(/'([^']*)'|(\d+)/g)].map(([, quoted, number]) => quoted ?? number ?? '');
    });
}

function personTypes(fisica: string, moral: string): string {
  return `[${[fisica === '1' && `'fisica'`, moral === '1' && `'moral'`].filter(Boolean).join(', ')}]`;
}

function text(value: string): string {
  return `'${value}'`;
}
