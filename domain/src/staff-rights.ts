/** What somebody is at a merchant. */
export const STAFF_ROLES = ['cashier', 'manager', 'owner', 'accountant'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

/** What can be done at the counter and behind it. */
export const STAFF_ACTS = [
  'sign_out',
  'list_branches',
  'look_up',
  'take_payment',
  'reverse_payment',
  'see_receipt',
  'list_staff',
  'invite_staff',
  'revoke_staff',
] as const;
export type StaffAct = (typeof STAFF_ACTS)[number];

const EVERYBODY: readonly StaffAct[] = ['sign_out', 'list_branches'];
const CASHIER: readonly StaffAct[] = [...EVERYBODY, 'look_up', 'take_payment', 'see_receipt'];

const RIGHTS: Readonly<Record<StaffRole, readonly StaffAct[]>> = {
  cashier: CASHIER,
  manager: [...CASHIER, 'reverse_payment'],
  owner: STAFF_ACTS,
  accountant: EVERYBODY,
};

/** Whether a role may do an act at all; where, its branches say. */
export function may(role: StaffRole, act: StaffAct): boolean {
  return RIGHTS[role].includes(act);
}

/** Whether a role is for branches that are named; the others are for all of them. */
export function worksInBranches(role: StaffRole): boolean {
  return role === 'cashier' || role === 'manager';
}
