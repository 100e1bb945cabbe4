import { createHash } from 'node:crypto';

import type { Tx } from '../../platform/db/db.ts';
import type { LegalKind } from '../../platform/db/tables.ts';
import { findText, insertText } from './store.ts';

export interface TextToPublish {
  readonly kind: LegalKind;
  /** 1 to 40 letters, digits, dots, dashes and underscores, e.g. `2026-11`. */
  readonly version: string;
  /** Plain text: '# ' begins a heading, '- ' an item, an empty line a paragraph. */
  readonly body: string;
  /** Good for a demonstration only. */
  readonly isTemplate?: boolean;
}

/** What is wrong with a text, for an operator to mend. */
export type TextProblem =
  | 'bad_version'
  | 'empty'
  | 'too_long'
  | 'not_plain_text'
  | 'blanks_left'
  | 'version_taken'
  | 'version_replaced';

export type Publication =
  /** `isNew`: false when these very words are in force under this version already. */
  | { readonly kind: 'published'; readonly id: number; readonly isNew: boolean }
  | { readonly kind: 'refused'; readonly problem: TextProblem };

const VERSION = /^[0-9A-Za-z][0-9A-Za-z._-]{0,39}$/;
const MOST_CHARACTERS = 200_000;
// oxlint-disable-next-line no-control-regex -- naming the controls is the purpose
const NOT_PLAIN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffd]/;
/** What a template leaves to its operator, each once: `[RAZÓN SOCIAL]`. */
export function blanksIn(body: string): string[] {
  return [...new Set(body.match(/\[[^\]\n]+\]/g))];
}

/**
 * Puts a text in force for its kind; earlier ones stay, since people agreed to them. The same words under the same version are
 * published once. Refuses other words under it, a version that has been replaced since, and a text with blanks to fill that is
 * no template.
 */
export async function publishText(tx: Tx, text: TextToPublish): Promise<Publication> {
  const { kind, version, isTemplate = false } = text;
  const body = text.body
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .normalize('NFC')
    .trim();
  const problem = problemOf({ version, body, isTemplate });
  if (problem !== undefined) return { kind: 'refused', problem };
  const sha256 = createHash('sha256').update(body).digest();
  const id = await insertText(tx, { kind, version, body, sha256, isTemplate });
  if (id !== undefined) return { kind: 'published', id, isNew: true };
  const before = await findText(tx, kind, version);
  if (!before?.sha256.equals(sha256)) return { kind: 'refused', problem: 'version_taken' };
  return before.isInForce
    ? { kind: 'published', id: before.id, isNew: false }
    : { kind: 'refused', problem: 'version_replaced' };
}

function problemOf({
  version,
  body,
  isTemplate,
}: Required<Omit<TextToPublish, 'kind'>>): TextProblem | undefined {
  if (!VERSION.test(version)) return 'bad_version';
  if (body === '') return 'empty';
  if (body.length > MOST_CHARACTERS) return 'too_long';
  if (NOT_PLAIN.test(body) || !body.isWellFormed()) return 'not_plain_text';
  if (!isTemplate && blanksIn(body).length > 0) return 'blanks_left';
  return undefined;
}
