import fs from 'node:fs';
import type { Endpoint } from '@aparta/contract/endpoint';

/** Declared before this was asked for, and still without a test that meets them over the wire. Shorten it; add nothing. */
const OWED: readonly string[] = [
  'authenticateIntegrator TOO_MANY',
  'authenticateTill TOO_MANY',
  'getAttempt TOO_MANY',
  'getCardPayment TOO_MANY',
  'addInvoicingCustomer INVOICE_REFUSED',
  'emitInvoice FISCAL_DATA_WRONG',
  'updateFiscalClient FISCAL_DATA_WRONG',
];

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
        .filter((code) => !seen.has(`${name} ${code}`) && !OWED.includes(`${name} ${code}`))
        .map((code) => `${name} declares ${code}, and no test meets it`),
    );
}
