import { EDGE_REFUSALS, refusalBody, type Endpoint } from '@aparta/contract/endpoint';
import { ENDPOINTS } from '@aparta/contract/endpoints';
import { REFUSALS } from '@aparta/contract/refusals';
import { fiscalClient } from '@aparta/contract/invoices';
import { buyerProfile } from '@aparta/contract/account';
import { cancelQuote, refund } from '@aparta/contract/cancellations';
import { cashReference } from '@aparta/contract/cash';
import { FIELDS } from '@aparta/contract/fields';
import { invoice } from '@aparta/contract/invoice';
import { layawayReference } from '@aparta/contract/layaway';
import { cardPayment } from '@aparta/contract/payments';
import { instalment, instalmentWithPayments, purchaseSummary, sale } from '@aparta/contract/purchases';
import { receipt } from '@aparta/contract/receipts';
import { tillReply, tillRequest } from '@aparta/contract/tills';
import {
  TILL_ERRORS_EXPLAINED,
  TILL_EXAMPLES,
  TILL_GUIDE,
  TILL_NEXT,
} from '@aparta/contract/tills-explained';
import { may, needsOwnSession, needsPasskey } from '@aparta/domain/staff-rights';
import { toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type * as v from 'valibot';

import type { RefusalCode } from '../refusal.ts';
import { REFUSAL_STATUS } from './refusal-status.ts';

type Json = Record<string, unknown>;

/** What several calls carry, under a name of its own. */
const COMPONENTS: Readonly<Record<string, v.GenericSchema>> = {
  Refusal: refusalBody,
  BuyerProfile: buyerProfile,
  CancelQuote: cancelQuote,
  CardPayment: cardPayment,
  CashReference: cashReference,
  FiscalClient: fiscalClient,
  Instalment: instalment,
  InstalmentWithPayments: instalmentWithPayments,
  Invoice: invoice,
  LayawayReference: layawayReference,
  PurchaseSummary: purchaseSummary,
  Receipt: receipt,
  Refund: refund,
  Sale: sale,
  TillRequest: tillRequest,
  TillReply: tillReply,
};

const WIRE = {
  typeMode: 'input',
  errorMode: 'ignore',
  definitions: COMPONENTS,
  overrideRef: ({ referenceId }: { referenceId: string }) => `#/components/schemas/${referenceId}`,
} as const;

/** A schema as it looks on the wire. Checks and conversions have no JSON Schema; the bounds beside them do. */
function schemaOf(schema: v.GenericSchema, operation: string): Json {
  const { $schema: _, $defs: _defs, ...json } = toJsonSchema(schema, WIRE) as Json;
  return explain(json, operation);
}

/** Says of each property what it means, with an example where its schema is not one. */
function explain(schema: Json, operation: string): Json {
  const within = (part: unknown): unknown => (isJson(part) ? explain(part, operation) : part);
  const explained = Object.fromEntries(
    Object.entries(schema).map(([key, its]) => [key, Array.isArray(its) ? its.map(within) : within(its)]),
  );
  if (!isJson(schema['properties'])) return explained;
  const properties = Object.entries(explained['properties'] as Record<string, Json>).map(
    ([name, its]) => [name, withMeaning(its, operation, name)] as const,
  );
  return { ...explained, properties: Object.fromEntries(properties) };
}

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a field means where this call, or component, has it. */
export function meaningOf(operation: string, name: string): string {
  return (FIELDS[`${operation}.${name}`] ?? FIELDS[name] ?? [''])[0];
}

function withMeaning(schema: Json, operation: string, name: string): Json {
  const [, given] = FIELDS[`${operation}.${name}`] ?? FIELDS[name] ?? [];
  const example = exampleOf(schema, given);
  return {
    ...schema,
    description: meaningOf(operation, name),
    ...(example !== undefined && { examples: [example] }),
  };
}

/** The example in the form of the schema: ids are texts in an address and numbers in a body. */
function exampleOf(schema: Json, given: unknown): unknown {
  const [first] = Array.isArray(schema['anyOf']) ? (schema['anyOf'] as Json[]) : [schema];
  const { type, enum: choices } = first ?? {};
  if (Array.isArray(choices)) return choices.includes(given) ? given : choices[0];
  if (type === 'boolean') return true;
  if (type === 'string') return typeof given === 'number' ? String(given) : given;
  return (type === 'number' || type === 'integer') && typeof given === 'number' ? given : undefined;
}

/** `/v1/Thing/:id` as OpenAPI writes it: `/v1/Thing/{id}`. */
export function templateOf(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

function parametersOf(endpoint: Endpoint, place: 'path' | 'query'): Json[] {
  const schema = place === 'path' ? endpoint.params : endpoint.query;
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(schema, endpoint.name) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...its }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    description,
    schema: its,
  }));
}

/** Every code that a call may be refused with, its own and the edge's. */
export function refusalsOf(endpoint: Endpoint): RefusalCode[] {
  const session: RefusalCode[] = endpoint.access === 'public' ? [] : ['SESSION_DEAD', 'NOT_ALLOWED'];
  const { act } = endpoint;
  const role: RefusalCode[] = act === undefined ? [] : ['ROLE_NOT_ALLOWED'];
  if (act !== undefined && needsOwnSession(act)) role.push('OWN_SESSION_NEEDED');
  if (act !== undefined && may('owner', act) && needsPasskey(act)) role.push('PASSKEY_NEEDED');
  return [...new Set([...session, ...role, ...endpoint.refusals, ...EDGE_REFUSALS])];
}

/** The statuses of refusals: a till that is signed in reads `error` in a 200, and never sees another. */
export function refusedStatusesOf(endpoint: Endpoint): Map<number, readonly RefusalCode[]> {
  const byStatus = Map.groupBy(refusalsOf(endpoint), (code) => REFUSAL_STATUS[code]);
  if (endpoint.refusalForm !== 'till') return new Map([...byStatus].toSorted(([a], [b]) => a - b));
  return new Map([401, 403, 405].map((status) => [status, byStatus.get(status) ?? ['METHOD_NOT_ALLOWED']]));
}

const RETRY_AFTER = {
  'Retry-After': { description: 'How many seconds to wait.', schema: { type: 'integer', examples: [5] } },
};

function refusedResponses(endpoint: Endpoint): Json {
  const schema =
    endpoint.refusalForm === 'till'
      ? schemaOf(endpoint.reply, endpoint.name)
      : { $ref: '#/components/schemas/Refusal' };
  return Object.fromEntries(
    [...refusedStatusesOf(endpoint)].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `${code}: ${REFUSALS[code]}`).join('\n'),
        ...((status === 429 || status === 503) && { headers: RETRY_AFTER }),
        content: { 'application/json': { schema } },
      },
    ]),
  );
}

/** What a till's vendor has to know, in Markdown. */
function tillDescription({ summary }: Endpoint): string {
  const errors = Object.entries(TILL_ERRORS_EXPLAINED).map(
    ([error, [meaning, next]]) => `| ${error} | ${meaning} | ${TILL_NEXT[next]} |`,
  );
  return [
    summary,
    '',
    ...TILL_GUIDE.map((line) => `- ${line}`),
    '',
    '| error | Means | Next |',
    '|---|---|---|',
    ...errors,
  ].join('\n');
}

function repliesOf(endpoint: Endpoint): Json {
  const content = { schema: schemaOf(endpoint.reply, endpoint.name) };
  if (endpoint.isStream)
    return { description: 'Open: the data of each event.', content: { 'text/event-stream': content } };
  if (endpoint.refusalForm !== 'till')
    return { description: 'Done.', content: { 'application/json': content } };
  const examples = Object.fromEntries(
    TILL_EXAMPLES[endpoint.name]?.map(([summary, value], at) => [`example${at + 1}`, { summary, value }]) ??
      [],
  );
  return {
    description: 'Answered: `error` says what became of it.',
    headers: RETRY_AFTER,
    content: { 'application/json': { ...content, examples } },
  };
}

function operationOf(endpoint: Endpoint, tag: string): Json {
  const parameters = [...parametersOf(endpoint, 'path'), ...parametersOf(endpoint, 'query')];
  return {
    operationId: endpoint.name,
    summary: endpoint.summary,
    ...(endpoint.refusalForm === 'till' && { description: tillDescription(endpoint) }),
    tags: [tag],
    ...(endpoint.access !== 'public' && { security: endpoint.access.map((kind) => ({ [kind]: [] })) }),
    ...(parameters.length > 0 && { parameters }),
    ...(endpoint.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaOf(endpoint.body, endpoint.name) } },
      },
    }),
    responses: {
      200: repliesOf(endpoint),
      ...refusedResponses(endpoint),
    },
  };
}

/** The OpenAPI 3.1 document of the whole contract. */
export function openApiDocument(productName: string): Json {
  const paths: Record<string, Json> = {};
  for (const [tag, endpoints] of Object.entries(ENDPOINTS)) {
    for (const endpoint of endpoints) {
      const path = (paths[templateOf(endpoint.path)] ??= {});
      path[endpoint.method.toLowerCase()] = operationOf(endpoint, tag);
    }
  }
  const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description });
  return {
    openapi: '3.1.0',
    info: {
      title: productName,
      version: '1',
      description:
        'Money is a JSON number of pesos with at most 2 decimals. Moments are ISO-8601, days YYYY-MM-DD.',
    },
    servers: [{ url: '/', description: 'The server that this document was read from.' }],
    paths,
    components: {
      schemas: Object.fromEntries(
        Object.entries(toJsonSchemaDefs(COMPONENTS, WIRE)).map(([name, schema]) => [
          name,
          explain(schema as Json, name),
        ]),
      ),
      securitySchemes: {
        buyer: bearer('Of TokenBuyer/Authenticate.'),
        till: bearer('Of User/authenticate.'),
        integrator: bearer('Of Users/Authenticate.'),
        staff: bearer('Of counter/sign-in.'),
      },
    },
  };
}
