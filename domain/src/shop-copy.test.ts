import { expect, test } from 'vitest';

import {
  invoiceAsking,
  invoiceGroupWords,
  invoiceStands,
  methodWords,
  paymentFormWords,
  refundReason,
  refundStands,
  settlementParties,
  settlementWords,
} from './shop-copy.ts';

test.each([
  ['owed', 'cash', null, 'Por entregar'],
  ['owed', 'cash', '4242', 'Por entregar'],
  ['owed', 'card', '4242', 'En camino'],
  ['sending', 'card', '4242', 'En camino'],
  ['unknown', 'card', '4242', 'En revisión'],
  ['blocked', 'card', '4242', 'En revisión'],
  ['moved_to_cash', 'card', '4242', 'Pasó a efectivo'],
  ['done', 'card', null, 'Hecha'],
  ['done', 'cash', '4242', 'Hecha'],
  ['done', 'cash', null, 'Entregada'],
  ['blocked', 'cash', null, 'En revisión'],
] as const)('a refund that is %s by %s, of the terminal’s card %s, is %s', (state, method, last4, words) => {
  expect(refundStands({ state, method, last4 })).toBe(words);
});

test('money goes back for what ended its purchase, else for what was wrong with the payment', () => {
  expect(refundReason({ cause: 'cancel', endedBy: 'rule' })).toBe('Terminó por atraso');
  expect(refundReason({ cause: 'surplus', endedBy: null })).toBe('Se pagó de más');
});

test('what the store took back is under review, however its refund stands', () => {
  const refund = { state: 'owed', method: 'cash', last4: null } as const;
  expect(refundStands({ ...refund, storeReversed: true })).toBe('En revisión');
});

test('screens, files and emails name each payment method, and each group of paid instalments', () => {
  expect(Object.values(methodWords)).toEqual([
    'Efectivo en el mostrador',
    'Tarjeta en tu terminal',
    'Tu caja',
    'Tarjeta en línea',
    'Efectivo en tienda de la red',
  ]);
  expect(Object.values(invoiceGroupWords)).toEqual([
    'Con factura',
    'En trámite',
    'Sin factura',
    'De compras canceladas',
  ]);
});

test('an accountant reads SAT’s forms of payment in words, and one that is new as its number', () => {
  expect(['01', '04', '28', '99'].map(paymentFormWords)).toEqual([
    '01 Efectivo',
    '04 Tarjeta de crédito',
    '28 Tarjeta de débito',
    '99',
  ]);
});

test('a paid instalment whose invoice nobody asked for says so, else how it stands', () => {
  const states = ['in_process', 'review', 'issued', 'credited', 'refused', 'cancelled'] as const;
  expect([undefined, ...states].map(invoiceStands)).toEqual([
    'Sin pedir',
    'En proceso',
    'En revisión',
    'Emitida',
    'Con nota de crédito',
    'Rechazada',
    'Cancelada',
  ]);
});

test.each([
  [null, '2026-12-17', undefined],
  ['not_offered', null, 'No se factura aquí'],
  ['open', null, 'Se puede pedir sin límite de fecha'],
  ['open', '2026-12-17', 'Se puede pedir hasta el 17 dic 2026'],
  ['over', '2026-12-17', 'Se podía pedir hasta el 17 dic 2026'],
] as const)('where an invoice is %s until %s, it reads: %s', (asking, until, words) => {
  expect(invoiceAsking({ asking, until })).toBe(words);
});

const NOTED = { channel: null, chain: null, party: null, ofId: null } as const;

test.each([
  [{ kind: 'deposit', channel: 'card' }, 'Depósito de tarjetas'],
  [{ kind: 'deposit', channel: 'till' }, 'Depósito de cajas'],
  [{ kind: 'deposit', channel: 'cash', chain: 'OXXO' }, 'Depósito de tiendas OXXO'],
  [{ kind: 'payout', party: 'merchant' }, 'Pago del operador a tu comercio'],
  [{ kind: 'payout', party: 'operator' }, 'Pago de tu comercio al operador'],
  [{ kind: 'explanation', ofId: 7 }, 'Explicación del movimiento 7'],
  [{ kind: 'void', ofId: 7 }, 'Cancelación del movimiento 7'],
] as const)('what the operator noted of a shop’s money, %o, reads: %s', (noted, words) => {
  expect(settlementWords({ ...NOTED, ...noted })).toBe(words);
});

test('who got the money of what the operator noted, or has it, has a name', () => {
  expect(settlementParties).toEqual({
    merchant: 'el comercio',
    operator: 'el operador',
    provider: 'quien deposita',
  });
});
