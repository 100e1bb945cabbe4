import { ACTIVITY_ACTORS, ACTIVITY_KINDS, OPERATED } from '@aparta/domain/activity';
import { COUNTER_METHODS } from '@aparta/domain/shop-lists';
import * as v from 'valibot';

import { pesos } from './amount.ts';
import { defineEndpoint, envelope } from './endpoint.ts';
import { endedBy } from './purchases.ts';
import { day, idField, moment, secret } from './text.ts';

/** Something that happened in a buyer's account. What is not of its kind is null, and texts ''. */
const activity = v.object({
  activityId: v.string(),
  activityKind: v.picklist(ACTIVITY_KINDS),
  at: moment,
  actor: v.picklist(ACTIVITY_ACTORS),
  /** A helper's, or of whom the goods were given to. */
  personName: v.nullable(v.string()),
  /** What the browser calls itself. */
  device: v.string(),
  ventaId: v.nullable(idField),
  productName: v.string(),
  tradeName: v.string(),
  amount: v.nullable(pesos),
  number: v.nullable(v.number()),
  fromDay: v.nullable(day),
  toDay: v.nullable(day),
  method: v.nullable(v.picklist(COUNTER_METHODS)),
  last4: v.nullable(v.string()),
  folio: v.nullable(v.string()),
  endedBy,
  legalKind: v.nullable(v.picklist(['terms', 'privacy'])),
  operated: v.nullable(v.picklist(OPERATED)),
});
export type Activity = v.InferOutput<typeof activity>;

export const listActivity = defineEndpoint({
  name: 'listActivity',
  summary:
    'What happened in the account, by whom and on which device, the newest first and 30 at a time: sign-ins for 400 days, the rest for good.',
  method: 'GET',
  path: '/v1/SecurityBuyer/ActivityAsync',
  access: ['buyer'],
  query: v.object({ cursor: v.optional(v.pipe(v.string(), v.regex(/^\d{1,16}\.[\w:.-]{1,80}$/))) }),
  reply: v.object({ ...envelope(v.array(activity)).entries, next: v.nullable(v.string()) }),
  refusals: [],
});

export const exportData = defineEndpoint({
  name: 'exportData',
  summary:
    'All that is kept of the buyer, as a ZIP of JSON, CSV and the files of their invoices, in base64; asks for the password again.',
  method: 'POST',
  path: '/v1/SecurityBuyer/ExportAsync',
  access: ['buyer'],
  body: v.object({ password: secret }),
  reply: envelope(v.object({ fileName: v.string(), contentByteArray: v.string() })),
  refusals: ['WRONG_PASSWORD'],
});
