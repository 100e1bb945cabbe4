import { expect, test } from 'vitest';
import { cashReferenceQuery } from './cash-references.ts';
import { quoteQuery } from './cancellations.ts';
import { instalmentQuery, instalmentToPayQuery } from './instalments.ts';
import { lateWithQuery } from './late-purchases.ts';
import { layawayReferenceQuery, layawayToPayQuery } from './layaway.ts';
import { pickupQuery } from './pickup.ts';
import { profileQuery } from './profile.ts';
import { owedQuery, purchasesQuery } from './purchase-lists.ts';
import { purchaseQuery } from './purchase.ts';
import { receiptQuery } from './receipts.ts';
import { refundsQuery } from './refunds.ts';
import { maySee, onlySeen } from './seen.ts';
import { sessionsQuery } from './sessions.ts';
import { statementQuery } from './statement.ts';

test('Purchases, receipts and pickup codes are kept to be read without internet', () => {
  for (const { queryKey } of [
    owedQuery(7),
    purchasesQuery(7, 1),
    purchaseQuery(41),
    pickupQuery(41),
    refundsQuery(41),
    receiptQuery('A7K2993104'),
  ])
    expect(maySee(queryKey), queryKey.join(' ')).toBe(true);
});

test('What something costs now, how a payment stands and who the buyer is are never kept', () => {
  for (const { queryKey } of [
    instalmentQuery(3),
    instalmentToPayQuery(41, 3, { late: true }),
    lateWithQuery(41),
    quoteQuery(41),
    layawayReferenceQuery(9),
    layawayToPayQuery(9),
    cashReferenceQuery({ paymentReference: '1', balance: 1 as never }),
    statementQuery({ from: '2026-01-01', to: '2026-02-01' } as never),
    profileQuery(7),
    sessionsQuery,
  ])
    expect(maySee(queryKey), queryKey.join(' ')).toBe(false);
});

test('Of an answer nothing is kept that no screen of it shows: email, telephone, fees of today', () => {
  const paidAt = new Date(0);
  expect(
    onlySeen({
      data: [{ ventaId: 41, email: 'a@b.mx', telefono: '55', ssoId: 'x', pictures: null, paidAt }],
      sale: { ammount: 3_000, cardFee: 15, cashFee: 0 },
    }),
  ).toEqual({ data: [{ ventaId: 41, pictures: null, paidAt }], sale: { ammount: 3_000 } });
});
