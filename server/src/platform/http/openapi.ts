import { EDGE_REFUSALS, refusalBody, type Endpoint } from '@aparta/contract/endpoint';
import { ENDPOINTS } from '@aparta/contract/endpoints';
import { REFUSALS } from '@aparta/contract/refusals';
import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';

import type { RefusalCode } from '../refusal.ts';
import { REFUSAL_STATUS } from './refusal-status.ts';

type Json = Record<string, unknown>;

/** A schema as it looks on the wire. Checks and conversions have no JSON Schema; the bounds beside them do. */
function schemaOf(schema: v.GenericSchema): Json {
  const { $schema: _, ...json } = toJsonSchema(schema, { typeMode: 'input', errorMode: 'ignore' }) as Json;
  return json;
}

/** `/v1/Thing/:id` as OpenAPI writes it: `/v1/Thing/{id}`. */
export function templateOf(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

function parametersOf(schema: v.GenericSchema | undefined, place: 'path' | 'query'): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(schema) as { properties?: Json; required?: string[] };
  return Object.entries(properties).map(([name, its]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: its,
  }));
}

/** Every code that a call may be refused with, its own and the edge's. */
export function refusalsOf(endpoint: Endpoint): RefusalCode[] {
  const session: RefusalCode[] = endpoint.access === 'public' ? [] : ['SESSION_DEAD', 'NOT_ALLOWED'];
  return [...new Set([...session, ...endpoint.refusals, ...EDGE_REFUSALS])];
}

function refusedResponses(endpoint: Endpoint): Json {
  const byStatus = Map.groupBy(refusalsOf(endpoint), (code) => REFUSAL_STATUS[code]);
  const schema =
    endpoint.refusalForm === 'till' ? schemaOf(endpoint.reply) : { $ref: '#/components/schemas/Refusal' };
  const own = endpoint.refusalForm === 'till' ? [401, 403] : [...byStatus.keys()];
  return Object.fromEntries(
    own
      .toSorted((a, b) => a - b)
      .map((status) => [
        String(status),
        {
          description: (byStatus.get(status) ?? []).map((code) => `${code}: ${REFUSALS[code]}`).join('\n'),
          content: { 'application/json': { schema } },
        },
      ]),
  );
}

function operationOf(endpoint: Endpoint, tag: string): Json {
  const parameters = [...parametersOf(endpoint.params, 'path'), ...parametersOf(endpoint.query, 'query')];
  return {
    operationId: endpoint.name,
    summary: endpoint.summary,
    tags: [tag],
    ...(endpoint.access !== 'public' && { security: endpoint.access.map((kind) => ({ [kind]: [] })) }),
    ...(parameters.length > 0 && { parameters }),
    ...(endpoint.body && {
      requestBody: { required: true, content: { 'application/json': { schema: schemaOf(endpoint.body) } } },
    }),
    responses: {
      200: { description: 'Done.', content: { 'application/json': { schema: schemaOf(endpoint.reply) } } },
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
    paths,
    components: {
      schemas: { Refusal: schemaOf(refusalBody) },
      securitySchemes: {
        buyer: bearer('Of TokenBuyer/Authenticate.'),
        till: bearer('Of User/authenticate.'),
        integrator: bearer('Of Users/Authenticate.'),
      },
    },
  };
}
