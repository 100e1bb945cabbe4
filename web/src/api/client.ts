import { createCall } from '@aparta/browser/call.ts';
import { productField, type Endpoint } from '@aparta/contract/endpoint';
import { config, type ServiceBase } from '../app/config.ts';
import { loadRefusalTexts } from '../copy/load-refusal-texts.ts';
import { session } from '../session/session.ts';

/** Calls an endpoint as the signed-in buyer; a dead session leads to /login and back. */
export const call = createCall({
  base,
  token: session.token,
  who: () => session.user()?.id,
  renew: async (dead) => session.stays() && (await import('./kept.ts')).renew(dead),
  died: () => session.died(location.pathname + location.search),
  loadTexts: loadRefusalTexts,
  asConfigured,
});

/** The origin that serves a path; '' for the document's own. */
export function base(path: string): string {
  return config.bases[serviceOf(path)];
}

/** The spec §7 service base of a path. */
const services: readonly [RegExp, ServiceBase][] = [
  [/^\/v1\/(TokenBuyer|UserBuyerClient|SecurityBuyer)\//, 'account'],
  [/^\/v1\/(Clib|Tapi|Users)\//, 'payments'],
  [/^\/(PosOperations|User)\//, 'operations'],
  [/^\/v1\/(Cxc|Sales)\//, 'receivables'],
  [/^\/v1\/(ClientSat|FacturaGreen|CxcCfdiEmmit|fiscalregime)\//, 'invoicing'],
  [/^\/v1\/Notifications\//, 'notifications'],
  [/^\/ip$/, 'ip'],
  [/^\/v1\//, 'layaway'],
];

function serviceOf(path: string): ServiceBase {
  const found = services.find(([pattern]) => pattern.test(path));
  if (!found) throw new TypeError(`no service serves ${path}`);
  return found[1];
}

/** One wire field is prefixed with the product's name (rules/wire#names). */
function asConfigured(endpoint: Endpoint, body: Record<string, unknown>): Record<string, unknown> {
  const standard = endpoint.productField;
  const configured = productField(endpoint, config.wireName);
  if (standard === undefined || configured === undefined || standard === configured) return body;
  const { [standard]: value, ...rest } = body;
  return { ...rest, [configured]: value };
}
