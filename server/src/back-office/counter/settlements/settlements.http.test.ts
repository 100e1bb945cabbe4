import { mexicoCityDate } from '@aparta/domain/calendar';
import { centavos } from '@aparta/domain/money';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestApp, type TestApp } from '../../../../test/app.ts';
import { makeMerchant, makeStaff } from '../../../../test/make.ts';
import { transaction } from '../../../platform/db/transaction.ts';
import { recordDeposit, recordPayout, voidSettlement } from '../../settlements/record-settlement.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

test('an accountant reads what the operator noted of their shop alone, what is voided as that, and not why', async () => {
  const { db } = server;
  const [merchantId, strangers] = [await makeMerchant(db), await makeMerchant(db)];
  const happenedOn = mexicoCityDate(new Date());
  const given = { merchantId, happenedOn, isBeyond: true };
  const tokens = [
    (await makeStaff(db, { merchantId, role: 'accountant' })).token,
    (await makeStaff(db, { merchantId: strangers, role: 'owner' })).token,
  ];
  const paid = { ...given, party: 'merchant', amountCentavos: centavos(150_000) } as const;
  const { settlement: payout } = await transaction(db, (tx) =>
    recordPayout(tx, { ...paid, evidence: 'SPEI 9001' }),
  );
  const { settlement: deposit } = await transaction(db, (tx) =>
    recordDeposit(tx, {
      ...given,
      channel: 'card',
      amountCentavos: centavos(59_040),
      commissionCentavos: centavos(2_460),
      evidence: 'Clip D-118',
    }),
  );
  await transaction(db, (tx) => voidSettlement(tx, payout.id, 'Era de otro comercio'));

  const list = async (token?: string) =>
    (await server.ask('GET /v1/counter/settlements', { token: token! })).body.data;
  const [voiding, ...others] = await list(tokens[0]);
  expect(voiding).toMatchObject({ kind: 'void', ofId: payout.id, amount: 1_500, evidence: '' });
  expect(others).toMatchObject([
    {
      id: deposit.id,
      kind: 'deposit',
      channel: 'card',
      chain: null,
      from: null,
      amount: 590.4,
      commission: 24.6,
      missing: 0,
      over: 0,
      happenedOn,
      evidence: 'Clip D-118',
      voided: false,
      ofId: null,
    },
    { id: payout.id, kind: 'payout', party: 'merchant', amount: 1_500, evidence: 'SPEI 9001', voided: true },
  ]);
  expect(await list(tokens[1])).toEqual([]);
});
