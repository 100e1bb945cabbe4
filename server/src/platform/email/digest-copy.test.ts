import { centavos, zero } from '@aparta/domain/money';
import { expect, test } from 'vitest';

import { digestEmail, type ShopDigest } from './digest-copy.ts';
import { linksFrom } from './links.ts';

const none = { amountCentavos: zero, count: 0 };
const digest: ShopDigest = {
  day: '2026-11-21',
  tradeName: 'Muebles',
  collected: [
    { method: 'counter_cash', amountCentavos: centavos(60_000), withdrawnCentavos: zero, count: 2 },
    { method: 'card', amountCentavos: zero, withdrawnCentavos: centavos(84_490), count: 0 },
  ],
  newPurchases: 0,
  paidOff: 0,
  cancelled: 0,
  expiring: none,
  refunds: none,
  overdue: none,
  claims: none,
  ending: [],
  uncut: [],
};

test('what was taken back of earlier days is off what an owner reads of yesterday, and said', () => {
  const { blocks } = digestEmail(digest, { product: '', links: linksFrom('') });
  expect(blocks).toContainEqual({ kind: 'amount', label: 'Cobrado ayer', amount: '-$244.90 MXN' });
  expect(blocks).toContainEqual({
    kind: 'rows',
    title: 'Ayer',
    rows: [
      { label: 'Efectivo en el mostrador', value: '2 · $600.00 MXN' },
      { label: 'Tarjeta en línea', value: '0 · -$844.90 MXN' },
      { label: 'Ya descontado: pagos de antes, revertidos', value: '$844.90 MXN' },
    ],
  });
});
