import { expect, test } from 'vitest';

import {
  may,
  needsOwnSession,
  needsPasskey,
  seesAllDrawers,
  STAFF_ACTS,
  STAFF_ROLES,
  worksInBranches,
} from './staff-rights.ts';

/** c: cashier, m: manager, o: owner, a: accountant. */
const DRAWN = {
  sign_out: 'cmoa',
  list_branches: 'cmoa',
  see_rules: 'cmoa',
  look_up: 'cmo',
  take_payment: 'cmo',
  reverse_payment: 'mo',
  pay_refund: 'mo',
  see_receipt: 'cmo',
  hand_over: 'cmo',
  see_products: 'cmo',
  edit_products: 'o',
  edit_units: 'mo',
  check_shelf: 'cmo',
  see_cuts: 'cmoa',
  close_cut: 'cmo',
  close_day: 'mo',
  list_purchases: 'moa',
  see_purchase: 'moa',
  save_lists: 'moa',
  save_evidence: 'o',
  end_plan: 'o',
  give_time: 'mo',
  answer_claim: 'mo',
  refund_claim: 'o',
  find_buyers: 'mo',
  see_reports: 'moa',
  see_invoices: 'oa',
  see_settlements: 'oa',
  list_staff: 'o',
  invite_staff: 'o',
  revoke_staff: 'o',
  change_staff: 'o',
  staff_sessions: 'o',
  own_sessions: 'cmoa',
  own_mails: 'o',
  change_password: 'cmoa',
  add_passkey: 'cmoa',
  own_passkeys: 'cmoa',
  set_owner_rule: 'o',
  set_pin: 'cmo',
  enrol_device: 'mo',
  list_devices: 'mo',
  revoke_device: 'mo',
  lift_pin_lock: 'mo',
  manage_webhooks: 'o',
} as const satisfies Record<(typeof STAFF_ACTS)[number], string>;

test('cashiers take money, managers take it back, owners do all of it, and accountants touch none', () => {
  for (const act of STAFF_ACTS) {
    const roles = STAFF_ROLES.filter((role) => may(role, act)).map(([first]) => first);
    expect([act, roles.join('')]).toEqual([act, DRAWN[act]]);
  }
});

test('cashiers and managers work in branches that are named', () => {
  expect(STAFF_ROLES.filter(worksInBranches)).toEqual(['cashier', 'manager']);
});

test('cashiers see their own drawer alone', () => {
  expect(STAFF_ROLES.filter((role) => !seesAllDrawers(role))).toEqual(['cashier']);
});

test('a PIN on a shared device is enough for money, not for deciding who gets in, nor for files of buyers', () => {
  expect(STAFF_ACTS.filter((act) => !needsOwnSession(act))).toEqual([
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
    'end_plan',
    'give_time',
    'answer_claim',
    'refund_claim',
    'find_buyers',
    'see_reports',
    'list_devices',
    'lift_pin_lock',
  ]);
});

test('without the passkey that their shop asks for an owner adds one or leaves, and does nothing else', () => {
  expect(STAFF_ACTS.filter((act) => !needsPasskey(act))).toEqual(['sign_out', 'add_passkey']);
});
