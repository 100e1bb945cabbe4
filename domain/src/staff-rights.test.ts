import { expect, test } from 'vitest';

import { may, STAFF_ACTS, STAFF_ROLES, worksInBranches } from './staff-rights.ts';

/** c: cashier, m: manager, o: owner, a: accountant. */
const DRAWN = {
  sign_out: 'cmoa',
  list_branches: 'cmoa',
  look_up: 'cmo',
  take_payment: 'cmo',
  reverse_payment: 'mo',
  see_receipt: 'cmo',
  list_staff: 'o',
  invite_staff: 'o',
  revoke_staff: 'o',
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
