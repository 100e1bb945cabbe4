import { parseRfc } from '@aparta/domain/fiscal';

import type { Db } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import type { Limiter } from '../../platform/limiter.ts';
import type { InvoicingProvider, NotKnown, Receiver, Refused } from '../provider/port.ts';
import { Refusal } from '../../platform/refusal.ts';
import { WIRE_FIELD } from './fiscal-data.ts';
import { INVOICE_LIMITS } from '../limits.ts';
import { findBusinessUuid, findCustomer, findFiscalClientByRfc, saveCustomer } from '../store.ts';

/** Who is to be made known, where, and how new what is said of him is. */
export interface CustomerRequest {
  readonly fiscalClientId: number;
  readonly merchantId: number;
  readonly businessUuid: string;
  readonly receiver: Receiver;
  readonly revision: number;
}

type Ensured = { readonly kind: 'known'; readonly uuid: string } | Refused | NotKnown;

/**
 * Brings the provider to know a tax identity under a merchant as it is now: registered at its first invoice there, replaced
 * whole afterwards, also when nothing changed: it is the harmless call that finds out whether the provider is there before the
 * one that cannot be repeated. Of two at once each may register one; that is a spare customer there, and the last is kept.
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
      uuid = undefined; // none of his data: perhaps somebody deleted him in the provider's panel
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
 * Spec §7's CustomerAddAsync: makes one of the buyer's identities known under a merchant that he buys from, once. Refuses
 * NOT_FOUND, INVOICING_NOT_OFFERED, TOO_MANY, INVOICE_REFUSED and PROVIDER_DOWN.
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
  await deps.limiter.take('invoicing customer', String(buyerId), INVOICE_LIMITS.customersPerBuyer);
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

/** What a screen is told of a refusal: the field to correct under the wire's name, null when it is none of the buyer's. */
export function refusalFacts(
  refused: Pick<Refused, 'code' | 'message'> & { field: Refused['field'] | null },
) {
  return {
    field: refused.field ? WIRE_FIELD[refused.field] : null,
    detailCode: refused.code,
    detailMessage: refused.message,
  };
}
