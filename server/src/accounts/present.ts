import type { BuyerProfile, listSessions, lookUpEmail } from '@aparta/contract/account';
import type { ReplyData } from '@aparta/contract/endpoint';

import type { BuyerRow } from './buyers/store.ts';
import type { SessionRow } from './sessions/store.ts';

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
    emailConfirmed: row.email_confirmed_at !== null,
    reminders: row.wants_reminders,
  };
}

/** The same for who holds a live reset code: spec §3's user record, never with a password. */
export function presentUserRecord(row: BuyerRow): ReplyData<typeof lookUpEmail> {
  return { id: row.id, businessName: '', userName: row.user_name, name: row.name };
}

export function presentSession(row: SessionRow): ReplyData<typeof listSessions>[number] {
  return {
    id: row.id,
    openedAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    device: row.device,
    isThis: row.is_this,
    isKept: row.is_kept,
  };
}
