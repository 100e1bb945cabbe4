import fs from 'node:fs';
import path from 'node:path';

/** Migrations before this one make the schema on an empty database: no older server runs beside them. */
const FROM = '0009';

const ALONE = /^-- outside a transaction\n/;
/** The second half of a change, in a version after the one that stopped using it. */
const CONTRACT = /^(-- outside a transaction\n)?-- contract: \S+/;

/** They hold what is alive for minutes, so that reading all of one makes nobody wait. */
const SMALL = ['password_resets', 'email_confirmations', 'rate_counters'];

type Rule = { says: string; breaks: (statement: string, made: ReadonlySet<string>) => boolean };

/** What an older server that is serving buyers would not survive, or would wait behind. */
const RULES: Rule[] = [
  { says: 'renames: add the new one, copy, drop the old one later', breaks: (s) => /\brename\b/.test(s) },
  {
    says: 'changes a type in place: add a column beside it',
    breaks: (s) => /\balter column \S+ (set data )?type\b/.test(s),
  },
  {
    says: 'adds a column that is not null without a default: an older server leaves it out',
    breaks: (s) =>
      actionsOf(s).some(
        (action) =>
          ADD_COLUMN.test(action) && /\bnot null\b/.test(action) && !/\b(default|generated)\b/.test(action),
      ),
  },
  {
    says: 'adds a column that rewrites the table: add it empty, fill it by a job',
    breaks: (s, made) =>
      !made.has(tableOf(s)) &&
      actionsOf(s).some(
        (action) =>
          ADD_COLUMN.test(action) &&
          /\bgenerated\b|\b(big|small)?serial\b|\bdefault [^ ]*(random|clock_timestamp|nextval)/.test(action),
      ),
  },
  {
    says: 'makes an index without concurrently: writers wait',
    breaks: (s, made) =>
      /^create (unique )?index (?!concurrently)/.test(s) && !made.has(/ on (\S+)/.exec(s)?.[1] ?? ''),
  },
  {
    says: 'adds a constraint that reads the whole table under a lock: add it not valid, validate it later',
    breaks: (s, made) =>
      !made.has(tableOf(s)) &&
      actionsOf(s).some((action) =>
        ADD_COLUMN.test(action)
          ? /\b(check|references|unique|primary key|constraint)\b/.test(action)
          : /^add (constraint|check|foreign key|primary key|unique|exclude)\b/.test(action) &&
            !/\b(not valid|using index)\b/.test(action),
      ),
  },
  {
    says: 'sets not null: add a check that is not valid, validate it, then set it in a contract',
    breaks: (s) => /\bset not null\b/.test(s),
  },
  {
    says: 'locks, rewrites or empties a table',
    breaks: (s) => /^(lock|truncate|cluster|vacuum|reindex (?!.*concurrently))/.test(s),
  },
];
const DROPS: Rule = {
  says: "drops what an older server uses: begin the file with '-- contract: …' and what stopped using it",
  breaks: (s) =>
    /^drop (?!index concurrently)|^revoke (?!.* from public$)|\bdrop (column|constraint|default|not null)\b/.test(
      s,
    ),
};

/** Migrations that may not run while an older version serves (server/migrations/README.md). `root` is the repository. */
export function lockingMigrations(root: string): string[] {
  const folder = path.join(root, 'server', 'migrations');
  return fs
    .readdirSync(folder)
    .filter((file) => file.endsWith('.sql') && file >= FROM)
    .toSorted()
    .flatMap((file) =>
      problemsOf(fs.readFileSync(path.join(folder, file), 'utf8')).map(
        (problem) => `server/migrations/${file} ${problem}`,
      ),
    );
}

function problemsOf(text: string): string[] {
  const statements = statementsOf(text);
  const made = new Set([
    ...SMALL,
    ...statements.map((s) => /^create table (?:if not exists )?(\S+)/.exec(s)?.[1] ?? ''),
  ]);
  const rules = CONTRACT.test(text) ? RULES : [...RULES, DROPS];
  const broken = rules
    .filter(({ breaks }) => statements.some((statement) => breaks(statement, made)))
    .map(({ says }) => says);
  const isConcurrent = statements.some((statement) => / concurrently /.test(statement));
  if (isConcurrent && !ALONE.test(text))
    broken.push("runs concurrently: begin it with '-- outside a transaction'");
  if (ALONE.test(text) && statements.length !== 1)
    broken.push('runs outside a transaction: one statement alone');
  return broken;
}

/** Lower case, one blank between words, without comments and without the bodies of functions. */
function statementsOf(text: string): string[] {
  return text
    .replace(/--.*$/gm, '')
    .replace(/\$(\w*)\$[^]*?\$\1\$/g, '$$$$')
    .replace(/\s+/g, ' ')
    .toLowerCase()
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

const ALTER_TABLE = /^alter table (?:if exists )?(?:only )?(\S+) (.*)$/;
const ADD_COLUMN = /^add (column\b|(?!constraint|check|foreign|primary|unique|exclude))/;

function tableOf(statement: string): string {
  return ALTER_TABLE.exec(statement)?.[1] ?? '';
}

/** What an `alter table` does, one by one: its commas that stand in no bracket separate them. */
function actionsOf(statement: string): string[] {
  const [, , actions = ''] = ALTER_TABLE.exec(statement) ?? [];
  let depth = 0;
  const apart = [...actions].map((char) => {
    depth += char === '(' ? 1 : char === ')' ? -1 : 0;
    return char === ',' && depth === 0 ? '\n' : char;
  });
  return apart
    .join('')
    .split('\n')
    .map((action) => action.trim());
}
