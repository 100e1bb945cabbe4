import { appendFileSync } from 'node:fs';
import { type Endpoint, pathPattern } from '@aparta/contract/endpoint';
import { ENDPOINTS } from '@aparta/contract/endpoints';

const seen = new Set<string>();
let patterns: { readonly endpoint: Endpoint; readonly path: RegExp }[] | undefined;

/**
 * Notes in the file `REFUSALS_SEEN` that a call was refused, where the run asks for it: `npm test` compares the file with the
 * refusals that the contract declares.
 */
export function noteRefusal(method: string, url: string, body: unknown): void {
  const file = process.env['REFUSALS_SEEN'];
  const code = (body as { code?: unknown } | null)?.code;
  if (file === undefined || typeof code !== 'string') return;
  patterns ??= Object.values(ENDPOINTS)
    .flat()
    .map((endpoint) => ({ endpoint, path: pathPattern(endpoint.path) }));
  const [path = ''] = url.split('?');
  const found = patterns.find((each) => each.endpoint.method === method && each.path.test(path));
  const line = `${found?.endpoint.name} ${code}\n`;
  if (found === undefined || seen.has(line)) return;
  seen.add(line);
  appendFileSync(file, line);
}
