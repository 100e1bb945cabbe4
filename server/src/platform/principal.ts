import type { StaffRole } from '@aparta/domain/staff-rights';

/** A signed-in buyer. */
export interface Buyer {
  readonly kind: 'buyer';
  readonly id: number;
}

/** A shop's till; its money counts for `chain` (its own `compañia`) alone, and for the merchants that it collects for. */
export interface Till {
  readonly kind: 'till';
  readonly serviceAccountId: string;
  readonly chain: string;
  readonly merchantIds: readonly number[];
  /** Revoked accounts of its chain that collected for one of its merchants, the newest first. */
  readonly formerIds: readonly string[];
}

/** A service account that reads the payments of one merchant. */
export interface Integrator {
  readonly kind: 'integrator';
  readonly serviceAccountId: string;
  readonly merchantId: number;
}

/** Somebody of a shop, signed in as what they are at one merchant; read anew at each call. */
export interface Staff {
  readonly kind: 'staff';
  readonly staffId: string;
  readonly positionId: string;
  readonly merchantId: number;
  readonly role: StaffRole;
  /** The open branches that are theirs; on a shared device its own alone. */
  readonly branchIds: readonly number[];
  /** The passkey that opened the session. */
  readonly passkeyId: string | undefined;
  /** An owner's whose merchant asks for a passkey, and whose session none opened: it may only add the first one. */
  readonly lacksPasskey: boolean;
  /** The shared device on which they signed in by PIN. */
  readonly device: { readonly id: string; readonly branchId: number } | undefined;
}

/** The owner of a call's token. The kinds share no id field, so that one cannot be taken for another. */
export type Principal = Buyer | Till | Integrator | Staff;

/** What counts and logs call them by. A person at two merchants is two. */
export function idOf(caller: Principal): string {
  switch (caller.kind) {
    case 'buyer':
      return `buyer ${caller.id}`;
    case 'staff':
      return caller.positionId;
    case 'till':
    case 'integrator':
      return caller.serviceAccountId;
  }
}
