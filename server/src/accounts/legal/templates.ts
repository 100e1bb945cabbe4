import { readFile } from 'node:fs/promises';

import type { Db } from '../../platform/db/db.ts';
import type { LegalKind } from '../../platform/db/tables.ts';
import { transaction } from '../../platform/db/transaction.ts';
import { publishText } from './publish-text.ts';
import { newestText } from './store.ts';
import { SERVER_FOLDER } from '../../platform/files/server-folder.ts';

const KINDS: readonly LegalKind[] = ['terms', 'privacy'];
const FOLDER = new URL('legal/', SERVER_FOLDER);
const VERSION = 'plantilla-1';

/** Publishes the texts that come with the product, where there is none of the kind yet: for demonstrations. */
export async function publishTemplates(db: Db): Promise<void> {
  for (const kind of KINDS) {
    if ((await newestText(db, kind)) !== undefined) continue;
    const body = await readFile(new URL(`${kind}.md`, FOLDER), 'utf8');
    await transaction(db, (tx) => publishText(tx, { kind, version: VERSION, body, isTemplate: true }));
  }
}

/** Legal texts that production lacks, one sentence each. */
export async function legalTextProblems(db: Db): Promise<string[]> {
  const problems: string[] = [];
  for (const kind of KINDS) {
    const text = await newestText(db, kind);
    if (text === undefined) problems.push(`no legal text of the kind '${kind}' is published`);
    else if (text.is_template)
      problems.push(`the legal text '${kind}' in force is the template; publish your own`);
  }
  return problems;
}
