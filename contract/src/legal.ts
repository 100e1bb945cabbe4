import * as v from 'valibot';

import { defineEndpoint, envelope } from './endpoint.ts';
import { moment } from './text.ts';

/** Ours: the wording in force of what a buyer agrees to. `body` is plain text: '# ' begins a heading, '- ' an item, an empty line a paragraph. */
export const getLegalText = defineEndpoint({
  name: 'getLegalText',
  summary: 'The terms or the privacy notice in force.',
  method: 'GET',
  path: '/v1/Legal/GetAsync/:kind',
  access: 'public',
  params: v.object({ kind: v.picklist(['terms', 'privacy']) }),
  reply: envelope(
    v.object({
      kind: v.picklist(['terms', 'privacy']),
      version: v.string(),
      body: v.string(),
      publishedAt: moment,
      /** Whether it is the example that comes with the product, for demonstrations only. */
      isTemplate: v.boolean(),
    }),
  ),
  refusals: ['NOT_FOUND'],
});
