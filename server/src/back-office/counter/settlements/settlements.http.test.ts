import { mexicoCityDate } from '@aparta/domain/calendar';
import { centavos } from '@aparta/domain/money';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
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

/** The saved list, each line by its columns. */
async function saved(token: string, body: object = {}) {
  const { data } = (
    await server.ask('POST /v1/counter/files/settlements', { token, body: { format: 'csv', ...body } })
  ).body;
  const bytes = Buffer.from(data.contentByteArray, 'base64');
  const lines: Record<string, string>[] = parse(bytes, { bom: true, columns: true });
  return { lines, next: data.next as string | null };
}

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

  expect((await saved(tokens[0]!)).lines).toMatchObject([
    { Qué: `Cancelación del movimiento ${payout.id}`, Importe: '1500.00', Comprobante: '' },
    {
      Movimiento: String(deposit.id),
      Fecha: happenedOn,
      Qué: 'Depósito de tarjetas',
      Importe: '590.40',
      Comisión: '24.60',
      'Falta por explicar': '0.00',
      'Sobra por explicar': '0.00',
      Comprobante: 'Clip D-118',
    },
    {
      Qué: 'Pago del operador a tu comercio',
      Estado: 'Cancelado',
      'Quién lo recibió o lo tiene': 'el comercio',
      Comprobante: 'SPEI 9001',
    },
  ]);
  expect((await saved(tokens[1]!)).lines).toEqual([]);
  const acts = await db
    .selectFrom('staff_acts')
    .select(['act', 'detail'])
    .where('subject_id', '=', 'liquidaciones')
    .where('merchant_id', '=', merchantId)
    .execute();
  expect(acts).toEqual([{ act: 'save_list', detail: { format: 'csv', lines: 3 } }]);
});

test('the file goes on behind the screen, and each behind the one before it', async () => {
  const merchantId = await makeMerchant(server.db);
  const { token } = await makeStaff(server.db, { merchantId, role: 'accountant' });
  await sql`insert into settlements (merchant_id, kind, party, amount_centavos, happened_on, evidence)
    select ${merchantId}, 'payout', 'merchant', 100, current_date, 'SPEI ' || n from generate_series(1, 5002) n`.execute(
    server.db,
  );
  const listed = (await server.ask('GET /v1/counter/settlements', { token })).body.data;
  expect(listed).toHaveLength(500);
  const first = await saved(token);
  expect(first.lines).toHaveLength(5_000);
  const rest = await saved(token, { cursor: first.next });
  expect([first.lines.at(-1), ...rest.lines].map((line) => line?.['Comprobante'])).toEqual([
    'SPEI 3',
    'SPEI 2',
    'SPEI 1',
  ]);
  expect(rest.next).toBeNull();
});
