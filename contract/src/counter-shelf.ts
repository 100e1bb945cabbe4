import * as v from 'valibot';

import { defineEndpoint, envelope } from './endpoint.ts';
import { productPictures } from './pictures.ts';
import { idField, idParam, line, moment } from './text.ts';

/** A unit that a branch keeps for a buyer. */
export const keptUnit = v.object({
  /** The number of its reservation: scanned or typed, it finds the unit again. */
  reference: v.string(),
  productName: v.string(),
  pictures: productPictures,
  buyer: v.string(),
  /** Null while its deposit is not paid. */
  purchaseId: v.nullable(idField),
  isPaidOff: v.boolean(),
  since: moment,
  checkedAt: v.nullable(moment),
  missingSince: v.nullable(moment),
});
export type KeptUnit = v.InferOutput<typeof keptUnit>;

export const readShelf = defineEndpoint({
  name: 'readShelf',
  summary:
    'What a branch keeps for buyers: what is missing first, then what was not looked at the longest; at most 500 of them.',
  method: 'GET',
  path: '/v1/counter/shelf',
  access: ['staff'],
  act: 'check_shelf',
  query: v.object({ branchId: idParam }),
  reply: envelope(v.object({ units: v.array(keptUnit), total: v.number() })),
  refusals: ['NOT_FOUND'],
});

export const checkShelf = defineEndpoint({
  name: 'checkShelf',
  summary:
    'Says of a unit that it is on its shelf, or that it is not: then the owners are told. One that a closed branch kept is kept from then on where it is seen. `code` is any number of its reservation or purchase, or a folio.',
  method: 'POST',
  path: '/v1/counter/shelf',
  access: ['staff'],
  act: 'check_shelf',
  body: v.object({ branchId: idField, code: line(40), isThere: v.boolean() }),
  reply: envelope(keptUnit),
  refusals: ['NOT_FOUND', 'NOT_KEPT', 'KEPT_ELSEWHERE'],
});
