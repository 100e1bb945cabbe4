import * as v from 'valibot';

import { defineEndpoint, envelope } from './endpoint.ts';
import { idField } from './text.ts';

export const branch = v.object({
  id: idField,
  name: v.string(),
  address: v.string(),
  hours: v.string(),
  phone: v.string(),
});
export type Branch = v.InferOutput<typeof branch>;

export const listBranches = defineEndpoint({
  name: 'listBranches',
  summary: "The merchant's open branches in which the signed-in person works.",
  method: 'GET',
  path: '/v1/counter/branches',
  access: ['staff'],
  act: 'list_branches',
  reply: envelope(v.array(branch)),
  refusals: [],
});
