import { centavos } from '@aparta/domain/money';
import { expect, test } from 'vitest';
import { receiptReversed } from './postings.ts';

test('when a store takes back money of which a part was handed to the buyer, that part alone is lost', () => {
  const receipt = { channel: 'cash', merchantId: 1, sourceId: 'op-1' } as const;
  const use = {
    to: 'purchase',
    purchaseId: 7,
    principalCentavos: centavos(60_000),
    feeCentavos: centavos(0),
    surplus: { refundId: 9, amountCentavos: centavos(5_000) },
  } as const;
  const debits = (refundIsPaid: boolean) =>
    receiptReversed(receipt, use, { refundIsPaid }).transfers.map(({ debit, amountCentavos }) => [
      debit,
      amountCentavos,
    ]);
  expect(debits(false)).toEqual([
    ['layaway_deposits', 60_000],
    ['cash_refund_payable', 5_000],
  ]);
  expect(debits(true)).toEqual([
    ['layaway_deposits', 60_000],
    ['dispute_loss', 5_000],
  ]);
});
