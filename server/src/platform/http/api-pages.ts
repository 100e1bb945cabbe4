import type { Endpoint } from '@aparta/contract/endpoint';
import { ENDPOINTS } from '@aparta/contract/endpoints';
import { REFUSALS } from '@aparta/contract/refusals';
import { toJsonSchema } from '@valibot/to-json-schema';
import type { FastifyInstance } from 'fastify';
import type * as v from 'valibot';

import { meaningOf, openApiDocument, refusedStatusesOf, templateOf } from './openapi.ts';
import { posCollection } from './pos-collection.ts';
import { posPage } from './pos-page.ts';
import { plainPageHeaders } from './security-headers.ts';
import { escapeHtml } from './web.ts';

/** Serves the contract to people (`/api`; `/api/pos` for who connects a till) and to programs, drawn when it is first asked for. */
export function serveApiPages(app: FastifyInstance, productName: string): void {
  const drawn = new Map<string, string>();
  const serve = (path: string, type: string, draw: (productName: string) => string) =>
    app.get(path, (_request, reply) => {
      const text = drawn.get(path) ?? draw(productName);
      drawn.set(path, text);
      return reply
        .headers({ ...plainPageHeaders(), 'cache-control': 'no-cache' })
        .type(`${type}; charset=utf-8`)
        .send(text);
    });
  serve('/openapi.json', 'application/json', (name) => JSON.stringify(openApiDocument(name)));
  serve('/api', 'text/html', pageOf);
  serve('/api/pos', 'text/html', posPage);
  serve('/api/pos.postman.json', 'application/json', (name) => JSON.stringify(posCollection(name), null, 1));
  app.get('/api.css', (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('text/css; charset=utf-8').send(STYLE),
  );
}

interface JsonSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly maxLength?: number;
}

/** A schema as a reader wants it: one line for each field with what it means, its parts indented below it. */
function outline(schema: JsonSchema, operation: string, depth = 0): string[] {
  const indent = '  '.repeat(depth);
  if (schema.properties === undefined) return [`${indent}${wordFor(schema)}`];
  return Object.entries(schema.properties).flatMap(([name, field]) => {
    const mark = schema.required?.includes(name) ? '' : '?';
    const inner = partsOf(field);
    const line = `${indent}${name}${mark}: ${wordFor(field)}  // ${meaningOf(operation, name)}`;
    return inner === undefined ? [line] : [line, ...outline(inner, operation, depth + 1)];
  });
}

function partsOf(schema: JsonSchema): JsonSchema | undefined {
  const inner = schema.items ?? schema.anyOf?.find((choice) => choice.properties !== undefined) ?? schema;
  return inner.properties === undefined ? undefined : inner;
}

function wordFor(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf !== undefined) return schema.anyOf.map(wordFor).join(' | ');
  if (schema.items !== undefined) return `list of ${wordFor(schema.items)}`;
  const bound = schema.maxLength === undefined ? '' : `, at most ${schema.maxLength}`;
  return `${schema.type ?? 'anything'}${bound}`;
}

function block(title: string, schema: v.GenericSchema | undefined, operation: string): string {
  if (schema === undefined) return '';
  const json = toJsonSchema(schema, { typeMode: 'input', errorMode: 'ignore' }) as JsonSchema;
  const lines = outline(json, operation);
  return `<h4>${title}</h4><pre tabindex="0">${escapeHtml(lines.join('\n'))}</pre>`;
}

function sectionOf(endpoint: Endpoint): string {
  const callers = endpoint.access === 'public' ? 'anyone' : endpoint.access.join(' or ');
  const refusals = [...refusedStatusesOf(endpoint)]
    .flatMap(([status, codes]) =>
      codes.map((code) => `<li><code>${status} ${code}</code> ${escapeHtml(REFUSALS[code])}</li>`),
    )
    .join('');
  return `<section id="${endpoint.name}">
<h3><span>${endpoint.method}</span> <code>${escapeHtml(templateOf(endpoint.path))}</code></h3>
<p>${escapeHtml(endpoint.summary)} For ${callers}.</p>
${block('Path', endpoint.params, endpoint.name)}${block('Query', endpoint.query, endpoint.name)}${block('Body', endpoint.body, endpoint.name)}
${block('Reply', endpoint.reply, endpoint.name)}
<details><summary>Refusals</summary><ul>${refusals}</ul></details>
</section>`;
}

function pageOf(productName: string): string {
  const title = escapeHtml(`${productName}: API`);
  const features = Object.entries(ENDPOINTS)
    .map(([feature, endpoints]) => `<h2>${feature}</h2>${endpoints.map(sectionOf).join('')}`)
    .join('');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/api.css">
</head>
<body>
<main>
<h1>${title}</h1>
<p>The same for programs: <a href="/openapi.json">openapi.json</a>. Who connects a till begins with
<a href="/api/pos">its own page</a>. Send the token as
<code>Authorization: Bearer …</code>. Replies under <code>/v1</code> are
<code>{ isSuccess, message, data }</code>; a refusal adds <code>code</code>, and <code>fields</code> or
<code>facts</code> where they help. Money is a number of pesos with at most 2 decimals.</p>
${features}
</main>
</body>
</html>`;
}

const STYLE = `:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0; }
main { max-width: 48rem; margin: 0 auto; padding: 1rem; }
h2 { border-bottom: 1px solid; margin-top: 3rem; }
h3 { overflow-wrap: anywhere; margin: 2rem 0 0; }
h4 { margin: 1rem 0 0; }
pre { overflow-x: auto; padding: 0.75rem; margin: 0.25rem 0; border: 1px solid; border-radius: 0.5rem; }
summary { padding: 0.5rem 0; cursor: pointer; }
`;
