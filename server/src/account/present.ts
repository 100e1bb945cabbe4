import type { BuyerProfile } from '@aparta/contract/account';

import type { BuyerRow } from './store.ts';

/** A buyer's row as its owner sees it on the wire. */
export function presentBuyer(row: BuyerRow): BuyerProfile {
  return {
    id: row.id,
    name: row.name,
    userName: row.user_name,
    user: row.email,
    phone: row.phone,
    ssoId: row.sso_id,
    numberAddress: row.address_number,
    postalCodeAddress: row.address_postal_code,
    streetAddress: row.address_street,
  };
}
