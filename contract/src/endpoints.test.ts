import { expect, test } from 'vitest';

import { productField } from './endpoint.ts';
import { ENDPOINTS } from './endpoints.ts';
import { createCardPayment } from './payments.ts';

const all = Object.values(ENDPOINTS).flat();

test('no two endpoints share a name, or a method and path', () => {
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  expect(new Set(all.map(({ method, path }) => `${method} ${path}`)).size).toBe(all.length);
});

test('the calls of the reserving journey are spelt as the spec spells them', () => {
  const calls = all.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, '*')}`);
  expect(calls).toEqual(
    expect.arrayContaining([
      'POST /v1/TokenBuyer/Authenticate',
      'GET /v1/UserBuyerClient/GetByUserIdAsync/*',
      'GET /v1/SecurityBuyer/GetByEmailAsync/*',
      'POST /v1/SecurityBuyer/InsertAsync',
      'GET /v1/PullApartReference/*',
      'POST /v1/PullApartReference',
      'GET /v1/Business/GetAsync/*',
      'GET /v1/BusinessProduct/GetAsync/*',
      'GET /v1/Company/GetAsync/*',
      'GET /v1/AzureBlobStorage/Download/*',
      'GET /ip',
      'POST /v1/Users/Authenticate',
      'GET /v1/Clib/GetPaymentsAsync/*/*',
      'POST /v1/Clib/CreatePaymentsAsync',
      'POST /User/authenticate',
      'POST /PosOperations/OnLayaway',
      'POST /PosOperations/payment',
      'POST /PosOperations/SaleWithOutRef',
      'GET /v1/Cxc/ByBuyerIdH/*',
      'GET /v1/Cxc/ByBusinesidVentaidDateD/*',
      'GET /v1/Cxc/ByIdWithBalance/*',
      'GET /v1/Sales/GetAsync/*',
    ]),
  );
});

test('a product of another name spells its merchant field with that name', () => {
  expect(productField(createCardPayment, 'aparta')).toBe('apartaBusinnessId');
  expect(productField(createCardPayment, 'miapartado')).toBe('miapartadoBusinnessId');
});
