import { getBuyer } from '@aparta/contract/account';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { call } from '../src/api/client.ts';
import { fakeServer, marisol, ok } from './server.ts';
import { expectNoSurprise } from './surprise.ts';

const { phone: _forgotten, ...older } = marisol;
fakeServer({ 'GET /v1/UserBuyerClient/GetByUserIdAsync/7': ok(older) });

test('a test of a screen ends at once, with the field, when its reply is not what the buyer’s server would send', async () => {
  const waits = screen.findByText('what would never come');
  await expect(call(getBuyer, { params: { userId: '7' } })).rejects.toBeInstanceOf(Error);
  await expect(waits).rejects.toThrow(
    'the contract has another reply to GET /v1/UserBuyerClient/GetByUserIdAsync/7: data.phone',
  );
  expectNoSurprise();
});
