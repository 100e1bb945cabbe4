import type { ReplyData } from '@aparta/contract/endpoint';
import type { getLegalText } from '@aparta/contract/legal';

import type { LegalText } from './store.ts';

export function presentText(row: LegalText): ReplyData<typeof getLegalText> {
  return {
    kind: row.kind,
    version: row.version,
    body: row.body,
    publishedAt: row.published_at.toISOString(),
    isTemplate: row.is_template,
  };
}
