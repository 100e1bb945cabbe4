import type { StaffAct } from '@aparta/domain/staff-rights';
import * as v from 'valibot';

import type { RefusalCode } from './refusals.ts';

/** Who may call: each kind is a credential of its own, and one never stands in for another. */
export type PrincipalKind = 'buyer' | 'till' | 'integrator' | 'staff';

/** `public`, or the kinds of caller that are let in. */
export type Access = 'public' | readonly PrincipalKind[];

type Schema = v.GenericSchema;

/** What may go wrong at the edge of any endpoint; each endpoint lists only what it adds. */
export const EDGE_REFUSALS = [
  'INVALID_INPUT',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_BODY',
  'TOO_MANY',
  'TOO_SLOW',
  'BUSY',
  'DATABASE_AWAY',
  'UNAVAILABLE',
  'INTERNAL',
] as const satisfies readonly RefusalCode[];

export interface Endpoint {
  /** Unique; the operation id of the OpenAPI document. */
  readonly name: string;
  /** One English sentence for the API page. */
  readonly summary: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Exactly as spec §7 spells it, with `:name` for each path parameter. */
  readonly path: `/${string}`;
  readonly access: Access;
  /** Of a call of staff: what it does, as their role's rights name it. */
  readonly act?: StaffAct;
  readonly params?: Schema;
  readonly query?: Schema;
  readonly body?: Schema;
  /** The whole body of the 200 reply; see {@link envelope}. */
  readonly reply: Schema;
  /** Answered by a stream of server-sent events that stays open; `reply` is the data of each. */
  readonly isStream?: true;
  /** Refusals beyond {@link EDGE_REFUSALS} and the dead session of any endpoint that is not public. */
  readonly refusals: readonly RefusalCode[];
  /** Tills read `error` and `mensaje` instead of the envelope (rules/wire#till-errors). */
  readonly refusalForm?: 'till';
  /**
   * A body field that starts with the product's name in lower case, given as the default product spells it. The server
   * and the web rename it for a product of another name: see {@link productField}.
   */
  readonly productField?: string;
  /** Largest body accepted; 64 KB when absent. */
  readonly bodyLimitBytes?: number;
}

/** Declares an endpoint, keeping the exact types of its schemas for client and server. */
/* @__NO_SIDE_EFFECTS__ */
export function defineEndpoint<const E extends Endpoint>(endpoint: E): E {
  return endpoint;
}

/** The envelope of every `/v1` reply (rules/wire#envelope). Refusals have the same shape plus `code`. */
/* @__NO_SIDE_EFFECTS__ */
export function envelope<const D extends Schema>(data: D) {
  return v.object({ isSuccess: v.literal(true), message: v.string(), data });
}

/** The envelope of one page of a list (rules/wire#envelope). */
/* @__NO_SIDE_EFFECTS__ */
export function pageEnvelope<const D extends Schema>(item: D) {
  return v.object({
    ...envelope(v.array(item)).entries,
    /** The `cursor` of the next page; null on the last one. */
    next: v.nullable(v.string()),
    /** How many there are on all pages; counted for the first one only, null on the others. */
    total: v.nullable(v.number()),
  });
}

/** The body of a refusal: a code of the closed list, and what the caller needs to go on (the field, the new amount). */
export const refusalBody = v.object({
  isSuccess: v.literal(false),
  code: v.string(),
  message: v.string(),
  data: v.null(),
  requestId: v.optional(v.string()),
  fields: v.optional(v.record(v.string(), v.string())),
  facts: v.optional(v.record(v.string(), v.unknown())),
});

/** Matches what an endpoint's `path` stands for. */
export function pathPattern(path: Endpoint['path']): RegExp {
  return new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`);
}

/** The product's name as it starts wire fields when nothing else is configured. */
export const DEFAULT_WIRE_NAME = 'aparta';

/** How a product of another name spells an endpoint's {@link Endpoint.productField}. */
export function productField(endpoint: Endpoint, wireName: string): string | undefined {
  return endpoint.productField?.replace(DEFAULT_WIRE_NAME, wireName);
}

type SchemaOf<E extends Endpoint, K extends 'params' | 'query' | 'body'> = E[K] extends Schema
  ? E[K]
  : undefined;

/** What a client sends in one part of the request (`undefined` where the endpoint has no such part). */
export type Sent<E extends Endpoint, K extends 'params' | 'query' | 'body'> =
  SchemaOf<E, K> extends Schema ? v.InferInput<SchemaOf<E, K>> : undefined;

/** What the server's handler receives of it once it is parsed. */
export type Received<E extends Endpoint, K extends 'params' | 'query' | 'body'> =
  SchemaOf<E, K> extends Schema ? v.InferOutput<SchemaOf<E, K>> : undefined;

/** The whole body of the 200 reply. */
export type Reply<E extends Endpoint> = v.InferOutput<E['reply']>;

/** The `data` of an enveloped reply. */
export type ReplyData<E extends Endpoint> = Reply<E> extends { data: infer D } ? D : never;
