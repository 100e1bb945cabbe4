import { ENDPOINTS } from '@aparta/contract/endpoints';
import { REFUSAL_CODES } from '@aparta/contract/refusals';
import { TILL_ERRORS } from '@aparta/contract/tills';
import {
  TILL_BODIES,
  TILL_ERRORS_EXPLAINED,
  TILL_EXAMPLES,
  TILL_GUIDE,
  TILL_NEXT,
} from '@aparta/contract/tills-explained';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

import { Refusal } from '../refusal.ts';
import { openApiDocument, refusalsOf, templateOf } from './openapi.ts';
import { REFUSAL_STATUS } from './refusal-status.ts';
import { refusedReply } from './refused.ts';

interface Operation {
  operationId: string;
  parameters?: { name: string; in: string }[];
  security?: Record<string, []>[];
  requestBody?: { content: { 'application/json': { schema: { properties: object } } } };
  responses: Record<string, { content: { 'application/json': { schema: { properties: object } } } }>;
}

const document = openApiDocument('Aparta') as unknown as {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, any> };
};

/** A schema, or the component that it names. */
const resolved = (schema: any) =>
  schema.$ref === undefined
    ? schema
    : document.components.schemas[schema.$ref.replace('#/components/schemas/', '')];

describe.each(Object.values(ENDPOINTS).flat())('$method $path', (endpoint) => {
  const operation = document.paths[templateOf(endpoint.path)]![endpoint.method.toLowerCase()]!;

  test('is in the document, with its name, parameters, body and reply', () => {
    expect(operation.operationId).toBe(endpoint.name);
    const named = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
    const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
    expect(inPath.map(({ name }) => name)).toEqual(named);
    expect(operation.requestBody !== undefined).toBe(endpoint.body !== undefined);
    const { content } = operation.responses['200']!;
    const reply = endpoint.isStream
      ? { properties: content['text/event-stream' as 'application/json'].schema }
      : resolved(content['application/json'].schema);
    expect(Object.keys(reply.properties).length).toBeGreaterThan(0);
    expect(operation.security?.flatMap(Object.keys) ?? 'public').toEqual(endpoint.access);
  });

  test('lists the statuses that it answers, and no other', () => {
    const refused =
      endpoint.refusalForm === 'till'
        ? [401, 403, 405]
        : refusalsOf(endpoint).map((code) => REFUSAL_STATUS[code]);
    expect(new Set(Object.keys(operation.responses).map(Number))).toEqual(new Set([200, ...refused]));
  });
});

/** Every property of a part of the document, with where it is. */
function propertiesIn(part: any, at: string): [string, any][] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, its]: [string, any]) => [
    ...(key === 'properties'
      ? Object.entries(its).map(([name, schema]): [string, any] => [`${at}.${name}`, schema])
      : []),
    ...propertiesIn(its, key === 'properties' ? at : `${at}.${key}`),
  ]);
}
const properties = [
  ...propertiesIn(document.components.schemas, ''),
  ...propertiesIn(document.paths, ''),
  ...Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.values(operations).flatMap(({ parameters = [] }) =>
      parameters.map((each: any): [string, any] => [
        `${path} ${each.name}`,
        { ...each.schema, description: each.description },
      ]),
    ),
  ),
];

test('each field is explained, once for all who carry it', () => {
  expect(properties.length).toBeGreaterThan(200);
  const mute = properties.filter(([, { description }]) => !description).map(([at]) => at);
  expect(mute).toEqual([]);
  expect(Object.keys(document.components.schemas).length).toBeGreaterThan(10);
  expect(document.servers).toHaveLength(1);
});

test('each field with a value of its own has an example, and the example is good', () => {
  const problems = properties.flatMap(([at, schema]) => {
    const { type, examples, enum: choices, pattern, maxLength, minimum } = schema.anyOf?.[0] ?? schema;
    if (schema.const !== undefined || !['string', 'number', 'integer'].includes(type)) return [];
    const [example] = schema.examples ?? examples ?? [];
    const isGood =
      (type === 'string' ? typeof example === 'string' : typeof example === 'number') &&
      (choices === undefined || choices.includes(example)) &&
      (pattern === undefined || new RegExp(pattern, 'u').test(example)) &&
      (maxLength === undefined || example.length <= maxLength) &&
      (minimum === undefined || example >= minimum);
    return isGood ? [] : [`${at}: ${JSON.stringify(example)}`];
  });
  expect([...new Set(problems)]).toEqual([]);
});

test('a till’s vendor finds every error explained, and replies that the contract takes', () => {
  expect(Object.keys(TILL_ERRORS_EXPLAINED).map(Number)).toEqual(
    Object.values(TILL_ERRORS).toSorted((one, other) => one - other),
  );
  for (const endpoint of ENDPOINTS['tills']!.filter(({ refusalForm }) => refusalForm === 'till')) {
    const replies = TILL_EXAMPLES[endpoint.name] ?? [];
    expect(replies.length).toBeGreaterThan(0);
    for (const [, reply] of replies) expect(v.parse(endpoint.reply, reply)).toEqual(reply);
    for (const body of TILL_BODIES[endpoint.name] ?? []) v.parse(endpoint.body!, body);
    const { description, responses } = document.paths[endpoint.path]!['post'] as any;
    const shown: any[] = Object.values(responses['200'].content['application/json'].examples);
    expect(shown.map(({ value }) => value)).toEqual(replies.map(([, reply]) => reply));
    for (const words of ['`compañia`', '| 11 |', '`reverse`']) expect(description).toContain(words);
  }
});

test('a till whose session ended while its answer was lost is not told to charge under a new number', () => {
  // The first call may be booked: error 12 is not kept, and says nothing of it.
  expect(refusedReply(new Refusal('SESSION_DEAD'), '', 'till')).toMatchObject({
    status: 401,
    body: { error: 12 },
  });
  expect(TILL_GUIDE.join()).toContain('only 11, 12 and 99 are not kept');
  for (const error of [11, 12, 99] as const)
    expect(TILL_NEXT[TILL_ERRORS_EXPLAINED[error][1]]).not.toContain('a new `idtransaccion`');
  expect(TILL_NEXT[TILL_ERRORS_EXPLAINED[12][1]]).toContain('the same `idtransaccion`');
});

test('a till’s vendor finds an example of every error', () => {
  const shown = Object.values(TILL_EXAMPLES).flatMap((replies) => replies.map(([, { error }]) => error));
  expect(Object.values(TILL_ERRORS).filter((error) => !shown.includes(error))).toEqual([]);
});

test('the document says that it is OpenAPI 3.1', () => {
  expect(document.openapi).toBe('3.1.0');
});

test('every code of the closed list belongs to some call, or to the edge', () => {
  const used = new Set(Object.values(ENDPOINTS).flat().flatMap(refusalsOf));
  const unused = REFUSAL_CODES.filter((code) => !used.has(code) && code !== 'METHOD_NOT_ALLOWED');
  expect(unused).toEqual([]);
});
