import fs from 'node:fs';
import type { Endpoint } from '@aparta/contract/endpoint';

/**
 * Refusals that an endpoint declares and that no test of the run met; `seenFile` is what the tests noted
 * (`server/test/refusals-seen.ts`). What tills are told has numbers of its own, and tests by number.
 */
export function untestedRefusals(
  endpoints: readonly Pick<Endpoint, 'name' | 'refusals' | 'refusalForm'>[],
  seenFile: string,
): string[] {
  const seen = new Set(fs.existsSync(seenFile) ? fs.readFileSync(seenFile, 'utf8').split('\n') : []);
  return endpoints
    .filter(({ refusalForm }) => refusalForm !== 'till')
    .flatMap(({ name, refusals }) =>
      refusals
        .filter((code) => !seen.has(`${name} ${code}`))
        .map((code) => `${name} declares ${code}, and no test meets it`),
    );
}
