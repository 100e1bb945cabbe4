/** What somebody is at a merchant. */
export const STAFF_ROLES = ['cashier', 'manager', 'owner', 'accountant'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

/** What can be done at the counter and behind it. */
export const STAFF_ACTS = [
  'sign_out',
  'list_branches',
  'see_rules',
  'look_up',
  'take_payment',
  'reverse_payment',
  'pay_refund',
  'see_receipt',
  'hand_over',
  'see_products',
  'edit_products',
  'edit_units',
  'check_shelf',
  'see_cuts',
  'close_cut',
  'close_day',
  'list_purchases',
  'see_purchase',
  'save_lists',
  'save_evidence',
  'end_plan',
  'give_time',
  'answer_claim',
  'refund_claim',
  'find_buyers',
  'see_reports',
  'see_invoices',
  'see_settlements',
  'list_staff',
  'invite_staff',
  'revoke_staff',
  'change_staff',
  'staff_sessions',
  'own_sessions',
  'own_mails',
  'change_password',
  'add_passkey',
  'own_passkeys',
  'set_owner_rule',
  'set_pin',
  'enrol_device',
  'list_devices',
  'revoke_device',
  'lift_pin_lock',
  'manage_webhooks',
] as const;
export type StaffAct = (typeof STAFF_ACTS)[number];

const EVERYBODY: readonly StaffAct[] = [
  'sign_out',
  'list_branches',
  'see_rules',
  'own_sessions',
  'change_password',
  'add_passkey',
  'own_passkeys',
  'see_cuts',
];
const CASHIER: readonly StaffAct[] = [
  ...EVERYBODY,
  'set_pin',
  'look_up',
  'take_payment',
  'see_receipt',
  'hand_over',
  'see_products',
  'check_shelf',
  'close_cut',
];
const DEVICES: readonly StaffAct[] = ['enrol_device', 'list_devices', 'revoke_device', 'lift_pin_lock'];

const LISTS: readonly StaffAct[] = ['list_purchases', 'see_purchase', 'see_reports', 'save_lists'];

const RIGHTS: Readonly<Record<StaffRole, readonly StaffAct[]>> = {
  cashier: CASHIER,
  manager: [
    ...CASHIER,
    ...DEVICES,
    ...LISTS,
    'find_buyers',
    'reverse_payment',
    'pay_refund',
    'close_day',
    'edit_units',
    'give_time',
    'answer_claim',
  ],
  owner: STAFF_ACTS,
  accountant: [...EVERYBODY, ...LISTS, 'see_invoices', 'see_settlements'],
};

/** Whether a role may do an act at all; where, its branches say. */
export function may(role: StaffRole, act: StaffAct): boolean {
  return RIGHTS[role].includes(act);
}

/** Whether a role sees the drawers of others; a cashier sees their own alone. */
export function seesAllDrawers(role: StaffRole): boolean {
  return role !== 'cashier';
}

/** What a PIN on a shared device is too little for: it decides who else gets in, or leaves buyers' names and RFCs in its files. */
const OWN_SESSION: readonly StaffAct[] = [
  'list_staff',
  'invite_staff',
  'revoke_staff',
  'change_staff',
  'staff_sessions',
  'own_sessions',
  'own_mails',
  'change_password',
  'add_passkey',
  'own_passkeys',
  'set_owner_rule',
  'set_pin',
  'enrol_device',
  'revoke_device',
  'manage_webhooks',
  'save_lists',
  'save_evidence',
  'see_invoices',
  'see_settlements',
];

/** Whether an act asks for a session that was not opened by PIN. */
export function needsOwnSession(act: StaffAct): boolean {
  return OWN_SESSION.includes(act);
}

/** What is left to an owner without the passkey that their merchant asks for: to add the first one, and to leave. */
const WITHOUT_PASSKEY: readonly StaffAct[] = ['sign_out', 'add_passkey'];

/** Whether an act asks for the passkey that a merchant demands of its owners. */
export function needsPasskey(act: StaffAct): boolean {
  return !WITHOUT_PASSKEY.includes(act);
}

/** Whether a role is for branches that are named; the others are for all of them. */
export function worksInBranches(role: StaffRole): boolean {
  return role === 'cashier' || role === 'manager';
}
