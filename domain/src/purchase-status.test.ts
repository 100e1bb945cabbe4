import { expect, it } from 'vitest';
import { DEFAULT_LIST_FILTER, isListed, purchaseStatus, type ListFilter } from './purchase-status.ts';

it('shows a purchase as active until its last instalment is paid, then as paid off', () => {
  expect(purchaseStatus({ statusCode: 1, instalments: 3, paidInstalments: 1 })).toBe('active');
  expect(purchaseStatus({ statusCode: 1, instalments: 3, paidInstalments: 2 })).toBe('active');
  expect(purchaseStatus({ statusCode: 1, instalments: 3, paidInstalments: 3 })).toBe('paid_off');
});

it('shows a cancelled purchase as cancelled however much was paid', () => {
  expect(purchaseStatus({ statusCode: 2, instalments: 3, paidInstalments: 1 })).toBe('cancelled');
  expect(purchaseStatus({ statusCode: 2, instalments: 3, paidInstalments: 3 })).toBe('cancelled');
});

it.each<[ListFilter, string[]]>([
  [1, ['active', 'paid_off', 'cancelled']],
  [2, ['active']],
  [3, ['paid_off']],
  [4, ['cancelled']],
])('lists under filter %i only %o', (filter, listed) => {
  const all = ['active', 'paid_off', 'cancelled'] as const;
  expect(all.filter((status) => isListed(status, filter))).toEqual(listed);
});

it('opens the list on what is still to be paid', () => {
  expect(DEFAULT_LIST_FILTER).toBe(2);
});
