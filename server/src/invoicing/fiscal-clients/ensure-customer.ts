import { parseRfc } from '@aparta/domain/fiscal';

import type { Db } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import type { Limit, Limiter } from '../../platform/limiter.ts';
import type { InvoicingProvider, NotKnown, Receiver, Refused } from '../provider/port.ts';
import { Refusal } from '../../platform/refusal.ts';
import { WIRE_FIELD } from './fiscal-data.ts';
import { findBusinessUuid } from './read-model.ts';
import { findCustomer, findFiscalClientByRfc, saveCustomer } from './store.ts';

/** Calls by one buyer that reach the provider. */
const CUSTOMERS_PER_BUYER: Limit = { times: 20, seconds: 3_600 };

/** A tax identity, at one revision, that a merchant's provider must know. */
export interface CustomerRequest {
  readonly fiscalClientId: number;
  readonly merchantId: number;
  readonly businessUuid: string;
  readonly receiver: Receiver;
  readonly revision: number;
}

type Ensured = { readonly kind: 'known'; readonly uuid: string } | Refused | NotKnown;

/**
 * Makes a tax identity known to the provider under a merchant, as it is now: registered at the first invoice there, replaced
 * whole afterwards. It is replaced even when nothing changed: a harmless call that shows whether the provider answers, before
 * the one that cannot be repeated. Two at once may register two customers; the last one is kept, the other does no harm.
 */
export async function ensureCustomer(
  { db, invoicing }: { db: Db; invoicing: InvoicingProvider },
  request: CustomerRequest,
): Promise<Ensured> {
  const { fiscalClientId, merchantId, businessUuid, receiver, revision } = request;
  const known = await findCustomer(db, fiscalClientId, merchantId);
  let uuid = known?.uuid;
  if (uuid !== undefined) {
    const updated = await invoicing.updateCustomer(businessUuid, uuid, receiver);
    if (updated.kind === 'not_sent' || updated.kind === 'unreachable') return updated;
    if (updated.kind === 'refused') {
      if (updated.field !== undefined) return updated;
      uuid = undefined; // no field is at fault: the customer may have been deleted in the provider's panel
    }
  }
  if (uuid === undefined) {
    const registered = await invoicing.registerCustomer(businessUuid, receiver);
    if (registered.kind !== 'registered') return registered;
    uuid = registered.uuid;
  }
  const customer = { uuid, revision };
  await transaction(db, (tx) => saveCustomer(tx, { fiscalClientId, merchantId }, customer));
  return { kind: 'known', uuid };
}

/**
 * Spec §7's CustomerAddAsync: makes one of the buyer's tax identities known under a merchant that they buy from, once per
 * revision, and returns its id at the provider. Refuses NOT_FOUND, INVOICING_NOT_OFFERED, TOO_MANY, INVOICE_REFUSED and
 * PROVIDER_DOWN.
 */
export async function addCustomer(
  deps: { db: Db; invoicing: InvoicingProvider; limiter: Limiter },
  buyerId: number,
  request: { merchantId: number; rfc: string },
): Promise<string> {
  const rfc = parseRfc(request.rfc);
  if (!rfc.ok) throw new Refusal('NOT_FOUND');
  const [businessUuid, client] = await Promise.all([
    findBusinessUuid(deps.db, request.merchantId, buyerId),
    findFiscalClientByRfc(deps.db, buyerId, rfc.rfc),
  ]);
  if (businessUuid === undefined || client === undefined) throw new Refusal('NOT_FOUND');
  if (businessUuid === '') throw new Refusal('INVOICING_NOT_OFFERED');
  const known = await findCustomer(deps.db, client.id, request.merchantId);
  if (known?.revision === client.revision) return known.uuid;
  await deps.limiter.take('invoicing customer', String(buyerId), CUSTOMERS_PER_BUYER);
  const ensured = await ensureCustomer(deps, {
    fiscalClientId: client.id,
    merchantId: request.merchantId,
    businessUuid,
    receiver: client,
    revision: client.revision,
  });
  switch (ensured.kind) {
    case 'known':
      return ensured.uuid;
    case 'refused':
      throw new Refusal('INVOICE_REFUSED', refusalFacts(ensured));
    case 'not_sent':
    case 'unreachable':
      throw new Refusal('PROVIDER_DOWN');
  }
}

/** The facts of a refusal for a screen: the field to correct by its name on the wire, null when the buyer can correct none. */
export function refusalFacts(
  refused: Pick<Refused, 'code' | 'message'> & { field: Refused['field'] | null },
) {
  return {
    field: refused.field ? WIRE_FIELD[refused.field] : null,
    detailCode: refused.code,
    detailMessage: refused.message,
  };
}
