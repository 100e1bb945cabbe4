import { ENDPOINTS } from '@aparta/contract/endpoints';
import { REFUSAL_CODES } from '@aparta/contract/refusals';
import { describe, expect, test } from 'vitest';

import { openApiDocument, refusalsOf, templateOf } from './openapi.ts';
import { REFUSAL_STATUS } from './refusal-status.ts';

interface Operation {
  operationId: string;
  parameters?: { name: string; in: string }[];
  security?: Record<string, []>[];
  requestBody?: { content: { 'application/json': { schema: { properties: object } } } };
  responses: Record<string, { content: { 'application/json': { schema: { properties: object } } } }>;
}

const document = openApiDocument('Aparta') as unknown as {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
};

describe.each(Object.values(ENDPOINTS).flat())('$method $path', (endpoint) => {
  const operation = document.paths[templateOf(endpoint.path)]![endpoint.method.toLowerCase()]!;

  test('is in the document, with its name, parameters, body and reply', () => {
    expect(operation.operationId).toBe(endpoint.name);
    const named = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
    const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
    expect(inPath.map(({ name }) => name)).toEqual(named);
    expect(operation.requestBody !== undefined).toBe(endpoint.body !== undefined);
    const reply = operation.responses['200']!.content['application/json'].schema;
    expect(Object.keys(reply.properties).length).toBeGreaterThan(0);
    expect(operation.security?.flatMap(Object.keys) ?? 'public').toEqual(endpoint.access);
  });

  test('lists the status of everything that it refuses', () => {
    const statuses =
      endpoint.refusalForm === 'till' ? [401, 403] : refusalsOf(endpoint).map((code) => REFUSAL_STATUS[code]);
    expect(Object.keys(operation.responses).map(Number)).toEqual(expect.arrayContaining(statuses));
  });
});

test('the document says that it is OpenAPI 3.1', () => {
  expect(document.openapi).toBe('3.1.0');
});

test('every code of the closed list belongs to some call, or to the edge', () => {
  const used = new Set(Object.values(ENDPOINTS).flat().flatMap(refusalsOf));
  const unused = REFUSAL_CODES.filter((code) => !used.has(code) && code !== 'METHOD_NOT_ALLOWED');
  expect(unused).toEqual([]);
});
