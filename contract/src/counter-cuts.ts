import * as v from 'valibot';

import { pesos } from './amount.ts';
import { defineEndpoint, envelope, pageEnvelope } from './endpoint.ts';
import { idField, idParam, line, moment, uuid } from './text.ts';

/** Money that came into a drawer, or went back out of it. */
const movement = v.object({
  kind: v.picklist(['taken', 'returned']),
  folio: v.string(),
  /** Of a refund that was handed over; its folio is of the payment that it gives back. */
  refundId: v.nullable(idField),
  at: moment,
  method: v.picklist(['cash', 'terminal']),
  amount: pesos,
  /** Of money taken: whether it was given back since, out of any drawer. */
  reversed: v.boolean(),
});

const sums = {
  branchId: idField,
  branch: v.string(),
  positionId: uuid,
  name: v.string(),
  cashTaken: pesos,
  cashReturned: pesos,
  terminalTaken: pesos,
  terminalReturned: pesos,
  movements: v.number(),
};

/** What somebody took and gave back in a branch since their last cut. */
export const shift = v.object({
  ...sums,
  since: v.nullable(moment),
  /** Of the drawer's cut before, null of a first one; a server of the version before says nothing of it. */
  floatBefore: v.optional(v.nullable(pesos), null),
  list: v.array(movement),
});
export type Shift = v.InferOutput<typeof shift>;

const cutSummary = v.object({
  ...sums,
  id: uuid,
  number: v.number(),
  closedBy: v.string(),
  from: moment,
  until: moment,
  float: pesos,
  counted: pesos,
  reason: v.nullable(v.string()),
  /** Why its float was another than that of the drawer's cut before; a server of the version before says nothing of it. */
  floatReason: v.optional(v.nullable(v.string()), null),
});
export type CutSummary = v.InferOutput<typeof cutSummary>;

export const cut = v.object({ ...cutSummary.entries, list: v.array(movement) });
export type Cut = v.InferOutput<typeof cut>;

const cutParams = v.object({ id: uuid });
const branchQuery = { branchId: idParam };

export const listShifts = defineEndpoint({
  name: 'listShifts',
  summary:
    "What waits for a cut in a branch: the caller's own drawer first and, unless they are a cashier, everybody's with something in it.",
  method: 'GET',
  path: '/v1/counter/shifts',
  access: ['staff'],
  act: 'see_cuts',
  query: v.object(branchQuery),
  reply: envelope(v.array(shift)),
  refusals: ['NOT_FOUND'],
});

export const listClosedBranches = defineEndpoint({
  name: 'listClosedBranches',
  summary:
    'Closed branches in which a drawer still waits for its cut, or units are kept for buyers; none for a cashier.',
  method: 'GET',
  path: '/v1/counter/closed-branches',
  access: ['staff'],
  act: 'see_cuts',
  reply: envelope(
    v.array(v.object({ id: idField, name: v.string(), hasDrawer: v.boolean(), hasUnits: v.boolean() })),
  ),
  refusals: [],
});

export const closeCut = defineEndpoint({
  name: 'closeCut',
  summary:
    "Closes the cut of a drawer, once per `id`. What is in it is what was seen, and something: anything taken or given back since refuses it. A difference, and another float than the drawer's cut before had, is not closed without a `reason`.",
  method: 'POST',
  path: '/v1/counter/cuts',
  access: ['staff'],
  act: 'close_cut',
  body: v.object({
    id: uuid,
    branchId: idField,
    /** Somebody else's, by a manager or owner. */
    positionId: v.optional(uuid),
    movements: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000)),
    cashTaken: pesos,
    cashReturned: pesos,
    float: pesos,
    /** As the screen showed it; one of the version before does not say. */
    floatBefore: v.optional(v.nullable(pesos)),
    counted: pesos,
    reason: v.optional(v.pipe(line(200), v.minLength(3))),
  }),
  reply: envelope(cut),
  refusals: ['NOT_FOUND', 'CUT_CHANGED', 'INTENT_CONFLICT', 'ROLE_NOT_ALLOWED'],
});

export const listCuts = defineEndpoint({
  name: 'listCuts',
  summary: "The closed cuts of a branch, newest first; of a cashier's own drawer alone.",
  method: 'GET',
  path: '/v1/counter/cuts',
  access: ['staff'],
  act: 'see_cuts',
  query: v.object({
    ...branchQuery,
    /** The `next` of the page before. */
    cursor: v.optional(idParam),
  }),
  reply: pageEnvelope(cutSummary),
  refusals: ['NOT_FOUND'],
});

export const getCut = defineEndpoint({
  name: 'getCut',
  summary: 'A closed cut with everything that is in it.',
  method: 'GET',
  path: '/v1/counter/cuts/:id',
  access: ['staff'],
  act: 'see_cuts',
  params: cutParams,
  reply: envelope(cut),
  refusals: ['NOT_FOUND'],
});

export const getCutPdf = defineEndpoint({
  name: 'getCutPdf',
  summary: 'The same cut as a PDF, in base64.',
  method: 'GET',
  path: '/v1/counter/cuts/:id/pdf',
  access: ['staff'],
  act: 'see_cuts',
  params: cutParams,
  reply: envelope(v.object({ fileName: v.string(), contentByteArray: v.string() })),
  refusals: ['NOT_FOUND'],
});
