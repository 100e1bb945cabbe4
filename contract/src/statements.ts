import { COUNTER_METHODS } from '@aparta/domain/shop-lists';
import { STATEMENT_KINDS } from '@aparta/domain/statement';
import * as v from 'valibot';

import { pesos } from './amount.ts';
import { defineEndpoint, envelope } from './endpoint.ts';
import { endedBy } from './purchases.ts';
import { askedDay, day, idField, moment } from './text.ts';

/** Both days are in it; at most 400 of them. */
const range = { from: askedDay, to: askedDay };

/** What happened to the buyer's account, with what it did to what is owed. */
const line = v.object({
  kind: v.picklist(STATEMENT_KINDS),
  at: moment,
  /** Null, and the name '', of money that no purchase got. */
  ventaId: v.nullable(idField),
  productName: v.string(),
  tradeName: v.string(),
  /** Of an end: who ended it. */
  endedBy,
  /** How money came, or goes back; null where none moved. */
  method: v.nullable(v.picklist(COUNTER_METHODS)),
  last4: v.nullable(v.string()),
  branch: v.nullable(v.string()),
  /** Who paid, where it was not the buyer. */
  payerName: v.nullable(v.string()),
  /** Of the payment that it is about. */
  folio: v.nullable(v.string()),
  /** Of a payment: the instalments that it paid. */
  numbers: v.array(v.number()),
  numCxc: v.number(),
  /** Whether nobody knows yet where the money belongs. */
  inReview: v.boolean(),
  amount: pesos,
  fee: pesos,
  charge: pesos,
  credit: pesos,
  balance: pesos,
});

/** An instalment of the range: what was due, and what of it is paid by now. */
const due = v.object({
  dueOn: day,
  ventaId: idField,
  productName: v.string(),
  tradeName: v.string(),
  number: v.number(),
  of: v.number(),
  amount: pesos,
  paid: pesos,
  state: v.picklist(['paid', 'late', 'to_pay', 'cancelled']),
});

export const statement = v.object({
  from: day,
  to: day,
  opening: pesos,
  /** opening + reserved + reversed - applied - dropped = closing. */
  sums: v.object({
    reserved: pesos,
    reversed: pesos,
    applied: pesos,
    dropped: pesos,
    fees: pesos,
    penalties: pesos,
    refunded: pesos,
    refundedToHelpers: v.optional(pesos, 0),
  }),
  closing: pesos,
  lines: v.array(line),
  dues: v.array(due),
  isWhole: v.boolean(),
});
export type Statement = v.InferOutput<typeof statement>;

export const getStatement = defineEndpoint({
  name: 'getStatement',
  summary:
    "The buyer's account from one day to another, at most 400 of them: what was reserved, paid, owed and given back, with the balance after each line, and what was due. It lists 1,000 lines of each; its sums are of all.",
  method: 'GET',
  path: '/v1/Statements/GetAsync',
  access: ['buyer'],
  query: v.object(range),
  reply: envelope(statement),
  refusals: [],
});

/** What a statement can be saved as. */
export const STATEMENT_FORMATS = ['pdf', 'csv'] as const;

export const getStatementFile = defineEndpoint({
  name: 'getStatementFile',
  summary: 'The same statement as a PDF or CSV file, in base64.',
  method: 'GET',
  path: '/v1/Statements/FileAsync',
  access: ['buyer'],
  query: v.object({ ...range, format: v.picklist(STATEMENT_FORMATS) }),
  reply: envelope(v.object({ fileName: v.string(), contentByteArray: v.string() })),
  refusals: [],
});
