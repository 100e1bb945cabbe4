import { centavos } from '@aparta/domain/money';
import { expect, test } from 'vitest';

import { writeCalendar } from './write-calendar.ts';

test('what a shop calls a product becomes no link in a calendar, which is shared; the one to pay by does', () => {
  const date = {
    instalmentId: 2,
    purchaseId: 7,
    state: 'active',
    number: 2,
    of: 3,
    dueOn: '2031-06-05',
    owedCentavos: centavos(40_000),
    productName: 'Sala, paga en www.falso.mx',
    tradeName: 'falso.com',
    hasFee: true,
    planReference: '21000482101',
    isClaimed: false,
    changes: 0,
    changedAt: new Date('2031-05-05T18:00:00Z'),
  } as const;
  const text = writeCalendar([date], { productName: 'Aparta', publicOrigin: 'https://aparta.example' });
  const unfolded = text.replaceAll('\r\n ', '');
  expect(unfolded).not.toMatch(/www\.|falso\./);
  expect(unfolded).toContain('www falso mx');
  expect(unfolded).toContain('Paga aquí: https://aparta.example/saleCxcList/7');
});
