import { sql, type Selectable } from 'kysely';

import type { Db, Tx } from '../../platform/db/db.ts';
import type { LegalKind, LegalTextsTable } from '../../platform/db/tables.ts';

export type LegalText = Selectable<LegalTextsTable>;

/** The wording in force: the newest of its kind. */
export async function newestText(db: Db, kind: LegalKind): Promise<LegalText | undefined> {
  return db
    .selectFrom('legal_texts')
    .selectAll()
    .where('kind', '=', kind)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Every text that was ever published, without its words, newest first. */
export async function listTexts(db: Db): Promise<Omit<LegalText, 'body'>[]> {
  return db
    .selectFrom('legal_texts')
    .select(['id', 'kind', 'version', 'sha256', 'is_template', 'published_at'])
    .orderBy('id', 'desc')
    .execute();
}

export interface NewText {
  readonly kind: LegalKind;
  readonly version: string;
  readonly body: string;
  readonly sha256: Buffer;
  readonly isTemplate: boolean;
}

/** Adds a text; undefined when there is one with its kind and version already. */
export async function insertText(tx: Tx, text: NewText): Promise<number | undefined> {
  const added = await tx
    .insertInto('legal_texts')
    .values({
      kind: text.kind,
      version: text.version,
      body: text.body,
      sha256: text.sha256,
      is_template: text.isTemplate,
    })
    .onConflict((conflict) => conflict.constraint('legal_texts_version_once').doNothing())
    .returning('id')
    .executeTakeFirst();
  return added?.id;
}

/** The text of one version, as far as it must be compared. */
export async function findText(
  tx: Tx,
  kind: LegalKind,
  version: string,
): Promise<(Pick<LegalText, 'id' | 'sha256'> & { isInForce: boolean }) | undefined> {
  return tx
    .selectFrom('legal_texts')
    .select(['id', 'sha256'])
    .select(sql<boolean>`id = (select max(id) from legal_texts where kind = ${kind})`.as('isInForce'))
    .where('kind', '=', kind)
    .where('version', '=', version)
    .executeTakeFirst();
}

export interface AgreedText {
  readonly id: number;
  readonly kind: LegalKind;
  readonly version: string;
}

/** The wordings in force, one of each kind that has any. */
export async function textsInForce(tx: Tx): Promise<AgreedText[]> {
  return tx
    .selectFrom('legal_texts')
    .distinctOn('kind')
    .select(['id', 'kind', 'version'])
    .orderBy('kind')
    .orderBy('id', 'desc')
    .execute();
}

/** Where an agreement was given from. */
export interface ConsentSource {
  readonly address: string;
  readonly userAgent: string;
}

/** Keeps who agreed to what, when and from where. */
export async function insertConsents(
  tx: Tx,
  buyerId: number,
  texts: readonly AgreedText[],
  { address, userAgent }: ConsentSource,
): Promise<void> {
  if (texts.length === 0) return;
  await tx
    .insertInto('consents')
    .values(
      texts.map((text) => ({
        buyer_id: buyerId,
        legal_text_id: text.id,
        source_address: address,
        user_agent: userAgent,
      })),
    )
    .execute();
}
