import { listMerchants } from '@aparta/server/catalogue/merchants/read-model';
import type { Db } from '@aparta/server/platform/db/db';
import { RefusedChange } from '@aparta/server/platform/refused-change';

/** The merchant of that number, if one is asked for: a list of nobody's would read as an empty one. */
export async function knownMerchant<Id extends number | undefined>(db: Db, id: Id): Promise<Id> {
  if (id !== undefined && (await listMerchants(db, id)).length === 0)
    throw new RefusedChange('merchant_unknown', { id });
  return id;
}
